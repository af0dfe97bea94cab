package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.caisson.call.NetworkRule;
import dev.caisson.call.NetworkRules;
import dev.caisson.egress.AddressSource;
import dev.caisson.egress.HostCertificates;
import dev.caisson.egress.HostUse;
import dev.caisson.egress.Proxies;
import dev.caisson.egress.Proxy;
import dev.caisson.egress.ProxyLimits;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a program with a network reaches, and by which ways, and that nothing else is reached.
@Tag("root")
@Tag("slow")
@Timeout(300)
@ExtendWith(Rig.Shared.class)
abstract class EgressContractTest {
    /// Of this machine, but none that a program takes for its own.
    private static final String ALLOWED = "127.0.0.2";

    private static final String PRIVATE = "127.0.0.3";
    private static final String METADATA = "169.254.169.254";

    private static final String GET =
            """
            import urllib.error, urllib.request
            def get(address):
                try:
                    return urllib.request.urlopen(address, timeout=20).read().decode()
                except urllib.error.HTTPError as error:
                    return f"{error.code} {error.read().decode().strip()}"
                except OSError as error:
                    return type(error).__name__
            """;

    private final Rig rig;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, String> names = new ConcurrentHashMap<>();
    private HttpServer allowed;
    private HttpServer hidden;

    EgressContractTest(Rig rig) {
        this.rig = rig;
    }

    /// A proxy as a run has it.
    private record Network(Proxy proxy) implements NetworkDoor {
        @Override
        public void serve(SocketChannel connection) throws IOException, InterruptedException {
            proxy.serve(connection);
        }

        @Override
        public Optional<Path> certificates() {
            return HostCertificates.file();
        }

        List<String> verdicts() {
            return proxy.uses().stream()
                    .map(use -> use.host() + " " + use.verdict().word())
                    .toList();
        }
    }

    @BeforeEach
    void serve() throws IOException {
        allowed = server(ALLOWED, "reached");
        hidden = server(PRIVATE, "hidden");
        names.put("public.example", PRIVATE);
        names.put("files.example", ALLOWED);
    }

    @AfterEach
    void stop() {
        allowed.stop(0);
        hidden.stop(0);
    }

