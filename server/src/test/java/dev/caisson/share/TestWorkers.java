package dev.caisson.share;

/// Threads that compute, for tests that do not look at them.
public final class TestWorkers {
    public static final Workers WORKERS =
            new Workers(
                    2, Part.DEFAULT, Thread.ofPlatform().daemon().name("compute-", 0).factory());

    public static final Computing COMPUTING = new Computing(WORKERS, "test");

    private TestWorkers() {}
}
