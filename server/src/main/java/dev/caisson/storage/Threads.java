package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Workspaces: those that persist, one per thread, and those that are erased after one run.
///
/// What is on the disk, all of it readable by the server alone (mode 0700):
///
/// ```
/// <root>/threads/<hash of caller id and thread id>/   a thread's workspace, kept
/// <root>/ephemeral/<random>/                          a run's workspace, erased when it is over
/// ```
///
/// A thread belongs to one caller and has one writer at a time. What is in `ephemeral` when the
/// server starts was left by one that was killed, and is erased.
public final class Threads {
    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

    /// Longer ids are refused. Shorter ones may hold any character, for no id becomes a path.
    public static final int ID_LENGTH_MAX = 1024;

    private final Path threads;
    private final Path ephemeral;
    private final WorkspaceMaker maker;
    private final Writers writers = new Writers();

    public Threads(Path root, WorkspaceMaker maker) {
        this.maker = maker;
        try {
            this.threads = Handles.privateDirectory(root.resolve("threads"));
            this.ephemeral = Handles.privateDirectory(root.resolve("ephemeral"));
            eraseLeftovers();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What fits into one workspace, as a phrase for people.
    public String capacity() {
        return maker.capacity();
    }

    /// The workspace of a caller's thread, made when it is not there.
    ///
    /// @param wait how long to wait for whoever uses it
    /// @throws Refusal CONFLICT when somebody still uses it after that time; its details name the
    ///   execution
    public Lease acquire(Caller caller, String threadId, String executionId, Duration wait)
            throws InterruptedException {
        requireValid(threadId);
        var name = Handles.directoryName(caller, threadId);
        writers.enter(name, executionId, wait);
        try {
            var directory = threads.resolve(name);
            var fresh = Files.notExists(directory);
            Handles.privateDirectory(directory);
            return new Lease(maker.open(directory), fresh, () -> writers.leave(name));
        } catch (IOException e) {
            writers.leave(name);
            throw new UncheckedIOException("the workspace of a thread cannot be opened", e);
        } catch (RuntimeException e) {
            writers.leave(name);
            throw e;
        }
    }

    /// A workspace that is erased when the lease is closed.
    public Lease ephemeral() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        var directory =
                ephemeral.resolve(
                        hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong()));
        try {
            Handles.privateDirectory(directory);
            return new Lease(maker.open(directory), true, () -> eraseOrLeave(directory));
        } catch (IOException e) {
            eraseOrLeave(directory);
            throw new UncheckedIOException("a workspace cannot be made", e);
        } catch (RuntimeException e) {
            eraseOrLeave(directory);
            throw e;
        }
    }

    /// Whether an execution uses the thread right now.
    public boolean isBusy(Caller caller, String threadId) {
        return writers.isTaken(Handles.directoryName(caller, threadId));
    }

    private static void requireValid(String threadId) {
        if (threadId.isEmpty() || threadId.length() > ID_LENGTH_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A thread id has 1 to " + ID_LENGTH_MAX + " characters.");
        }
    }

    private void eraseLeftovers() throws IOException {
        try (var left = Files.newDirectoryStream(ephemeral)) {
            left.forEach(Threads::eraseOrLeave);
        }
    }

    /// A run does not lose its result because its workspace resists; the next start tries again.
    private static void eraseOrLeave(Path directory) {
        try {
            Erasure.erase(directory);
        } catch (UncheckedIOException e) {
            LOG.warn("workspace {} is left for the next start", directory.getFileName(), e);
        }
    }
}
