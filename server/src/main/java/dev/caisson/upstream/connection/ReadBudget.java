package dev.caisson.upstream.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// Memory for all answers of all upstreams that are being read at this moment. One upstream gets
/// three quarters of it at most, so that none takes the room of all others.
public final class ReadBudget {
    private final long bytesMax;
    private final Optional<ReadBudget> whole;
    private final AtomicLong used = new AtomicLong();

    public ReadBudget(long bytesMax) {
        this(bytesMax, Optional.empty());
    }

    private ReadBudget(long bytesMax, Optional<ReadBudget> whole) {
        this.bytesMax = bytesMax;
        this.whole = whole;
    }

    /// What one upstream may take of it.
    public ReadBudget part() {
        return new ReadBudget(bytesMax - bytesMax / 4, Optional.of(this));
    }

    public long used() {
        return used.get();
    }

    /// More comes than there is room for.
    static final class Exhausted extends IOException {
        private static final long serialVersionUID = 1L;

        Exhausted() {
            super("no memory for more answers");
        }
    }

    /// What one answer takes; given back when it is closed.
    final class Lease implements AutoCloseable {
        private long held;

        synchronized void take(long bytes) throws Exhausted {
            if (!reserve(bytes)) {
                throw new Exhausted();
            }
            held += bytes;
        }

        /// The same stream, with everything that is read from it counted.
        InputStream counting(InputStream in) {
            return new FilterInputStream(in) {
                @Override
                public int read() throws IOException {
                    int next = super.read();
                    take(next < 0 ? 0 : 1);
                    return next;
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    int count = super.read(into, offset, length);
                    take(Math.max(0, count));
                    return count;
                }
            };
        }

        /// Gives back what was taken up to now.
        synchronized void giveBack() {
            release(held);
            held = 0;
        }

        @Override
        public void close() {
            giveBack();
        }
    }

    Lease lease() {
        return new Lease();
    }

    private boolean reserve(long bytes) {
        if (used.addAndGet(bytes) > bytesMax) {
            used.addAndGet(-bytes);
            return false;
        }
        if (whole.isPresent() && !whole.get().reserve(bytes)) {
            used.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    private void release(long bytes) {
        used.addAndGet(-bytes);
        whole.ifPresent(all -> all.release(bytes));
    }
}
