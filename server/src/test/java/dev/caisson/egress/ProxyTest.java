package dev.caisson.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.NetworkRule;
import dev.caisson.call.NetworkRules;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The proxy lets out what its rules take and nothing else, however a program asks.
@Timeout(120)
class ProxyTest {
    private static final String HOST = "files.example";
    private static final String ONE = "127.0.0.2";
    private static final String TWO = "127.0.0.3";
    private static final String ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";
    private static final ProxyLimits LIMITS =
            new ProxyLimits(
                    4,
                    1 << 20,
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60));

    private final Map<String, List<InetAddress[]>> names = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> broken = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
    }

    /// Says what it was sent, and ends the connection when the other side has ended or a whole head
    /// came.
    private final class Origin implements AutoCloseable {
        final ServerSocket socket;
        final List<String> heard = new CopyOnWriteArrayList<>();

        Origin(String address) throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.ofLiteral(address));
            open.add(this);
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    var connection = socket.accept();
                    Thread.ofVirtual().start(() -> serve(connection));
                }
            } catch (IOException closed) {
                broken.add("ended");
            }
        }

        private void serve(Socket connection) {
            try (connection) {
                connection.setSoTimeout(500);
                var text = new StringBuilder();
                var buffer = new byte[8192];
                try {
                    for (int count = connection.getInputStream().read(buffer);
                            count >= 0;
                            count = connection.getInputStream().read(buffer)) {
                        text.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
                    }
                } catch (java.net.SocketTimeoutException silent) {
                    broken.add("ended");
                }
                heard.add(text.toString());
                var body = "reached";
                connection
                        .getOutputStream()
                        .write(
                                ("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n" + body)
                                        .getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException gone) {
                heard.add("broken: " + gone);
            }
        }

        int port() {
            return socket.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private void name(String name, String... addresses) {
        names.put(
                name,
                new CopyOnWriteArrayList<>(
                        Arrays.stream(addresses)
                                .map(each -> new InetAddress[] {InetAddress.ofLiteral(each)})
                                .toList()));
    }

    /// The answers of a name one after the other, and the last for ever.
    private InetAddress[] resolve(String name) throws UnknownHostException {
        asked.add(name);
        if (NetworkRule.isAddress(name)) {
            return new InetAddress[] {InetAddress.ofLiteral(name)};
        }
        var answers = names.get(name);
        if (answers == null) {
            throw new UnknownHostException(name);
        }
        return answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
    }

    private final class Served implements AutoCloseable {
        final Proxy proxy;
        final ServerSocketChannel at;

        Served(Proxies proxies, NetworkRules rules) throws IOException {
            proxy = proxies.of(rules, "key");
            at =
                    ServerSocketChannel.open()
                            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            open.add(this);
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    var inside = at.accept();
                    Thread.ofVirtual()
                            .start(() -> {
                                try (inside) {
                                    proxy.serve(inside);
                                } catch (IOException | InterruptedException ended) {
                                    broken.add("ended");
                                }
                            });
                }
            } catch (IOException closed) {
                broken.add("ended");
            }
        }

        Socket connect() throws IOException {
            var socket = new Socket();
            socket.connect(at.getLocalAddress());
            socket.setSoTimeout(60_000);
            return socket;
        }

        /// Everything that is answered.
        String say(String text) throws IOException {
            return say(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        String say(byte[] bytes) throws IOException {
            try (var socket = connect()) {
                socket.getOutputStream().write(bytes);
                return new String(
                        socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            }
        }

        List<String> verdicts() {
            return proxy.uses().stream()
                    .map(use -> use.host() + " " + use.verdict().word())
                    .toList();
        }

        @Override
        public void close() throws IOException {
            at.close();
            proxy.close();
        }
    }

    private Proxies proxies(ProxyLimits limits) {
        return new Proxies(
                limits,
                new Share("network_connections", "connections", 100, ShareLimit.DEFAULT),
                this::resolve,
                Clock.systemUTC());
    }

    private Served serve(NetworkRule... rules) throws IOException {
        return new Served(proxies(LIMITS), new NetworkRules(List.of(rules)));
    }

    private static NetworkRule rule(String host, int port) {
        return new NetworkRule(host, List.of(port), List.of(), List.of(), Map.of(), true);
    }

    private static NetworkRule publicRule(String host, int port) {
        return new NetworkRule(host, List.of(port));
    }

    private static String get(String host, int port, String path) {
        return "GET http://%s:%d%s HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"
                .formatted(host, port, path);
    }

    private static String connect(String host, int port) {
        return "CONNECT %s:%d HTTP/1.1\r\nHost: x\r\n\r\n".formatted(host, port);
    }

    private static byte[] hello(String sni) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        var parameters = engine.getSSLParameters();
        if (!sni.isEmpty()) {
            parameters.setServerNames(List.of(new SNIHostName(sni)));
        }
        engine.setSSLParameters(parameters);
        var bytes = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), bytes);
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static byte[] join(String head, byte[] rest) {
        var bytes = head.getBytes(StandardCharsets.ISO_8859_1);
        var all = Arrays.copyOf(bytes, bytes.length + rest.length);
        System.arraycopy(rest, 0, all, bytes.length, rest.length);
        return all;
    }

    @Test
    void a_host_of_a_rule_is_reached_and_gets_its_own_name() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        try (var served = serve(rule(HOST, origin.port()))) {
            assertThat(served.say(get("FILES.example.", origin.port(), "/a?b=c")))
                    .startsWith("HTTP/1.1 200 OK")
                    .endsWith("reached");
            assertThat(origin.heard.getFirst())
                    .startsWith("GET /a?b=c HTTP/1.1\r\nHost: files.example:" + origin.port())
                    .doesNotContain("elsewhere")
                    .endsWith("Connection: close\r\n\r\n");
            await().atMost(Duration.ofSeconds(20)).until(() -> !served.proxy.uses().isEmpty());
            var use = served.proxy.uses().getFirst();
            assertThat(use.host()).isEqualTo(HOST);
            assertThat(use.verdict()).isEqualTo(NetworkVerdict.ALLOWED);
            assertThat(use.requests()).isOne();
            assertThat(use.sent()).isEqualTo(origin.heard.getFirst().length());
            assertThat(use.received()).isPositive();
        }
    }

    @Test
    void a_name_is_resolved_once_and_the_address_that_was_judged_is_connected() throws Exception {
        var origin = new Origin(ONE);
        // The second answer, to whoever asks again, is another one.
        name(HOST, ONE, TWO);
        try (var served = serve(rule(HOST, origin.port()))) {
            assertThat(served.say(get(HOST, origin.port(), "/"))).endsWith("reached");
            assertThat(asked).containsExactly(HOST);
        }
    }

    /// A name that is public at first and private afterwards.
    @Test
    void a_name_that_turns_to_a_private_address_is_not_followed() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        try (var served = serve(publicRule(HOST, origin.port()))) {
            assertThat(served.say(get(HOST, origin.port(), "/")))
                    .startsWith("HTTP/1.1 502")
                    .contains("has no address that may be reached");
            assertThat(origin.heard).isEmpty();
            assertThat(served.verdicts()).containsExactly("files.example no_address");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.1",
                "127.0.0.1",
                "192.168.1.1",
                "100.64.0.1",
                "0.0.0.0",
                "::1",
                "::",
                "fc00::1",
                "fe80::1",
                "::ffff:10.0.0.1",
                "::ffff:127.0.0.1",
                "64:ff9b::a00:1",
                "2002:a00:1::",
                "ff02::1"
            })
    void no_private_address_is_reached(String address) throws Exception {
        name(HOST, address);
        try (var served = serve(publicRule(HOST, 443))) {
            assertThat(served.say(connect(HOST, 443))).startsWith("HTTP/1.1 502");
            assertThat(served.verdicts()).containsExactly("files.example no_address");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "fd00:ec2::254",
                "100.100.100.200",
                "168.63.129.16",
                "::ffff:169.254.169.254",
                "64:ff9b::a9fe:a9fe",
                "2002:a9fe:a9fe::1",
                "fe80::a9fe:a9fe"
            })
    void metadata_is_reached_by_no_rule(String address) throws Exception {
        name("metadata.example", address);
        try (var served = serve(rule("metadata.example", 80))) {
            assertThat(served.say(get("metadata.example", 80, "/latest")))
                    .startsWith("HTTP/1.1 502")
                    .contains("has no address that may be reached");
        }
    }

    @Test
    void an_address_of_ipv6_is_reached_where_it_is_allowed() throws Exception {
        var origin = new Origin("::1");
        try (var served = serve(rule("::1", origin.port()))) {
            assertThat(served.say(get("[::1]", origin.port(), "/"))).endsWith("reached");
            assertThat(served.say(get("[::ffff:127.0.0.1]", origin.port(), "/")))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void another_host_and_another_port_are_refused_and_never_asked_for() throws Exception {
        try (var served = serve(publicRule("*.files.example", 443))) {
            assertThat(served.say(connect("files.example", 443)))
                    .startsWith("HTTP/1.1 403")
                    .contains("the host files.example is not in the network of this key");
            assertThat(served.say(connect("a.files.example", 22)))
                    .startsWith("HTTP/1.1 403")
                    .contains("port 22 of the host a.files.example");
            assertThat(served.say(connect("afiles.example", 443))).startsWith("HTTP/1.1 403");
            assertThat(served.say(connect("a.b.files.example", 443))).startsWith("HTTP/1.1 502");
            assertThat(asked).containsExactly("a.b.files.example");
        }
    }

    /// Ways to write an address that a library might take for another one.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2130706433",
                "0x7f000001",
                "0x7f.0.0.1",
                "127.1",
                "0177.0.0.1",
                "127.0.0.1%2eexample",
                "files.example@127.0.0.1",
                "files.example%00.x",
                "[fe80::1%25eth0]",
                "[::1",
                "-x.example",
                "a..example"
            })
    void a_host_in_an_unusual_form_is_refused(String host) throws Exception {
        try (var served = serve(rule("*.example", 80), rule("127.0.0.1", 80))) {
            assertThat(served.say(connect(host, 80))).startsWith("HTTP/1.1 400");
            assertThat(served.say("GET http://%s/ HTTP/1.1\r\n\r\n".formatted(host)))
                    .startsWith("HTTP/1.1 400");
            assertThat(asked).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: files.example\r\n\r\n",
                "GET https://files.example/ HTTP/1.1\r\n\r\n",
                "GET http://user:pass@files.example/ HTTP/1.1\r\n\r\n",
                "GET http://files.example/#a HTTP/1.1\r\n\r\n",
                "GET http://files.example/ HTTP/2\r\n\r\n",
                "GET http://files.example/ HTTP/1.1\r\nA : b\r\n\r\n",
                "GET http://files.example/ HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
                "GET http://files.example/ HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
                "GET http://files.example/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "POST http://files.example/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
                "POST http://files.example/ HTTP/1.1\r\nContent-Length: +1\r\n\r\nx",
                "POST http://files.example/ HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST http://files.example/ HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "POST http://files.example/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "CONNECT files.example HTTP/1.1\r\n\r\n",
                "CONNECT files.example:0 HTTP/1.1\r\n\r\n",
                "CONNECT files.example:99999 HTTP/1.1\r\n\r\n",
                "CONNECT files.example:80 HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"
            })
    void what_can_be_read_in_two_ways_is_refused(String text) throws Exception {
        name(HOST, ONE);
        try (var served = serve(rule(HOST, 80))) {
            assertThat(served.say(text)).startsWith("HTTP/1.1 400");
            assertThat(served.proxy.uses())
                    .allMatch(use -> use.verdict() == NetworkVerdict.MALFORMED);
        }
    }

    @Test
    void what_follows_a_request_goes_nowhere() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        var second = "GET /admin HTTP/1.1\r\nHost: files.example\r\n\r\n";
        try (var served = serve(rule(HOST, origin.port()))) {
            served.say(get(HOST, origin.port(), "/") + second);
            served.say(
                    "POST http://files.example:%d/ HTTP/1.1\r\nContent-Length: 2\r\n\r\nok%s"
                            .formatted(origin.port(), second));
            served.say(
                    "POST http://files.example:%d/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nok\r\n0\r\nHost: b\r\n\r\n%s"
                            .formatted(origin.port(), second));
            assertThat(origin.heard).hasSize(3).noneMatch(text -> text.contains("/admin"));
            assertThat(origin.heard.get(1)).endsWith("\r\n\r\nok");
            assertThat(origin.heard.get(2)).endsWith("\r\n\r\n2\r\nok\r\n0\r\n\r\n");
        }
    }

    @Test
    void fields_of_one_connection_are_not_passed_on() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        try (var served = serve(rule(HOST, origin.port()))) {
            served.say(
                    "GET http://files.example:%d/ HTTP/1.1\r\nHost: x\r\nConnection: X-Hop, Upgrade\r\nUpgrade: h2c\r\nX-Hop: 1\r\nProxy-Authorization: y\r\nAccept: z\r\n\r\n"
                            .formatted(origin.port()));
            assertThat(origin.heard.getFirst())
                    .contains("Accept: z")
                    .doesNotContain("Hop", "Upgrade", "Proxy-");
        }
    }

    @Test
    void methods_and_paths_are_judged_and_headers_are_the_servers() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        var rule =
                new NetworkRule(
                        HOST,
                        List.of(origin.port()),
                        List.of("GET"),
                        List.of("/v1/*"),
                        Map.of("X-Api", "ours"),
                        true);
        try (var served = serve(rule)) {
            var own =
                    "GET http://files.example:%d/v1/a HTTP/1.1\r\nx-api: theirs\r\n\r\n"
                            .formatted(origin.port());
            assertThat(served.say(own)).endsWith("reached");
            assertThat(origin.heard.getFirst()).contains("X-Api: ours").doesNotContain("theirs");
            assertThat(served.say(own.replace("GET", "POST")))
                    .startsWith("HTTP/1.1 403")
                    .contains("do not allow POST of this path");
            for (var path :
                    List.of(
                            "/v2/a",
                            "/v1/../v2",
                            "/v1/%2e%2e/v2",
                            "/v1/..%2fv2",
                            "/v1//v2",
                            "/v1/a\\..\\b",
                            "/v1/..;/v2")) {
                assertThat(served.say(get(HOST, origin.port(), path)))
                        .as(path)
                        .startsWith("HTTP/1.1 403");
            }
            var within =
                    connect(HOST, origin.port())
                            + "GET /v2/a HTTP/1.1\r\nHost: files.example:%d\r\n\r\n"
                                    .formatted(origin.port());
            assertThat(served.say(within)).startsWith(ESTABLISHED + "HTTP/1.1 403");
            assertThat(served.say(within.replace("/v2/", "/v1/"))).endsWith("reached");
            assertThat(served.say(within.replace("/v2/", "/v1/").replace("Host: files", "Host: f")))
                    .contains("the request is for the host f.example");
            assertThat(served.say(join(connect(HOST, origin.port()), hello(HOST))))
                    .isEqualTo(
                            ESTABLISHED
                                    + new String(ClientHello.ALERT, StandardCharsets.ISO_8859_1));
            assertThat(origin.heard.stream().filter(text -> !text.isEmpty())).hasSize(2);
        }
    }

    @Test
    void what_would_show_headers_of_the_server_is_refused() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        var rule =
                new NetworkRule(
                        HOST,
                        List.of(origin.port()),
                        List.of(),
                        List.of(),
                        Map.of("X-Api", "ours"),
                        true);
        try (var served = serve(rule)) {
            var traced = get(HOST, origin.port(), "/a").replace("GET ", "TRACE ");
            assertThat(served.say(traced)).startsWith("HTTP/1.1 403").contains("TRACE");
            assertThat(served.say(get(HOST, origin.port(), "/a"))).endsWith("reached");
        }
    }

    /// What one rule lets in for some requests, another does not have for all.
    @Test
    void a_private_address_is_reached_by_requests_of_the_rule_that_says_so() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        var broad =
                new NetworkRule(
                        "*.example", List.of(origin.port()), List.of(), List.of(), Map.of(), false);
        var narrow =
                new NetworkRule(
                        HOST,
                        List.of(origin.port()),
                        List.of("GET"),
                        List.of("/metrics"),
                        Map.of(),
                        true);
        try (var served = serve(narrow, broad)) {
            assertThat(served.say(get(HOST, origin.port(), "/metrics"))).endsWith("reached");
            assertThat(served.say(get(HOST, origin.port(), "/admin"))).startsWith("HTTP/1.1 502");
            assertThat(served.say(join(connect(HOST, origin.port()), hello(HOST))))
                    .startsWith("HTTP/1.1 502");
            assertThat(origin.heard.stream().filter(text -> !text.isEmpty())).hasSize(1);
        }
    }

    @Test
    void rules_that_cannot_be_kept_are_refused() {
        assertThatThrownBy(() ->
                        new NetworkRule(
                                HOST, List.of(), List.of("GET"), List.of(), Map.of(), false))
                .hasMessageContaining("port 443")
                .hasMessageContaining("does not end TLS");
        assertThatThrownBy(() ->
                        new NetworkRule(
                                HOST,
                                List.of(80),
                                List.of(),
                                List.of(),
                                Map.of("A", "${secret:x}"),
                                false))
                .hasMessageContaining("does not send secrets");
        for (var host : List.of("*", "*.", "a*.example", "2130706433", "a b", "")) {
            assertThatThrownBy(() -> new NetworkRule(host, List.of(80)))
                    .as(host)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (var name : List.of("Host", "content-length", "Proxy-Authorization", "a b")) {
            assertThatThrownBy(() ->
                            new NetworkRule(
                                    HOST,
                                    List.of(80),
                                    List.of(),
                                    List.of(),
                                    Map.of(name, "x"),
                                    false))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void tls_goes_through_for_the_host_of_its_connection_alone() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        try (var served = serve(rule(HOST, origin.port()), rule(ONE, origin.port()))) {
            var head = connect(HOST, origin.port());
            var right = hello(HOST);
            var answer = served.say(join(head, right));
            assertThat(answer).startsWith(ESTABLISHED).endsWith("reached");
            assertThat(origin.heard.getFirst().getBytes(StandardCharsets.ISO_8859_1))
                    .isEqualTo(right);
            var refused = ESTABLISHED + new String(ClientHello.ALERT, StandardCharsets.ISO_8859_1);
            assertThat(served.say(join(head, hello("other.example")))).isEqualTo(refused);
            assertThat(served.say(join(head, hello("")))).isEqualTo(refused);
            var byAddress = connect(ONE, origin.port());
            assertThat(served.say(join(byAddress, hello("")))).endsWith("reached");
            assertThat(served.say(join(byAddress, hello(HOST)))).isEqualTo(refused);
            assertThat(served.verdicts())
                    .contains("files.example allowed", "files.example mismatched");
        }
    }

    @Test
    void tls_in_pieces_is_read_as_well() throws Exception {
        var hello = hello(HOST);
        var parts = ByteBuffer.allocate(hello.length * 2);
        // Each record has 100 bytes of the message.
        for (int at = 5; at < hello.length; at += 100) {
            int length = Math.min(100, hello.length - at);
            parts.put((byte) 22).put((byte) 3).put((byte) 1).putShort((short) length);
            parts.put(hello, at, length);
        }
        var origin = new Origin(ONE);
        name(HOST, ONE);
        try (var served = serve(rule(HOST, origin.port()))) {
            var bytes = Arrays.copyOf(parts.array(), parts.position());
            assertThat(served.say(join(connect(HOST, origin.port()), bytes))).endsWith("reached");
        }
    }

    @Test
    void what_is_neither_tls_nor_http_is_refused() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        try (var served = serve(rule(HOST, origin.port()))) {
            assertThat(served.say(connect(HOST, origin.port()) + "ssh-2.0\r\n"))
                    .contains("only TLS and HTTP go through a connection");
            var broken =
                    join(connect(HOST, origin.port()), new byte[] {22, 3, 1, 0, 4, 2, 0, 0, 0});
            assertThat(served.say(broken))
                    .startsWith(ESTABLISHED)
                    .hasSize(ESTABLISHED.length() + 7);
            assertThat(origin.heard).allMatch(String::isEmpty);
        }
    }

    @Test
    void a_head_as_long_as_may_be_is_read_and_a_longer_one_is_refused() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        try (var served = serve(rule(HOST, origin.port()))) {
            assertThat(served.say(head(origin.port(), HttpHead.BYTES_MAX))).endsWith("reached");
            assertThat(served.say(head(origin.port(), HttpHead.BYTES_MAX + 1)))
                    .startsWith("HTTP/1.1 431");
            var fields = "A: b\r\n".repeat(HttpHead.FIELDS_MAX);
            var most = "GET http://files.example:%d/ HTTP/1.1\r\n".formatted(origin.port());
            assertThat(served.say(most + fields + "\r\n")).endsWith("reached");
            assertThat(served.say(most + fields + "A: b\r\n\r\n")).startsWith("HTTP/1.1 400");
        }
    }

    private static String head(int port, int length) {
        var start = "GET http://files.example:%d/ HTTP/1.1\r\nX: ".formatted(port);
        return start + "x".repeat(length - start.length() - 4) + "\r\n\r\n";
    }

    @Test
    void a_request_that_does_not_come_is_not_waited_for() throws Exception {
        name(HOST, ONE);
        var limits =
                new ProxyLimits(
                        4,
                        1 << 20,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(60));
        try (var served = new Served(proxies(limits), new NetworkRules(List.of(rule(HOST, 80))));
                var slow = served.connect()) {
            var bytes =
                    "GET http://files.example/ HTTP/1.1\r\nA: ".getBytes(StandardCharsets.UTF_8);
            slow.getOutputStream().write(bytes);
            // One byte after the other does not extend the time.
            var drip =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    for (int i = 0; i < 600; i++) {
                                        slow.getOutputStream().write('a');
                                        Thread.sleep(100);
                                    }
                                } catch (IOException | InterruptedException ended) {
                                    broken.add("ended");
                                }
                            });
            assertThat(new String(slow.getInputStream().readNBytes(12), StandardCharsets.UTF_8))
                    .isEqualTo("HTTP/1.1 408");
            drip.interrupt();
        }
    }

    @Test
    void a_silent_connection_ends_and_one_that_is_used_one_way_does_not() throws Exception {
        var limits =
                new ProxyLimits(
                        4,
                        1 << 20,
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(2));
        name(HOST, ONE);
        try (var origin = new ServerSocket(0, 5, InetAddress.ofLiteral(ONE));
                var served =
                        new Served(
                                proxies(limits),
                                new NetworkRules(List.of(rule(HOST, origin.getLocalPort()))));
                var inside = served.connect()) {
            inside.getOutputStream().write(join(connect(HOST, origin.getLocalPort()), hello(HOST)));
            try (var outside = origin.accept()) {
                assertThat(inside.getInputStream().readNBytes(ESTABLISHED.length()))
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo(ESTABLISHED);
                // Twice as long as may be silent, and nothing from the program.
                for (int i = 0; i < 16; i++) {
                    outside.getOutputStream().write('x');
                    assertThat(inside.getInputStream().read()).isEqualTo('x');
                    Thread.sleep(250);
                }
                assertThat(inside.getInputStream().read()).isNegative();
            }
        }
    }

    @Test
    void as_many_bytes_as_may_pass_do_and_one_more_does_not() throws Exception {
        var origin = new Origin(ONE);
        name(HOST, ONE);
        var rules = new NetworkRules(List.of(rule(HOST, origin.port())));
        long passed;
        try (var served = serve(rule(HOST, origin.port()))) {
            served.say(get(HOST, origin.port(), "/"));
            await().atMost(Duration.ofSeconds(20)).until(() -> !served.proxy.uses().isEmpty());
            var use = served.proxy.uses().getFirst();
            passed = use.sent() + use.received();
        }
        try (var served = new Served(proxies(bytes(passed)), rules)) {
            assertThat(served.say(get(HOST, origin.port(), "/"))).endsWith("reached");
        }
        try (var served = new Served(proxies(bytes(passed - 1)), rules)) {
            assertThat(served.say(get(HOST, origin.port(), "/"))).doesNotContain("reached");
            await().atMost(Duration.ofSeconds(20)).until(() -> !served.proxy.uses().isEmpty());
            assertThat(served.say(get(HOST, origin.port(), "/")))
                    .startsWith("HTTP/1.1 403")
                    .contains("has had all bytes that its network allows");
            assertThat(served.verdicts()).containsExactly("files.example limited");
        }
    }

    private static ProxyLimits bytes(long most) {
        return new ProxyLimits(4, most, LIMITS.begin(), LIMITS.connect(), LIMITS.idle());
    }

    @Test
    void as_many_connections_as_may_be_are_open_and_the_next_is_told() throws Exception {
        name(HOST, ONE);
        try (var served = serve(rule(HOST, 80))) {
            var held = new ArrayList<Socket>();
            for (int i = 0; i < LIMITS.connections(); i++) {
                held.add(served.connect());
                held.getLast().getOutputStream().write('G');
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> served.say("\r\n\r\n").contains("which is all it may have"));
            held.removeFirst().close();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> served.say("\r\n\r\n").startsWith("HTTP/1.1 400"));
            for (var each : held) {
                each.close();
            }
        }
    }

    @Test
    void runs_of_one_key_share_connections_and_another_key_finds_some() throws Exception {
        var proxies =
                new Proxies(
                        LIMITS,
                        new Share("network_connections", "connections", 4, new ShareLimit(0.5)),
                        this::resolve,
                        Clock.systemUTC());
        var rules = new NetworkRules(List.of(rule(HOST, 80)));
        try (var one = new Served(proxies, rules);
                var two = new Served(proxies, rules)) {
            var held = List.of(one.connect(), one.connect());
            for (var each : held) {
                each.getOutputStream().write('G');
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> two.say("\r\n\r\n").contains("the runs of this key"));
            try (var inside =
                            ServerSocketChannel.open()
                                    .bind(
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), 0));
                    var client = new Socket()) {
                client.connect(inside.getLocalAddress());
                var other = proxies.of(rules, "other key");
                client.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                try (var accepted = inside.accept()) {
                    other.serve(accepted);
                }
                assertThat(client.getInputStream().readNBytes(12))
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("HTTP/1.1 400");
            }
            for (var each : held) {
                each.close();
            }
        }
    }

    @Test
    void closing_ends_what_is_under_way() throws Exception {
        name(HOST, ONE);
        try (var origin = new ServerSocket(0, 5, InetAddress.ofLiteral(ONE));
                var served = serve(rule(HOST, origin.getLocalPort()));
                var inside = served.connect()) {
            inside.getOutputStream().write(join(connect(HOST, origin.getLocalPort()), hello(HOST)));
            try (var outside = origin.accept()) {
                assertThat(outside.getInputStream().read()).isEqualTo(ClientHello.HANDSHAKE);
                served.proxy.close();
                assertThat(outside.getInputStream().readAllBytes()).isNotEmpty();
            }
        }
    }

    @Test
    void hosts_are_told_apart_up_to_a_limit() throws Exception {
        try (var served = serve(rule(HOST, 80))) {
            for (int i = 0; i <= HostUse.COUNT_MAX; i++) {
                served.say(connect("h" + i + ".example", 443));
            }
            assertThat(served.proxy.uses()).hasSize(HostUse.COUNT_MAX + 1);
            assertThat(served.proxy.uses().stream().filter(use -> use.host().equals("*")))
                    .singleElement()
                    .matches(use -> use.requests() == 1);
        }
    }
}