    private HttpServer server(String host, String text) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral(host), 0), 0);
        server.createContext(
                "/", exchange -> answer(exchange, text.getBytes(StandardCharsets.UTF_8)));
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        server.start();
        return server;
    }

    private void answer(HttpExchange exchange, byte[] body) throws IOException {
        asked.add(exchange.getRequestURI().getPath());
        if (body.length > 0 && body[0] == '<') {
            exchange.getResponseHeaders().set("Content-Type", "text/html");
        }
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private InetAddress[] resolve(String name) throws UnknownHostException {
        if (names.containsKey(name)) {
            return new InetAddress[] {InetAddress.ofLiteral(names.get(name))};
        }
        if (NetworkRule.isAddress(name)) {
            return new InetAddress[] {InetAddress.ofLiteral(name)};
        }
        throw new UnknownHostException(name);
    }

    private int port() {
        return allowed.getAddress().getPort();
    }

    private int hiddenPort() {
        return hidden.getAddress().getPort();
    }

    private static NetworkRule privately(String host, int port) {
        return new NetworkRule(host, List.of(port), List.of(), List.of(), Map.of(), true);
    }

    private Network network() {
        return network(
                privately(ALLOWED, port()),
                privately("files.example", port()),
                new NetworkRule(PRIVATE, List.of(hiddenPort())),
                new NetworkRule("public.example", List.of(hiddenPort())),
                privately(METADATA, 80));
    }

    private Network network(NetworkRule... rules) {
        return network(64, 1 << 30, rules);
    }

    private Network network(int connections, long bytes, NetworkRule... rules) {
        AddressSource source = this::resolve;
        var proxies =
                new Proxies(
                        ProxyLimits.of(connections, bytes),
                        new Share("network_connections", "connections", 1000, ShareLimit.DEFAULT),
                        source,
                        Clock.systemUTC());
        return new Network(proxies.of(new NetworkRules(List.of(rules)), "key"));
    }

    private String python(Network network, String code) throws InterruptedException {
        return run(Language.PYTHON, network, code);
    }

    private String run(Language language, Network network, String code)
            throws InterruptedException {
        var result = rig.run(language, code, network, rig.workspace());
        assertThat(result.code()).as(result.stdout() + result.stderr()).isZero();
        return result.stdout();
    }

    @Test
    void what_the_rules_name_is_reached_and_nothing_else() throws Exception {
        var network = network();
        var said =
                python(
                        network,
                        GET
                                + """
                                print(get("http://%1$s:%3$d/a"))
                                print(get("http://files.example:%3$d/b"))
                                print(get("http://%1$s:1/"))
                                print(get("http://elsewhere.example/"))
                                print(get("http://%2$s:%4$d/"))
                                print(get("http://public.example:%4$d/"))
                                print(get("http://169.254.169.254/latest/meta-data"))
                                """
                                        .formatted(ALLOWED, PRIVATE, port(), hiddenPort()));
        assertThat(said.lines())
                .containsExactly(
                        "reached",
                        "reached",
                        "403 port 1 of the host 127.0.0.2 is not in the network of this key",
                        "403 the host elsewhere.example is not in the network of this key",
                        "502 the host 127.0.0.3 has no address that may be reached",
                        "502 the host public.example has no address that may be reached",
                        "502 the host 169.254.169.254 has no address that may be reached");
        assertThat(asked).containsExactly("/a", "/b");
        assertThat(network.verdicts())
                .containsExactlyInAnyOrder(
                        "127.0.0.2 allowed",
                        "files.example allowed",
                        "127.0.0.2 denied",
                        "elsewhere.example denied",
                        "127.0.0.3 no_address",
                        "public.example no_address",
                        "169.254.169.254 no_address");
    }

    @Test
    void past_the_proxy_there_is_no_way() throws Exception {
        var said =
                python(
                        network(),
                        """
                        import socket
                        def reach(family, address, kind=socket.SOCK_STREAM):
                            try:
                                with socket.socket(family, kind) as made:
                                    made.settimeout(10)
                                    made.connect(address)
                                    made.send(b"x")
                                    return "reached"
                            except OSError as refused:
                                return type(refused).__name__
                        four, six = socket.AF_INET, socket.AF_INET6
                        print(reach(four, ("%s", %d)) != "reached")
                        print(reach(four, ("1.1.1.1", 443)) != "reached")
                        print(reach(four, ("169.254.169.254", 80)) != "reached")
                        print(reach(six, ("2606:4700:4700::1111", 443)) != "reached")
                        print(reach(six, ("::ffff:%s", %d)) != "reached")
                        print(reach(four, ("1.1.1.1", 53), socket.SOCK_DGRAM) != "reached")
                        try:
                            print(socket.getaddrinfo("files.example", 80))
                        except OSError as refused:
                            print(type(refused).__name__)
                        """
                                .formatted(ALLOWED, port(), ALLOWED, port()));
        assertThat(said).isEqualTo("True\n".repeat(6) + "gaierror\n");
        assertThat(asked).isEmpty();
    }

    @Test
    void node_finds_the_way_by_itself() throws Exception {
        var said =
                run(
                        Language.NODE,
                        network(),
                        """
                        const http = require('node:http');
                        const plain = (address) => new Promise((done) => {
                          http.get(address, (answer) => {
                            let text = '';
                            answer.on('data', (part) => { text += part; });
                            answer.on('end', () => done(text));
                          }).on('error', (error) => done(error.message));
                        });
                        const fetched = (address) => fetch(address).then((answer) => answer.text(), (error) => String(error.cause ?? error));
                        (async () => {
                          console.log(await fetched('http://files.example:%1$d/a'));
                          console.log(await plain('http://files.example:%1$d/b'));
                          console.log(await fetched('http://elsewhere.example/'));
                          const child = require('node:child_process').spawnSync(process.execPath, ['-e',
                            "fetch('http://files.example:%1$d/c').then((answer) => answer.text()).then(console.log)"], {encoding: 'utf8'});
                          console.log(child.stdout.trim(), child.stderr);
                        })();
                        """
                                .formatted(port()));
        assertThat(said.lines().map(String::strip))
                .containsExactly(
                        "reached",
                        "reached",
                        said.lines().skip(2).findFirst().orElse(""),
                        "reached");
        assertThat(said).contains("elsewhere.example is not in the network of this key");
        assertThat(asked).containsExactly("/a", "/b", "/c");
    }

    @Test
    void curl_finds_the_way_by_itself() throws Exception {
        var said =
                run(
                        Language.BASH,
                        network(),
                        """
                        curl -sS http://files.example:%1$d/a; echo
                        curl -sS -p http://files.example:%1$d/b; echo
                        curl -sS http://elsewhere.example/ 2>&1
                        """
                                .formatted(port()));
        assertThat(said.lines())
                .containsExactly(
                        "reached",
                        "reached",
                        "the host elsewhere.example is not in the network of this key");
    }

    @Test
    void a_package_of_npm_is_installed_from_a_registry_of_this_machine() throws Exception {
        var archive = npmPackage();
        allowed.createContext("/little/-/little-1.0.0.tgz", exchange -> answer(exchange, archive));
        allowed.createContext(
                "/little",
                exchange ->
                        answer(
                                exchange,
                                """
                                {"name":"little","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"little","version":"1.0.0","dist":{"tarball":"http://files.example:%d/little/-/little-1.0.0.tgz","shasum":"%s"}}}}
                                """
                                        .formatted(port(), sha1(archive))
                                        .getBytes(StandardCharsets.UTF_8)));
        var said =
                run(
                        Language.BASH,
                        network(),
                        """
                        npm install --no-audit --no-fund --registry http://files.example:%d/ little >&2
                        node -e 'console.log(require("little"))'
                        """
                                .formatted(port()));
        assertThat(said).isEqualTo("a little package\n");
        assertThat(asked).contains("/little", "/little/-/little-1.0.0.tgz");
    }

    @Test
    void a_package_of_pip_is_installed_from_an_index_of_this_machine() throws Exception {
        var wheel = wheel();
        allowed.createContext(
                "/files/little-1.0-py3-none-any.whl", exchange -> answer(exchange, wheel));
        allowed.createContext(
                "/simple/little/",
                exchange ->
                        answer(
                                exchange,
                                "<!DOCTYPE html><html><body><a href=\"/files/little-1.0-py3-none-any.whl\">little-1.0-py3-none-any.whl</a></body></html>"
                                        .getBytes(StandardCharsets.UTF_8)));
        var said =
                run(
                        Language.BASH,
                        network(),
                        """
                        python3 -m pip install --quiet --disable-pip-version-check --no-deps --target /workspace/lib \
                            --index-url http://files.example:%d/simple --trusted-host files.example little >&2
                        PYTHONPATH=/workspace/lib python3 -c 'import little; print(little.text)'
                        """
                                .formatted(port()));
        assertThat(said).isEqualTo("a little package\n");
        assertThat(asked).contains("/simple/little/", "/files/little-1.0-py3-none-any.whl");
    }

    private static String sha1(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Two files in an archive of tar.
    private static byte[] npmPackage() throws IOException {
        var tar = new ByteArrayOutputStream();
        entry(tar, "package/package.json", "{\"name\":\"little\",\"version\":\"1.0.0\"}");
        entry(tar, "package/index.js", "module.exports = 'a little package'\n");
        tar.writeBytes(new byte[1024]);
        var bytes = new ByteArrayOutputStream();
        try (var zipped = new GZIPOutputStream(bytes)) {
            zipped.write(tar.toByteArray());
        }
        return bytes.toByteArray();
    }

    private static void entry(ByteArrayOutputStream tar, String name, String text) {
        var body = text.getBytes(StandardCharsets.UTF_8);
        var head = new byte[512];
        put(head, 0, name);
        put(head, 100, "0000644\0" + "0000000\0".repeat(2));
        put(head, 124, "%011o\0".formatted(body.length) + "00000000000\0" + "        0");
        put(head, 257, "ustar\00000");
        int sum = 0;
        for (byte each : head) {
            sum += each & 0xff;
        }
        put(head, 148, "%06o\0 ".formatted(sum));
        tar.writeBytes(head);
        tar.writeBytes(body);
        tar.writeBytes(new byte[(512 - body.length % 512) % 512]);
    }

    private static void put(byte[] head, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }

    private static byte[] wheel() throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var file :
                    Map.of(
                                    "little.py",
                                    "text = 'a little package'\n",
                                    "little-1.0.dist-info/METADATA",
                                    "Metadata-Version: 2.1\nName: little\nVersion: 1.0\n",
                                    "little-1.0.dist-info/WHEEL",
                                    "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                                    "little-1.0.dist-info/RECORD",
                                    "little.py,,\nlittle-1.0.dist-info/METADATA,,\nlittle-1.0.dist-info/WHEEL,,\nlittle-1.0.dist-info/RECORD,,\n")
                            .entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void the_proxy_of_another_run_is_not_reached() throws Exception {
        var workspace = rig.workspace();
        var failure = new AtomicReference<Throwable>();
        var holder =
                Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, problem) -> failure.set(problem))
                        .start(() -> {
                            try {
                                rig.run(
                                        Language.PYTHON,
                                        "import time\nopen('/workspace/on', 'w')\nwhile True: time.sleep(1)",
                                        network(),
                                        workspace);
                            } catch (InterruptedException over) {
                                Thread.currentThread().interrupt();
                            }
                        });
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(workspace.resolve("on")));
        var without =
                rig.run(
                        Language.PYTHON,
                        """
                        import os, socket
                        try:
                            socket.create_connection(("127.0.0.1", 3128), 10)
                            print("reached")
                        except OSError as refused:
                            print(type(refused).__name__)
                        print([name for name in os.environ if "proxy" in name.lower() or "NETWORK" in name])
                        print([line.split()[1] for line in open("/proc/net/tcp")][1:])
                        """);
        assertThat(without.stdout()).isEqualTo("ConnectionRefusedError\n[]\n[]\n");
        var other = network(privately("files.example", port()));
        assertThat(python(other, GET + "print(get('http://%s:%d/'))".formatted(ALLOWED, port())))
                .isEqualTo("403 the host 127.0.0.2 is not in the network of this key\n");
        holder.interrupt();
        holder.join(Duration.ofMinutes(1));
        assertThat(failure.get()).isNull();
    }

    @Test
    void as_many_connections_as_a_run_may_have_are_open_and_the_next_is_told() throws Exception {
        var said =
                python(
                        network(64, 1 << 20, privately("files.example", port())),
                        """
                        import socket, time
                        def connect():
                            made = socket.create_connection(("127.0.0.1", 3128), 20)
                            made.settimeout(20)
                            made.sendall(b"G")
                            return made
                        held = [connect() for _ in range(64)]
                        end = time.monotonic() + 20
                        def refused():
                            made = connect()
                            made.sendall(b"ET x\\r\\n\\r\\n")
                            return made.recv(1000).split(b"\\r\\n\\r\\n")[0].split()[1]
                        while refused() != b"503" and time.monotonic() < end: time.sleep(0.05)
                        print(refused())
                        held.pop().close()
                        while refused() != b"400" and time.monotonic() < end: time.sleep(0.05)
                        print(time.monotonic() < end)
                        """);
        assertThat(said).isEqualTo("b'503'\nTrue\n");
    }

    @Test
    void more_bytes_than_a_run_may_have_do_not_pass() throws Exception {
        allowed.createContext("/large", exchange -> answer(exchange, new byte[100_000]));
        var network = network(64, 150_000, privately("files.example", port()));
        var said =
                python(
                        network,
                        GET
                                + """
                                import http.client
                                address = "http://files.example:%d/large"
                                print(len(get(address)))
                                try:
                                    print(len(get(address)))
                                except http.client.HTTPException as broken:
                                    print(type(broken).__name__)
                                print(get(address))
                                """
                                        .formatted(port()));
        assertThat(said.lines())
                .containsExactly(
                        "100000",
                        "IncompleteRead",
                        "403 the run has had all bytes that its network allows");
        assertThat(network.proxy().uses().stream().mapToLong(HostUse::received).sum())
                .isLessThanOrEqualTo(150_000);
    }

    /// The run ends and leaves nothing, whatever its connections were doing.
    @Test
    void sockets_that_a_program_leaves_half_open_end_with_it() throws Exception {
        var network = network();
        var said =
                python(
                        network,
                        """
                        import os, socket, struct
                        held = []
                        for i in range(60):
                            made = socket.create_connection(("127.0.0.1", 3128), 20)
                            if i %% 3 == 0:
                                made.sendall(b"CONNECT files.example:%1$d HTTP/1.1\\r\\n\\r\\n")
                                made.recv(10)
                                made.shutdown(socket.SHUT_WR)
                            elif i %% 3 == 1:
                                made.sendall(b"POST http://files.example:%1$d/ HTTP/1.1\\r\\nContent-Length: 99\\r\\n\\r\\nx")
                            else:
                                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                                made.sendall(b"CONNECT files.example:%1$d HTTP/1.1\\r\\n\\r\\n")
                                made.recv(10)
                                made.close()
                            held.append(made)
                        print("done")
                        os._exit(0)
                        """
                                .formatted(port()));
        assertThat(said).isEqualTo("done\n");
        network.proxy().close();
        // Its places are free again: whoever comes is served.
        var next = network();
        assertThat(python(next, GET + "print(get('http://files.example:%d/'))".formatted(port())))
                .isEqualTo("reached\n");
    }

    @Test
    void in_a_session_the_network_is_that_of_the_cell() throws Exception {
        var address = "'http://files.example:%d/'".formatted(port());
        try (var session = new Guestbook(rig, Language.PYTHON)) {
            var first = network();
            assertThat(session.runOnline(GET + "print(get(" + address + "))", first).stdout())
                    .isEqualTo("reached\n");
            assertThat(
                            session.runOnline("print(get(" + address + "))", NetworkDoor.CLOSED)
                                    .stdout())
                    .doesNotContain("reached");
            var second = network(new NetworkRule("other.example", List.of(80)));
            assertThat(session.runOnline("print(get(" + address + "))", second).stdout())
                    .isEqualTo("403 the host files.example is not in the network of this key\n");
            assertThat(first.verdicts()).containsExactly("files.example allowed");
            assertThat(second.verdicts()).containsExactly("files.example denied");
        }
    }
}
