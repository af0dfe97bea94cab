package dev.caisson.devtools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.broker.ToolSpec.Hints;
import dev.caisson.broker.TypedTool;
import dev.caisson.broker.TypedTool.Answer;
import dev.caisson.call.Call;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.edit.Cut;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Length;
import dev.caisson.json.Range;
import dev.caisson.redact.Redactor;
import dev.caisson.search.Expression;
import dev.caisson.search.LineHits;
import dev.caisson.search.LineScan;
import dev.caisson.search.PathFilter;
import dev.caisson.search.SeekBounds;
import dev.caisson.search.Seeker;
import dev.caisson.storage.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tool that finds the lines of files an expression matches.
public final class FileGrep {
    static final int HEAD_LIMIT_MAX = 10_000;
    static final int AROUND_MAX = 20;
    static final long TEXT_MAX = 256 << 10;

    private final ThreadFiles threads;

    private FileGrep(ThreadFiles threads) {
        this.threads = threads;
    }

    /// What is answered.
    enum OutputMode {
        CONTENT,
        FILES_WITH_MATCHES,
        COUNT
    }

    record Input(
            @Describe("Absent: default.") @Length(min = 1, max = Threads.ID_LENGTH_MAX)
                    Optional<String> threadId,
            @Describe("Regular expression as ripgrep takes it.")
                    @Length(min = 1, max = Expression.LENGTH_MAX)
                    String pattern,
            @Describe("A directory or a file; the root if absent.")
                    @Length(min = 1, max = AgentPath.LENGTH_MAX)
                    Optional<String> path,
            @Describe("Only files of this pattern; with ! before it all others.")
                    @Length(min = 1, max = FileGlob.PATTERN_MAX)
                    Optional<String> glob,
            @DefaultsTo("false") boolean caseInsensitive,
            @DefaultsTo("content") OutputMode outputMode,
            @Describe("Lines, or files.") @Range(min = 1, max = HEAD_LIMIT_MAX) @DefaultsTo("250")
                    int headLimit,
            @Describe("Lines shown before a match.")
                    @Range(min = 0, max = AROUND_MAX)
                    @DefaultsTo("0")
                    int before,
            @Describe("Lines shown behind a match.")
                    @Range(min = 0, max = AROUND_MAX)
                    @DefaultsTo("0")
                    int after,
            @Describe("Also names that begin with a dot.") @DefaultsTo("false") boolean hidden,
            @Describe("Also what .gitignore and .ignore leave out.") @DefaultsTo("false")
                    boolean noIgnore) {}

    /// @param column in characters, from 1; absent for a line beside a match
    record Match(String path, long line, Optional<Integer> column, String text) {}

    record FileCount(String path, Optional<Long> count) {}

    record Skipped(long binary, long tooLarge) {}

    record Output(
            String threadId,
            Optional<List<Match>> matches,
            Optional<List<FileCount>> files,
            Optional<Long> totalMatches,
            long totalFiles,
            long filesSearched,
            Skipped skipped,
            boolean truncated,
            long tookMs) {}

    public static Tool tool(ThreadFiles threads) {
        return TypedTool.of(
                        ToolSpec.named(
                                        "grep",
                                        "Search in files",
                                        "Finds the lines of a thread's files that an expression matches,"
                                                + " leaving out what .gitignore does.")
                                .alsoCalled("Grep")
                                .hinted(Hints.READS)
                                .in(Toolset.DEV)
                                .within(Scope.FILES_READ),
                        Input.class,
                        Output.class,
                        new FileGrep(threads)::search)
                .redactingItself();
    }

    private Answer<Output> search(Call call, Input input) throws InterruptedException {
        long begun = System.nanoTime();
        var thread = ThreadFiles.thread(input.threadId());
        var start = threads.path(input.path().orElse(""));
        var filter = PathFilter.of("glob", input.glob().stream().toList());
        var expression =
                threads.computing(call.caller())
                        .run(() ->
                                Expression.of("pattern", input.pattern(), input.caseInsensitive()));
        try (var tree = threads.toRead(call.caller(), thread)) {
            var hits = new LineHits(input.headLimit(), TEXT_MAX);
            var wish = new Seeker.Wish(start.bytes(), input.hidden(), input.noIgnore(), filter);
            var lines = new LineScan.Wish(mode(input), input.before(), input.after());
            var bounds = SeekBounds.DEFAULT;
            var walk =
                    tree.seek(
                            start,
                            wish,
                            bounds,
                            () -> new LineScan(expression, lines, bounds, hits));
            var redactor = threads.redactor(call.caller());
            return threads.computing(call.caller())
                    .run(() -> answer(thread, input, hits, walk, redactor, begun));
        }
    }

