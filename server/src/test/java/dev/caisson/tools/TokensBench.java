package dev.caisson.tools;

import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.json.Json;
import dev.caisson.runs.Profile;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.session.SessionLimits;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.stubs.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// `bench tokens [--json]`: what a model reads of 96, 251 and 508 tools of other servers, in tokens
/// of o200k: all definitions at once, or the list of the toolset code with what searches and
/// descriptions add. The inventory is made up here.
public final class TokensBench implements AutoCloseable {
    static final List<Integer> COUNTS = List.of(96, 251, 508);

    /// Steps of a task, each of which searches once and describes what it found.
    static final int STEPS = 3;

    private static final int QUERIES = 40;
    private static final int DESCRIBED = 3;

    private final Path root;
    private final ToolBench bench;
    private final List<ToolSpec> upstream;
    private final Call call = FakeCall.by(Caller.LOCAL);

    private TokensBench(int count) throws IOException {
        root = Files.createTempDirectory("caisson-tokens-");
        bench =
                new ToolBench(
                        root,
                        new FakeRuns(Language.values()),
                        new DirectoryWorkspaces(Optional.empty()),
                        Profile.DEFAULT,
                        SessionLimits.DEFAULT,
                        UpstreamInventory.of(count),
                        _ -> {});
        upstream =
                bench.broker.callable(Caller.LOCAL).stream()
                        .filter(tool -> !tool.effectiveOrigin().isOwn())
                        .toList();
    }

    /// Tokens of one inventory.
    ///
    /// @param upFront all definitions in the list
    /// @param list of the toolset code
    /// @param search mean of an answer
    /// @param describe mean of the answer about one tool
    /// @param task list, searches and descriptions of a task
    record Figures(
            int tools,
            int upFront,
            int list,
            int search,
            int searchMax,
            int describe,
            int describeMax,
            int task) {}

    static void main(String[] arguments) throws Exception {
        var figures = new ArrayList<Figures>();
        for (int count : COUNTS) {
            figures.add(figures(count));
        }
        System.out.print(
                List.of(arguments).contains("--json")
                        ? Json.pretty(Json.tree(figures)) + "\n"
                        : table(figures));
    }

    static Figures figures(int count) throws Exception {
        try (var bench = new TokensBench(count)) {
            return bench.figures();
        }
    }

    private Figures figures() throws InterruptedException {
        var searches = searches();
        var single = describing(1);
        var several = describing(ToolDescribe.TOOLS_MAX);
        int list = list();
        int search = mean(searches);
        int taskDescribed = mean(describing(DESCRIBED));
        return new Figures(
                upstream.size(),
                upFront(),
                list,
                search,
                max(searches),
                mean(single),
                Math.max(max(single), max(several)),
                list + STEPS * (search + taskDescribed));
    }

    /// As a list over MCP has it.
    private static ObjectNode definition(ToolSpec tool) {
        var definition =
                Json.object()
                        .put("name", tool.name())
                        .put("title", tool.title())
                        .put("description", tool.description());
        definition.set("inputSchema", tool.inputSchema());
        tool.outputSchema().ifPresent(schema -> definition.set("outputSchema", schema));
        var hints = tool.hints();
        definition
                .putObject("annotations")
                .put("readOnlyHint", hints.readOnly())
                .put("destructiveHint", hints.destructive())
                .put("idempotentHint", hints.idempotent())
                .put("openWorldHint", hints.openWorld());
        return definition;
    }

    private int upFront() {
        return upstream.stream().mapToInt(tool -> Tokens.count(Json.text(definition(tool)))).sum();
    }

    private int list() {
        return bench.broker.tools(Caller.LOCAL.seeing(Set.of("code"))).stream()
                .mapToInt(tool -> Tokens.count(Json.text(definition(tool))))
                .sum();
    }

    private int answer(String tool, ObjectNode arguments) throws InterruptedException {
        return Tokens.count(
                Json.text(bench.broker.call(call, tool, arguments).structured().orElseThrow()));
    }

    private Stream<ToolSpec> some() {
        int step = Math.max(1, upstream.size() / QUERIES);
        return Stream.iterate(0, at -> at < upstream.size(), at -> at + step).map(upstream::get);
    }

    /// In the words of the purpose of a tool.
    private int[] searches() throws InterruptedException {
        var found = new ArrayList<Integer>();
        for (var tool : some().toList()) {
            found.add(answer("tool_search", Json.object().put("query", tool.title())));
        }
        return numbers(found);
    }

    private int[] describing(int each) throws InterruptedException {
        var found = new ArrayList<Integer>();
        var tools = some().toList();
        for (int at = 0; at + each <= tools.size(); at += each) {
            var arguments = Json.object();
            var names = arguments.putArray("tools");
            tools.subList(at, at + each).forEach(tool -> names.add(tool.qualifiedName()));
            found.add(answer("tool_describe", arguments));
        }
        return numbers(found);
    }

    private static int[] numbers(List<Integer> found) {
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int mean(int[] numbers) {
        return (int) Math.round(Arrays.stream(numbers).average().orElseThrow());
    }

    private static int max(int[] numbers) {
        return Arrays.stream(numbers).max().orElseThrow();
    }

    @Override
    public void close() throws IOException {
        bench.sessions.close();
        try (var files = Files.walk(root)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static String table(List<Figures> figures) {
        var text =
                new StringBuilder(
                        "tools  up front  list of code  search  at most  describe  at most"
                                + "  task of %d steps  of up front%n".formatted(STEPS));
        for (var row : figures) {
            text.append(
                    "%5d  %8d  %12d  %6d  %7d  %8d  %7d  %15d  %9.1f %%%n"
                            .formatted(
                                    row.tools(),
                                    row.upFront(),
                                    row.list(),
                                    row.search(),
                                    row.searchMax(),
                                    row.describe(),
                                    row.describeMax(),
                                    row.task(),
                                    100.0 * row.task() / row.upFront()));
        }
        return text.toString();
    }
}
