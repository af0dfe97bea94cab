package dev.caisson.share;

/// Threads that compute, for tests that do not look at them.
public final class TestWorkers {
    public static final Workers WORKERS =
            new Workers(
                    2,
                    ShareLimit.DEFAULT,
                    Thread.ofPlatform().daemon().name("compute-", 0).factory());

    public static final CallerWorkers COMPUTING = new CallerWorkers(WORKERS, "test");

    private TestWorkers() {}
}
