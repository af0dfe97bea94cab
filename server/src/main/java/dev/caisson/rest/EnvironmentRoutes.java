package dev.caisson.rest;

import dev.caisson.actions.EnvironmentActions;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.environments.BakeRecord;
import dev.caisson.environments.Environments;
import dev.caisson.environments.Lock;
import dev.caisson.environments.ShippedLock;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Records;
import dev.caisson.rest.route.Parameter;
import dev.caisson.rest.route.Reply;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.Route;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.sandbox.PackageEnvironment;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Routes of environments: what is installed for programs, and how it is baked and removed.
record EnvironmentRoutes(Environments environments, EnvironmentActions actions) {
    /// How much the names of modules may take, as JSON.
    static final int PRELOAD_BYTES_MAX = 4 << 10;

    record PackageVersion(String name, String version) {}

    record EnvironmentView(
            String name,
            String hash,
            @Describe("The version of Python its packages are for.") Optional<String> python,
            @Describe("Whether it has packages for Node.js.") boolean node,
            List<PackageVersion> packages,
            @Describe("Python modules imported before a program starts.") List<String> preload,
            long bytes,
            String bakedAt) {
        static EnvironmentView of(PackageEnvironment each) {
            return new EnvironmentView(
                    each.name(),
                    each.hash(),
                    each.python(),
                    each.node(),
                    each.packages().stream()
                            .map(item -> new PackageVersion(item.name(), item.version()))
                            .toList(),
                    each.preload(),
                    each.bytes(),
                    each.bakedAt().toString());
        }
    }

    record BakeView(
            String id,
            String name,
            String hash,
            @Describe("running, done or failed.") String state,
            @Describe("Why it failed.") Optional<String> error,
            @Describe("Hosts it may ask.") List<String> hosts,
            String startedAt,
            @Describe("What it has said, from the character asked for.") String output,
            @Describe("Where to go on with since.") int next) {
        static BakeView of(BakeRecord record, int since) {
            var output = record.output();
            return new BakeView(
                    record.id(),
                    record.name(),
                    record.hash(),
                    record.state().name().toLowerCase(Locale.ROOT),
                    record.sentence(),
                    record.hosts().stream().sorted().toList(),
                    record.startedAt().toString(),
                    output.substring(Math.min(since, output.length())),
                    output.length());
        }
    }

    record EnvironmentList(
            List<EnvironmentView> environments,
            @Describe("Those a run has that does not ask.") List<String> defaults,
            @Describe("Those that are wanted and not there.") List<String> missing,
            @Describe("Bakes of this server, the oldest first, without their output.")
                    List<BakeView> bakes) {}

    record NewEnvironment(
            @Describe("Small letters, digits, hyphens and underscores.") @Length(min = 1, max = 32)
                    String name,
            @Describe(
                            "Lines of a requirements file. Without a lock, data and dev are baked from"
                                    + " the product's own.")
                    @MaxBytes(2 * Lock.BYTES_MAX)
                    Optional<String> python,
            @Describe("The text of a package-lock.json.") @MaxBytes(2 * Lock.BYTES_MAX)
                    Optional<String> node,
            @Describe("Python modules to import before a program starts.")
                    @MaxBytes(PRELOAD_BYTES_MAX)
                    Optional<List<String>> preload) {
        Lock lock() {
            if (python.isEmpty() && node.isEmpty()) {
                return ShippedLock.named(name)
                        .map(ShippedLock::lock)
                        .orElseThrow(() ->
                                new Refusal(
                                        Reason.INVALID_ARGUMENT,
                                        "The environment %s needs a lock: give python, node or both. Only data and dev have one of the product's."
                                                .formatted(name),
                                        Map.of("parameter", "python")));
            }
            return new Lock(python, node, preload.orElse(List.of()));
        }
    }

    List<Route> routes() {
        return List.of(
                Route.get("/v1/environments")
                        .named("listEnvironments", "Packages that programs can have")
                        .needing(Scope.RUN)
                        .giving(EnvironmentList.class)
                        .by(this::list),
                Route.post("/v1/environments")
                        .named("bakeEnvironment", "Make packages ready from a lock")
                        .needing(Scope.ADMIN)
                        .taking(NewEnvironment.class)
                        .giving(202, BakeView.class)
                        .refusing(409)
                        .by(this::bake),
                Route.get("/v1/environments/bakes/{id}")
                        .named("getBake", "How a bake goes")
                        .needing(Scope.ADMIN)
                        .with(Parameter.query("since", "Only output from this character on"))
                        .giving(BakeView.class)
                        .by(this::follow),
                Route.delete("/v1/environments/{name}")
                        .named("removeEnvironment", "Remove an environment")
                        .needing(Scope.ADMIN)
                        .giving(Reply.empty(204))
                        .by(this::remove));
    }

    private Response list(RouteRequest ask) {
        return Response.ok(
                Records.tree(
                        new EnvironmentList(
                                environments.all().stream().map(EnvironmentView::of).toList(),
                                environments.settings().usual(),
                                environments.wanting(),
                                environments.bakes().stream()
                                        .map(each -> BakeView.of(each, Integer.MAX_VALUE))
                                        .toList())));
    }

    private Response bake(RouteRequest ask) throws InterruptedException {
        var wanted = ask.body(NewEnvironment.class);
        var record = actions.bake(RestConversation.inline(ask), wanted.name(), wanted.lock());
        return Response.json(202, Records.tree(BakeView.of(record, 0)))
                .with("Location", "/v1/environments/bakes/" + record.id());
    }

    private Response follow(RouteRequest ask) {
        var record =
                environments
                        .bake(ask.place("id"))
                        .orElseThrow(() ->
                                new Refusal(
                                        Reason.NOT_FOUND,
                                        "There is no such bake, or it was long ago."));
        return Response.ok(Records.tree(BakeView.of(record, since(ask))));
    }

    private static int since(RouteRequest ask) {
        return ask.query("since")
                .map(text -> {
                    if (!text.matches("\\d{1,9}")) {
                        throw new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "since is a number, as next of the answer before.",
                                Map.of("parameter", "since"));
                    }
                    return Integer.parseInt(text);
                })
                .orElse(0);
    }

    private Response remove(RouteRequest ask) throws InterruptedException {
        actions.remove(RestConversation.inline(ask), ask.place("name"));
        return Response.empty(204);
    }
}