    private static LineScan.Mode mode(Input input) {
        return switch (input.outputMode()) {
            case CONTENT -> LineScan.Mode.LINES;
            case FILES_WITH_MATCHES -> LineScan.Mode.FILES;
            case COUNT -> LineScan.Mode.COUNTS;
        };
    }

    private static Answer<Output> answer(
            String thread, Input input, LineHits hits, Seeker walk, Redactor redactor, long begun) {
        boolean content = input.outputMode() == OutputMode.CONTENT;
        boolean counts = input.outputMode() != OutputMode.FILES_WITH_MATCHES;
        var matches = matches(hits, redactor);
        var files =
                hits.files().stream()
                        .map(file ->
                                new FileCount(
                                        AgentPath.shown(AgentPath.of(file.path())),
                                        counts ? Optional.of(file.count()) : Optional.empty()))
                        .toList();
        long shown = matches.stream().filter(match -> match.column().isPresent()).count();
        boolean truncated =
                hits.cut() || !walk.complete() || (content && shown < hits.totalLines());
        var output =
                new Output(
                        thread,
                        content ? Optional.of(matches) : Optional.empty(),
                        content ? Optional.empty() : Optional.of(files),
                        counts ? Optional.of(hits.totalLines()) : Optional.empty(),
                        hits.totalFiles(),
                        hits.searched(),
                        new Skipped(hits.binary(), hits.largeFiles()),
                        truncated,
                        (System.nanoTime() - begun) / 1_000_000);
        return Answer.of(output, text(output, shown, walk));
    }

    private static List<Match> matches(LineHits hits, Redactor redactor) {
        var matches = new ArrayList<Match>();
        for (var file : hits.files()) {
            var path = AgentPath.shown(AgentPath.of(file.path()));
            for (var line : file.lines()) {
                matches.add(
                        new Match(
                                path,
                                line.number(),
                                line.matches() ? Optional.of(line.column()) : Optional.empty(),
                                shown(line, redactor)));
            }
        }
        return matches;
    }

    private static String shown(LineHits.Line line, Redactor redactor) {
        return Cut.of(
                redactor.text(line.text()),
                LineScan.SHOWN_MAX,
                " … (%d bytes in this line)".formatted(line.bytes()));
    }

    private static String text(Output output, long shown, Seeker walk) {
        var text =
                output.matches().isPresent()
                        ? lines(output.matches().get())
                        : output.files().orElse(List.of()).stream()
                                .map(FileGrep::line)
                                .collect(Collectors.joining("\n"));
        if (output.matches().isPresent() && shown < output.totalMatches().orElse(0L)) {
            text +=
                    "\n(%d of %d matching lines; narrow the search or raise head_limit)"
                            .formatted(shown, output.totalMatches().orElse(0L));
        } else if (output.files().map(List::size).orElse(0) < output.totalFiles()
                && output.files().isPresent()) {
            text +=
                    "\n(%d of %d files; narrow the search or raise head_limit)"
                            .formatted(output.files().get().size(), output.totalFiles());
        }
        return text + incomplete(walk);
    }

    private static String line(FileCount file) {
        return file.path() + file.count().map(count -> ":" + count).orElse("");
    }

    /// As ripgrep prints: a line beside a match has dashes, and `--` stands between stretches.
    private static String lines(List<Match> matches) {
        var text = new StringBuilder();
        var before = Optional.<Match>empty();
        boolean around = matches.stream().anyMatch(match -> match.column().isEmpty());
        for (var match : matches) {
            boolean follows =
                    before.filter(last ->
                                    last.path().equals(match.path())
                                            && last.line() + 1 == match.line())
                            .isPresent();
            text.append(around && before.isPresent() && !follows ? "--\n" : "");
            var sign = match.column().isPresent() ? ":" : "-";
            text.append(match.path())
                    .append(sign)
                    .append(match.line())
                    .append(sign)
                    .append(match.text())
                    .append('\n');
            before = Optional.of(match);
        }
        return text.isEmpty() ? "" : text.substring(0, text.length() - 1);
    }

    /// What is said of a walk that did not see everything.
    static String incomplete(Seeker walk) {
        if (walk.outOfTime()) {
            return "\n(stopped after 30 s: name a directory or a narrower pattern)";
        }
        return walk.complete() ? "" : "\n(not everything could be looked at)";
    }
}
