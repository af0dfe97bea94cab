package dev.caisson.tools;

import dev.caisson.executions.ExecutionStatus;
import dev.caisson.json.Describe;
import dev.caisson.json.Except;
import dev.caisson.json.Inline;
import dev.caisson.json.Sparse;
import dev.caisson.runs.Envelope;
import dev.caisson.runs.FinishedRun;
import dev.caisson.runs.RunAnswer;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.WorkspaceFile;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// Answer of [RunCode] about an execution: one text for all output, and the files it changed. The
/// rest goes along as it does with a [RunAnswer].
@Sparse
record CodeReport(
        boolean success,
        @Describe("Everything the program wrote, and why it was stopped if it was.") String output,
        @Describe("Those of the top directory that this run made or changed.") List<CodeFile> files,
        @Describe("The same of directories below, by their paths.")
                Optional<List<NestedFile>> nestedFiles,
        @Describe("When the run did not succeed.") @Except("running")
                Optional<ExecutionStatus> status,
        Optional<Integer> exitCode,
        Optional<String> signal,
        Optional<RunAnswer.Handed> result,
        Optional<String> executionId,
        @Describe("What to do now.") Optional<String> advice,
        @Inline RunAnswer.Given given) {
    /// @param url fetches it without a key until the link expires; none over stdio, and for a key
    ///   that may not read files
    @Sparse
    record CodeFile(String name, long size, Optional<String> url) {}

    /// @param path from the root of the workspace
    @Sparse
    record NestedFile(String path, long size, Optional<String> url) {}

    static CodeReport of(
            FinishedRun execution, Envelope envelope, Function<FilePath, Optional<String>> urls) {
        var ending = execution.ending();
        var answer = RunAnswer.of(execution, envelope);
        var nested =
                changed(execution, file -> !isAtTheTop(file)).stream()
                        .map(file ->
                                new NestedFile(
                                        execution.shown(file),
                                        file.size(),
                                        url(execution, file, urls)))
                        .toList();
        return new CodeReport(
                ending.succeeded(),
                output(execution),
                changed(execution, CodeReport::isAtTheTop).stream()
                        .map(file ->
                                new CodeFile(
                                        execution.shown(file),
                                        file.size(),
                                        url(execution, file, urls)))
                        .toList(),
                nested.isEmpty() ? Optional.empty() : Optional.of(nested),
                Optional.of(ending.status()).filter(_ -> !ending.succeeded()),
                ending.exitCode(),
                ending.signal(),
                answer.result(),
                answer.executionId(),
                answer.advice(),
                answer.given());
    }

    private static String output(FinishedRun execution) {
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
    private static List<WorkspaceFile> changed(
            FinishedRun execution, Predicate<WorkspaceFile> which) {
        var shown = new HashSet<String>();
        return execution.changed().stream()
                .filter(which)
                .filter(file -> shown.add(execution.shown(file)))
                .limit(RunAnswer.FILES_MAX)
                .toList();
    }

    /// A file whose name holds a secret has no link, for that would hold it too.
    private static Optional<String> url(
            FinishedRun execution, WorkspaceFile file, Function<FilePath, Optional<String>> urls) {
        return execution.isNamable(file) ? urls.apply(file.path()) : Optional.empty();
    }
}
