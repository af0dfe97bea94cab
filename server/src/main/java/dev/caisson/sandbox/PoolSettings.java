package dev.caisson.sandbox;

import java.time.Duration;

/// What the operator gives to sandboxes that wait for a run.
///
/// @param limits most runs have: sandboxes are made for them before anybody asked
/// @param memoryBytes all that wait may use together; none waits when it is zero
/// @param idle after this time without demand fewer are kept
/// @param ageMax no sandbox waits longer; a new one takes its place
/// @param refillers how many are made at once
public record PoolSettings(
        Limits limits, long memoryBytes, Duration idle, Duration ageMax, int refillers) {
    public static final long MEMORY_DEFAULT = 256L << 20;
    public static final Duration IDLE_DEFAULT = Duration.ofMinutes(5);
    public static final Duration AGE_MAX = Duration.ofHours(1);

    private static final int REFILLERS_MIN = 2;

    /// Every run starts from nothing.
    public static final PoolSettings NONE = of(Limits.DEFAULT, 0, IDLE_DEFAULT);

    public PoolSettings {
        if (memoryBytes < 0 || refillers < 1) {
            throw new IllegalArgumentException("a pool cannot be smaller than empty");
        }
        if (!idle.isPositive() || !ageMax.isPositive()) {
            throw new IllegalArgumentException("sandboxes wait for some time");
        }
    }

    /// Half of the processors make sandboxes when there is demand; with fewer than two a busy
    /// machine would make too few.
    public static PoolSettings of(Limits limits, long memoryBytes, Duration idle) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new PoolSettings(
                limits, memoryBytes, idle, AGE_MAX, Math.max(REFILLERS_MIN, processors / 2));
    }
}
