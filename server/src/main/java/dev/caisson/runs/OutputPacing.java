package dev.caisson.runs;

import dev.caisson.sandbox.Sink;
import dev.caisson.share.CallerWorkers;
import java.util.concurrent.atomic.AtomicLong;

/// Rate limit of a program that writes much. The first of its output is taken as it comes; the rest
/// is taken on the threads that compute, in turns with other callers, and the program waits for its
/// turn. So a flood costs time of the caller whose program it is, and not of others.
final class OutputPacing implements Sink {
    /// What is taken at once; most programs write less.
    static final long AT_ONCE_BYTES = 256 << 10;

    private final Sink to;
    private final CallerWorkers computing;
    private final AtomicLong written = new AtomicLong();

    OutputPacing(Sink to, CallerWorkers computing) {
        this.to = to;
        this.computing = computing;
    }

    @Override
    public void write(Stream stream, byte[] bytes, int offset, int length) {
        if (written.addAndGet(length) <= AT_ONCE_BYTES) {
            to.write(stream, bytes, offset, length);
            return;
        }
        computing.get(() -> {
            to.write(stream, bytes, offset, length);
            return true;
        });
    }

    @Override
    public boolean takesAtOnce(int bytes) {
        return written.get() + bytes <= AT_ONCE_BYTES && to.takesAtOnce(bytes);
    }
}
