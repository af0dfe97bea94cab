package dev.caisson.storage;

import dev.caisson.call.Caller;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink;
import dev.caisson.share.EqualShares;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps what executions wrote, so that it can be read later by the caller they belong to.
///
/// What is on the disk, readable by the server alone:
///
/// ```
/// <root>/output/<hash of caller id and execution id>/stdout
///                                                    stderr
///                                                    data        a value too large for its answer, as JSON
///                                                    timeline    see Timeline
///                                                    owner-<hash of caller id>    empty
/// ```
///
/// A file is there when at least one byte was written. All of them together are bounded: beyond the
/// limit whoever has most loses the output of its oldest executions, never of one that is under
/// way.
public final class Spool {
    /// What all executions together may keep.
    public static final long KEPT_BYTES_DEFAULT = 4L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);
    private static final String OWNER = "owner-";
    private static final String[] NONE = {};

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
                directory, limits, redactor, tap, _ -> finished(directory, caller));
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

    private synchronized void finished(Path directory, Caller caller) {
        underWay.remove(directory);
        if (Files.isDirectory(directory)) {
            mark(directory, caller);
            keptBytes += Kept.of(directory).bytes();
        }
        if (keptBytes > keptBytesMax) {
            sweep();
        }
    }

    /// Says whose it is, for its name does not.
    private static void mark(Path directory, Caller caller) {
        var owner = Handles.hash(caller.id().getBytes(StandardCharsets.UTF_8));
        try {
            Files.createFile(directory.resolve(OWNER + owner));
        } catch (IOException e) {
            LOG.debug("output is not marked as its caller's", e);
        }
    }

    /// @param owner the same for all of a caller; empty when a server ended before it was noted
    private record Kept(Path directory, String owner, long modified, long bytes) {
        static Kept of(Path directory) {
            var bytes = 0L;
            var owner = "";
            for (var name : Optional.ofNullable(directory.toFile().list()).orElse(NONE)) {
                if (name.startsWith(OWNER)) {
                    owner = name.substring(OWNER.length());
                } else {
                    bytes += directory.resolve(name).toFile().length();
                }
            }
            return new Kept(directory, owner, directory.toFile().lastModified(), bytes);
        }
    }

    private static Map<String, Long> byOwner(List<Kept> kept) {
        return kept.stream()
                .collect(Collectors.groupingBy(Kept::owner, Collectors.summingLong(Kept::bytes)));
    }

    private List<Kept> kept() throws IOException {
        try (var directories = Files.list(root)) {
            return directories.map(Kept::of).toList();
        }
    }

    /// Makes room when there is none.
    ///
    /// @return how many executions lost their output
    public synchronized int sweepAbove() {
        return keptBytes > keptBytesMax ? sweep() : 0;
    }

    /// Goes a tenth below the limit, so that it is not needed after every run.
    private int sweep() {
        try {
            var oldest = kept().stream().sorted(Comparator.comparingLong(Kept::modified)).toList();
            keptBytes = oldest.stream().mapToLong(Kept::bytes).sum();
            var excess = EqualShares.above(byOwner(oldest), keptBytesMax / 10 * 9);
            var total = 0;
            for (var execution : oldest) {
                if (excess.getOrDefault(execution.owner(), 0L) > 0
                        && !underWay.contains(execution.directory())) {
                    Erasure.erase(execution.directory());
                    keptBytes -= execution.bytes();
                    excess.merge(execution.owner(), -execution.bytes(), Long::sum);
                    total++;
                }
            }
            return total;
        } catch (IOException e) {
            throw new UncheckedIOException("the spool cannot be swept", e);
        }
    }
}
