package dev.caisson.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.RecordCopy;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.ShareLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What one key fills, another finds room in; and who has left holds nothing.
class SharesTest {
    private static final HttpLimits LIMITS = HttpLimits.DEFAULT;
    private static final String GREEDY = "Key: greedy";
    private static final String QUIET = "Key: quiet";

    @Test
    void a_key_with_its_share_of_requests_is_told_so_and_another_has_its_turn() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "requests.max", 4));
                var held = new Sockets(site)) {
            for (int i = 0; i < 3; i++) {
                Site.write(held.open(), Site.head("GET /wait", GREEDY));
                assertThat(site.waiting.poll(30, TimeUnit.SECONDS)).isNotNull();
            }
            var refused = send(site, "GET /wait", GREEDY);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.head()).contains("Retry-After: 1");
            assertThat(refused.body())
                    .contains("This key has 3 of the server's 4 requests under way")
                    .contains("\"share\":\"requests\"");
            assertThat(echo(site, QUIET, "hello").body()).isEqualTo("hello");
            assertThat(site.get("/healthz").status()).isEqualTo(200);
            site.gate.countDown();
            await().untilAsserted(
                            () -> assertThat(echo(site, GREEDY, "again").status()).isEqualTo(200));
        }
    }

    /// The check of a key asks the store, so addresses take turns for it before anybody is known.
    @Test
    void requests_whose_key_is_not_checked_yet_take_turns_by_address() throws Exception {
        var mine = ShareLimit.DEFAULT.of(OpenExchanges.ADMISSIONS_MAX);
        var checking = new LinkedBlockingQueue<String>();
        var checked = new CountDownLatch(1);
        var routes =
                Routes.builder()
                        .door(
                                "/check",
                                exchange -> {
                                    checking.add(exchange.clientAddress());
                                    checked.await();
                                    throw new Refusal(Reason.UNAUTHORIZED, "Who are you?");
                                });
        try (var site = new Site(HttpSettings.loopback(0), routes);
                var held = new Sockets(site);
                var other =
                        new Socket(
                                InetAddress.getLoopbackAddress(),
                                site.listener.port(),
                                InetAddress.ofLiteral("127.0.0.2"),
                                0)) {
            for (int i = 0; i < 100; i++) {
                Site.write(held.open(), Site.head("GET /check"));
            }
            await().until(() -> checking.size() >= mine);
            Site.write(other, Site.head("GET /check"));
            await().until(() -> checking.contains("127.0.0.2"));
            assertThat(checking).hasSize((int) mine + 1);
            assertThat(site.get("/healthz").status()).isEqualTo(200);
            checked.countDown();
            for (var socket : held.all) {
                assertThat(Site.readUntil(socket, "\r\n\r\n")).startsWith("HTTP/1.1 401");
            }
        }
    }

    @Test
    void what_anybody_may_ask_takes_a_place_in_the_name_of_the_address() throws Exception {
        try (var site =
                        withDoor(
                                RecordCopy.with(LIMITS, "requests.max", 4),
                                "/anybody",
                                (each, exchange) -> {
                                    exchange.admittedByAddress();
                                    each.waitForGate(exchange);
                                });
                var held = new Sockets(site)) {
            for (int i = 0; i < 3; i++) {
                Site.write(held.open(), Site.head("GET /anybody"));
                assertThat(site.waiting.poll(30, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(site.get("/anybody").status()).isEqualTo(429);
            assertThat(echo(site, QUIET, "hello").body()).isEqualTo("hello");
        }
    }

    /// A file is open as long as it comes.
    @Test
    void a_request_keeps_its_place_while_its_body_is_taken_in_pieces() throws Exception {
        try (var site =
                        withDoor(
                                RecordCopy.with(LIMITS, "requests.max", 4),
                                "/store",
                                (each, exchange) -> {
                                    each.waiting.add("here");
                                    exchange.body(_ -> {});
                                    Site.reply(exchange, new byte[0]);
                                });
                var held = new Sockets(site)) {
            for (int i = 0; i < 3; i++) {
                Site.write(held.open(), Site.head("PUT /store", GREEDY, "Content-Length: 5"));
                assertThat(site.waiting.poll(30, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(send(site, "PUT /store", GREEDY).status()).isEqualTo(429);
            assertThat(send(site, "PUT /store", QUIET).status()).isEqualTo(200);
        }
    }

    /// What was done is not done again for want of memory for the answer.
    @Test
    void a_whole_answer_waits_for_its_share_of_memory() throws Exception {
        var limits = RecordCopy.with(LIMITS, "memory", new HttpMemory(64 << 20, 24 << 20));
        try (var site =
                        withDoor(
                                limits,
                                "/big",
                                (each, exchange) -> {
                                    each.waiting.add("here");
                                    Site.reply(exchange, new byte[8 << 20]);
                                });
                var held = new Sockets(site)) {
            Site.write(held.open(), Site.head("GET /stream", GREEDY));
            assertThat(site.streams.take().write(new byte[16 << 20])).isTrue();
            Site.write(held.open(), Site.head("GET /big", GREEDY));
            assertThat(site.waiting.poll(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(echo(site, QUIET, "hello").body()).isEqualTo("hello");
            held.all.getFirst().close();
            assertThat(Site.readUntil(held.all.getLast(), "\r\n\r\n")).startsWith("HTTP/1.1 200");
        }
    }

    /// What a door of a test does.
    private interface Act {
        void handle(Site site, Exchange exchange) throws Exception;
    }

    /// A site with one more door, which admits like the others unless it does by itself.
    private static Site withDoor(HttpLimits limits, String path, Act act) throws Exception {
        var built = new AtomicReference<Site>();
        Handler handler = exchange -> act.handle(built.get(), exchange);
        var routes =
                Routes.builder()
                        .door(
                                path,
                                exchange -> {
                                    if (exchange.header("Key").isPresent()) {
                                        Site.admitted(exchange, handler);
                                    } else {
                                        handler.handle(exchange);
                                    }
                                });
        built.set(new Site(RecordCopy.with(HttpSettings.loopback(0), "limits", limits), routes));
        return built.get();
    }

    @Test
    void a_request_has_no_place_while_its_body_comes() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "requests.max", 4));
                var held = new Sockets(site)) {
            for (int i = 0; i < 20; i++) {
                Site.write(
                        held.open(), Site.head("POST /echo", GREEDY, "Content-Length: 5") + "he");
            }
            assertThat(echo(site, GREEDY, "hello").body()).isEqualTo("hello");
            assertThat(echo(site, QUIET, "hello").body()).isEqualTo("hello");
            for (var socket : held.all) {
                Site.write(socket, "llo");
                assertThat(Site.readUntil(socket, "\r\n\r\n")).startsWith("HTTP/1.1 200");
            }
        }
    }

    @Test
    void memory_for_bodies_is_taken_before_they_come_and_given_back_by_those_who_leave()
            throws Exception {
        var limits = RecordCopy.with(LIMITS, "memory", new HttpMemory(4 * 8 * 1000, 1 << 20));
        try (var site = Site.with(limits);
                var held = new Sockets(site)) {
            for (int i = 0; i < 3; i++) {
                var head = Site.head("POST /echo", GREEDY, "Content-Length: 1000");
                Site.write(held.open(), head + "x");
            }
            await().untilAsserted(() -> {
                var refused = echo(site, GREEDY, "x".repeat(100));
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.body()).contains("\"share\":\"bodies\"");
            });
            assertThat(chunked(site, GREEDY, 100).status()).isEqualTo(429);
            assertThat(echo(site, QUIET, "x".repeat(900)).status()).isEqualTo(200);
            await().untilAsserted(
                            () -> assertThat(chunked(site, QUIET, 900).status()).isEqualTo(200));
            held.closeAll();
            await().untilAsserted(() ->
                    assertThat(echo(site, GREEDY, "x".repeat(1000)).status()).isEqualTo(200));
        }
    }

    /// However little memory there is, the largest body that is allowed comes in.
    @Test
    void one_body_always_fits() throws Exception {
        try (var site =
                Site.with(RecordCopy.with(LIMITS, "memory", new HttpMemory(1000, 1 << 20)))) {
            assertThat(echo(site, QUIET, "x".repeat(100_000)).status()).isEqualTo(200);
        }
    }

    @Test
    void a_key_with_its_share_of_streams_is_told_so_and_another_has_its_turn() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "streams.max", 4));
                var held = new Sockets(site)) {
            for (int i = 0; i < 3; i++) {
                Site.write(held.open(), Site.head("GET /stream", GREEDY));
                assertThat(Site.readUntil(held.all.getLast(), "\r\n\r\n"))
                        .startsWith("HTTP/1.1 200");
            }
            var refused = send(site, "GET /stream", GREEDY);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body()).contains("\"share\":\"streams\"");
            var other = held.open();
            Site.write(other, Site.head("GET /stream", QUIET));
            assertThat(Site.readUntil(other, "\r\n\r\n")).startsWith("HTTP/1.1 200");
        }
    }

    /// Those who follow the links of one maker have one share together, wherever they come from.
    @Test
    void links_of_one_maker_leave_some_to_those_of_another() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "streams.max", 8));
                var held = new Sockets(site)) {
            for (int host = 2; host <= 7; host++) {
                assertThat(follow(held.openFrom(host), "a")).startsWith("HTTP/1.1 200");
            }
            var refused = held.openFrom(8);
            assertThat(follow(refused, "a")).startsWith("HTTP/1.1 429");
            assertThat(Site.readUntil(refused, "}")).contains("\"share\":\"links\"");
            assertThat(follow(held.openFrom(9), "b")).startsWith("HTTP/1.1 200");

            held.closeAll();
            site.streams.forEach(OutStream::close);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> follow(held.openFrom(10), "a").startsWith("HTTP/1.1 200"));
        }
    }

    private static String follow(Socket from, String maker) throws IOException {
        Site.write(from, Site.head("GET /link?maker=" + maker));
        return Site.readUntil(from, "\r\n\r\n");
    }

    /// Nothing is written to these streams, so nothing but the kernel says that they are gone.
    @Test
    void who_has_left_holds_no_stream() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "streams.max", 4))) {
            try (var held = new Sockets(site)) {
                for (int i = 0; i < 3; i++) {
                    Site.write(held.open(), Site.head("GET /stream", GREEDY));
                    Site.readUntil(held.all.getLast(), "\r\n\r\n");
                }
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> site.metrics.httpStreams().get() == 0);
        }
    }

    @Test
    void who_has_left_holds_no_place_though_its_handler_goes_on() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "requests.max", 4))) {
            try (var held = new Sockets(site)) {
                for (int i = 0; i < 3; i++) {
                    Site.write(held.open(), Site.head("GET /wait", GREEDY));
                    assertThat(site.waiting.poll(30, TimeUnit.SECONDS)).isNotNull();
                }
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> site.metrics.httpInFlight().get() == 0);
            assertThat(echo(site, GREEDY, "hello").status()).isEqualTo(200);
        }
    }

    /// A reader who takes nothing holds memory of its own share alone.
    @Test
    void answers_that_nobody_reads_take_of_their_own_share() throws Exception {
        var limits = RecordCopy.with(LIMITS, "memory", new HttpMemory(64 << 20, 32 << 20));
        try (var site = Site.with(limits);
                var held = new Sockets(site)) {
            Site.write(held.open(), Site.head("GET /stream", GREEDY));
            var greedy = site.streams.take();
            Site.write(held.open(), Site.head("GET /stream", QUIET));
            var quiet = site.streams.take();
            var big = new byte[16 << 20];
            assertThat(greedy.write(big)).isTrue();
            assertThat(greedy.isOpen()).isTrue();
            assertThat(quiet.write(new byte[100_000])).isTrue();
            Site.write(held.open(), Site.head("GET /stream", GREEDY));
            assertThat(site.streams.take().write(big)).isFalse();
        }
    }

    @Test
    void a_key_with_its_share_of_connections_is_told_so_and_another_has_its_turn()
            throws Exception {
        var limits = RecordCopy.with(LIMITS, "streams.max", 2, "requests.max", 4);
        assertThat(limits.connectionsMax()).isEqualTo(10);
        try (var site = Site.with(limits);
                var held = new Sockets(site)) {
            for (int i = 0; i < 7; i++) {
                assertThat(kept(held, GREEDY)).startsWith("HTTP/1.1 200");
            }
            assertThat(kept(held, GREEDY)).startsWith("HTTP/1.1 429").contains("Connection: close");
            held.all.removeLast().close();
            assertThat(kept(held, QUIET)).startsWith("HTTP/1.1 200");
            assertThat(site.get("/healthz").status()).isEqualTo(200);
            held.closeAll();
            await().untilAsserted(() -> {
                try (var again = new Sockets(site)) {
                    assertThat(kept(again, GREEDY)).startsWith("HTTP/1.1 200");
                }
            });
        }
    }

    @Test
    void connections_nobody_was_let_in_on_make_room_for_those_who_come_from_the_same_address()
            throws Exception {
        var limits = RecordCopy.with(LIMITS, "streams.max", 2, "requests.max", 4);
        try (var site = Site.with(limits);
                var idle = new Sockets(site);
                var held = new Sockets(site)) {
            for (int i = 0; i < 30; i++) {
                idle.open();
            }
            assertThat(kept(held, QUIET)).startsWith("HTTP/1.1 200");
            for (int i = 0; i < 30; i++) {
                idle.open();
            }
            assertThat(site.get("/healthz").status()).isEqualTo(200);
            Site.write(held.all.getFirst(), Site.head("GET /wait", QUIET));
            site.gate.countDown();
            assertThat(Site.readUntil(held.all.getFirst(), "waited")).startsWith("HTTP/1.1 200");
            assertThat(idle.all.getFirst().getInputStream().read()).isEqualTo(-1);
        }
    }

    /// On a connection that stays.
    private static String kept(Sockets held, String key) throws IOException {
        var socket = held.open();
        Site.write(socket, Site.head("POST /echo", key, "Content-Length: 1") + "x");
        var head = Site.readUntil(socket, "\r\n\r\n");
        if (head.startsWith("HTTP/1.1 200")) {
            Site.readUntil(socket, "x");
        }
        return head;
    }

    private static Reply send(Site site, String line, String header) throws IOException {
        return site.send(line, header + "\r\n", "");
    }

    private static Reply echo(Site site, String key, String body) throws IOException {
        return site.send("POST /echo", key + "\r\nContent-Length: " + body.length() + "\r\n", body);
    }

    private static Reply chunked(Site site, String key, int length) throws IOException {
        var body = Integer.toHexString(length) + "\r\n" + "x".repeat(length) + "\r\n0\r\n\r\n";
        return site.send("POST /echo", key + "\r\nTransfer-Encoding: chunked\r\n", body);
    }

    /// Connections of one test.
    private static final class Sockets implements AutoCloseable {
        private final Site site;
        final List<Socket> all = new ArrayList<>();

        Sockets(Site site) {
            this.site = site;
        }

        Socket open() throws IOException {
            all.add(site.connect());
            return all.getLast();
        }

        /// From another address of this machine's loopback.
        Socket openFrom(int host) throws IOException {
            var own = InetAddress.ofLiteral("127.0.0." + host);
            var there = InetAddress.ofLiteral("127.0.0.1");
            var socket = new Socket(there, site.listener.port(), own, 0);
            socket.setSoTimeout(60_000);
            all.add(socket);
            return socket;
        }

        void closeAll() throws IOException {
            for (var socket : all) {
                socket.close();
            }
        }

        @Override
        public void close() throws IOException {
            closeAll();
        }
    }
}
