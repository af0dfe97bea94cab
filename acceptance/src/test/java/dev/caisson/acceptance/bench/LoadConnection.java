package dev.caisson.acceptance.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/// A connection that sends one request again and again and reads just as much of each answer as it
/// needs to know that it is whole and good.
final class LoadConnection implements AutoCloseable {
    private static final byte[] OK = ascii("HTTP/1.1 200");
    private static final byte[] HEAD_END = ascii("\r\n\r\n");
    private static final byte[] BODY_END = ascii("\r\n0\r\n\r\n");
    private static final byte[] LENGTH = ascii("content-length:");
    private static final byte[] CLOSE = ascii("connection: close");
    private static final byte[] RESULT = ascii("\"result\"");
    private static final int SAMPLES_MAX = 400_000;

    private final int port;
    private final byte[] request;
    private final int idEnd;
    private final byte[] buffer = new byte[1 << 16];
    private Socket socket;

    LoadConnection(int port, byte[] request) throws IOException {
        this.port = port;
        this.request = request;
        this.idEnd = new String(request, StandardCharsets.ISO_8859_1).indexOf(",\"method\"");
        this.socket = connect(port);
    }

    private static Socket connect(int port) throws IOException {
        var socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
        return socket;
    }

    /// Sends until the time is over.
    ///
    /// @return how long each request took
    long[] run(long untilNanos) throws IOException {
        var nanos = new long[1024];
        int count = 0;
        for (long start = System.nanoTime(); start < untilNanos; ) {
            once();
            long end = System.nanoTime();
            if (count == nanos.length && count < SAMPLES_MAX) {
                nanos = Arrays.copyOf(nanos, count * 2);
            }
            // Beyond the limit a random earlier one makes room, so that all stay equally likely.
            nanos[count < nanos.length ? count : ThreadLocalRandom.current().nextInt(count)] =
                    end - start;
            count += count < nanos.length ? 1 : 0;
            start = end;
        }
        return Arrays.copyOf(nanos, count);
    }

    /// Counts the id up in place: a session may not use one again while its request still runs.
    private void nextId() {
        int digit = idEnd;
        while (request[--digit] == '9') {
            request[digit] = '0';
        }
        request[digit]++;
    }

    void once() throws IOException {
        nextId();
        socket.getOutputStream().write(request);
        int size = 0;
        while (!whole(size)) {
            int more = socket.getInputStream().read(buffer, size, buffer.length - size);
            if (more <= 0) {
                closed(size);
                break;
            }
            size += more;
        }
        if (!startsWith(OK) || find(RESULT, 0, size) < 0) {
            throw new IOException("not a good answer: " + text(size));
        }
    }

    /// An answer that took long may have become a stream which ends with its connection.
    private void closed(int size) throws IOException {
        if (find(CLOSE, 0, size) < 0) {
            throw new IOException("closed after: " + text(size));
        }
        socket.close();
        socket = connect(port);
    }

    private boolean whole(int size) {
        int head = find(HEAD_END, 0, size);
        if (head < 0) {
            return false;
        }
        int length = contentLength(head);
        return length >= 0
                ? size >= head + HEAD_END.length + length
                : find(BODY_END, Math.max(head, size - BODY_END.length), size) >= 0;
    }

    private int contentLength(int head) {
        int at = find(LENGTH, 0, head);
        if (at < 0) {
            return -1;
        }
        int length = 0;
        for (int i = at + LENGTH.length; buffer[i] != '\r'; i++) {
            length = buffer[i] == ' ' ? length : length * 10 + buffer[i] - '0';
        }
        return length;
    }

    private boolean startsWith(byte[] wanted) {
        return Arrays.equals(buffer, 0, wanted.length, wanted, 0, wanted.length);
    }

    /// Where the bytes are, letters compared without their case.
    private int find(byte[] wanted, int from, int to) {
        for (int i = from; i <= to - wanted.length; i++) {
            int same = 0;
            while (same < wanted.length && lower(buffer[i + same]) == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return i;
            }
        }
        return -1;
    }

    private static int lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
    }

    private String text(int size) {
        return new String(buffer, 0, size, StandardCharsets.UTF_8);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
