package dev.caisson.environments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.caisson.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.node.ObjectNode;

/// A registry of npm on the loopback address: has packages that a test made, and may pass other
/// requests on to another one.
public final class NpmRegistry implements AutoCloseable {
    private static final int BLOCK = 512;

    private final HttpServer server;
    private final Optional<String> behind;
    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

    /// @param behind what is asked for packages that are not here
    public NpmRegistry(Optional<String> behind) throws IOException {
        this.behind = behind;
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(workers);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getRawPath();
        asked.add(path);
        var known = Optional.ofNullable(answers.get(path));
        var body = known.isPresent() ? known : behind.flatMap(other -> fetched(other, path));
        exchange.sendResponseHeaders(
                body.isPresent() ? 200 : 404, body.isPresent() ? body.get().length : -1);
        if (body.isPresent()) {
            exchange.getResponseBody().write(body.get());
        }
        exchange.close();
    }

    /// What it says of files is said of this registry.
    private Optional<byte[]> fetched(String other, String path) {
        try {
            var request = HttpRequest.newBuilder(URI.create(other + path)).build();
            var answer = client.send(request, BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                return Optional.empty();
            }
            var text = new String(answer.body(), StandardCharsets.ISO_8859_1);
            return Optional.of(
                    path.endsWith(".tgz")
                            ? answer.body()
                            : text.replace(other + "/", address() + "/")
                                    .getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /// Publishes a package.
    ///
    /// @param description what its `package.json` has beside its name and version
    /// @param files by their paths
    public void publish(
            String name, String version, ObjectNode description, Map<String, String> files) {
        var own = description.deepCopy().put("name", name).put("version", version);
        var file = "/" + name + "/-/" + version + ".tgz";
        var archive = archive(Json.text(own), files);
        answers.put(file, archive);
        own.putObject("dist")
                .put("tarball", address() + file)
                .put("integrity", "sha512-" + Base64.getEncoder().encodeToString(sha512(archive)));
        var whole = Json.object().put("name", name);
        whole.putObject("dist-tags").put("latest", version);
        whole.putObject("versions").set(version, own);
        answers.put("/" + name.replace("/", "%2f"), Json.bytes(whole));
    }

    private static byte[] sha512(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-512").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] archive(String description, Map<String, String> files) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            add(out, "package/package.json", description);
            for (var file : files.entrySet()) {
                add(out, "package/" + file.getKey(), file.getValue());
            }
            out.write(new byte[2 * BLOCK]);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /// One file of a tar archive.
    private static void add(OutputStream out, String name, String text) throws IOException {
        var body = text.getBytes(StandardCharsets.UTF_8);
        var head = new byte[BLOCK];
        put(head, 0, name);
        put(head, 100, "0000755");
        put(head, 124, "%011o".formatted(body.length));
        put(head, 136, "00000000000");
        put(head, 148, "        ");
        head[156] = '0';
        put(head, 257, "ustar\u0000" + "00");
        int sum = 0;
        for (byte each : head) {
            sum += each & 0xff;
        }
        put(head, 148, "%06o\u0000 ".formatted(sum));
        out.write(head);
        out.write(body);
        out.write(new byte[(BLOCK - body.length % BLOCK) % BLOCK]);
    }

    private static void put(byte[] head, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }

    public List<String> asked() {
        return asked;
    }

    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        workers.close();
        client.close();
    }
}
