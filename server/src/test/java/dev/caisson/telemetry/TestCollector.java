package dev.caisson.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.caisson.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import tools.jackson.databind.JsonNode;

/// A collector of spans on a real port, that reads what arrives as the protocol says.
public final class TestCollector implements AutoCloseable {
    /// How it answers a request.
    public interface Manner {
        void answer(HttpExchange exchange) throws IOException;
    }

    /// A request as it came.
    ///
    /// @param headers names in lower case
    public record Received(String path, Map<String, String> headers, String body) {}

    /// A span that was read.
    ///
    /// @param parent empty text without one
    public record Seen(
            String trace,
            String id,
            String parent,
            String name,
            int kind,
            long startNanos,
            long endNanos,
            Map<String, String> words,
            int status) {}

    private final HttpServer server;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private volatile Manner manner = exchange -> answer(exchange, 200, "{}");

    public TestCollector() throws IOException {
        this(0);
    }

    public TestCollector(int port) throws IOException {
        this(HttpServer.create(address(port), 0));
    }

    private TestCollector(HttpServer server) {
        this.server = server;
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::take);
        server.start();
    }

    /// One that is reached over TLS.
    static TestCollector secured(SSLContext context) throws IOException {
        var server = HttpsServer.create(address(0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new TestCollector(server);
    }

    private static InetSocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    public void from(Manner now) {
        manner = now;
    }

    public URI endpoint() {
        var scheme = server instanceof HttpsServer ? "https" : "http";
        return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort());
    }

    public List<Received> received() {
        return List.copyOf(received);
    }

    /// Every byte of every request as one text.
    public String everything() {
        var all = new StringBuilder();
        received.forEach(one -> all.append(one).append('\n'));
        return all.toString();
    }

    public List<Seen> spans() {
        var all = new ArrayList<Seen>();
        for (var one : received) {
            for (var resource : Json.parse(one.body()).path("resourceSpans")) {
                for (var scope : resource.path("scopeSpans")) {
                    scope.path("spans").forEach(span -> all.add(seen(span)));
                }
            }
        }
        return all;
    }

    private static Seen seen(JsonNode span) {
        return new Seen(
                span.path("traceId").stringValue(),
                span.path("spanId").stringValue(),
                span.path("parentSpanId").asString(""),
                span.path("name").stringValue(),
                span.path("kind").intValue(),
                Long.parseLong(span.path("startTimeUnixNano").stringValue()),
                Long.parseLong(span.path("endTimeUnixNano").stringValue()),
                words(span.path("attributes")),
                span.path("status").path("code").asInt(0));
    }

    static Map<String, String> words(JsonNode attributes) {
        var words = new TreeMap<String, String>();
        for (var attribute : attributes) {
            words.put(
                    attribute.path("key").stringValue(),
                    attribute.path("value").path("stringValue").stringValue());
        }
        return words;
    }

    private void take(HttpExchange exchange) throws IOException {
        var headers = new TreeMap<String, String>();
        exchange.getRequestHeaders()
                .forEach((name, values) ->
                        headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        received.add(new Received(exchange.getRequestURI().getPath(), headers, body));
        manner.answer(exchange);
    }

    public static void answer(HttpExchange exchange, int status, String body) throws IOException {
        try (exchange) {
            var bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
