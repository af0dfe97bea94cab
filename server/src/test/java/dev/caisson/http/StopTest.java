package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.StreamEnd;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StopTest {
    /// A stop is over when all is sent, however long it might take.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void a_request_in_flight_is_answered_and_streams_end_properly() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var waiting = site.connect();
                var reading = site.connect()) {
            Site.write(waiting, Site.head("GET /wait"));
            assertThat(site.waiting.poll(30, TimeUnit.SECONDS)).isNotNull();
            Site.write(reading, Site.head("GET /stream"));
            var stream = site.streams.take();
            site.listener.onStop(() -> stream.write("last words\n".getBytes(UTF_8)));
            var stopping = Thread.ofVirtual().start(site.listener::close);
            Site.readUntil(reading, "last words\n");
            site.gate.countDown();
            assertThat(Reply.read(waiting).body()).isEqualTo("waited");
            assertThat(Site.readUntil(reading, "0\r\n\r\n")).isNotNull();
            stopping.join();
            assertThatThrownBy(site::connect).isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_stream_that_has_a_last_word_says_it_and_nothing_after_it() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var reading = site.connect()) {
            Site.write(reading, Site.head("GET /stream"));
            var stream = site.streams.take();
            stream.lastWord(why -> (why.word() + "\n").getBytes(UTF_8));
            site.listener.stop(PATIENCE, PATIENCE);
            assertThat(stream.write("late".getBytes(UTF_8))).isFalse();
            stream.closeFor(StreamEnd.KEY_REVOKED);
            assertThat(Site.readUntil(reading, "0\r\n\r\n"))
                    .contains("server_stopping\n")
                    .doesNotContain("late", "key_revoked");
        }
    }

    @Test
    void a_handler_that_does_not_end_is_interrupted_after_the_time_given() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var waiting = site.connect()) {
            Site.write(waiting, Site.head("GET /wait"));
            assertThat(site.waiting.poll(30, TimeUnit.SECONDS)).isNotNull();
            site.listener.stop(Duration.ofMillis(100), Duration.ofSeconds(2));
            assertThat(site.metrics.httpInFlight().get()).isZero();
            assertThat(site.metrics.faults().get()).isZero();
            var reply = Reply.read(waiting);
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.body()).contains("The server is stopping");
        }
    }

    @Test
    void a_reader_who_takes_nothing_does_not_hold_up_the_stop() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var stuck = site.connect()) {
            Site.write(stuck, Site.head("GET /stream"));
            site.streams.take().write(new byte[32 * 1024 * 1024]);
            site.listener.stop(Duration.ofMillis(100), Duration.ofSeconds(2));
            assertThat(site.metrics.httpStreams().get()).isZero();
        }
    }

    @Test
    void a_hook_that_fails_does_not_keep_the_rest_from_stopping() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var reading = site.connect()) {
            Site.write(reading, Site.head("GET /stream"));
            site.streams.take();
            site.listener.onStop(() -> {
                throw new IllegalStateException("no last words");
            });
            assertThatThrownBy(() -> site.listener.stop(PATIENCE, PATIENCE))
                    .hasMessage("no last words");
            assertThat(Site.readUntil(reading, "0\r\n\r\n")).isNotNull();
            assertThat(site.metrics.httpStreams().get()).isZero();
        }
    }

    @Test
    void stopping_twice_is_stopping_once() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT)) {
            site.listener.close();
            site.listener.close();
        }
    }
}
