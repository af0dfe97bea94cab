package dev.caisson.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The outgoing client reaches what it may, and takes no more than it is told to.
@Timeout(60)
class OutgoingHttpTest {
    private static final long BYTES_MAX = 1_000;
    private static final Duration SOON = Duration.ofSeconds(20);

    private final OutgoingHttp http = new OutgoingHttp(Set.of("127.0.0.1", "localhost"));
    private final AtomicInteger sent = new AtomicInteger();

    @AfterEach
    void close() {
        http.close();
    }

    private OutgoingRequest post(URI address, Duration within, boolean own) {
        return new OutgoingRequest(
                "POST",
                address,
                Map.of("Accept", "application/json"),
                Optional.of(
                        new OutgoingRequest.Body(
                                "application/json", "{}".getBytes(StandardCharsets.UTF_8))),
                Optional.of(Deadline.in(within)),
                BYTES_MAX,
                own,
                sent::incrementAndGet);
    }

    private String text(OutgoingRequest request) throws EgressFailure, InterruptedException {
        try (var answer = http.send(request)) {
            return answer.status()
                    + " "
                    + answer.mediaType()
                    + " "
                    + new String(answer.bytes(), StandardCharsets.UTF_8);
        }
    }

    private EgressFailure failure(OutgoingRequest request) {
        return catchThrowableOfType(EgressFailure.class, () -> text(request));
    }

    private static RawHttpServer.Handler says(byte[] answer) {
        return (_, out) -> out.write(answer);
    }

    @Test
    void an_answer_comes_whole() throws Exception {
        try (var server =
                new RawHttpServer(
                        says(
                                RawHttpServer.answer(
                                        200, "Application/JSON; charset=utf-8", "[1]")))) {
            assertThat(text(post(server.address("/mcp"), SOON, false)))
                    .isEqualTo("200 application/json [1]");
            var request = server.requests().getFirst();
            assertThat(request.body()).asString().isEqualTo("{}");
            assertThat(request.header("user-agent")).isEqualTo("Caisson");
            assertThat(request.headers()).doesNotContainKeys("accept-encoding", "cookie");
            assertThat(sent).hasValue(1);
        }
    }

    @Test
    void an_address_of_this_machine_is_refused_and_never_connected() throws Exception {
        try (var server = new RawHttpServer(says(RawHttpServer.answer(200, "text/plain", "")));
                var strict = new OutgoingHttp(Set.of("elsewhere.example"))) {
            var port = server.address("/").getPort();
            for (var host : new String[] {"127.0.0.1", "localhost", "[::1]", "2130706433"}) {
                var request = post(URI.create("http://" + host + ":" + port + "/"), SOON, false);
                assertThatThrownBy(() -> strict.send(request))
                        .as(host)
                        .isInstanceOfSatisfying(
                                EgressFailure.class,
                                refused -> {
                                    assertThat(refused.kind())
                                            .isEqualTo(EgressFailure.Kind.REFUSED);
                                    assertThat(refused.sent()).isFalse();
                                    assertThat(refused.sentence()).contains("may be reached");
                                });
            }
            assertThat(server.connections()).isZero();
        }
    }

    @Test
    void the_services_of_cloud_machines_are_refused_even_where_private_hosts_are_not() {
        try (var open = new OutgoingHttp(Set.of("169.254.169.254", "100.100.100.200"))) {
            for (var host : new String[] {"169.254.169.254", "100.100.100.200"}) {
                assertThatThrownBy(() -> open.send(post(URI.create("http://" + host), SOON, false)))
                        .isInstanceOfSatisfying(
                                EgressFailure.class,
                                refused ->
                                        assertThat(refused.kind())
                                                .isEqualTo(EgressFailure.Kind.REFUSED));
            }
        }
    }

    @Test
    void where_nobody_listens_nothing_was_sent() throws IOException {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        var failure = failure(post(URI.create("http://127.0.0.1:" + port), SOON, false));
        assertThat(failure.kind()).isEqualTo(EgressFailure.Kind.UNREACHABLE);
        assertThat(failure.sent()).isFalse();
        assertThat(sent).hasValue(0);
    }

    @Test
    void a_redirect_is_an_answer_like_any_other() throws Exception {
        try (var elsewhere = new RawHttpServer(says(RawHttpServer.answer(200, "text/plain", "")));
                var server =
                        new RawHttpServer(
                                says(
                                        RawHttpServer.answer(
                                                307,
                                                "text/plain",
                                                "",
                                                "Location: " + elsewhere.address("/"))))) {
            assertThat(text(post(server.address("/"), SOON, false))).startsWith("307");
            assertThat(elsewhere.connections()).isZero();
        }
    }

