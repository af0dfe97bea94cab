package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps what executions wrote, so that it can be read later by the caller they belong to.
///
/// What is on the disk, readable by the server alone:
///
/// ```
/// <root>/output/<hash of caller id and execution id>/stdout
///                                                    stderr
///                                                    timeline    see Timeline
/// ```
///
/// A file is there when at least one byte was written. All of them together are bounded: beyond the
/// limit the oldest executions lose their output, never one that is under way.
public final class Spool {
    /// What all executions together may keep.
    public static final long KEPT_BYTES_DEFAULT = 4L << 30;

    private final Path root;
    private final OutputLimits limits;
    private final long keptBytesMax;
    private final Set<Path> underWay = new HashSet<>();
    private long keptBytes;

    public Spool(Path root, OutputLimits limits, long keptBytesMax) {
        this.limits = limits;
        this.keptBytesMax = keptBytesMax;
        try {
            this.root = Handles.privateDirectory(root.resolve("output"));
            this.keptBytes = kept().stream().mapToLong(Kept::bytes).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public OutputLimits limits() {
        return limits;
    }

    /// @param tap sees the output as it comes
    public OutputCapture capture(Caller caller, String executionId, Redactor redactor, Sink tap) {
        var directory = directory(caller, executionId);
        synchronized (this) {
            underWay.add(directory);
        }
        return new OutputCapture(
                directory, limits, redactor, tap, bytes -> finished(directory, bytes));
    }

    /// What an execution of this caller wrote, also while it is under way.
    ///
    /// @return empty when there is no such execution, it is another caller's, it wrote nothing, or
    ///   its output is not kept any more
    public Optional<SpooledOutput> find(Caller caller, String executionId) {
        var directory = directory(caller, executionId);
        return Files.isDirectory(directory)
                ? Optional.of(new SpooledOutput(directory))
                : Optional.empty();
    }

    /// Removes what an execution wrote, unless it is under way.
    public void forget(String callerId, String executionId) {
        forget(root.resolve(Handles.directoryName(callerId, executionId)));
    }

    /// Removes what was last written to before a moment.
    ///
    /// @return of how many executions
    public int forgetBefore(Instant moment) {
        try {
            var old =
                    kept().stream()
                            .filter(one -> one.modified() < moment.toEpochMilli())
                            .map(Kept::directory)
                            .toList();
            return (int) old.stream().filter(this::forget).count();
        } catch (IOException e) {
            throw new UncheckedIOException("the spool cannot be swept", e);
        }
    }

    private synchronized boolean forget(Path directory) {
        if (underWay.contains(directory) || !Files.isDirectory(directory)) {
            return false;
        }
        var bytes = Kept.of(directory).bytes();
        Erasure.erase(directory);
        keptBytes -= bytes;
        return true;
    }

    private Path directory(Caller caller, String executionId) {
        return root.resolve(Handles.directoryName(caller, executionId));
    }

    private synchronized void finished(Path directory, long bytes) {
        underWay.remove(directory);
        keptBytes += bytes;
        if (keptBytes > keptBytesMax) {
            sweep();
        }
    }

    private record Kept(Path directory, long modified, long bytes) {
        static Kept of(Path directory) {
            var bytes = 0L;
            for (var stream : Sink.Stream.values()) {
                bytes += directory.resolve(OutputCapture.word(stream)).toFile().length();
            }
            return new Kept(directory, directory.toFile().lastModified(), bytes);
        }
    }

    private List<Kept> kept() throws IOException {
        try (var directories = Files.list(root)) {
            return directories.map(Kept::of).toList();
        }
    }

    /// Goes a tenth below the limit, so that it is not needed after every run.
    private void sweep() {
        try {
            var oldest = kept().stream().sorted(Comparator.comparingLong(Kept::modified)).toList();
            keptBytes = oldest.stream().mapToLong(Kept::bytes).sum();
            for (var execution : oldest) {
                if (keptBytes <= keptBytesMax / 10 * 9) {
                    return;
                }
                if (!underWay.contains(execution.directory())) {
                    Erasure.erase(execution.directory());
                    keptBytes -= execution.bytes();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the spool cannot be swept", e);
        }
    }
}
