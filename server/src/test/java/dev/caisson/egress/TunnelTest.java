package dev.caisson.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The tunnel opens what is on its list and nothing else.
@Timeout(60)
class TunnelTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final byte[] BODY = "x".repeat(4_000).getBytes(StandardCharsets.UTF_8);

    private static final AllowedHosts.Terms TERMS = AllowedHosts.Terms.REGISTRIES;

    private static final String ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer registry;

    @BeforeEach
    void serve() throws IOException {
        registry = HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
        registry.createContext(
                "/",
                exchange -> {
                    asked.incrementAndGet();
                    exchange.sendResponseHeaders(200, BODY.length);
                    exchange.getResponseBody().write(BODY);
                    exchange.close();
                });
        registry.start();
    }

    @AfterEach
    void stop() {
        registry.stop(0);
    }

    private static Tunnel tunnel(ServerSocketChannel listener, AllowedHosts hosts, long bytes) {
        return Tunnel.start(listener, hosts, new Tunnel.Limits(bytes, 4, Duration.ofSeconds(10)));
    }

    private static ServerSocketChannel listener() throws IOException {
        return ServerSocketChannel.open().bind(new InetSocketAddress(LOOPBACK, 0));
    }

    private int port() {
        return registry.getAddress().getPort();
    }

    private AllowedHosts listed() {
        return new AllowedHosts(
                Set.of(new Destination("127.0.0.1", port())), Set.of("127.0.0.1"), TERMS);
    }

    private static String say(ServerSocketChannel at, String text) throws IOException {
        var address = (InetSocketAddress) at.getLocalAddress();
        try (var socket = new Socket(address.getAddress(), address.getPort())) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private String authority(String host) {
        return host + ":" + port();
    }

    private String get(String host) {
        return "GET http://%1$s/a HTTP/1.1\r\nHost: %1$s\r\nProxy-Authorization: x\r\n\r\n"
                .formatted(authority(host));
    }

    private String connect(String host) {
        return "CONNECT %1$s HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                .formatted(authority(host));
    }

    @Test
    void a_host_of_the_list_is_reached_both_ways() throws Exception {
        try (var at = listener();
                var tunnel = tunnel(at, listed(), 1 << 20)) {
            assertThat(say(at, get("127.0.0.1"))).startsWith("HTTP/1.1 200").endsWith("xxx");
            assertThat(say(at, connect("127.0.0.1")))
                    .startsWith("HTTP/1.1 200 Connection established")
                    .endsWith("xxx");
            assertThat(asked).hasValue(2);
            assertThat(tunnel.opened()).isEqualTo(2);
        }
    }

    /// The server of these tests ends its connections without a word.
    @Test
    void an_answer_says_that_its_connection_ends() throws Exception {
        try (var at = listener();
                var _ = tunnel(at, listed(), 1 << 20)) {
            var answer = say(at, get("127.0.0.1"));
            assertThat(answer.substring(0, answer.indexOf("\r\n\r\n")))
                    .contains("\r\nConnection: close")
                    .containsIgnoringCase("Content-Length: 4000");
            assertThat(answer).endsWith("\r\n\r\n" + "x".repeat(4_000));
        }
        assertThat(MessageHead.isInterim("HTTP/1.1 100 Continue\r\n\r\n")).isTrue();
        assertThat(MessageHead.isInterim("HTTP/1.1 200 OK\r\n\r\n")).isFalse();
        assertThat(
                        MessageHead.closing(
                                "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nA: b\r\nConnection: keep-alive\r\n\r\n"))
                .isEqualTo("HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\n");
    }

    @Test
    void another_host_is_refused_and_never_asked() throws Exception {
        try (var at = listener();
                var tunnel = tunnel(at, listed(), 1 << 20)) {
            assertThat(say(at, get("localhost"))).startsWith("HTTP/1.1 403");
            assertThat(say(at, connect("localhost"))).startsWith("HTTP/1.1 403");
            assertThat(tunnel.refused()).containsExactly("localhost");
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void a_public_name_with_a_private_address_is_refused() throws Exception {
        var hosts =
                new AllowedHosts(
                        Set.of(
                                new Destination("localhost", port()),
                                new Destination("127.0.0.1", port())),
                        Set.of(),
                        TERMS);
        try (var at = listener();
                var _ = tunnel(at, hosts, 1 << 20)) {
            assertThat(say(at, get("localhost"))).startsWith("HTTP/1.1 502");
            assertThat(say(at, connect("127.0.0.1"))).startsWith("HTTP/1.1 502");
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void a_name_without_an_address_is_refused() throws Exception {
        var hosts =
                new AllowedHosts(
                        Set.of(new Destination("nobody.invalid", port())),
                        Set.of("nobody.invalid"),
                        TERMS);
        try (var at = listener();
                var _ = tunnel(at, hosts, 1 << 20)) {
            assertThat(say(at, connect("nobody.invalid"))).startsWith("HTTP/1.1 502");
        }
    }

    @Test
    void nothing_passes_beyond_the_limit() throws Exception {
        try (var at = listener();
                var tunnel = tunnel(at, listed(), 1_000)) {
            assertThat(say(at, get("127.0.0.1"))).doesNotContain("xxx");
            assertThat(tunnel.isUsedUp()).isTrue();
        }
    }

    @Test
    void another_port_of_a_host_of_the_list_is_refused_and_never_asked() throws Exception {
        var hosts =
                new AllowedHosts(Set.of(Destination.of("127.0.0.1")), Set.of("127.0.0.1"), TERMS);
        try (var at = listener();
                var tunnel = tunnel(at, hosts, 1 << 20)) {
            assertThat(say(at, get("127.0.0.1")))
                    .startsWith("HTTP/1.1 403")
                    .contains("port " + port() + " of the host 127.0.0.1");
            assertThat(say(at, connect("127.0.0.1"))).startsWith("HTTP/1.1 403");
            assertThat(say(at, "CONNECT 127.0.0.1:0 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403");
            assertThat(tunnel.opened()).isZero();
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void as_many_bytes_as_may_pass_do_and_one_more_does_not() throws Exception {
        int passed;
        try (var at = listener();
                var _ = tunnel(at, listed(), 1 << 20)) {
            // What a CONNECT carries in both directions, its own head and answer apart.
            passed = say(at, connect("127.0.0.1")).length() - ESTABLISHED.length();
            passed += connect("127.0.0.1").split("\r\n\r\n", 2)[1].length();
        }
        try (var at = listener();
                var tunnel = tunnel(at, listed(), passed)) {
            assertThat(say(at, connect("127.0.0.1"))).endsWith("xxx");
            assertThat(tunnel.isUsedUp()).isFalse();
        }
        try (var at = listener();
                var tunnel = tunnel(at, listed(), passed - 1)) {
            assertThat(say(at, connect("127.0.0.1"))).doesNotEndWith("xxx".repeat(1_000));
            assertThat(tunnel.isUsedUp()).isTrue();
        }
    }

    @Test
    void as_many_connections_as_may_be_are_open_and_the_next_waits() throws Exception {
        var limits = new Tunnel.Limits(1 << 20, 2, Duration.ofSeconds(50));
        try (var at = listener();
                var _ = Tunnel.start(at, listed(), limits);
                var one = open(at)) {
            establish(one);
            Socket three;
            try (var two = open(at)) {
                establish(two);
                three = open(at);
                var ask = connect("127.0.0.1").getBytes(StandardCharsets.UTF_8);
                three.getOutputStream().write(ask);
                three.setSoTimeout(300);
                var silent = three.getInputStream();
                assertThatThrownBy(silent::read).isInstanceOf(SocketTimeoutException.class);
            }
            try (three) {
                three.setSoTimeout(50_000);
                assertThat(three.getInputStream().read()).isEqualTo('H');
            }
        }
    }

    private static Socket open(ServerSocketChannel at) throws IOException {
        var address = (InetSocketAddress) at.getLocalAddress();
        return new Socket(address.getAddress(), address.getPort());
    }

    private void establish(Socket socket) throws IOException {
        var head = "CONNECT " + authority("127.0.0.1") + " HTTP/1.1\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
        assertThat(socket.getInputStream().readNBytes(ESTABLISHED.length()))
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(ESTABLISHED);
    }

    @Test
    void a_silent_connection_is_closed() throws Exception {
        var limits = new Tunnel.Limits(1 << 20, 2, Duration.ofSeconds(2));
        try (var at = listener();
                var _ = Tunnel.start(at, listed(), limits);
                var silent = open(at)) {
            establish(silent);
            assertThat(silent.getInputStream().read()).isNegative();
        }
    }

    /// Such as one that fetches something large over a slow line.
    @Test
    void a_connection_that_is_used_one_way_is_not_silent() throws Exception {
        try (var origin = new ServerSocket(0, 5, LOOPBACK)) {
            var hosts =
                    new AllowedHosts(
                            Set.of(new Destination("127.0.0.1", origin.getLocalPort())),
                            Set.of("127.0.0.1"),
                            TERMS);
            var limits = new Tunnel.Limits(1 << 20, 2, Duration.ofSeconds(2));
            try (var at = listener();
                    var _ = Tunnel.start(at, hosts, limits);
                    var inside = open(at)) {
                var head = "CONNECT 127.0.0.1:" + origin.getLocalPort() + " HTTP/1.1\r\n\r\n";
                inside.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
                try (var outside = origin.accept()) {
                    assertThat(inside.getInputStream().readNBytes(ESTABLISHED.length()))
                            .asString(StandardCharsets.UTF_8)
                            .isEqualTo(ESTABLISHED);
                    for (int i = 0; i < 16; i++) {
                        outside.getOutputStream().write('x');
                        assertThat(inside.getInputStream().read()).isEqualTo('x');
                        Thread.sleep(250);
                    }
                }
            }
        }
    }

    @Test
    void a_head_as_long_as_may_be_is_read_and_a_longer_one_is_refused() throws Exception {
        try (var at = listener();
                var _ = tunnel(at, listed(), 1 << 20)) {
            assertThat(say(at, head(ProxyRequest.HEAD_BYTES_MAX))).startsWith("HTTP/1.1 200");
            assertThat(say(at, head(ProxyRequest.HEAD_BYTES_MAX + 1))).startsWith("HTTP/1.1 400");
        }
        assertThat(asked).hasValue(1);
    }

    private String head(int length) {
        var start =
                "GET http://%1$s/a HTTP/1.1\r\nHost: %1$s\r\nX: ".formatted(authority("127.0.0.1"));
        return start + "x".repeat(length - start.length() - 4) + "\r\n\r\n";
    }

    @Test
    void what_is_no_request_to_a_proxy_is_refused() throws Exception {
        try (var at = listener();
                var _ = tunnel(at, listed(), 1 << 20)) {
            for (var text :
                    new String[] {
                        "hello\r\n\r\n",
                        "GET /a HTTP/1.1\r\n\r\n",
                        "GET https://127.0.0.1/a HTTP/1.1\r\n\r\n",
                        "CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n",
                        "CONNECT 127.0.0.1:99999 HTTP/1.1\r\n\r\n",
                        "CONNECT [::1]:80 HTTP/1.1\r\n\r\n"
                    }) {
                assertThat(say(at, text)).as(text).startsWith("HTTP/1.1 400");
            }
            assertThat(say(at, "GET http://127.0.0.1/" + "a".repeat(ProxyRequest.HEAD_BYTES_MAX)))
                    .startsWith("HTTP/1.1 400");
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void a_pattern_takes_the_names_below_it_and_no_other() throws Exception {
        var hosts =
                new AllowedHosts(
                        Set.of(new Destination("*.example.invalid", 443)),
                        Set.of(),
                        new AllowedHosts.Terms("is not allowed", Duration.ofSeconds(1)));
        try (var at = listener();
                var _ = tunnel(at, hosts, 1 << 20)) {
            for (var below : List.of("a.example.invalid", "b.A.Example.invalid")) {
                assertThat(say(at, "CONNECT " + below + ":443 HTTP/1.1\r\n\r\n"))
                        .startsWith("HTTP/1.1 502");
            }
            for (var other : List.of("example.invalid", "aexample.invalid", "a.invalid")) {
                assertThat(say(at, "CONNECT " + other + ":443 HTTP/1.1\r\n\r\n"))
                        .startsWith("HTTP/1.1 403")
                        .contains("the host " + other + " is not allowed");
            }
            assertThat(say(at, "CONNECT a.example.invalid:80 HTTP/1.1\r\n\r\n"))
                    .startsWith("HTTP/1.1 403")
                    .contains("port 80");
        }
    }

    @Test
    void refused_hosts_are_told_once_and_remembered_up_to_a_hundred() throws Exception {
        var told = new CopyOnWriteArrayList<String>();
        var limits = new Tunnel.Limits(1 << 20, 4, Duration.ofSeconds(10));
        try (var at = listener();
                var tunnel = Tunnel.start(at, listed(), limits, told::add)) {
            for (int i = 0; i < 101; i++) {
                say(at, "CONNECT h" + i + ".example:443 HTTP/1.1\r\n\r\n");
            }
            say(at, "CONNECT h0.example:443 HTTP/1.1\r\n\r\n");
            assertThat(tunnel.refused()).hasSize(100);
            assertThat(told).hasSize(100);
        }
    }
}