    @Test
    void a_challenge_is_an_answer_like_any_other() throws Exception {
        try (var server =
                new RawHttpServer(
                        says(
                                RawHttpServer.answer(
                                        401, "text/plain", "", "WWW-Authenticate: Basic")))) {
            assertThat(text(post(server.address("/"), SOON, false))).startsWith("401");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void a_cookie_is_not_kept() throws Exception {
        try (var server =
                new RawHttpServer(
                        says(
                                RawHttpServer.answer(
                                        200, "text/plain", "", "Set-Cookie: a=b; Path=/")))) {
            for (var i = 0; i < 3; i++) {
                text(post(server.address("/"), SOON, false));
            }
            assertThat(server.requests())
                    .hasSize(3)
                    .allSatisfy(each -> assertThat(each.headers()).doesNotContainKey("cookie"));
        }
    }

    @Test
    void a_body_of_the_limit_is_read_and_one_byte_more_is_not() throws Exception {
        var most = "x".repeat((int) BYTES_MAX);
        try (var server = new RawHttpServer(says(RawHttpServer.answer(200, "text/plain", most)))) {
            assertThat(text(post(server.address("/"), SOON, false))).endsWith(" " + most);
        }
        try (var server =
                new RawHttpServer(says(RawHttpServer.answer(200, "text/plain", most + "x")))) {
            assertThat(failure(post(server.address("/"), SOON, false)).kind())
                    .isEqualTo(EgressFailure.Kind.TOO_LARGE);
        }
    }

    @Test
    void an_endless_body_is_left_where_the_limit_is() throws Exception {
        var gone = new CountDownLatch(1);
        try (var server =
                new RawHttpServer((_, out) -> {
                    out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    try {
                        while (true) {
                            out.write(new byte[1 << 16]);
                        }
                    } finally {
                        gone.countDown();
                    }
                })) {
            assertThat(failure(post(server.address("/"), SOON, false)).kind())
                    .isEqualTo(EgressFailure.Kind.TOO_LARGE);
            assertThat(gone.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {60_000, 70_000})
    void headers_are_read_up_to_their_limit(int length) throws Exception {
        var header = "X-Long: " + "x".repeat(length);
        try (var server =
                new RawHttpServer(says(RawHttpServer.answer(200, "text/plain", "", header)))) {
            var request = post(server.address("/"), SOON, false);
            if (length < OutgoingHttp.HEADER_BYTES_MAX) {
                assertThat(text(request)).startsWith("200");
            } else {
                assertThat(failure(request).kind()).isEqualTo(EgressFailure.Kind.BROKEN);
            }
        }
    }

    @Test
    void signs_of_life_do_not_move_the_deadline() throws Exception {
        try (var server =
                new RawHttpServer((_, out) -> {
                    out.write(
                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    while (true) {
                        out.write(": alive\n\n".getBytes(StandardCharsets.US_ASCII));
                        out.flush();
                        Thread.sleep(50);
                    }
                })) {
            var failure = failure(post(server.address("/"), Duration.ofSeconds(4), false));
            assertThat(failure.kind()).isEqualTo(EgressFailure.Kind.TIMED_OUT);
            assertThat(failure.sent()).isTrue();
        }
    }

    @Test
    void a_silent_server_is_left_at_the_deadline() throws Exception {
        try (var server = new RawHttpServer((_, _) -> Thread.sleep(60_000))) {
            var failure = failure(post(server.address("/"), Duration.ofSeconds(4), false));
            assertThat(failure.kind()).isEqualTo(EgressFailure.Kind.TIMED_OUT);
            assertThat(failure.sent()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSH-2.0-Nothing\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nbroken",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nab",
            })
    void what_is_no_whole_answer_is_said_to_be_none(String said) throws Exception {
        try (var server =
                new RawHttpServer((_, out) -> {
                    out.write(said.getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                    throw new IOException("hang up");
                })) {
            var failure = failure(post(server.address("/"), SOON, false));
            assertThat(failure.kind()).isEqualTo(EgressFailure.Kind.BROKEN);
            assertThat(failure.sent()).isTrue();
        }
    }

    @Test
    void a_request_can_have_a_connection_of_its_own() throws Exception {
        try (var server = new RawHttpServer(says(RawHttpServer.answer(200, "text/plain", "")))) {
            // A connection is free for the next request soon after its answer was read; meanwhile
            // another may be made.
            int before;
            do {
                before = server.connections();
                text(post(server.address("/"), SOON, false));
            } while (server.connections() != before);
            for (var i = 0; i < 3; i++) {
                text(post(server.address("/"), SOON, true));
            }
            assertThat(server.connections()).isGreaterThanOrEqualTo(before + 3);
        }
    }

    @Test
    void a_connection_that_is_not_made_in_its_time_is_given_up() throws Exception {
        var hurried = http.connectingWithin(Duration.ofMillis(200));
        var waiting = new ArrayList<SocketChannel>();
        try (var deaf = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            // As many as the system takes for a program that accepts none.
            for (int i = 0; i < 8; i++) {
                var channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(deaf.getLocalSocketAddress());
                waiting.add(channel);
            }
            var address = URI.create("http://127.0.0.1:" + deaf.getLocalPort() + "/");
            long begun = System.nanoTime();
            var failure =
                    catchThrowableOfType(
                            EgressFailure.class,
                            () -> hurried.send(post(address, Duration.ofMinutes(1), false)));
            assertThat(failure.kind()).isEqualTo(EgressFailure.Kind.UNREACHABLE);
            assertThat(failure.sent()).isFalse();
            assertThat(failure.sentence()).contains("no connection in time");
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofMillis(200), SOON);
        } finally {
            for (var channel : waiting) {
                channel.close();
            }
        }
    }

    @Test
    void what_is_made_of_a_client_ends_with_it_and_does_not_end_it() throws Exception {
        try (var server = new RawHttpServer(says(RawHttpServer.answer(200, "text/plain", "")))) {
            var part = http.connectingWithin(SOON);
            try (var other = http.connectingWithin(SOON)) {
                assertThat(other.send(post(server.address("/"), SOON, false)).status())
                        .isEqualTo(200);
            }
            assertThat(text(post(server.address("/"), SOON, false))).startsWith("200");
            http.close();
            assertThatThrownBy(() -> part.send(post(server.address("/"), SOON, false)))
                    .isInstanceOf(EgressFailure.class)
                    .hasMessageContaining("stopping");
        }
    }

    @Test
    void who_is_interrupted_leaves_and_the_server_hears_of_it() throws Exception {
        var asked = new CountDownLatch(1);
        var gone = new CountDownLatch(1);
        try (var server =
                new RawHttpServer((_, out) -> {
                    out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    asked.countDown();
                    try {
                        while (true) {
                            out.write('x');
                            out.flush();
                            Thread.sleep(20);
                        }
                    } finally {
                        gone.countDown();
                    }
                })) {
            var request = post(server.address("/"), SOON, false);
            var thrown = new CompletableFuture<Throwable>();
            var reader =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    thrown.complete(new AssertionError(text(request)));
                                } catch (EgressFailure | InterruptedException ended) {
                                    thrown.complete(ended);
                                }
                            });
            asked.await();
            reader.interrupt();
            assertThat(thrown.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            assertThat(gone.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_stream_without_a_deadline_gives_what_comes_as_it_comes() throws Exception {
        var heard = new CountDownLatch(1);
        try (var server =
                new RawHttpServer((_, out) -> {
                    out.write("HTTP/1.1 200 OK\r\n\r\nfirst".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    heard.await();
                    out.write("second".getBytes(StandardCharsets.US_ASCII));
                    throw new IOException("hang up");
                })) {
            var request =
                    new OutgoingRequest(
                            "GET",
                            server.address("/"),
                            Map.of(),
                            Optional.empty(),
                            Optional.empty(),
                            BYTES_MAX,
                            true,
                            () -> {});
            try (var answer = http.send(request)) {
                var in = answer.body();
                assertThat(in.readNBytes(5)).asString().isEqualTo("first");
                heard.countDown();
                assertThat(in.readAllBytes()).asString().isEqualTo("second");
            }
        }
    }

    @Test
    void a_closed_client_sends_nothing() {
        http.close();
        assertThat(failure(post(URI.create("http://127.0.0.1:1/"), SOON, false)).sent()).isFalse();
    }

    @Test
    void many_ask_at_once() throws Exception {
        try (var server = new RawHttpServer(says(RawHttpServer.answer(200, "text/plain", "ok")))) {
            var all = new ArrayList<CompletableFuture<String>>();
            for (var i = 0; i < 50; i++) {
                var each = new CompletableFuture<String>();
                all.add(each);
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                each.complete(text(post(server.address("/"), SOON, false)));
                            } catch (EgressFailure | InterruptedException failed) {
                                each.completeExceptionally(failed);
                            }
                        });
            }
            for (var each : all) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isEqualTo("200 text/plain ok");
            }
        }
    }
}
