package dev.caisson.tools;

import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Runner;
import dev.caisson.session.Turn;
import dev.caisson.storage.Captured;
import dev.caisson.storage.Listing;
import dev.caisson.storage.WorkspaceFile;
import java.util.List;
import java.util.Optional;

/// A run that is over, with everything that is said about it.
///
/// @param id of the execution
/// @param value what the program handed over, as it is told
/// @param changed the files this run made or touched
/// @param pictures those of them that can be shown
/// @param redactor what names of files are shown through
/// @param turn what became of the session it ran in
record Execution(
        String id,
        Runner runner,
        Optional<String> threadId,
        Ending ending,
        Outcome.Usage usage,
        Captured output,
        Optional<ReturnedValue> value,
        Listing files,
        List<WorkspaceFile> changed,
        List<Picture> pictures,
        long redactions,
        Redactor redactor,
        Optional<Turn> turn) {
    Execution {
        changed = List.copyOf(changed);
        pictures = List.copyOf(pictures);
    }

    /// The same, and the session it ran in.
    Execution in(Optional<Turn> session) {
        return new Execution(
                id,
                runner,
                threadId,
                ending,
                usage,
                output,
                value,
                files,
                changed,
                pictures,
                redactions,
                redactor,
                session);
    }

    /// Whether its files are there when it is over.
    boolean keepsFiles() {
        return threadId.isPresent();
    }

    /// The path of a file, which a program chose, without what must not be seen.
    String shown(WorkspaceFile file) {
        return redactor.text(file.path().text());
    }

    /// Whether a file can be named as it is.
    boolean isNamable(WorkspaceFile file) {
        return shown(file).equals(file.path().text());
    }

    /// Both streams as one text: stdout, a line break when both have something, stderr.
    String combinedOutput() {
        var stdout = output.stdout().text();
        var stderr = output.stderr().text();
        return stdout.isEmpty() || stderr.isEmpty() ? stdout + stderr : stdout + "\n" + stderr;
    }
}
