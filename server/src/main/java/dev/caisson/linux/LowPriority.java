package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import java.lang.foreign.Arena;
import java.util.concurrent.ThreadFactory;

/// Factory of platform threads with low priority, to which the kernel prefers others.
public final class LowPriority implements ThreadFactory {
    /// How nice they are: they get about a third of what another thread gets beside them. Much
    /// less, and the garbage collector would wait for them on a busy machine, and all with it.
    static final int NICE = 5;

    private final ThreadFactory threads;

    /// @param name of the threads, before their numbers
    public LowPriority(String name) {
        threads = Thread.ofPlatform().daemon().name(name, 0).factory();
    }

    @Override
    public Thread newThread(Runnable work) {
        return threads.newThread(() -> {
            lower();
            work.run();
        });
    }

    /// The calling thread alone: to Linux every thread has a priority of its own. Where that is not
    /// allowed it stays as it was.
    private static void lower() {
        try (var arena = Arena.ofConfined()) {
            new Kernel(arena).niceNow(NICE);
        }
    }
}
