package dev.caisson.sandbox.pool;

import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PoolFigures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Warm queue: the sandboxes of one shape that wait for a run, and how many there should be. One
/// more whenever the last was taken, twice as many whenever one was missed, half as many after each
/// time of idleness.
///
/// Used under the lock of its [Pool], with times as the pool reads them.
final class WarmQueue {
    /// So many are made for a shape in which nobody ever asked for more at once.
    private static final int FEWEST = 1;

    /// A failed start is tried again after a time that doubles from the first to the second.
    private static final Duration RETRY_FIRST = Duration.ofSeconds(1);

    private static final Duration RETRY_LAST = Duration.ofMinutes(2);

    /// After one was taken the next is not made for so long, if there is another: the run that took
    /// it has the processor to itself.
    static final Duration RESPITE = Duration.ofMillis(25);

    private static final Duration LOOK = Duration.ofSeconds(1);

    /// So many wait for a caller who has asked: each costs little, and is made in milliseconds.
    private static final int OWN = 4;

    /// With fewer of them the next is made at once.
    private static final int OWN_FEW = 2;

    /// For less time than what they are made in, which would be made anew for them.
    private static final Duration OWN_IDLE = Duration.ofSeconds(90);

    /// One in so many waits for callers who have nothing running.
    private static final int RESERVED = 3;

    /// Until one was made nobody knows what it takes.
    private static final long BYTES_GUESSED = 16L << 20;

    private record Waiting(Box box, long since) {}

    private final String runner;
    private final Boot boot;
    private final Limits limits;
    private final Optional<String> owner;
    private final int fewest;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private int target;
    private long lookedAt;
    private long hits;
    private long misses;
    private int booting;
    private long lastTaken;
    private long lackingSince;
    private long bytesEach = BYTES_GUESSED;
    private long notBefore;
    private Duration retry = RETRY_FIRST;

    /// @param kept whether some are kept although nobody asks
    /// @param owner the caller they are for; empty when they are for anybody
    WarmQueue(
            String runner,
            Boot boot,
            Limits limits,
            Optional<String> owner,
            boolean kept,
            long now) {
        this.runner = runner;
        this.boot = boot;
        this.limits = limits;
        this.owner = owner;
        this.fewest = kept ? FEWEST : 0;
        this.target = fewest;
        this.lastTaken = now;
        this.lackingSince = now;
        this.lookedAt = now;
        this.notBefore = now;
    }

    String runner() {
        return runner;
    }

    Boot boot() {
        return boot;
    }

    Optional<String> owner() {
        return owner;
    }

    Limits limits() {
        return limits;
    }

    int waiting() {
        return waiting.size();
    }

    long lastTaken() {
        return lastTaken;
    }

    PoolFigures figures() {
        return new PoolFigures(runner, waiting.size(), target, hits, misses);
    }

    /// What those that wait or are being made take together.
    long bytes() {
        return bytesEach * (waiting.size() + booting);
    }

    long bytesEach() {
        return bytesEach;
    }

    /// Whether so few wait that they are for callers who have nothing yet.
    boolean isLow() {
        return waiting.size() <= Math.max(1, target / RESERVED);
    }

    /// The one that has waited longest.
    Optional<Box> poll() {
        return Optional.ofNullable(waiting.pollFirst()).map(Waiting::box);
    }

    /// Gives one up for a queue that is asked for more, and does without it until it is asked for
    /// again: wanted back at once, one would be made and ended for ever.
    Optional<Box> giveUp() {
        var given = poll();
        target = Math.max(0, Math.min(target, waiting.size() + booting));
        return given;
    }

    /// @param most that could ever be wanted at once
    void taken(long now, int most) {
        lastTaken = now;
        lackingSince = lacking() == 1 ? now : lackingSince;
        hits++;
        if (waiting.isEmpty()) {
            target = Math.min(most, target + 1);
        }
    }

    void missed(long now, int most) {
        lastTaken = now;
        misses++;
        target = Math.min(most, Math.max(owner.isPresent() ? OWN : 1, target * 2));
    }

    boolean wants(long now) {
        return lacking() > 0 && nanosToWait(now) <= 0;
    }

    /// How long until it wants one, if it lacks one.
    OptionalLong wantsIn(long now) {
        return lacking() > 0
                ? OptionalLong.of(Math.max(0, nanosToWait(now)))
                : OptionalLong.empty();
    }

    private long nanosToWait(long now) {
        boolean few = waiting.size() < (owner.isPresent() ? OWN_FEW : 1);
        long respite = few ? 0 : lackingSince + RESPITE.toNanos() - now;
        return Math.max(notBefore - now, respite);
    }

    int lacking() {
        return target - waiting.size() - booting;
    }

    void begin() {
        booting++;
    }

    void add(Box box, long now) {
        booting--;
        waiting.addLast(new Waiting(box, now));
        retry = RETRY_FIRST;
        box.memoryPeakBytes().ifPresent(bytes -> bytesEach = Math.max(1, bytes));
    }

    void failed(long now) {
        booting--;
        notBefore = now + retry.toNanos();
        retry =
                retry.multipliedBy(2).compareTo(RETRY_LAST) < 0
                        ? retry.multipliedBy(2)
                        : RETRY_LAST;
    }

    /// Wants fewer after a time without demand.
    void settle(long now, Duration idle) {
        if (owner.isPresent() && now - lastTaken >= OWN_IDLE.toNanos()) {
            target = 0;
        }
        if (now - lastTaken >= idle.toNanos() && target != fewest) {
            target = Math.max(fewest, target / 2);
            lastTaken = now;
        }
    }

    /// Those that died, are too old, or are more than wanted. Whether they live is asked now and
    /// then: whoever takes one asks again.
    List<Box> superfluous(long now, Duration ageMax) {
        boolean look = now - lookedAt >= LOOK.toNanos();
        lookedAt = look ? now : lookedAt;
        var gone = new ArrayList<Box>();
        waiting.removeIf(each -> {
            boolean useless =
                    now - each.since() >= ageMax.toNanos() || (look && !each.box().isWaiting());
            if (useless) {
                gone.add(each.box());
            }
            return useless;
        });
        while (waiting.size() > target) {
            poll().ifPresent(gone::add);
        }
        return gone;
    }

    /// Nobody has asked for a long time, and nothing is left.
    boolean isForgotten() {
        return fewest == 0 && target == 0 && waiting.isEmpty() && booting == 0;
    }

    List<Box> clear() {
        target = 0;
        var all = waiting.stream().map(Waiting::box).toList();
        waiting.clear();
        return all;
    }
}
