package dev.caisson.share;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Room for what is kept for callers, in bytes. When it is full, whoever has most gives first, its
/// oldest first: see [EqualShares].
///
/// Writers say what they add. It is counted exactly only when the room may be full, and from time
/// to time, since other processes may write too.
public final class Budget {
    private final long room;
    private final Kept kept;
    private final AtomicLong used = new AtomicLong();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private volatile boolean counted;

    /// What is kept.
    public interface Kept {
        /// By caller.
        Map<String, Long> bytes();

        /// Gives up the oldest of a caller.
        ///
        /// @param bytes at least so many, if there are
        /// @return how many things
        int giveUp(String caller, long bytes);
    }

    public Budget(long room, Kept kept) {
        this.room = room;
        this.kept = kept;
    }

    /// To be called when something was kept. Makes room when there is no more.
    public void added(long bytes) {
        if (used.addAndGet(bytes) > room || !counted) {
            sweep();
        }
    }

    /// Makes room if there is none, and a tenth more, so that it is not needed after every write.
    ///
    /// @return how many things were given up
    public int sweep() {
        if (!sweeping.compareAndSet(false, true)) {
            return 0;
        }
        try {
            var bytes = kept.bytes();
            var total = sum(bytes);
            if (total <= room) {
                used.set(total);
                counted = true;
                return 0;
            }
            var excess = EqualShares.above(bytes, room / 10 * 9);
            used.set(total - sum(excess));
            counted = true;
            return excess.entrySet().stream()
                    .mapToInt(each -> kept.giveUp(each.getKey(), each.getValue()))
                    .sum();
        } finally {
            sweeping.set(false);
        }
    }

    private static long sum(Map<String, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
