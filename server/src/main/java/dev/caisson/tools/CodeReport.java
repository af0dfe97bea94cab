package dev.caisson.tools;

import dev.caisson.json.Describe;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.WorkspaceFile;
import dev.caisson.tools.ExecutionReport.FileEntry;
import dev.caisson.tools.ExecutionReport.Result;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// An execution as [RunCode] answers it: one text for all output, the files, and the same envelope
/// as an [ExecutionReport] has.
record CodeReport(
        boolean success,
        @Describe("Everything the program wrote, and why it was stopped if it was.") String output,
        @Describe("Regular files of the top directory, each by a name of its own.")
                List<FileEntry> files,
        @Describe("Regular files of directories below, by their paths.")
                List<NestedFile> nestedFiles,
        @Describe("How many files there are, listed or not.") long filesTotal,
        String executionId,
        Status status,
        @Describe("Null when the program did not end by itself.") Optional<Integer> exitCode,
        @Describe("The signal that ended the program.") Optional<String> signal,
        long durationMs,
        String runId,
        String traceId,
        String toolName,
        String toolVersion,
        @Describe("sha256: of the program as it was sent, in UTF-8.") String inputDigest,
        @Describe("Of all arguments as JSON, keyed with a secret of the server.")
                String argumentsDigest,
        @Describe("Of stdout, stderr and result.data.") String outputDigest,
        String sandboxImage,
        String approvalState,
        @Describe("What the call said the program belongs to, as the next three.")
                Optional<String> artifactId,
        Optional<String> artifactPath,
        Optional<String> ssotDocumentId,
        Optional<String> ssotCommit,
        Result result) {
    /// @param path from the root of the workspace
    record NestedFile(
            String path,
            long size,
            String modified,
            String mimeType,
            @Describe("Made or touched by this run.") boolean changed,
            @Describe("As in files.") Optional<String> url) {
        static NestedFile of(FileEntry file) {
            return new NestedFile(
                    file.path(),
                    file.size(),
                    file.modified(),
                    file.mimeType(),
                    file.changed(),
                    file.url());
        }
    }

    static CodeReport of(
            Execution execution, Envelope envelope, Function<FilePath, Optional<String>> urls) {
        var ending = execution.ending();
        return new CodeReport(
                ending.succeeded(),
                output(execution),
                files(execution, urls, CodeReport::isAtTheTop),
                files(execution, urls, file -> !isAtTheTop(file)).stream()
                        .map(NestedFile::of)
                        .toList(),
                execution.files().files().size(),
                execution.id(),
                ending.status(),
                ending.exitCode(),
                ending.signal(),
                execution.usage().wallMillis(),
                execution.id(),
                envelope.traceId(),
                envelope.toolName(),
                envelope.toolVersion(),
                envelope.inputDigest(),
                envelope.argumentsDigest(),
                Reports.outputDigest(execution),
                execution.runner().image(),
                ExecutionReport.APPROVAL_NOT_REQUIRED,
                envelope.provenance().artifactId(),
                envelope.provenance().artifactPath(),
                envelope.provenance().ssotDocumentId(),
                envelope.provenance().ssotCommit(),
                Reports.result(execution));
    }

    private static String output(Execution execution) {
        var written = execution.combinedOutput();
        var sentence = execution.ending().sentence().orElse("");
        return written.isEmpty() || sentence.isEmpty()
                ? written + sentence
                : written + "\n" + sentence;
    }

    private static boolean isAtTheTop(WorkspaceFile file) {
        return file.path().parent().map(FilePath.ROOT::equals).orElse(true);
    }

    /// Two files whose names hold secrets may be shown by the same name; then the first is listed.
    private static List<FileEntry> files(
            Execution execution,
            Function<FilePath, Optional<String>> urls,
            Predicate<WorkspaceFile> which) {
        var chosen = execution.files().files().stream().filter(which).toList();
        var shown = new HashSet<String>();
        return Reports.files(execution, chosen, urls).stream()
                .filter(file -> shown.add(file.path()))
                .toList();
    }
}
