package dev.caisson.http;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/// Reader of a request's body within a limit of bytes and time, or throws away what nobody read.
final class BodyReader {
    /// How much of a refused body is taken in so that the client gets to read the answer: one that
    /// is still sending sees its connection reset otherwise.
    static final long DRAIN_BYTES_MAX = 64L * 1024 * 1024;

    static final long SKIP_BYTES_MAX = 64L * 1024;
    static final long DRAIN_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    private static final byte[] NOTHING = {};

    /// 16 KiB a second.
    static final long PACE_NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) / (16 * 1024);

    private final Request request;

    /// Whether the client sends its body only when told to go on. Asking for more tells it so.
    private final boolean polite;

    private boolean ended;
    private boolean awaited;

    /// Open when no demand is under way. There may be only one, and one that was waited for in vain
    /// goes on.
    private CountDownLatch arrival = new CountDownLatch(0);

    BodyReader(Request request) {
        this.request = request;
        polite = request.getHeaders().contains(HttpHeader.EXPECT, "100-continue");
        ended =
                request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH) <= 0
                        && !request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
    }

    /// Whether the connection can carry the next request after this one.
    boolean isEnded() {
        return ended;
    }

    /// @param memory is told how much the body will be, before it is read as far as that is known;
    ///   what it throws is thrown here
    byte[] read(int bytesMax, long deadlineNanos, LongConsumer memory) {
        long announced = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        if (announced > bytesMax) {
            throw tooLarge(bytesMax);
        }
        if (ended) {
            return NOTHING;
        }
        memory.accept(Math.max(announced, 0));
        var whole = announced > 0 ? new Fixed((int) announced) : new Growing();
        while (!ended) {
            var chunk = next(deadlineNanos);
            try {
                if (announced <= 0) {
                    memory.accept((long) whole.size() + chunk.remaining());
                }
                whole.add(chunk.getByteBuffer());
            } finally {
                chunk.release();
            }
            ended = chunk.isLast();
            if (whole.size() > bytesMax) {
                throw tooLarge(bytesMax);
            }
        }
        return whole.bytes();
    }

    /// Hands on a body of any length. The deadline moves as it comes: a client that keeps up a
    /// modest pace is never too slow.
    void pass(Consumer<ByteBuffer> to, long deadlineNanos) {
        long deadline = deadlineNanos;
        while (!ended) {
            var chunk = next(deadline);
            try {
                deadline += chunk.remaining() * PACE_NANOS_PER_BYTE;
                to.accept(chunk.getByteBuffer());
            } finally {
                chunk.release();
            }
            ended = chunk.isLast();
        }
    }

    /// Takes the little that has arrived already, without waiting, so that the connection can be
    /// kept. One that still has much to say is not worth keeping.
    void skipArrived() {
        long skipped = 0;
        while (!ended && skipped < SKIP_BYTES_MAX) {
            var chunk = request.read();
            if (chunk == null || Content.Chunk.isFailure(chunk)) {
                return;
            }
            skipped += chunk.remaining();
            ended = chunk.isLast();
            chunk.release();
        }
    }

    /// Takes what is still coming until it ends, fails, or is too much.
    void drain() {
        if (polite && !awaited) {
            return;
        }
        long deadline = System.nanoTime() + DRAIN_NANOS_MAX;
        long drained = 0;
        try {
            while (!ended && drained < DRAIN_BYTES_MAX) {
                var chunk = next(deadline);
                drained += chunk.remaining();
                ended = chunk.isLast();
                chunk.release();
            }
        } catch (Refusal theClientIsTooSlowOrGone) {
            return;
        }
    }

    private Content.Chunk next(long deadlineNanos) {
        while (true) {
            var chunk = request.read();
            if (chunk == null) {
                await(deadlineNanos);
            } else if (Content.Chunk.isFailure(chunk)) {
                throw failed(chunk.getFailure());
            } else {
                return chunk;
            }
        }
    }

    private void await(long deadlineNanos) {
        awaited = true;
        if (arrival.getCount() == 0) {
            arrival = new CountDownLatch(1);
            request.demand(Invocable.from(InvocationType.NON_BLOCKING, arrival::countDown));
        }
        try {
            if (!arrival.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw tooSlow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusal.stopping("The server is stopping.");
        }
    }

    private static Refusal failed(@Nullable Throwable failure) {
        return failure instanceof TimeoutException
                ? tooSlow()
                : new Refusal(Reason.MALFORMED, "The request's body is broken or incomplete.");
    }

    private static Refusal tooSlow() {
        return new Refusal(Reason.TIMED_OUT, "The request's body came too slowly.");
    }

    private static Refusal tooLarge(int bytesMax) {
        return new Refusal(
                Reason.TOO_LARGE, "The request's body is larger than " + bytesMax + " bytes.");
    }

    private sealed interface Whole {
        void add(ByteBuffer part);

        int size();

        byte[] bytes();
    }

    /// For a body whose length was announced: filled in place. Memory is only taken as it comes.
    private static final class Fixed implements Whole {
        private static final int TRUSTED_BYTES = 64 * 1024;
        private final int announced;
        private byte[] bytes;
        private int size;

        Fixed(int announced) {
            this.announced = announced;
            bytes = new byte[Math.min(announced, TRUSTED_BYTES)];
        }

        @Override
        public void add(ByteBuffer part) {
            int more = part.remaining();
            if (size + more > bytes.length) {
                int doubled = Math.max(size + more, bytes.length * 2);
                bytes = Arrays.copyOf(bytes, Math.min(announced, doubled));
            }
            part.get(bytes, size, more);
            size += more;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public byte[] bytes() {
            return bytes;
        }
    }

    private static final class Growing implements Whole {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void add(ByteBuffer part) {
            var copy = new byte[part.remaining()];
            part.get(copy);
            bytes.writeBytes(copy);
        }

        @Override
        public int size() {
            return bytes.size();
        }

        @Override
        public byte[] bytes() {
            return bytes.toByteArray();
        }
    }
}
