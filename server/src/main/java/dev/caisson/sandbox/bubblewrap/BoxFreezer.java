package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.CgroupGroup;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/// Freezer of everything in one sandbox. Who dies is thawed first, and never frozen again: in
/// version 1 what is frozen cannot die.
public final class BoxFreezer {
    /// How long the kernel may take until everything stands still.
    private static final Duration FREEZE_MAX = Duration.ofSeconds(2);

    private static final Duration STEP = Duration.ofMillis(1);

    private final Optional<CgroupGroup> group;
    private boolean used;
    private boolean over;

    BoxFreezer(Optional<CgroupGroup> group) {
        this.group = group;
    }

    public boolean canFreeze() {
        return group.filter(CgroupGroup::canFreeze).isPresent();
    }

    /// Waits until everything stands still.
    ///
    /// @return false when it does not; then everything goes on
    public boolean freeze() throws InterruptedException {
        boolean still = false;
        try {
            long end = System.nanoTime() + FREEZE_MAX.toNanos();
            while (!still && System.nanoTime() < end && !isOver()) {
                still = step();
                if (!still) {
                    Thread.sleep(STEP);
                }
            }
            return still;
        } catch (UncheckedIOException gone) {
            return false;
        } finally {
            if (!still) {
                thaw();
            }
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized boolean step() {
        used |= !over;
        return !over && group.filter(CgroupGroup::freeze).isPresent();
    }

    public synchronized void thaw() {
        try {
            group.ifPresent(CgroupGroup::thaw);
        } catch (UncheckedIOException gone) {
            // Nothing is left to be thawed.
        }
    }

    /// What is in here is about to die.
    synchronized void end() {
        over = true;
        thaw();
    }

    /// Everything in here is dead: its group, which others may have next, is left as it was.
    public synchronized void close() {
        over = true;
        if (used) {
            thaw();
        }
    }
}
