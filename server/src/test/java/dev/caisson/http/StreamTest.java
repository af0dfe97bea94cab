package dev.caisson.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.RecordCopy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StreamTest {
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(UTF_8);

    @Test
    void the_head_arrives_before_anything_is_written() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /stream"));
            assertThat(Site.readUntil(socket, "\r\n\r\n"))
                    .contains("Content-Type: text/event-stream");
        }
    }

    @Test
    void what_is_written_arrives_in_order_and_the_end_is_proper() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /stream"));
            var stream = site.streams.take();
            for (int i = 0; i < 1000; i++) {
                assertThat(stream.write(("event " + i + "\n").getBytes(UTF_8))).isTrue();
            }
            stream.close();
            stream.close();
            assertThat(stream.write(HEARTBEAT)).isFalse();
            var text = Site.readUntil(socket, "0\r\n\r\n");
            for (int i = 0, at = 0; i < 1000; i++) {
                at = text.indexOf("event " + i + "\n", at);
                assertThat(at).as("event %s", i).isPositive();
            }
        }
    }

    @Test
    void a_writer_that_waits_for_its_reader_is_not_cut_off() throws Exception {
        var limits = RecordCopy.with(HttpLimits.DEFAULT, "streams.bufferBytesMax", 10_000);
        var piece = "~".repeat(1000).getBytes(UTF_8);
        try (var site = Site.with(limits);
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /stream", "Connection: close"));
            var stream = site.streams.take();
            var written = new AtomicInteger();
            var writer =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    while (written.get() < 20_000
                                            && stream.write(piece)
                                            && stream.awaitHeld(5_000)) {
                                        written.incrementAndGet();
                                    }
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                                stream.close();
                            });
            await().until(() -> writer.getState() == Thread.State.WAITING);
            assertThat(written.get()).isLessThan(20_000);

            var all = new String(socket.getInputStream().readAllBytes(), UTF_8);
            assertThat(all.chars().filter(c -> c == '~').count()).isEqualTo(20_000_000);
        }
    }

    @Test
    void a_writer_that_waits_is_told_when_its_reader_is_gone() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT)) {
            try (var socket = site.connect()) {
                Site.write(socket, Site.head("GET /stream"));
                Site.readUntil(socket, "\r\n\r\n");
            }
            var stream = site.streams.take();
            await().until(() -> !stream.write(HEARTBEAT) || !stream.isOpen());
            assertThat(stream.awaitHeld(0)).isFalse();
        }
    }

    @Test
    void the_connection_is_kept_after_a_stream_ended() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /stream"));
            site.streams.take().close();
            Site.readUntil(socket, "0\r\n\r\n");
            Site.write(socket, Site.head("GET /unread"));
            assertThat(Site.readUntil(socket, "unread")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void close_listeners_are_told_once_also_late_ones() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT);
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /stream"));
            var stream = site.streams.take();
            var told = new AtomicInteger();
            stream.onClose(told::incrementAndGet);
            stream.close();
            Site.readUntil(socket, "0\r\n\r\n");
            await().until(() -> told.get() == 1);
            stream.onClose(told::incrementAndGet);
            assertThat(told).hasValue(2);
        }
    }

    @Test
    void a_lost_client_is_found_by_writing() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT)) {
            var over = new CountDownLatch(1);
            OutStream stream;
            try (var socket = site.connect()) {
                Site.write(socket, Site.head("GET /stream"));
                Site.readUntil(socket, "\r\n\r\n");
                stream = site.streams.take();
                stream.onClose(over::countDown);
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> !stream.write(HEARTBEAT) && !stream.isOpen());
            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
            await().until(() -> site.metrics.httpStreams().get() == 0);
        }
    }

    @Test
    void a_reader_too_far_behind_loses_its_stream_and_nobody_else_does() throws Exception {
        var limits = RecordCopy.with(HttpLimits.DEFAULT, "streams.bufferBytesMax", 256 * 1024);
        try (var site = Site.with(limits);
                var slow = site.connect();
                var good = site.connect()) {
            Site.write(slow, Site.head("GET /stream"));
            var behind = site.streams.take();
            Site.write(good, Site.head("GET /stream"));
            var other = site.streams.take();
            var over = new CountDownLatch(1);
            behind.onClose(over::countDown);
            var chunk = new byte[64 * 1024];
            int written = 0;
            // Far more than the limit and what the kernel buffers.
            while (written < 4096 && behind.write(chunk)) {
                written++;
            }
            assertThat(written).isBetween(4, 4095);
            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(behind.isOpen()).isFalse();
            assertThat(other.write("still here\n".getBytes(UTF_8))).isTrue();
            assertThat(Site.readUntil(good, "still here\n")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void a_message_larger_than_the_limit_reaches_a_reader_who_keeps_up() throws Exception {
        try (var site =
                        Site.with(
                                RecordCopy.with(
                                        HttpLimits.DEFAULT, "streams.bufferBytesMax", 1000));
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /stream"));
            var stream = site.streams.take();
            assertThat(stream.write("x".repeat(2_000_000).getBytes(UTF_8))).isTrue();
            stream.close();
            assertThat(Site.readUntil(socket, "0\r\n\r\n")).hasSizeGreaterThan(2_000_000);
        }
    }

    @Test
    void a_reader_who_takes_nothing_loses_its_stream_after_the_idle_time() throws Exception {
        var limits = RecordCopy.with(HttpLimits.DEFAULT, "idleTime", Duration.ofMillis(300));
        try (var site = Site.with(limits);
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /stream"));
            var stream = site.streams.take();
            var over = new CountDownLatch(1);
            stream.onClose(over::countDown);
            stream.write(new byte[32 * 1024 * 1024]);
            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_silent_stream_outlives_the_idle_time() throws Exception {
        var limits = RecordCopy.with(HttpLimits.DEFAULT, "idleTime", Duration.ofMillis(500));
        try (var site = Site.with(limits);
                var socket = site.connect()) {
            Site.write(socket, Site.head("GET /stream"));
            var stream = site.streams.take();
            Thread.sleep(1500);
            assertThat(stream.write("late\n".getBytes(UTF_8))).isTrue();
            assertThat(Site.readUntil(socket, "late\n")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void many_open_streams_hold_no_thread() throws Exception {
        try (var site = Site.with(HttpLimits.DEFAULT)) {
            var sockets = new java.util.ArrayList<java.net.Socket>();
            for (int i = 0; i < 300; i++) {
                var socket = site.connect();
                sockets.add(socket);
                Site.write(socket, Site.head("GET /stream"));
            }
            await().until(() -> site.streams.size() == 300);
            await().until(() -> site.metrics.httpInFlight().get() == 0);
            assertThat(site.metrics.httpStreams().get()).isEqualTo(300);
            for (var socket : sockets) {
                socket.close();
            }
        }
    }
}
