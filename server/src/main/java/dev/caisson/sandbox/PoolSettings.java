package dev.caisson.sandbox;

import dev.caisson.config.Defaults;
import dev.caisson.config.Fixed;
import dev.caisson.config.Key;
import java.time.Duration;

/// Settings of the pool: what the operator gives to sandboxes that wait for a run.
///
/// @param limits most runs have: sandboxes are made for them before anybody asked
/// @param memoryBytes all that wait may use together; none waits when it is zero
/// @param idle after this time without demand fewer are kept
/// @param ageMax no sandbox waits longer; a new one takes its place
/// @param refillers how many are made at once; 0 means as many as suit the machine
public record PoolSettings(
        Limits limits,
        @Key(
                        name = "sandbox.pool_memory_bytes",
                        initial = "256MiB",
                        min = "0B",
                        max = "1TiB",
                        doc =
                                "Memory for sandboxes that wait for a run; with 0B, or where the"
                                        + " server may not mount, every run starts from nothing.")
                long memoryBytes,
        @Key(
                        name = "sandbox.pool_idle",
                        initial = "5m",
                        min = "1s",
                        max = "1d",
                        doc = "After this time without demand fewer sandboxes wait.")
                Duration idle,
        @Fixed("1h") Duration ageMax,
        @Fixed("0") int refillers) {
    private static final int REFILLERS_MIN = 2;

    private static final PoolSettings DEFAULT = Defaults.of(PoolSettings.class);

    /// Every run starts from nothing.
    public static final PoolSettings NONE = of(Limits.DEFAULT, 0, DEFAULT.idle);

    public PoolSettings {
        refillers = refillers == 0 ? usualRefillers() : refillers;
        if (memoryBytes < 0 || refillers < 1) {
            throw new IllegalArgumentException("a pool cannot be smaller than empty");
        }
        if (!idle.isPositive() || !ageMax.isPositive()) {
            throw new IllegalArgumentException("sandboxes wait for some time");
        }
    }

    public static PoolSettings of(Limits limits, long memoryBytes, Duration idle) {
        return new PoolSettings(limits, memoryBytes, idle, DEFAULT.ageMax, 0);
    }

    /// Half of the processors make sandboxes when there is demand; with fewer than two a busy
    /// machine would make too few.
    private static int usualRefillers() {
        return Math.max(REFILLERS_MIN, Runtime.getRuntime().availableProcessors() / 2);
    }
}
