package dev.caisson.runs;

import dev.caisson.executions.ReturnedValue;
import dev.caisson.json.Json;
import dev.caisson.runs.ExecutionReport.FileEntry;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.WorkspaceFile;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Factory of the structured report of an execution.
public final class Reports {
    /// More files than this are counted but not listed; those the run changed come first then.
    public static final int FILES_MAX = 200;

    private Reports() {}

    public static ExecutionReport of(
            FinishedRun execution, Envelope envelope, Function<FilePath, Optional<String>> urls) {
        var runner = execution.runner();
        return new ExecutionReport(
                execution.id(),
                ExecutionReport.End.of(execution),
                runner.language().word(),
                runner.name() + " " + runner.version(),
                execution.threadId(),
                ExecutionReport.Streams.of(execution.output()),
                execution.redactions(),
                left(execution, urls),
                execution.metrics(),
                execution.turn().map(SessionReport::of),
                envelope.metadata(),
                ExecutionReport.Account.of(execution, envelope),
                ExecutionReport.Result.of(execution),
                Optional.of(execution.display().stream().map(ExecutionReport.Shown::of).toList())
                        .filter(forms -> !forms.isEmpty()),
                execution.tools(),
                execution.attempt(),
                execution.network());
    }

    private static ExecutionReport.Files left(
            FinishedRun execution, Function<FilePath, Optional<String>> urls) {
        return new ExecutionReport.Files(
                files(execution, urls),
                execution.files().files().size(),
                execution.files().complete(),
                execution.keepsFiles());
    }

    public static String outputDigest(FinishedRun execution) {
        return Envelope.digest(
                execution.output().stdout().text(),
                execution.output().stderr().text(),
                execution.value().flatMap(ReturnedValue::data).map(Json::text).orElse(""));
    }

    static List<FileEntry> files(FinishedRun execution, Function<FilePath, Optional<String>> urls) {
        return files(execution, execution.files().files(), urls);
    }

    /// @param files some of those it left
    public static List<FileEntry> files(
            FinishedRun execution,
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
            FinishedRun execution,
            WorkspaceFile file,
            boolean changed,
            Function<FilePath, Optional<String>> urls) {
        var url = execution.isNamable(file) ? urls.apply(file.path()) : Optional.<String>empty();
        return FileEntry.of(file, execution.shown(file), changed, url);
    }
}
