package dev.caisson.tools;

import dev.caisson.json.Describe;
import dev.caisson.sandbox.Start;
import dev.caisson.storage.WorkspaceFile;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An execution as structured content: how it ended, what it wrote, what it left, and the envelope
/// by which it can be accounted for. All of it is the server's word, but for what stands in
/// `stdout`, `stderr`, `output` and `result.data`, which is the program's, and in quotes in
/// `result.data_note`.
record ExecutionReport(
        String executionId,
        Status status,
        boolean success,
        @Describe("Null when the program did not end by itself.") Optional<Integer> exitCode,
        @Describe("The signal that ended the program.") Optional<String> signal,
        @Describe("What to know about the ending beyond the exit code.") Optional<String> message,
        String language,
        @Describe("The name and the version of the runner.") String runner,
        Optional<String> threadId,
        @Describe("Whole, or its beginning and its end with a line that says what is left out.")
                String stdout,
        String stderr,
        @Describe("stdout, then stderr.") String output,
        @Describe("What the program wrote, shown or not.") long stdoutBytes,
        long stderrBytes,
        boolean stdoutTruncated,
        boolean stderrTruncated,
        @Describe("Left out of stdout; output_read has them.") long stdoutOmittedBytes,
        long stderrOmittedBytes,
        @Describe("Kept for output_read.") long stdoutStoredBytes,
        long stderrStoredBytes,
        @Describe("Bytes that are not UTF-8 were replaced.") boolean outputInvalidUtf8,
        @Describe("Secrets that were taken out of this answer.") long redactions,
        @Describe("Regular files of the workspace when the run was over.") List<FileEntry> files,
        @Describe("How many there are, listed or not.") long filesTotal,
        @Describe("False when there are more than were looked at.") boolean filesComplete,
        @Describe("False without a thread_id: then the files were erased after the run.")
                boolean filesKept,
        long durationMs,
        @Describe("Waiting for a place and for the thread.") long queueMs,
        @Describe(
                        "warm when a sandbox was waiting, cold when one was made for the run; null"
                                + " when it never ran.")
                Optional<Start> start,
        long cpuMs,
        long memoryPeakBytes,
        @Describe("What became of the session, for a call in one.") Optional<SessionReport> session,
        Optional<ObjectNode> metadata,
        String runId,
        String traceId,
        String toolName,
        String toolVersion,
        @Describe("sha256: of the program as it was sent, in UTF-8.") String inputDigest,
        @Describe("Of all arguments as JSON, keyed with a secret of the server.")
                String argumentsDigest,
        @Describe("Of stdout, stderr and result.data as they are here.") String outputDigest,
        String sandboxImage,
        String approvalState,
        @Describe("What the call said the program belongs to, as the next three.")
                Optional<String> artifactId,
        Optional<String> artifactPath,
        Optional<String> ssotDocumentId,
        Optional<String> ssotCommit,
        Result result) {
    static final String APPROVAL_NOT_REQUIRED = "NOT_REQUIRED";

    /// @param path from the root of the workspace
    record FileEntry(
            String name,
            String path,
            long size,
            String modified,
            String mimeType,
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
                    changed,
                    url);
        }

        private static String timestamp(Instant modified) {
            return Instant.ofEpochSecond(modified.getEpochSecond()).toString();
        }
    }

    /// @param data the value of the program's global `result`, or the last line of its stdout
    record Result(
            boolean ok,
            @Describe(
                            "The value the program handed over; null when there is none, and when"
                                    + " data_note says why it is not here.")
                    JsonNode data,
            @Describe("Kept for output_read with stream data: a value too large for the answer.")
                    long dataStoredBytes,
            @Describe("A file of the thread that has a value too large for the answer.")
                    Optional<DataFile> dataFile,
            @Describe(
                            "Why data is not what the program handed over: it is too large, not JSON,"
                                    + " or nested too deep. Words of the program are in quotes.")
                    Optional<String> dataNote,
            Optional<Problem> error,
            Metrics metrics) {}

    record DataFile(String path, long bytes) {}

    /// @param type the status
    record Problem(String type, String message, boolean retryable) {}

    record Metrics(
            long durationMs,
            long queueMs,
            Optional<Start> start,
            long cpuMs,
            long memoryPeakBytes) {}
}
