package dev.caisson.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Command `ledger verify`: checks the hash chain of the ledger.
@Command(
        name = "verify",
        description = {
            "Walks the whole ledger and names every entry that was changed, removed, moved or added.",
            "The server may run meanwhile. Note the head it prints somewhere else: with --head it"
                    + " proves later that nothing up to there was rewritten."
        },
        footerHeading = "%nExit codes:%n",
        footer = {"  0  the ledger is intact", "  1  it is not"})
final class LedgerVerifyCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Spec @Nullable CommandSpec spec;

    @Option(
            names = "--head",
            paramLabel = "NUMBER:HASH",
            description = "A head that was printed earlier.")
    @Nullable String head;

    @Option(names = "--json", description = "Prints JSON.")
    boolean json;

    LedgerVerifyCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        if (head != null && !head.matches("[0-9]{1,18}:[0-9a-f]{64}")) {
            throw CommandOutput.mistyped(
                    spec, "--head is a number, a colon and 64 hexadecimal digits, as printed.");
        }
        var config = options.read(product);
        return product.verifyLedger(
                config, Optional.ofNullable(head), json, CommandOutput.of(spec));
    }
}
