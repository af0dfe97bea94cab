package dev.caisson.share;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A finite quantity that callers hold parts of, such as requests under way or bytes of bodies.
///
/// Who asks for more than its [ShareLimit] leaves is refused, and told which share it was; who
/// holds nothing is refused only when too little is left for anybody. To wait in turns, see
/// [WaitingShare].
public final class Share {
    private static final long RETRY_AFTER_SECONDS = 1;

    private final String name;
    private final String unit;
    private final long total;
    private final ShareLimit part;
    private final Map<String, Long> held = new HashMap<>();
    private long free;

    /// @param name for programs, in lower case with underscores, such as `requests`
    /// @param unit for people, in the plural, such as `requests under way`
    public Share(String name, String unit, long total, ShareLimit part) {
        if (total < 1) {
            throw new IllegalArgumentException("there must be something to share");
        }
        this.name = name;
        this.unit = unit;
        this.total = total;
        this.part = part;
        this.free = total;
    }

    /// @throws Refusal `NO_CAPACITY` when the caller has its part, or nothing is left
    public HeldShare take(String caller, long amount) {
        return tryTake(caller, amount).orElseThrow(() -> refusal(caller, amount));
    }

    public synchronized Optional<HeldShare> tryTake(String caller, long amount) {
        return change(caller, amount) ? Optional.of(released(caller, amount)) : Optional.empty();
    }

    private HeldShare released(String caller, long amount) {
        var open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                giveBack(caller, amount);
            }
        };
    }

    /// Whether [#tryTake] would succeed now.
    public synchronized boolean mayTake(String caller, long amount) {
        long own = held(caller);
        return amount <= free && (own == 0 || part.allows(own + amount, free - amount));
    }

    /// Whether a caller who left for a while gets what was its own again: not while other things of
    /// its own are what stands in the way.
    ///
    /// @param kept what it held on to
    synchronized boolean mayReturn(String caller, long amount, long kept) {
        return fits(caller, amount, kept, free);
    }

    /// Whether what comes free is kept for who comes back: it would fit if nobody else held
    /// anything.
    synchronized boolean isOwed(String caller, long amount, long kept) {
        return fits(caller, amount, kept, total - held(caller));
    }

    private boolean fits(String caller, long amount, long kept, long free) {
        long own = held(caller);
        return amount <= free && (own <= kept || part.allows(own + amount, free - amount));
    }

    /// Takes what [#mayReturn] allows.
    synchronized HeldShare takeReturned(String caller, long amount) {
        free -= amount;
        held.merge(caller, amount, Long::sum);
        return released(caller, amount);
    }

    /// Whether what comes free is kept for a wish: its caller holds nothing, and it fits once
    /// enough is given back.
    synchronized boolean isNext(String caller, long amount) {
        return held(caller) == 0 && amount <= total;
    }

    /// Takes more or gives some back.
    ///
    /// @return false when there is not that much more for the caller
    synchronized boolean change(String caller, long more) {
        if (more <= 0) {
            giveBack(caller, -more);
            return true;
        }
        if (!mayTake(caller, more)) {
            return false;
        }
        free -= more;
        held.merge(caller, more, Long::sum);
        return true;
    }

    /// As [#change], but waits until there is that much.
    ///
    /// @return false when the time was over first
    synchronized boolean awaitChange(String caller, long more, Duration atMost)
            throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (!change(caller, more)) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    private synchronized void giveBack(String caller, long amount) {
        free += amount;
        notifyAll();
        held.computeIfPresent(caller, (_, all) -> all > amount ? all - amount : null);
    }

    public synchronized long held(String caller) {
        return held.getOrDefault(caller, 0L);
    }

    public synchronized long free() {
        return free;
    }

    public String name() {
        return name;
    }

    public long total() {
        return total;
    }

    /// What a caller is told whose wish cannot be met now.
    public Refusal refusal(String caller, long amount) {
        return refusal(caller, amount, RETRY_AFTER_SECONDS);
    }

    Refusal refusal(String caller, long amount, long seconds) {
        long own = held(caller);
        var sentence =
                own > 0 && amount <= free()
                        ? "This key has %d of the server's %d %s, which is all of its share now: wait for one of its own to end."
                                .formatted(own, total, unit)
                        : "All of the server's %d %s are in use.".formatted(total, unit);
        return new Refusal(
                Reason.NO_CAPACITY,
                sentence + " Try again in about %d s.".formatted(seconds),
                Map.of("share", name, "retry_after_seconds", seconds));
    }
}
