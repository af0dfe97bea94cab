package dev.caisson.cli;

import dev.caisson.call.Scope;
import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/// Group of the commands about keys.
@Command(
        name = "key",
        description = "Creates, lists and revokes API keys.",
        synopsisSubcommandLabel = "(create | list | revoke)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson key create laptop",
            "  caisson key create ci --scope run --scope files_read --days 30 --json",
            "  caisson key create agent --profile small",
            "  caisson key create team --volume data:rw --volume models",
            "  caisson key list",
            "  caisson key revoke KEY_ID"
        })
final class KeyCommand {
    /// The words of scopes, in their order.
    static String words(Collection<Scope> scopes) {
        return new TreeSet<>(scopes).stream().map(Scope::word).collect(Collectors.joining(", "));
    }
}
