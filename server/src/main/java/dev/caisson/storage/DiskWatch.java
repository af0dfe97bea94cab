package dev.caisson.storage;

import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watch over one disk: says when it is short of space, and writes that to the log once. A disk
/// that was short is well again only when clearly more is free, so that one on the border is not
/// told of again and again.
final class DiskWatch {
    /// How much more than the border must be free before a disk is well again.
    private static final double WELL_AGAIN = 1.25;

    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);

    private final String name;
    private final DiskSettings settings;
    private final Supplier<DiskSpace> space;
    private DiskSpace last;
    private boolean low;

    /// @param name of the directory on it, for people
    DiskWatch(String name, DiskSettings settings, Supplier<DiskSpace> space) {
        this.name = name;
        this.settings = settings;
        this.space = space;
        this.last = space.get();
        judge();
    }

    void look() {
        var now = space.get();
        synchronized (this) {
            last = now;
            judge();
        }
    }

    private void judge() {
        long border = settings.warnBelow(last.totalBytes());
        if (!low && last.freeBytes() < border) {
            low = true;
            LOG.warn("{}", sentence());
        } else if (low && last.freeBytes() >= border * WELL_AGAIN) {
            low = false;
            LOG.info("the disk of the {} directory has space again", name);
        }
    }

    private String sentence() {
        return "The disk of the %s directory is nearly full: %.1f GiB of %.1f GiB are free."
                .formatted(name, gibibytes(last.freeBytes()), gibibytes(last.totalBytes()));
    }

    private static double gibibytes(long bytes) {
        return bytes / (double) (1 << 30);
    }

    synchronized Disks.State state() {
        return new Disks.State(name, last, low ? Optional.of(sentence()) : Optional.empty());
    }
}
