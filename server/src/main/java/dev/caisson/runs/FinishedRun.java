package dev.caisson.runs;

import dev.caisson.executions.Attempt;
import dev.caisson.executions.Ended;
import dev.caisson.executions.NetworkUse;
import dev.caisson.executions.ReturnedValue;
import dev.caisson.executions.RunUsage;
import dev.caisson.executions.ToolUse;
import dev.caisson.json.Json;
import dev.caisson.output.CapturedOutput;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.DisplayForm;
import dev.caisson.sandbox.Runner;
import dev.caisson.session.SessionCallResult;
import dev.caisson.storage.Listing;
import dev.caisson.storage.WorkspaceFile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Run that is over, with everything that is said about it.
///
/// @param id of the execution
/// @param value what the program handed over, as it is told
/// @param redactor what names of files are shown through
/// @param advice what to do about its end, see [Advice]
/// @param turn what became of the session it ran in
/// @param display forms of its last expression, where they were asked for
/// @param tools what became of the tools it called, where it called any
/// @param attempt which one it was at its task, where it had one
/// @param network what it asked of the network, where it had one and asked
public record FinishedRun(
        String id,
        Runner runner,
        Optional<String> threadId,
        Ended ending,
        RunUsage usage,
        CapturedOutput output,
        Optional<ReturnedValue> value,
        WorkspaceAfter workspace,
        long redactions,
        Redactor redactor,
        Optional<String> advice,
        Optional<SessionCallResult> turn,
        List<DisplayForm> display,
        Optional<ToolUse> tools,
        Optional<Attempt> attempt,
        Optional<List<NetworkUse>> network) {
    public FinishedRun {
        network = network.map(List::copyOf);
        display = List.copyOf(display);
    }

    /// Content of a workspace after a run.
    ///
    /// @param changed the files this run made or touched
    /// @param pictures those of them that can be shown
    public record WorkspaceAfter(
            Listing files, List<WorkspaceFile> changed, List<Picture> pictures) {
        static final WorkspaceAfter NONE = new WorkspaceAfter(Listing.EMPTY, List.of(), List.of());

        public WorkspaceAfter {
            changed = List.copyOf(changed);
            pictures = List.copyOf(pictures);
        }
    }

    public Listing files() {
        return workspace.files();
    }

    public List<WorkspaceFile> changed() {
        return workspace.changed();
    }

    public List<Picture> pictures() {
        return workspace.pictures();
    }

    /// The same, and the session it ran in.
    FinishedRun in(Optional<SessionCallResult> session) {
        return new FinishedRun(
                id,
                runner,
                threadId,
                ending,
                usage,
                output,
                value,
                workspace,
                redactions,
                redactor,
                advice,
                session,
                display,
                tools,
                attempt,
                network);
    }

    /// The same, which called tools.
    FinishedRun calling(ToolFigures called) {
        return new FinishedRun(
                id,
                runner,
                threadId,
                ending,
                usage,
                output,
                value,
                workspace,
                redactions,
                redactor,
                advice,
                turn,
                display,
                called.calls() == 0 ? Optional.empty() : Optional.of(called.beside(shownBytes())),
                attempt,
                network);
    }

    /// The same, which was an attempt at a task.
    FinishedRun trying(Optional<Attempt> counted) {
        return new FinishedRun(
                id,
                runner,
                threadId,
                ending,
                usage,
                output,
                value,
                workspace,
                redactions,
                redactor,
                advice,
                turn,
                display,
                tools,
                counted,
                network);
    }

    /// The same, which asked this of the network.
    FinishedRun reaching(List<NetworkUse> asked) {
        return new FinishedRun(
                id,
                runner,
                threadId,
                ending,
                usage,
                output,
                value,
                workspace,
                redactions,
                redactor,
                advice,
                turn,
                display,
                tools,
                attempt,
                asked.isEmpty() ? Optional.empty() : Optional.of(asked));
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// What its answer takes.
    private long shownBytes() {
        long shown = bytes(output.stdout().text()) + bytes(output.stderr().text());
        return shown
                + value.flatMap(ReturnedValue::data).map(data -> Json.bytes(data).length).orElse(0);
    }

    /// Whether its files are there when it is over.
    public boolean keepsFiles() {
        return threadId.isPresent();
    }

    /// Whether there is more to read of it than the answer has.
    boolean hasMore() {
        return output.isExcerpt() || value.map(ReturnedValue::keptBytes).orElse(0L) > 0;
    }

    /// The path of a file, which a program chose, without what must not be seen.
    public String shown(WorkspaceFile file) {
        return redactor.text(file.path().text());
    }

    /// Whether a file can be named as it is.
    public boolean isNamable(WorkspaceFile file) {
        return shown(file).equals(file.path().text());
    }

    /// Both streams as one text, as much of them as is answered.
    public String combinedOutput() {
        return output.combinedExcerpts();
    }

    ExecutionReport.Metrics metrics() {
        return ExecutionReport.Metrics.of(usage);
    }

    /// What it added to what is kept, as its key's quota counts it.
    long addedBytes() {
        long written = output.stdout().storedBytes() + output.stderr().storedBytes();
        return keepsFiles()
                ? written + changed().stream().mapToLong(WorkspaceFile::size).sum()
                : written;
    }
}
