package dev.caisson.acceptance.wire;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// One connection to a server on this machine. Bytes go out as they are given.
public final class Connection implements AutoCloseable {
    /// How long a test waits for bytes before it gives up. Generous: it is only reached when
    /// something is wrong.
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Socket socket;
    private final InputStream in;

    public Connection(int port) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
        in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
    }

    public void send(byte[] bytes) throws IOException {
        var out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    /// Waits at most this long for the next byte from now on.
    public void patience(Duration time) throws IOException {
        socket.setSoTimeout((int) time.toMillis());
    }

    /// Reads the head of the next answer.
    public Answer answer() throws IOException {
        var status = line();
        if (!status.startsWith("HTTP/1.1 ")) {
            throw new IOException("not the start of an answer: " + status);
        }
        Map<String, List<String>> headers = new TreeMap<>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            var colon = line.indexOf(':');
            headers.computeIfAbsent(
                            line.substring(0, colon).toLowerCase(Locale.ROOT),
                            name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return new Answer(Integer.parseInt(status.substring(9, 12)), headers, body(headers));
    }

    private InputStream body(Map<String, List<String>> headers) {
        if (headers.containsKey("transfer-encoding")) {
            return new Chunked(in);
        }
        var length = headers.get("content-length");
        return length == null ? in : new Fixed(in, Long.parseLong(length.getFirst()));
    }

    private String line() throws IOException {
        return readLine(in);
    }

    static String readLine(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the server closed the connection after: " + line);
            }
            line.append((char) next);
        }
        var end = line.length();
        return end > 0 && line.charAt(end - 1) == '\r'
                ? line.substring(0, end - 1)
                : line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /// A request as bytes, with the length of its body.
    public static byte[] request(String line, Map<String, String> headers, byte[] body) {
        var head = new StringBuilder(line).append(" HTTP/1.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (body.length > 0 || line.startsWith("POST")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        var start = head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
        var whole = new byte[start.length + body.length];
        System.arraycopy(start, 0, whole, 0, start.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }
}
