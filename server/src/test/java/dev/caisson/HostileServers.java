package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/// The hostile server of the tests, as upstreams: as a command and, in one process, at addresses.
/// Each of them is given the same secret. Beside them is `steady`, a neighbour that behaves.
final class HostileServers implements AutoCloseable {
    static final String TOKEN = "correct-horse-battery-staple";

    /// How one is reached.
    enum Way {
        STDIO(""),
        HTTP("mcp"),
        MODERN("modern"),
        SSE("sse");

        private final String path;

        Way(String path) {
            this.path = path;
        }

        String id() {
            return "hostile-" + name().toLowerCase(Locale.ROOT);
        }

        String module() {
            return id().replace('-', '_');
        }
    }

    private final Path shown;
    private final Process remote;
    private final int port;
    private final List<String> strays = new CopyOnWriteArrayList<>();
    private final HttpUpstream steady = new HttpUpstream("forecast");

    /// @param shown a directory that can be shown in sandboxes
    HostileServers(Path shown) throws IOException, URISyntaxException {
        this.shown = shown;
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
        var script = Objects.requireNonNull(HostileServers.class.getResource("hostile/server.py"));
        try (var sources = Files.list(Path.of(script.toURI()).resolveSibling(""))) {
            for (var source : sources.filter(Files::isRegularFile).toList()) {
                Files.copy(source, shown.resolve(source.getFileName()));
            }
        }
        remote = new ProcessBuilder("python3", shown + "/server.py", "http").start();
        var out = remote.inputReader(StandardCharsets.UTF_8);
        port = Integer.parseInt(out.readLine());
        Thread.ofVirtual().start(() -> out.lines().forEach(strays::add));
    }

    /// Requests that came where a link or a redirect pointed.
    List<String> strays() {
        return strays;
    }

    /// The command line of the ones that are commands.
    String command() {
        return shown + "/server.py stdio";
    }

    /// The entry of one that misbehaves when it is called.
    ///
    /// @param limits and other members of the entry
    String entry(Way way, String limits) {
        return entry(way.id(), way, "", limits);
    }

    /// The entry of one that plays a part before it is called.
    String entry(String id, Way way, String part, String limits) {
        var where =
                way == Way.STDIO
                        ? """
                          command: [python3, %1$s/server.py, stdio, "%2$s"]
                          show: [%1$s]
                          env: {TOKEN: "${secret:token}"}
                          memory_bytes: 128MiB
                        """
                                .formatted(shown, part)
                        : """
                          url: http://127.0.0.1:%d/%s%s
                          credentials: {kind: header, headers: {Authorization: "Bearer ${secret:token}"}}
                        """
                                .formatted(port, way.path, part.isEmpty() ? "" : "/" + part);
        return id + ":\n  trust: trusted\n" + where + limits;
    }

    /// The entry of the neighbour.
    String neighbour() {
        return "steady:\n  url: %s\n  calls: {forecast: {effect: read}}\n".formatted(steady.url());
    }

    /// A server with these upstreams, and with the secret that they are given.
    TestProduct product(Path directory, String entries) throws Exception {
        var file = directory.resolve("upstreams.yaml");
        Files.writeString(file, entries);
        var product =
                new TestProduct(
                        directory,
                        "upstreams.file=" + file,
                        "upstreams.private_hosts=127.0.0.1",
                        "policy.default=deny",
                        "environments.bake=false",
                        "mcp.listing=all");
        var set =
                product.request("/v1/secrets/token")
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(Json.text(Json.object().put("value", TOKEN))));
        assertThat(product.send(set).statusCode()).isEqualTo(200);
        return product;
    }

    @Override
    public void close() throws IOException {
        remote.destroyForcibly();
        steady.close();
    }
}
