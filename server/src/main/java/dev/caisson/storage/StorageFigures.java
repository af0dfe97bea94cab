package dev.caisson.storage;

import dev.caisson.linux.DiskUsage;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.image.OpenWorkspaces;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Metrics of storage: what all threads and all volumes hold, in bytes and in files, as of the last
/// look. To look takes a while where there are many, so nobody who reads the figures waits for it.
public final class StorageFigures {
    private static final Logger LOG = LoggerFactory.getLogger(StorageFigures.class);

    private final FileSpaces spaces;
    private volatile Map<String, Total> totals = Map.of();

    /// Of all places of a kind.
    record Total(long bytes, long files) {
        Total plus(DiskUsage room) {
            return new Total(bytes + room.bytesUsed(), files + room.filesUsed());
        }
    }

    public StorageFigures(FileSpaces spaces, Metrics metrics) {
        this.spaces = spaces;
        metrics.watch(
                "caisson_workspace_bytes",
                "What is kept in all threads and volumes, as of the last look.",
                "kind",
                () -> figures(Total::bytes));
        metrics.watch(
                "caisson_workspace_files",
                "Files and directories in all threads and volumes, as of the last look.",
                "kind",
                () -> figures(Total::files));
    }

    private Map<String, Double> figures(ToLongFunction<Total> figure) {
        return totals.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                total -> (double) figure.applyAsLong(total.getValue())));
    }

    /// Looks again.
    public void look() {
        totals =
                Map.of(
                        "threads", spaces.threads().total(StorageFigures::of),
                        "volumes", spaces.volumes().total(StorageFigures::of));
    }

    /// Adds up what is in places.
    interface Adding {
        Total of(Path root, OpenWorkspaces places, CallerWorkers computing);
    }

    /// One that is removed meanwhile, or cannot be read, is left out.
    private static Total of(Path root, OpenWorkspaces places, CallerWorkers computing) {
        var total = new Total(0, 0);
        try (var all = Files.newDirectoryStream(root)) {
            for (var directory : all) {
                try {
                    total = total.plus(places.room(directory, computing));
                } catch (IOException e) {
                    LOG.debug("{} is not counted", directory.getFileName(), e);
                }
            }
            return total;
        } catch (IOException e) {
            throw new UncheckedIOException("storage cannot be looked at", e);
        }
    }
}
