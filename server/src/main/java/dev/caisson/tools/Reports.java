package dev.caisson.tools;

import dev.caisson.json.Json;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.WorkspaceFile;
import dev.caisson.tools.ExecutionReport.FileEntry;
import dev.caisson.tools.ExecutionReport.Metrics;
import dev.caisson.tools.ExecutionReport.Problem;
import dev.caisson.tools.ExecutionReport.Result;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.NullNode;

/// Makes the structured report of an execution.
final class Reports {
    /// More files than this are counted but not listed; those the run changed come first then.
    static final int FILES_MAX = 200;

    private Reports() {}

    static ExecutionReport of(
            Execution execution, Envelope envelope, Function<FilePath, Optional<String>> urls) {
        var ending = execution.ending();
        var stdout = execution.output().stdout();
        var stderr = execution.output().stderr();
        var usage = execution.usage();
        var result = result(execution);
        var runner = execution.runner();
        return new ExecutionReport(
                execution.id(),
                ending.status(),
                ending.succeeded(),
                ending.exitCode(),
                ending.signal(),
                ending.sentence(),
                runner.language().word(),
                runner.name() + " " + runner.version(),
                execution.threadId(),
                stdout.text(),
                stderr.text(),
                execution.combinedOutput(),
                stdout.bytes(),
                stderr.bytes(),
                stdout.truncated(),
                stderr.truncated(),
                stdout.omittedBytes(),
                stderr.omittedBytes(),
                stdout.storedBytes(),
                stderr.storedBytes(),
                !stdout.faithful() || !stderr.faithful(),
                execution.redactions(),
                files(execution, urls),
                execution.files().files().size(),
                execution.files().complete(),
                execution.keepsFiles(),
                usage.wallMillis(),
                usage.queueMillis(),
                usage.start(),
                usage.cpuMillis(),
                usage.memoryPeakBytes(),
                execution.turn().map(SessionReport::of),
                envelope.metadata(),
                execution.id(),
                envelope.traceId(),
                envelope.toolName(),
                envelope.toolVersion(),
                envelope.inputDigest(),
                envelope.argumentsDigest(),
                outputDigest(execution),
                runner.image(),
                ExecutionReport.APPROVAL_NOT_REQUIRED,
                envelope.provenance().artifactId(),
                envelope.provenance().artifactPath(),
                envelope.provenance().ssotDocumentId(),
                envelope.provenance().ssotCommit(),
                result);
    }

    static String outputDigest(Execution execution) {
        return Envelope.digest(
                execution.output().stdout().text(),
                execution.output().stderr().text(),
                execution.value().flatMap(ReturnedValue::data).map(Json::text).orElse(""));
    }

    static List<FileEntry> files(Execution execution, Function<FilePath, Optional<String>> urls) {
        return files(execution, execution.files().files(), urls);
    }

    /// @param files some of those it left
    static List<FileEntry> files(
            Execution execution,
            List<WorkspaceFile> files,
            Function<FilePath, Optional<String>> urls) {
        Set<WorkspaceFile> changed = new HashSet<>(execution.changed());
        var shown = files.stream();
        if (files.size() > FILES_MAX) {
            shown = shown.sorted(Comparator.comparing(file -> !changed.contains(file)));
        }
        return shown.limit(FILES_MAX)
                .map(file -> entry(execution, file, changed.contains(file), urls))
                .toList();
    }

    /// A file whose name holds a secret has no link, for that would hold it too.
    private static FileEntry entry(
            Execution execution,
            WorkspaceFile file,
            boolean changed,
            Function<FilePath, Optional<String>> urls) {
        var url = execution.isNamable(file) ? urls.apply(file.path()) : Optional.<String>empty();
        return FileEntry.of(file, execution.shown(file), changed, url);
    }

    static Result result(Execution execution) {
        var ending = execution.ending();
        var usage = execution.usage();
        var metrics =
                new Metrics(
                        usage.wallMillis(),
                        usage.queueMillis(),
                        usage.start(),
                        usage.cpuMillis(),
                        usage.memoryPeakBytes());
        return new Result(
                ending.succeeded(),
                execution.value().flatMap(ReturnedValue::data).orElseGet(NullNode::getInstance),
                execution.value().map(ReturnedValue::storedBytes).orElse(0L),
                execution.value().flatMap(ReturnedValue::dataFile),
                execution.value().flatMap(ReturnedValue::note),
                ending.succeeded() ? Optional.empty() : Optional.of(problem(ending)),
                metrics);
    }

    /// Trying the same program again helps only where the program was not the reason.
    private static Problem problem(Ending ending) {
        var message =
                ending.sentence()
                        .or(() ->
                                ending.exitCode()
                                        .map(code ->
                                                "The program ended with exit code " + code + "."))
                        .orElse("");
        return new Problem(ending.status().word(), message, ending.retryable());
    }
}
