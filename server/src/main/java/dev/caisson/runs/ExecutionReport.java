package dev.caisson.runs;

import dev.caisson.executions.Attempt;
import dev.caisson.executions.EndNotes;
import dev.caisson.executions.Ended;
import dev.caisson.executions.ExecutionStatus;
import dev.caisson.executions.NetworkUse;
import dev.caisson.executions.Provenance;
import dev.caisson.executions.ReturnedValue;
import dev.caisson.executions.RunUsage;
import dev.caisson.executions.ToolUse;
import dev.caisson.json.Describe;
import dev.caisson.json.Except;
import dev.caisson.json.Inline;
import dev.caisson.output.CapturedOutput;
import dev.caisson.sandbox.DisplayForm;
import dev.caisson.sandbox.Start;
import dev.caisson.storage.WorkspaceFile;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Structured content of an execution: how it ended, what it wrote, what it left, and the envelope
/// by which it can be accounted for. REST answers with it; a model reads a [RunAnswer]. All of it
/// is the server's word, but for what stands in `stdout`, `stderr`, `output`, `display` and
/// `result.data`, which is the program's, and in quotes in `result.data_note`.
public record ExecutionReport(
        String executionId,
        @Inline End end,
        String language,
        @Describe("The name and the version of the runner.") String runner,
        Optional<String> threadId,
        @Inline Streams streams,
        @Describe("Secrets that were taken out of this answer.") long redactions,
        @Inline Files files,
        @Inline({
                    @Inline.Text(
                            member = "queue_ms",
                            value = "Waiting for a place and for the thread."),
                    @Inline.Text(
                            member = "start",
                            value =
                                    "warm when a sandbox was waiting, cold when one was made for the"
                                            + " run; null when it never ran.")
                })
                Metrics metrics,
        @Describe("What became of the session, for a call in one.") Optional<SessionReport> session,
        Optional<ObjectNode> metadata,
        @Inline Account account,
        Result result,
        @Describe("Forms of the last expression, where display asked for them.")
                Optional<List<Shown>> display,
        @Describe("What became of the tools the program called, where it called any.")
                Optional<ToolUse> tools,
        @Describe("Which attempt at its task it was, where it had one.") Optional<Attempt> attempt,
        @Describe("What the program asked of the network, where it has one and asked.")
                Optional<List<NetworkUse>> network) {
    /// Form of what a program shows, by its own word.
    public record Shown(
            String mediaType,
            Optional<String> text,
            @Describe("An image in base64; over REST, of a run without a thread_id.")
                    Optional<String> data) {
        static Shown of(DisplayForm form) {
            return new Shown(form.mediaType(), Optional.of(form.text()), Optional.empty());
        }

        /// Those that are kept; images among them are not.
        public static Optional<List<Shown>> of(EndNotes notes) {
            return Optional.of(Displays.of(notes).stream().map(Shown::of).toList())
                    .filter(forms -> !forms.isEmpty());
        }
    }

    /// End of the run.
    public record End(
            @Except("running") ExecutionStatus status,
            boolean success,
            @Describe("Null when the program did not end by itself.") Optional<Integer> exitCode,
            @Describe("The signal that ended the program.") Optional<String> signal,
            @Describe("What to know about the ending beyond the exit code.")
                    Optional<String> message,
            @Describe("What to do about it, where there is something to do.")
                    Optional<String> advice) {
        static End of(FinishedRun run) {
            var ended = run.ending();
            return new End(
                    ended.status(),
                    ended.succeeded(),
                    ended.exitCode(),
                    ended.signal(),
                    ended.sentence(),
                    run.advice());
        }
    }

    /// Output of the run.
    public record Streams(
            @Describe("Whole, or its beginning and its end with a line that says what is left out.")
                    String stdout,
            String stderr,
            @Describe("stdout, then stderr.") String output,
            @Inline StreamFigures figures) {
        static Streams of(CapturedOutput output) {
            return new Streams(
                    output.stdout().text(),
                    output.stderr().text(),
                    output.combined(),
                    StreamFigures.of(output));
        }
    }

    /// Figures of the output.
    public record StreamFigures(
            @Describe("What the program wrote, shown or not.") long stdoutBytes,
            long stderrBytes,
            boolean stdoutTruncated,
            boolean stderrTruncated,
            @Describe("Left out of stdout; output_read has them.") long stdoutOmittedBytes,
            long stderrOmittedBytes,
            @Describe("Kept for output_read.") long stdoutStoredBytes,
            long stderrStoredBytes,
            @Describe("Bytes that are not UTF-8 were replaced.") boolean outputInvalidUtf8) {
        static StreamFigures of(CapturedOutput output) {
            var stdout = output.stdout();
            var stderr = output.stderr();
            return new StreamFigures(
                    stdout.bytes(),
                    stderr.bytes(),
                    stdout.truncated(),
                    stderr.truncated(),
                    stdout.omittedBytes(),
                    stderr.omittedBytes(),
                    stdout.storedBytes(),
                    stderr.storedBytes(),
                    !stdout.faithful() || !stderr.faithful());
        }
    }

    /// Files of the workspace.
    public record Files(
            @Describe("Regular files of the workspace when the run was over.")
                    List<FileEntry> files,
            @Describe("How many there are, listed or not.") long filesTotal,
            @Describe("False when there are more than were looked at.") boolean filesComplete,
            @Describe("False without a thread_id: then the files were erased after the run.")
                    boolean filesKept) {
        public Files {
            files = List.copyOf(files);
        }
    }

    /// File of the workspace.
    ///
    /// @param path from the root of the workspace
    public record FileEntry(
            String name,
            String path,
            long size,
            String modified,
            String mediaType,
            @Describe("Alias of media_type.") String mimeType,
            @Describe("Made or touched by this run.") boolean changed,
            @Describe(
                            "Fetches the file without a key until the link expires. Null without a"
                                    + " thread_id, over stdio, and for a key that may not read files.")
                    Optional<String> url) {
        /// @param path of the file, as it may be shown
        static FileEntry of(
                WorkspaceFile file, String path, boolean changed, Optional<String> url) {
            return new FileEntry(
                    path.substring(path.lastIndexOf('/') + 1),
                    path,
                    file.size(),
                    timestamp(file.modified()),
                    file.mimeType(),
                    file.mimeType(),
                    changed,
                    url);
        }

        private static String timestamp(Instant modified) {
            return Instant.ofEpochSecond(modified.getEpochSecond()).toString();
        }
    }

    /// Resource usage of the run.
    public record Metrics(
            long durationMs,
            long queueMs,
            Optional<Start> start,
            long cpuMs,
            long memoryPeakBytes) {
        static Metrics of(RunUsage usage) {
            return new Metrics(
                    usage.wallMillis(),
                    usage.queueMillis(),
                    usage.start().map(word -> Start.valueOf(word.toUpperCase(Locale.ROOT))),
                    usage.cpuMillis(),
                    usage.memoryPeakBytes());
        }
    }

    /// Envelope by which the run can be accounted for.
    ///
    /// @param runId the word for the execution in the envelopes of other products
    public record Account(
            @Describe("Alias of execution_id.") String runId,
            String traceId,
            String toolName,
            String toolVersion,
            @Describe("sha256: of the program as it was sent, in UTF-8.") String inputDigest,
            @Describe("Of all arguments as JSON, keyed with a secret of the server.")
                    String argumentsDigest,
            @Describe("Of stdout, stderr and result.data as they are here.") String outputDigest,
            String sandboxImage,
            String approvalState,
            @Inline(
                            @Inline.Text(
                                    member = "artifact_id",
                                    value =
                                            "What the call said the program belongs to, as the next"
                                                    + " three."))
                    Provenance provenance) {
        public static final String APPROVAL_NOT_REQUIRED = "NOT_REQUIRED";

        public static Account of(FinishedRun run, Envelope envelope) {
            return new Account(
                    run.id(),
                    envelope.traceId(),
                    envelope.toolName(),
                    envelope.toolVersion(),
                    envelope.inputDigest(),
                    envelope.argumentsDigest(),
                    Reports.outputDigest(run),
                    run.runner().image(),
                    run.tools().flatMap(ToolUse::approval).orElse(APPROVAL_NOT_REQUIRED),
                    envelope.provenance());
        }
    }

    /// Result of the program beside its output.
    ///
    /// @param data the value of the program's global `result`, or the last line of its stdout
    public record Result(
            boolean ok,
            @Describe(
                            "The value the program handed over; null when there is none, and when"
                                    + " data_note says why it is not here.")
                    JsonNode data,
            @Describe("Kept for output_read with stream data: a value too large for the answer.")
                    long dataStoredBytes,
            @Describe("A file of the thread that has a value too large for the answer.")
                    Optional<ReturnedValue.DataFile> dataFile,
            @Describe(
                            "Why data is not what the program handed over: it is too large, not JSON,"
                                    + " or nested too deep. Words of the program are in quotes.")
                    Optional<String> dataNote,
            Optional<Problem> error,
            Metrics metrics) {
        public static Result of(FinishedRun run) {
            var value = run.value();
            return new Result(
                    run.ending().succeeded(),
                    value.flatMap(ReturnedValue::data).orElseGet(NullNode::getInstance),
                    value.map(ReturnedValue::keptBytes).orElse(0L),
                    value.flatMap(ReturnedValue::dataFile),
                    value.flatMap(ReturnedValue::note),
                    Problem.of(run.ending()),
                    run.metrics());
        }
    }

    /// Failure of the run.
    ///
    /// @param type the status
    public record Problem(String type, String message, boolean retryable) {
        /// Trying the same program again helps only where the program was not the reason, and not
        /// when its caller may do nothing any more.
        public static Optional<Problem> of(Ended ended) {
            if (ended.succeeded()) {
                return Optional.empty();
            }
            var retryable =
                    ended.status() == ExecutionStatus.CANCELLED
                            && !LiveRuns.isRevoked(ended.sentence());
            return Optional.of(new Problem(ended.status().word(), ended.problem(), retryable));
        }
    }
}
