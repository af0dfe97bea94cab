package dev.caisson.cli;

import dev.caisson.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/// Command `upstream add`.
@Command(
        name = "add",
        description = {
            "Adds an upstream, prints the tools it has, and asks whether they may be called.",
            "Its tools are listed by the server that runs on the data directory. Without one they wait"
                    + " for `caisson upstream review`, or are taken as they are with --yes.",
            "Secrets are written as $${secret:NAME}; set them first with `caisson secret set NAME`."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson upstream add github https://mcp.example.org/mcp \\",
            "      --header 'Authorization: Bearer $${secret:github}'",
            "  caisson upstream add notes --show /opt/mcp/notes -- \\",
            "      python3 /opt/mcp/notes/server.py"
        })
final class UpstreamAddCommand implements Callable<Integer> {
    private final Product product;

    @Mixin ConfigOptions options = new ConfigOptions();

    @Mixin UpstreamEntryOptions members = new UpstreamEntryOptions();

    @Spec @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "ID",
            description = "Its id: small letters, digits and -, up to 40.")
    String id = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "URL|COMMAND",
            description = "Its address; or after -- the program and its arguments.")
    List<String> where = new ArrayList<>();

    @Option(
            names = "--header",
            paramLabel = "NAME:VALUE",
            description =
                    "A header of every request, such as 'Authorization: Bearer $${secret:NAME}'.")
    List<String> headers = new ArrayList<>();

    @Option(
            names = "--show",
            paramLabel = "DIR",
            description = "A directory of this machine that the program may read.")
    List<Path> show = new ArrayList<>();

    @Option(
            names = "--transport",
            paramLabel = "WORD",
            description = "auto, http or sse, for an address.")
    Optional<String> transport = Optional.empty();

    @Option(
            names = {"-y", "--yes"},
            description = "Approves the tools it has without asking.")
    boolean yes;

    @Option(names = "--json", description = "Prints JSON, and asks nothing.")
    boolean json;

    UpstreamAddCommand(Product product) {
        this.product = product;
    }

    @Override
    public Integer call() throws Exception {
        try (var desk = product.upstreams(options.read(product))) {
            var entry = new UpstreamAdmin.Entry(id, entry());
            var added = new ShownTools(spec, yes, json).add(desk, entry);
            UpstreamCommand.print(spec, json, added);
            desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            return added.lastError().isPresent() ? Product.FAILED : Product.OK;
        }
    }

    private ObjectNode entry() {
        var entry = Json.object();
        members.into(spec, entry);
        if (isAddress()) {
            entry.put("url", where.getFirst());
        } else {
            where.forEach(entry.putArray("command")::add);
        }
        transport.ifPresent(word -> entry.put("transport", word));
        if (!headers.isEmpty()) {
            var given = entry.putObject("credentials").put("kind", "header").putObject("headers");
            headers.forEach(header -> put(given, header));
        }
        if (!show.isEmpty()) {
            var shown = entry.putArray("show");
            show.forEach(path -> shown.add(path.toAbsolutePath().normalize().toString()));
        }
        return entry;
    }

    private boolean isAddress() {
        return where.size() == 1 && where.getFirst().matches("https?://.*");
    }

    private void put(ObjectNode given, String header) {
        int colon = header.indexOf(':');
        if (colon < 1) {
            throw CommandOutput.mistyped(spec, "A header is written as NAME:VALUE.");
        }
        given.put(header.substring(0, colon).strip(), header.substring(colon + 1).strip());
    }
}
