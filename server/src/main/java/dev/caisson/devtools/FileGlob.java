package dev.caisson.devtools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.search.NewestFiles;
import dev.caisson.search.PathFilter;
import dev.caisson.search.SeekBounds;
import dev.caisson.search.Seeker;
import dev.caisson.storage.Threads;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tool that finds files by patterns of their paths.
public final class FileGlob {
    static final int LIMIT_MAX = 10_000;
    static final int PATTERN_MAX = 1_000;

    private final ThreadFiles threads;

    private FileGlob(ThreadFiles threads) {
        this.threads = threads;
    }

    record Input(
            @Describe("Absent: default.") @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    Optional<String> threadId,
            @Describe("* ? [] ** {a,b}; without a slash at any depth.")
                    @Length(min = 1, max = PATTERN_MAX)
                    String pattern,
            @Describe("A directory; the root if absent.")
                    @Length(min = 1, max = AgentPath.LENGTH_MAX)
                    Optional<String> path,
            @Range(min = 1, max = LIMIT_MAX) @DefaultsTo("100") int limit,
            @Describe("Also names that begin with a dot.") @DefaultsTo("false") boolean hidden,
            @Describe("Also what .gitignore and .ignore leave out.") @DefaultsTo("false")
                    boolean noIgnore) {}

    record Found(String path, long bytes, String modifiedAt) {}

    /// @param truncated whether there are more, or not all was looked at
    record Output(String threadId, List<Found> paths, long total, boolean truncated) {}

    public static Tool tool(ThreadFiles threads) {
        return TypedTool.of(
                ToolSpec.named(
                                "glob",
                                "Find files",
                                "Finds files of a thread by a pattern, the newest first.")
                        .alsoCalled("Glob")
                        .hinted(Hints.READS)
                        .in(Toolset.DEV)
                        .within(Scope.FILES_READ),
                Input.class,
                Output.class,
                new FileGlob(threads)::find);
    }

    private Answer<Output> find(Call call, Input input) throws InterruptedException {
        var thread = ThreadFiles.thread(input.threadId());
        var start = threads.path(input.path().orElse(""));
        var filter = PathFilter.of("pattern", List.of(input.pattern()));
        try (var tree = threads.toRead(call.caller(), thread)) {
            var newest = new NewestFiles(input.limit());
            var wish = new Seeker.Wish(start.bytes(), input.hidden(), input.noIgnore(), filter);
            var walk = tree.seek(start, wish, SeekBounds.DEFAULT, newest::visitor);
            var paths =
                    newest.files().stream()
                            .map(file ->
                                    new Found(
                                            AgentPath.shown(AgentPath.of(file.path())),
                                            file.bytes(),
                                            file.modified().toString()))
                            .toList();
            boolean truncated = paths.size() < newest.total() || !walk.complete();
            var output = new Output(thread, paths, newest.total(), truncated);
            return Answer.of(output, text(output, walk));
        }
    }

    private static String text(Output output, Seeker walk) {
        var text = output.paths().stream().map(Found::path).collect(Collectors.joining("\n"));
        if (output.paths().size() < output.total()) {
            text +=
                    "\n(%d of %d files; narrow the pattern or raise limit)"
                            .formatted(output.paths().size(), output.total());
        }
        return text + FileGrep.incomplete(walk);
    }
}
