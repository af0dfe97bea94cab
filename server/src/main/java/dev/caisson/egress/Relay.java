package dev.caisson.egress;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Relay between two sockets. It ends when both sides have ended, when nothing came from either for
/// a while, or when no more may pass.
final class Relay {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int ANSWER_HEAD_MAX = 64 << 10;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Socket inside;
    private final Socket outside;
    private final Duration idle;
    private final LongPredicate allowance;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private volatile long lastNanos = System.nanoTime();
    private volatile boolean usedUp;

    /// @param allowance takes so many bytes, or says that they may not pass
    Relay(Socket inside, Socket outside, Duration idle, LongPredicate allowance) {
        this.inside = inside;
        this.outside = outside;
        this.idle = idle;
        this.allowance = allowance;
    }

    /// Bytes to the host.
    long sent() {
        return sent.get();
    }

    /// Bytes from the host.
    long received() {
        return received.get();
    }

    /// Whether it was ended because more was to pass than may.
    boolean isUsedUp() {
        return usedUp;
    }

    /// Sends bytes to the host.
    void send(byte[] bytes, int count) throws IOException {
        take(count, sent);
        outside.getOutputStream().write(bytes, 0, count);
    }

    /// Passes bytes to the program.
    void receive(byte[] bytes, int count) throws IOException {
        take(count, received);
        inside.getOutputStream().write(bytes, 0, count);
    }

    private void take(int count, AtomicLong counter) throws IOException {
        if (!allowance.test(count)) {
            usedUp = true;
            close();
            throw new IOException("no more bytes may pass");
        }
        lastNanos = System.nanoTime();
        counter.addAndGet(count);
    }

    /// Passes everything from the program, whose beginning may have been read, and everything to
    /// it.
    void both(InputStream fromInside) throws InterruptedException {
        both(fromInside, this::toInside);
    }

    /// The same for a request of plain HTTP, whose answer says that its connection ends.
    void request(InputStream fromInside) throws InterruptedException {
        both(fromInside, this::answer);
    }

    private void both(InputStream fromInside, Runnable toInside) throws InterruptedException {
        var back = Thread.ofVirtual().name("relay").start(toInside);
        try {
            toOutside(fromInside);
        } finally {
            back.join();
        }
    }

    private void toOutside(InputStream fromInside) {
        try {
            var begun = fromInside.readNBytes(fromInside.available());
            if (begun.length > 0) {
                send(begun, begun.length);
            }
            pass(inside, this::send);
            outside.shutdownOutput();
        } catch (IOException ended) {
            close();
        }
    }

    /// Passes the answer to a request of plain HTTP, whose head says that its connection ends.
    void answer() {
        try {
            var in = outside.getInputStream();
            for (boolean interim = true; interim; ) {
                var head =
                        MessageHead.read(in, ANSWER_HEAD_MAX)
                                .orElseThrow(() -> new IOException("no head of an answer"));
                interim = MessageHead.isInterim(head);
                var bytes =
                        (interim ? head : MessageHead.closing(head))
                                .getBytes(StandardCharsets.ISO_8859_1);
                receive(bytes, bytes.length);
            }
            toInside();
        } catch (IOException ended) {
            close();
        }
    }

    private void toInside() {
        try {
            pass(outside, this::receive);
            inside.shutdownOutput();
        } catch (IOException ended) {
            close();
        }
    }

    private void pass(Socket from, HttpBody.Sink to) throws IOException {
        var in = from.getInputStream();
        var buffer = new byte[BUFFER_BYTES];
        while (true) {
            try {
                from.setSoTimeout(leftMillis());
                int count = in.read(buffer);
                if (count < 0) {
                    return;
                }
                to.write(buffer, count);
            } catch (SocketTimeoutException silent) {
                if (leftMillis() <= 1) {
                    throw silent;
                }
            }
        }
    }

    /// At least one: to the kernel, zero is for ever.
    private int leftMillis() {
        long left = idle.toNanos() - (System.nanoTime() - lastNanos);
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, left / NANOS_PER_MILLI));
    }

    void close() {
        close(inside);
        close(outside);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            LOG.debug("a connection could not be closed", gone);
        }
    }
}
