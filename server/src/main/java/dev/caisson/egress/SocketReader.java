package dev.caisson.egress;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/// Input of a socket, whose next part must be there within a time that single bytes do not extend.
final class SocketReader extends InputStream {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int end;
    private long deadline;

    SocketReader(Socket socket, Duration atMost) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        within(atMost);
    }

    /// From now on what is read must come within this time.
    void within(Duration atMost) {
        deadline = System.nanoTime() + atMost.toNanos();
    }

    @Override
    public int read() throws IOException {
        return fill() ? buffer[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, end - at);
        System.arraycopy(buffer, at, bytes, offset, count);
        at += count;
        return count;
    }

    @Override
    public int available() {
        return end - at;
    }

    private boolean fill() throws IOException {
        if (at < end) {
            return true;
        }
        long left = (deadline - System.nanoTime()) / NANOS_PER_MILLI;
        if (left <= 0) {
            throw new SocketTimeoutException("nothing came in time");
        }
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, left));
        int count = in.read(buffer);
        at = 0;
        end = Math.max(0, count);
        return count > 0;
    }
}
