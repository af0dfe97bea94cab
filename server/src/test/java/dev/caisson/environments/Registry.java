package dev.caisson.environments;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/// A registry over HTTP on the loopback address, which remembers what it was asked for.
public final class Registry implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();
    private final AtomicReference<CountDownLatch> held =
            new AtomicReference<>(new CountDownLatch(0));
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    public Registry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    var path = exchange.getRequestURI().getPath();
                    asked.add(path);
                    awaitRelease();
                    var body = answers.get(path);
                    exchange.getResponseHeaders()
                            .set(
                                    "Content-Type",
                                    path.endsWith("/") ? "text/html" : "application/octet-stream");
                    exchange.sendResponseHeaders(
                            body == null ? 404 : 200, body == null ? -1 : body.length);
                    if (body != null) {
                        exchange.getResponseBody().write(body);
                    }
                    exchange.close();
                });
        server.setExecutor(workers);
        server.start();
    }

    private void awaitRelease() throws IOException {
        try {
            held.get().await();
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
    }

    /// Answers nobody until what is returned is closed.
    public Hold hold() {
        var latch = new CountDownLatch(1);
        held.set(latch);
        return latch::countDown;
    }

    /// Has a registry answer again when closed.
    @FunctionalInterface
    public interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    public void put(String path, byte[] body) {
        answers.put(path, body);
    }

    /// Adds a wheel to the index below `/simple`.
    public void publish(String name, String version, byte[] wheel) {
        var file = Wheels.file(name, version);
        put("/files/" + file, wheel);
        put(
                "/simple/" + name + "/",
                "<!DOCTYPE html><a href=\"/files/%s\">%s</a>"
                        .formatted(file, file)
                        .getBytes(StandardCharsets.UTF_8));
    }

    public List<String> asked() {
        return asked;
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        held.get().countDown();
        server.stop(0);
        workers.close();
    }
}
