package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.caisson.egress.Destination;
import dev.caisson.sandbox.PoolSettings;
import dev.caisson.sandbox.Rig;
import dev.caisson.sandbox.ServiceOrder;
import dev.caisson.sandbox.Workspace;
import dev.caisson.telemetry.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The process of an upstream reaches the hosts and ports of its entry, by the usual ways of its
/// language, and nothing else of the network.
@Tag("root")
@Timeout(180)
class ServiceNetworkTest {
    /// Of this machine, but none that a program takes for its own.
    private static final String ALLOWED = "127.0.0.2";

    private static final String PRIVATE = "127.0.0.3";
    private static final String METADATA = "169.254.169.254";

    private static final String PYTHON =
            """
            import socket, sys, urllib.error, urllib.request
            for address in sys.argv[1:]:
                try:
                    print(urllib.request.urlopen(address, timeout=20).read().decode(), flush=True)
                except urllib.error.HTTPError as error:
                    print(error.code, error.read().decode().strip(), flush=True)
            host, port = sys.argv[1].split('/')[2].split(':')
            try:
                socket.create_connection((host, int(port)), 5)
                print('connected', flush=True)
            except OSError as error:
                print(type(error).__name__, flush=True)
            try:
                socket.getaddrinfo('example.org', 80)
                print('resolved', flush=True)
            except OSError as error:
                print(type(error).__name__, flush=True)
            """;

    private static final String NODE =
            """
            const http = require('node:http');
            const said = [];
            const plain = (address) => new Promise((done) => {
              http.get(address, (answer) => {
                let text = '';
                answer.on('data', (part) => { text += part; });
                answer.on('end', () => done(text));
              }).on('error', (error) => done(error.message));
            });
            const main = async () => {
              for (const address of process.argv.slice(1)) {
                console.log(await fetch(address).then((answer) => answer.text(), (error) => String(error.cause ?? error)));
                console.log(await plain(address));
              }
            };
            main();
            """;

    private final Rig rig;
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer allowed;
    private HttpServer hidden;

    ServiceNetworkTest() throws IOException {
        rig = Rig.open(PoolSettings.NONE);
    }

    @BeforeEach
    void serve() throws IOException {
        allowed = server(ALLOWED, "reached");
        hidden = server(PRIVATE, "hidden");
    }

    private HttpServer server(String host, String text) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral(host), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    asked.incrementAndGet();
                    var body = text.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        return server;
    }

    @AfterEach
    void close() throws Exception {
        allowed.stop(0);
        hidden.stop(0);
        rig.close();
    }

    private static String address(String host, int port) {
        return "http://%s:%d/".formatted(host, port);
    }

    private int port() {
        return allowed.getAddress().getPort();
    }

    private List<String> lines(List<String> command) throws Exception {
        var network =
                new ServiceNetwork(
                        "a",
                        Set.of(
                                new Destination(ALLOWED, port()),
                                new Destination(PRIVATE, hidden.getAddress().getPort()),
                                new Destination(METADATA, 80)),
                        Set.of(ALLOWED, METADATA),
                        Rig.LIMITS.nodeOptions());
        var service =
                rig.sandboxes()
                        .services()
                        .start(
                                new ServiceOrder(
                                        "a",
                                        command,
                                        Map.of(),
                                        List.of(),
                                        new Workspace.Directory(rig.workspace()),
                                        Rig.LIMITS,
                                        network));
        var text = new String(service.out().readAllBytes(), StandardCharsets.UTF_8);
        await().atMost(Duration.ofMinutes(1)).until(service::hasEnded);
        assertThat(text).as(service.recentErrors()).isNotEmpty();
        return text.lines().toList();
    }

    @Test
    void what_is_allowed_is_reached_and_nothing_else() throws Exception {
        try (var log = new LogCapture()) {
            var lines =
                    lines(
                            List.of(
                                    "python3",
                                    "-c",
                                    PYTHON,
                                    address(ALLOWED, port()),
                                    address(ALLOWED, 1),
                                    address("elsewhere.example", 80),
                                    address(PRIVATE, hidden.getAddress().getPort()),
                                    address(METADATA, 80)));
            assertThat(lines)
                    .containsExactly(
                            "reached",
                            "403 port 1 of the host 127.0.0.2 is not in network.allow of this upstream",
                            "403 the host elsewhere.example is not in network.allow of this upstream",
                            "502 the host 127.0.0.3 has no address that may be reached",
                            "502 the host 169.254.169.254 has no address that may be reached",
                            "ConnectionRefusedError",
                            "gaierror");
            assertThat(asked).hasValue(1);
            assertThat(log.text()).contains("a was refused a host", "elsewhere.example");
        }
    }

    @Test
    void node_finds_the_way_by_itself() throws Exception {
        var lines =
                lines(
                        List.of(
                                "node",
                                "-e",
                                NODE,
                                address(ALLOWED, port()),
                                address("elsewhere.example", 80)));
        assertThat(lines.subList(0, 2)).containsExactly("reached", "reached");
        assertThat(lines.subList(2, 4))
                .allMatch(line -> line.contains("elsewhere.example is not in network.allow"));
    }
}
