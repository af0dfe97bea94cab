package dev.caisson.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.RecordCopy;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Each limit on both of its sides.
class LimitsTest {
    private static final HttpLimits LIMITS = HttpLimits.DEFAULT;

    @Test
    void a_body_of_exactly_the_limit_is_read_and_one_byte_more_refused() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "requests.bodyBytesMax", 1000))) {
            assertThat(post(site, 1000, "x".repeat(1000)).body()).hasSize(1000);
            var refused = post(site, 1001, "x".repeat(1001));
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.body())
                    .startsWith(
                            "{\"error\":\"payload_too_large\",\"message\":\"The request's body is larger than"
                                    + " 1000 bytes.\"");
        }
    }

    @Test
    void a_chunked_body_of_exactly_the_limit_is_read_and_one_byte_more_refused() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "requests.bodyBytesMax", 1000))) {
            assertThat(chunked(site, 1000).status()).isEqualTo(200);
            assertThat(chunked(site, 1001).status()).isEqualTo(413);
        }
    }

    /// A client that sends everything before it reads must still get to read the answer.
    @Test
    void the_413_arrives_although_the_client_goes_on_sending() throws Exception {
        int bytes = 24 * 1024 * 1024;
        try (var site = Site.with(RecordCopy.with(LIMITS, "requests.bodyBytesMax", 1000));
                var socket = site.connect()) {
            Site.write(socket, Site.head("POST /echo", "Content-Length: " + bytes));
            Site.write(socket, "x".repeat(bytes));
            var reply = Reply.read(socket);
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.head()).contains("Connection: close");
            assertThat(reply.body()).contains("payload_too_large");
        }
    }

    @Test
    void an_answer_that_did_not_read_the_body_arrives_too() throws Exception {
        int bytes = 4 * 1024 * 1024;
        try (var site = Site.with(LIMITS);
                var socket = site.connect()) {
            // Said by the client, for the whole body may have come before the answer is made.
            var close = "Connection: close";
            Site.write(socket, Site.head("POST /unread", "Content-Length: " + bytes, close));
            Site.write(socket, "x".repeat(bytes));
            assertThat(Reply.read(socket).body()).isEqualTo("unread");
        }
    }

    @Test
    void the_413_arrives_at_a_client_that_sends_nothing_more() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "requests.bodyBytesMax", 1000));
                var socket = site.connect()) {
            Site.write(socket, Site.head("POST /echo", "Content-Length: 100000"));
            assertThat(Reply.read(socket).status()).isEqualTo(413);
        }
    }

    @Test
    void a_large_body_within_the_limit_is_read_whole() throws Exception {
        try (var site = Site.with(LIMITS)) {
            int bytes = LIMITS.requests().bodyBytesMax();
            assertThat(post(site, bytes, "x".repeat(bytes)).body()).hasSize(bytes);
        }
    }

    @Test
    void a_head_within_the_limit_is_read_and_a_larger_one_refused() throws Exception {
        try (var site = Site.with(LIMITS)) {
            int room = LIMITS.requests().headerBytesMax() - 200;
            assertThat(site.send("GET /unread", "X: " + "x".repeat(room) + "\r\n", "").status())
                    .isEqualTo(200);
            var refused = site.send("GET /unread", "X: " + "x".repeat(room + 200) + "\r\n", "");
            assertThat(refused.status()).isEqualTo(431);
            assertThat(refused.body()).startsWith("{\"error\":\"header_too_large\"");
        }
    }

    @Test
    void an_address_longer_than_the_head_may_be_is_refused() throws Exception {
        try (var site = Site.with(LIMITS)) {
            var refused = site.get("/path/" + "x".repeat(LIMITS.requests().headerBytesMax()));
            assertThat(refused.status()).isIn(414, 431);
            assertThat(refused.body()).startsWith("{\"error\":\"");
        }
    }

    @Test
    void a_body_that_stops_coming_is_answered_408() throws Exception {
        try (var site =
                        Site.with(
                                RecordCopy.with(LIMITS, "requests.time", Duration.ofMillis(300)));
                var socket = site.connect()) {
            Site.write(socket, Site.head("POST /echo", "Content-Length: 10") + "abc");
            var reply = Reply.read(socket);
            assertThat(reply.status()).isEqualTo(408);
            assertThat(reply.body()).startsWith("{\"error\":\"timeout\"");
        }
    }

    @Test
    void a_request_whose_body_stops_coming_is_counted_as_answered() throws Exception {
        try (var site =
                Site.with(RecordCopy.with(LIMITS, "requests.time", Duration.ofMillis(300)))) {
            try (var socket = site.connect()) {
                Site.write(socket, Site.head("POST /echo", "Content-Length: 10") + "abc");
                Site.readUntil(socket, "HTTP/1.1 408");
            }
            var answered = site.metrics.httpRequests().labelValues("/echo", "408");
            await().atMost(Duration.ofSeconds(30)).until(() -> answered.get() == 1);
            assertThat(site.metrics.faults().get()).isZero();
        }
    }

    @Test
    void a_body_that_trickles_is_answered_408() throws Exception {
        try (var site =
                        Site.with(
                                RecordCopy.with(LIMITS, "requests.time", Duration.ofMillis(500)));
                var socket = site.connect()) {
            Site.write(socket, Site.head("POST /echo", "Content-Length: 100000"));
            var trickle = Thread.ofVirtual().start(() -> trickle(socket, 3000));
            assertThat(Site.readUntil(socket, "\r\n\r\n")).startsWith("HTTP/1.1 408");
            trickle.interrupt();
        }
    }

    @Test
    void a_head_that_trickles_is_closed() throws Exception {
        try (var site =
                        Site.with(
                                RecordCopy.with(LIMITS, "requests.time", Duration.ofMillis(500)));
                var socket = site.connect()) {
            Site.write(socket, "GET /unread HTTP/1.1\r\nX: ");
            var trickle = Thread.ofVirtual().start(() -> trickle(socket, 3000));
            assertThat(isClosedByServer(socket)).isTrue();
            trickle.interrupt();
        }
    }

    @Test
    void a_kept_connection_may_wait_longer_than_a_request() throws Exception {
        try (var site =
                        Site.with(
                                RecordCopy.with(LIMITS, "requests.time", Duration.ofMillis(500)));
                var socket = site.connect()) {
            for (int i = 0; i < 2; i++) {
                Site.write(socket, Site.head("GET /unread"));
                assertThat(Site.readUntil(socket, "unread")).startsWith("HTTP/1.1 200");
                Thread.sleep(1000);
            }
        }
    }

    @Test
    void a_connection_nobody_uses_is_closed() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "idleTime", Duration.ofMillis(200)));
                var socket = site.connect()) {
            assertThat(isClosedByServer(socket)).isTrue();
        }
    }

    @Test
    void a_handler_may_think_longer_than_a_connection_may_be_idle() throws Exception {
        try (var site = Site.with(RecordCopy.with(LIMITS, "idleTime", Duration.ofMillis(500)));
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /wait"));
            Thread.sleep(1500);
            site.gate.countDown();
            assertThat(Site.readUntil(socket, "waited")).startsWith("HTTP/1.1 200");
        }
    }

    private static Reply post(Site site, int length, String body) throws Exception {
        return site.send("POST /echo", "Content-Length: " + length + "\r\n", body);
    }

    private static Reply chunked(Site site, int length) throws Exception {
        var body = Integer.toHexString(length) + "\r\n" + "x".repeat(length) + "\r\n0\r\n\r\n";
        return site.send("POST /echo", "Transfer-Encoding: chunked\r\n", body);
    }

    private static void trickle(Socket socket, int times) {
        try {
            for (int i = 0; i < times; i++) {
                Site.write(socket, "x");
                Thread.sleep(10);
            }
        } catch (java.io.IOException | InterruptedException theServerHadEnough) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isClosedByServer(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException stillOpen) {
            return false;
        } catch (java.io.IOException reset) {
            return true;
        }
    }
}
