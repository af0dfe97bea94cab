package dev.caisson.tools;

import dev.caisson.sandbox.HandedOver;
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
/// @param value what the program handed over, redacted
/// @param changed the files this run made or touched
/// @param pictures those of them that can be shown
/// @param turn what became of the session it ran in
record Execution(
        String id,
        Runner runner,
        Optional<String> threadId,
        Ending ending,
        Outcome.Usage usage,
        Captured output,
        Optional<HandedOver> value,
        Listing files,
        List<WorkspaceFile> changed,
        List<Picture> pictures,
        long redactions,
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
                session);
    }

    /// Both streams as one text: stdout, a line break when both have something, stderr.
    String combinedOutput() {
        var stdout = output.stdout().text();
        var stderr = output.stderr().text();
        return stdout.isEmpty() || stderr.isEmpty() ? stdout + stderr : stdout + "\n" + stderr;
    }
}
