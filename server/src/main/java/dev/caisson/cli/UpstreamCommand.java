package dev.caisson.cli;

import dev.caisson.json.Json;
import dev.caisson.json.Printable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Group of the commands about upstreams.
@Command(
        name = "upstream",
        description = {
            "Adds, lists, reviews and removes other MCP servers whose tools are called here.",
            "A server that runs on the data directory connects to them and sees every change within"
                    + " seconds."
        },
        synopsisSubcommandLabel =
                "(add | install | list | review | refresh | restart | connect | remove |"
                        + " import)",
        footerHeading = "%nExamples:%n",
        footer = {
            "  caisson upstream add weather https://weather.example.org/mcp",
            "  caisson upstream add notes --show /opt/mcp/notes -- \\",
            "      python3 /opt/mcp/notes/server.py",
            "  caisson upstream install npm \\",
            "      @modelcontextprotocol/server-memory@2026.8.31 memory",
            "  caisson upstream review weather       shows what waits, and asks",
            "  caisson upstream import mcp.json      takes the servers of another client"
        })
final class UpstreamCommand {
    static CommandLine line(Product product) {
        return new CommandLine(new UpstreamCommand())
                .addSubcommand(new UpstreamAddCommand(product))
                .addSubcommand(new UpstreamInstallCommand(product))
                .addSubcommand(new ListCommand(product))
                .addSubcommand(new UpstreamReviewCommand(product))
                .addSubcommand(new RefreshCommand(product))
                .addSubcommand(new RestartCommand(product))
                .addSubcommand(new ConnectCommand(product))
                .addSubcommand(new RemoveCommand(product))
                .addSubcommand(new UpstreamImportCommand(product));
    }

    /// Prints an upstream after something was done with it.
    static void print(@Nullable CommandSpec spec, boolean json, UpstreamAdmin.Upstream upstream) {
        var out = CommandOutput.of(spec);
        if (json) {
            out.println(UpstreamText.json(UpstreamText.tree(upstream)));
            return;
        }
        out.println(
                "The upstream %s is %s: %d tools approved, %d waiting, %d refused."
                        .formatted(
                                upstream.id(),
                                upstream.state(),
                                upstream.tools("approved"),
                                upstream.waiting(),
                                upstream.tools("refused")));
        upstream.lastError()
                .ifPresent(error -> out.println("Last error: " + Printable.text(error) + "."));
        upstream.remedy().ifPresent(out::println);
    }

    /// Command `upstream list`.
    @Command(name = "list", description = "Lists upstreams with their state and their tools.")
    static final class ListCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        ListCommand(Product product) {
            this.product = product;
        }

        @Override
        public Integer call() throws Exception {
            var out = CommandOutput.of(spec);
            try (var desk = product.upstreams(options.read(product))) {
                var all = desk.list();
                if (json) {
                    var array = Json.array();
                    all.forEach(one -> array.add(UpstreamText.tree(one)));
                    out.println(UpstreamText.json(array));
                } else if (all.isEmpty()) {
                    out.println("There are no upstreams in " + desk.dataUse().directory() + ".");
                } else {
                    out.println(UpstreamText.table(all));
                }
                desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            }
            return Product.OK;
        }
    }

    /// What is done with one upstream.
    abstract static class OneCommand implements Callable<Integer> {
        private final Product product;

        @Mixin ConfigOptions options = new ConfigOptions();

        @Spec @Nullable CommandSpec spec;

        @Parameters(paramLabel = "ID", description = "Its id, see `caisson upstream list`.")
        String id = "";

        @Option(names = "--json", description = "Prints JSON.")
        boolean json;

        OneCommand(Product product) {
            this.product = product;
        }

        abstract void act(UpstreamAdmin desk) throws CommandFailed;

        @Override
        public Integer call() throws Exception {
            try (var desk = product.upstreams(options.read(product))) {
                act(desk);
                desk.dataUse().warning().ifPresent(sentence -> CommandOutput.warn(spec, sentence));
            }
            return Product.OK;
        }
    }

    /// Command `upstream refresh`.
    @Command(name = "refresh", description = "Has the tools of an upstream listed now.")
    static final class RefreshCommand extends OneCommand {
        RefreshCommand(Product product) {
            super(product);
        }

        @Override
        void act(UpstreamAdmin desk) {
            print(spec, json, desk.refresh(id));
        }
    }

    /// Command `upstream restart`.
    @Command(
            name = "restart",
            description =
                    "Ends the connection of an upstream, forgets its failures, connects again.")
    static final class RestartCommand extends OneCommand {
        RestartCommand(Product product) {
            super(product);
        }

        @Override
        void act(UpstreamAdmin desk) {
            desk.restart(id);
            print(spec, json, desk.refresh(id));
        }
    }

    /// Command `upstream connect`.
    @Command(
            name = "connect",
            description =
                    "Prints the page at which a person connects an upstream to its account there.")
    static final class ConnectCommand extends OneCommand {
        ConnectCommand(Product product) {
            super(product);
        }

        @Override
        void act(UpstreamAdmin desk) throws CommandFailed {
            var page = desk.connectPage(id);
            CommandOutput.of(spec)
                    .println(json ? Json.pretty(Json.object().put("url", page)) : page);
        }
    }

    /// Command `upstream remove`.
    @Command(name = "remove", description = "Removes an upstream with all decisions on its tools.")
    static final class RemoveCommand extends OneCommand {
        RemoveCommand(Product product) {
            super(product);
        }

        @Override
        void act(UpstreamAdmin desk) {
            desk.remove(id);
            CommandOutput.of(spec)
                    .println(
                            json
                                    ? Json.pretty(Json.object().put("removed", id))
                                    : "The upstream " + id + " is removed.");
        }
    }
}
