package dev.caisson.output;

import dev.caisson.call.Caller;
import dev.caisson.call.Digests;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink;
import dev.caisson.share.EqualShares;
import dev.caisson.storage.Erasure;
import dev.caisson.storage.HashedNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Store of the output of executions on disk, so that it can be read later by the caller they
/// belong to.
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
/// A file is there when at least one byte was written. Output that is small is in memory while its
/// program runs, and in the record of the run when it has ended; then there is no file. All files
/// together are bounded: beyond the limit whoever has most loses the output of its oldest
/// executions, never of one that is under way.
public final class Spool {
    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);
    private static final String OWNER = "owner-";
    private static final String[] NONE = {};

    private final Path root;
    private final OutputLimits limits;
    private final long keptBytesMax;
    private final OutputMemory memory;
    private final RecordedOutput recorded;
    private final Map<Path, OutputCapture> underWay = new ConcurrentHashMap<>();
    private long keptBytes;

    /// One that keeps all output in files when its program has ended.
    public Spool(Path root, OutputLimits limits, long keptBytesMax) {
        this(root, limits, keptBytesMax, (_, _) -> Optional.empty());
    }

    /// @param recorded has the small output of runs that have ended
    public Spool(Path root, OutputLimits limits, long keptBytesMax, RecordedOutput recorded) {
        this(root, limits, keptBytesMax, recorded, OutputMemory.ALL_BYTES_MAX);
    }

    Spool(
            Path root,
            OutputLimits limits,
            long keptBytesMax,
            RecordedOutput recorded,
            long memoryBytesMax) {
        this.memory = new OutputMemory(memoryBytesMax);
        this.recorded = recorded;
        this.limits = limits;
        this.keptBytesMax = keptBytesMax;
        try {
            this.root = HashedNames.privateDirectory(root.resolve("output"));
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
        var capture =
                new OutputCapture(
                        directory, memory, limits, redactor, tap, _ -> finished(directory, caller));
        underWay.put(directory, capture);
        return capture;
    }

    /// What the records of runs have of their output.
    @FunctionalInterface
    public interface RecordedOutput {
        /// @return what [OutputCapture#handOver] gave
        Optional<byte[]> find(String callerId, String executionId);
    }

    /// What an execution of this caller wrote, also while it is under way.
    ///
    /// @return empty when there is no such execution, it is another caller's, it wrote nothing, or
    ///   its output is not kept any more
    public Optional<SpooledOutput> find(Caller caller, String executionId) {
        var directory = directory(caller, executionId);
        var running = underWay.get(directory);
        if (running != null) {
            return Optional.of(running.stored())
                    .filter(stored -> stored.hasStreams() || Files.isDirectory(directory));
        }
        var inFiles = SpooledOutput.inFiles(directory);
        if (inFiles.hasStreams()) {
            return Optional.of(inFiles);
        }
        return recorded.find(caller.id(), executionId)
                .map(form -> SpooledOutput.inMemory(SmallOutput.read(form), directory))
                .or(() -> Optional.of(inFiles).filter(_ -> Files.isDirectory(directory)));
    }

    /// Removes what an execution wrote, unless it is under way.
    public void forget(String callerId, String executionId) {
        forget(root.resolve(HashedNames.directoryName(callerId, executionId)));
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
        if (underWay.containsKey(directory) || !Files.isDirectory(directory)) {
            return false;
        }
        var bytes = Kept.of(directory).bytes();
        Erasure.erase(directory);
        keptBytes -= bytes;
        return true;
    }

    private Path directory(Caller caller, String executionId) {
        return root.resolve(HashedNames.directoryName(caller, executionId));
    }

    private synchronized void finished(Path directory, Caller caller) {
        underWay.remove(directory);
        if (Files.isDirectory(directory)) {
            mark(directory, caller);
            keptBytes += Kept.of(directory).bytes();
        }
        if (keptBytes > keptBytesMax) {
            sweep(Map.of(), new HashMap<>());
        }
    }

    /// Says whose it is, for its name does not.
    private static void mark(Path directory, Caller caller) {
        try {
            Files.createFile(directory.resolve(OWNER + hash(caller.id())));
        } catch (IOException e) {
            LOG.debug("output is not marked as its caller's", e);
        }
    }

    private static String hash(String callerId) {
        return Digests.sha256Hex(callerId.getBytes(StandardCharsets.UTF_8));
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
                .collect(
                        Collectors.groupingBy(
                                Kept::owner, HashMap::new, Collectors.summingLong(Kept::bytes)));
    }

    private List<Kept> kept() throws IOException {
        try (var directories = Files.list(root)) {
            return directories.map(Kept::of).toList();
        }
    }

    /// Result of a sweep.
    ///
    /// @param executions that lost their output
    /// @param excess what the records of callers have too much, by their ids
    public record Swept(int executions, Map<String, Long> excess) {}

    /// Makes room when there is none: files go before what records have.
    ///
    /// @param recorded what records have of output, by the ids of callers
    public synchronized Swept sweepAbove(Map<String, Long> recorded) {
        long all = recorded.values().stream().mapToLong(Long::longValue).sum();
        if (keptBytes + all <= keptBytesMax) {
            return new Swept(0, Map.of());
        }
        var hashed = new HashMap<String, Long>();
        recorded.forEach((id, bytes) -> hashed.put(hash(id), bytes));
        var excess = new HashMap<String, Long>();
        int executions = sweep(hashed, excess);
        var left = new HashMap<String, Long>();
        for (var id : recorded.keySet()) {
            long bytes = excess.getOrDefault(hash(id), 0L);
            if (bytes > 0) {
                left.put(id, bytes);
            }
        }
        return new Swept(executions, left);
    }

    /// Goes a tenth below the limit, so that it is not needed after every run.
    ///
    /// @param recorded counts too, and stays
    /// @param excess is given what is still too much, by owner
    private int sweep(Map<String, Long> recorded, Map<String, Long> excess) {
        try {
            var oldest = kept().stream().sorted(Comparator.comparingLong(Kept::modified)).toList();
            keptBytes = oldest.stream().mapToLong(Kept::bytes).sum();
            var all = byOwner(oldest);
            recorded.forEach((owner, bytes) -> all.merge(owner, bytes, Long::sum));
            excess.putAll(EqualShares.above(all, keptBytesMax / 10 * 9));
            var total = 0;
            for (var execution : oldest) {
                if (excess.getOrDefault(execution.owner(), 0L) > 0
                        && !underWay.containsKey(execution.directory())) {
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
