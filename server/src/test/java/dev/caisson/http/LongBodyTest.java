package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.RecordCopy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Bodies that are taken piece by piece.
class LongBodyTest {
    private static Site site(HttpLimits limits) throws Exception {
        return new Site(
                RecordCopy.with(HttpSettings.loopback(0), "limits", limits),
                Routes.builder().exact("/count", LongBodyTest::count));
    }

    private static void count(Exchange exchange) {
        var bytes = new AtomicLong();
        exchange.body(piece -> bytes.addAndGet(piece.remaining()));
        Site.reply(exchange, Long.toString(bytes.get()).getBytes(UTF_8));
    }

    @Test
    void a_body_beyond_the_limit_of_whole_ones_is_taken_in_pieces() throws Exception {
        int bytes = 8 * 1024 * 1024;
        try (var site = site(RecordCopy.with(HttpLimits.DEFAULT, "requests.bodyBytesMax", 1000));
                var socket = site.connect()) {
            Site.write(
                    socket,
                    Site.head("PUT /count", "Content-Length: " + bytes, "Connection: close"));
            Site.write(socket, "x".repeat(bytes));
            assertThat(Reply.read(socket).body()).isEqualTo(Integer.toString(bytes));
        }
    }

    @Test
    void whoever_sends_nothing_for_long_is_too_slow() throws Exception {
        try (var site =
                        site(
                                RecordCopy.with(
                                        HttpLimits.DEFAULT,
                                        "requests.time",
                                        Duration.ofSeconds(1)));
                var socket = site.connect()) {
            Site.write(socket, Site.head("PUT /count", "Content-Length: 1000"));
            Site.write(socket, "x".repeat(100));
            assertThat(Reply.read(socket).status()).isEqualTo(408);
        }
    }

    @Test
    void whoever_keeps_up_the_pace_may_take_longer_than_a_whole_body() throws Exception {
        try (var site =
                        site(
                                RecordCopy.with(
                                        HttpLimits.DEFAULT,
                                        "requests.time",
                                        Duration.ofSeconds(2)));
                var socket = site.connect()) {
            var piece = "x".repeat(1 << 20);
            Site.write(
                    socket,
                    Site.head(
                            "PUT /count",
                            "Content-Length: " + 4 * piece.length(),
                            "Connection: close"));
            for (int i = 0; i < 4; i++) {
                Site.write(socket, piece);
                Thread.sleep(900);
            }
            assertThat(Reply.read(socket).body()).isEqualTo(Integer.toString(4 * piece.length()));
        }
    }
}
