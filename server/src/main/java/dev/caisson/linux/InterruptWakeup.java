package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/// Wake-up of a platform thread that waits in the kernel, by its own interrupt, which the kernel
/// knows nothing of: the thread waits for this too, see [PipeEnd#awaitAny]. Made for one wait, or
/// for several, of which the first interrupt is the last.
///
/// The Java machine offers that to its own channels: a thread that is in one is told to close it.
public final class InterruptWakeup extends AbstractInterruptibleChannel {
    private final int descriptor;
    private volatile boolean over;

    private InterruptWakeup(int descriptor) {
        this.descriptor = descriptor;
    }

    public static InterruptWakeup open() {
        try (var arena = Arena.ofConfined()) {
            return new InterruptWakeup(new Kernel(arena).eventfd());
        }
    }

    int descriptor() {
        return descriptor;
    }

    /// Waits for something that comes to an end when this is woken.
    ///
    /// @throws InterruptedException when the thread is interrupted, now or meanwhile
    void during(Runnable wait) throws InterruptedException {
        try {
            begin();
            try {
                wait.run();
            } finally {
                end(true);
            }
        } catch (ClosedByInterruptException interrupted) {
            throw (InterruptedException) noted().initCause(interrupted);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static InterruptedException noted() {
        Thread.interrupted();
        return new InterruptedException();
    }

    /// Called once, by whoever interrupts the thread or by [#free], never by both.
    @Override
    protected void implCloseChannel() {
        if (!over) {
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).signalNow(descriptor);
            }
        }
    }

    /// Nobody waits any more. An interrupt finds nothing to wake from then on.
    public void free() {
        over = true;
        try (var arena = Arena.ofConfined()) {
            close();
            new Kernel(arena).closeNow(descriptor);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
