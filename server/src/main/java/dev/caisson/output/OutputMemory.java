package dev.caisson.output;

import java.util.concurrent.atomic.AtomicLong;

/// Budget of memory for the output of programs that run. A run that finds none left, or wrote more
/// than its own share, has its output in files.
final class OutputMemory {
    /// What one run may have in memory, of both streams and their order together.
    static final int RUN_BYTES_MAX = 64 << 10;

    /// What all runs may have in memory together.
    static final long ALL_BYTES_MAX = 64L << 20;

    private final long bytesMax;
    private final AtomicLong taken = new AtomicLong();

    OutputMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /// @return false when there is not so much left; then nothing is taken
    boolean take(int bytes) {
        if (taken.addAndGet(bytes) > bytesMax) {
            taken.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /// Whether every run that may be under way has room for its own share: half of it is left.
    boolean hasRoom() {
        return taken.get() <= bytesMax / 2;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
