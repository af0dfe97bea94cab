package dev.caisson.storage;

import dev.caisson.telemetry.Metrics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch over the disks the server writes to: that of the data directory, and that of the threads
/// where it is another. Whoever asks gets what was seen last, and never waits for a disk.
public final class Disks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Disks.class);
    private static final Duration EVERY = Duration.ofSeconds(30);

    private final List<DiskWatch> watches = new ArrayList<>();
    private final Thread thread;

    /// What was seen of a disk.
    ///
    /// @param name of the directory on it: `data` or `threads`
    /// @param warning when it is short of space
    public record State(String name, DiskSpace space, Optional<String> warning) {}

    public Disks(Path data, Path threads, DiskSettings settings, Metrics metrics) {
        watches.add(new DiskWatch("data", settings, () -> DiskSpace.of(data)));
        if (!DiskSpace.isSame(data, threads)) {
            watches.add(new DiskWatch("threads", settings, () -> DiskSpace.of(threads)));
        }
        watch(metrics, "caisson_disk_free_bytes", "Free on the disk.", DiskSpace::freeBytes);
        watch(metrics, "caisson_disk_bytes", "Size of the disk.", DiskSpace::totalBytes);
        thread = Thread.ofPlatform().name("disks").daemon().start(this::repeat);
    }

    private void watch(Metrics metrics, String name, String help, ToLongFunction<DiskSpace> what) {
        metrics.watch(name, help, "directory", () -> figures(what));
    }

    private Map<String, Double> figures(ToLongFunction<DiskSpace> what) {
        return states().stream()
                .collect(
                        Collectors.toMap(
                                State::name, state -> (double) what.applyAsLong(state.space())));
    }

    private void repeat() {
        try {
            while (true) {
                Thread.sleep(EVERY);
                look();
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    /// Looks at all of them now.
    public void look() {
        for (var watch : watches) {
            try {
                watch.look();
            } catch (RuntimeException failed) {
                LOG.warn("a disk could not be looked at", failed);
            }
        }
    }

    public List<State> states() {
        return watches.stream().map(DiskWatch::state).toList();
    }

    /// One sentence for each disk that is short of space.
    public List<String> warnings() {
        return states().stream().flatMap(state -> state.warning().stream()).toList();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
