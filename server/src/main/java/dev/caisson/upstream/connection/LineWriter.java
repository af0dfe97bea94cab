package dev.caisson.upstream.connection;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writer of lines to a process, in the order in which they were given. Who gives one does not wait
/// for a process that does not read.
final class LineWriter implements AutoCloseable {
    /// Lines that wait. More than so many calls are never under way.
    static final int WAITING_MAX = 1_024;

    private static final Logger LOG = LoggerFactory.getLogger(LineWriter.class);

    private final BlockingQueue<Line> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final OutputStream out;
    private final Runnable broken;
    private final Thread writer;

    @SuppressWarnings("ArrayRecordComponent") // Lines are never compared.
    private record Line(byte[] bytes, BooleanSupplier begins) {}

    /// @param broken called when nothing can be written any more
    LineWriter(OutputStream out, Runnable broken) {
        this.out = out;
        this.broken = broken;
        // A pipe blocks in the kernel.
        this.writer = Thread.ofPlatform().daemon().name("upstream-in").start(this::write);
    }

    /// @param begins called before the first byte; when it says no, the line is left out
    /// @return false when too many wait already
    boolean offer(byte[] line, BooleanSupplier begins) {
        return waiting.offer(new Line(line, begins));
    }

    private void write() {
        try {
            while (true) {
                var line = waiting.take();
                if (line.begins().getAsBoolean()) {
                    out.write(line.bytes());
                    out.write('\n');
                    out.flush();
                }
            }
        } catch (IOException gone) {
            LOG.debug("an upstream reads no more: {}", gone.getMessage());
            broken.run();
        } catch (InterruptedException closed) {
            // That is what it is interrupted for.
        }
    }

    @Override
    public void close() {
        writer.interrupt();
    }
}
