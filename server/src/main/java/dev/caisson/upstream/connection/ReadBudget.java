package dev.caisson.upstream.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/// Memory for all answers of all upstreams that are being read at this moment.
public final class ReadBudget {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    public ReadBudget(long bytesMax) {
        this.bytesMax = bytesMax;
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
            if (used.addAndGet(bytes) > bytesMax) {
                used.addAndGet(-bytes);
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
            used.addAndGet(-held);
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
}
