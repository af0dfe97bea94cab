package dev.caisson.sandbox;

/// Uninterrupted wait: cleaning up goes to its end even when its thread is interrupted, and the
/// interrupt is kept for afterwards.
public final class Uninterrupted {
    private Uninterrupted() {}

    /// Something that waits for a bounded time and can be begun again.
    public interface Wait<T> {
        T call() throws InterruptedException;
    }

    public static <T> T call(Wait<T> wait) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return wait.call();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
