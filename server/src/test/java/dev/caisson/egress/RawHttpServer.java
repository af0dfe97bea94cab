package dev.caisson.egress;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/// HTTP server that writes whatever bytes its handler likes, for everything that a proper server
/// would not send.
public final class RawHttpServer implements AutoCloseable {
    private static final Pattern SPACE = Pattern.compile(" ");

    private final ServerSocket listener;
    private final Handler handler;
    private final AtomicInteger connections = new AtomicInteger();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /// @param headers by their names in lower case
    @SuppressWarnings("ArrayRecordComponent")
    public record Request(String method, String path, Map<String, String> headers, byte[] body) {
        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    @FunctionalInterface
    public interface Handler {
        void answer(Request request, OutputStream out) throws IOException, InterruptedException;
    }

    public RawHttpServer(Handler handler) throws IOException {
        this.handler = handler;
        listener = new ServerSocket();
        listener.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        Thread.ofVirtual().name("raw-http").start(this::accept);
    }

    /// The whole of an answer with a body of known length.
    public static byte[] answer(int status, String type, byte[] body, String... headers) {
        var all = new ByteArrayOutputStream();
        all.writeBytes(
                "HTTP/1.1 %d Said\r\nContent-Type: %s\r\nContent-Length: %d\r\n"
                        .formatted(status, type, body.length)
                        .getBytes(StandardCharsets.ISO_8859_1));
        for (var header : headers) {
            all.writeBytes((header + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        all.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        return all.toByteArray();
    }

    public static byte[] answer(int status, String type, String body, String... headers) {
        return answer(status, type, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    public URI address(String path) {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + path);
    }

    public int connections() {
        return connections.get();
    }

    public List<Request> requests() {
        return List.copyOf(requests);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var socket = listener.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = socket.getInputStream();
            for (var request = read(in); request.isPresent(); request = read(in)) {
                requests.add(request.get());
                handler.answer(request.get(), socket.getOutputStream());
                socket.getOutputStream().flush();
            }
        } catch (IOException | InterruptedException gone) {
            // The other side went, or the server was closed.
        } finally {
            open.remove(socket);
        }
    }

    private static Optional<Request> read(InputStream in) throws IOException {
        var first = line(in);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        var headers = new TreeMap<String, String>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        var words = SPACE.split(first, 3);
        var length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return Optional.of(new Request(words[0], words[1], headers, in.readNBytes(length)));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (var socket : open) {
            socket.close();
        }
    }
}
