package dev.caisson.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StreamScrubberTest {
    private static final String GONE = "[REDACTED:secret]";

    private static String scrub(List<String> values, int chunk, String text) {
        var clean = new ByteArrayOutputStream();
        var scrubber = new Redactor(values, false).scrubber(clean::write);
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        for (var at = 0; at < bytes.length; at += chunk) {
            scrubber.write(bytes, at, Math.min(chunk, bytes.length - at));
        }
        scrubber.end();
        return clean.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_value_is_found_wherever_the_chunks_end() {
        var text = "ä hunter2!hunter2 hunter hunte";
        for (var chunk = 1; chunk <= text.length() + 1; chunk++) {
            assertThat(scrub(List.of("hunter2"), chunk, text))
                    .as("chunks of %d", chunk)
                    .isEqualTo("ä " + GONE + "!" + GONE + " hunter hunte");
        }
    }

    @Test
    void overlapping_values_leave_nothing_of_either() {
        for (var chunk = 1; chunk <= 10; chunk++) {
            assertThat(scrub(List.of("abcd", "cdef"), chunk, "-abcdef-"))
                    .isEqualTo("-" + GONE + "-");
            assertThat(scrub(List.of("abcd", "abcdefgh"), chunk, "-abcdefx-abcdefgh"))
                    .isEqualTo("-" + GONE + "efx-" + GONE);
        }
    }

    @Test
    void a_value_inside_a_longer_one_shows_nothing_of_it() {
        var values = List.of("pass", "mypassword!");
        for (var chunk = 1; chunk <= 12; chunk++) {
            assertThat(scrub(values, chunk, "-mypassword!-")).isEqualTo("-" + GONE + "-");
            assertThat(scrub(values, chunk, "-mypassword-")).isEqualTo("-my" + GONE + "word-");
            assertThat(scrub(values, chunk, "mypasspass")).isEqualTo("my" + GONE + GONE);
        }
    }

    @Test
    void a_complete_value_is_replaced_at_once() {
        var clean = new ByteArrayOutputStream();
        var scrubber = new Redactor(List.of("hunter2", "2 hunters"), false).scrubber(clean::write);

        scrubber.write("it is hunter2".getBytes(StandardCharsets.UTF_8), 0, 13);

        assertThat(clean.toString(StandardCharsets.UTF_8)).isEqualTo("it is " + GONE);
    }

    @Test
    void nothing_is_held_back_that_cannot_be_a_secret() {
        var clean = new ByteArrayOutputStream();
        var scrubber = new Redactor(List.of("hunter2"), false).scrubber(clean::write);

        scrubber.write("prompt> hun".getBytes(StandardCharsets.UTF_8), 0, 11);

        assertThat(clean.toString(StandardCharsets.UTF_8)).isEqualTo("prompt> ");
    }

    @Test
    void a_value_longer_than_the_buffer_is_found() {
        var secret = "k".repeat(20_000) + "!";

        assertThat(scrub(List.of(secret), 777, "a" + secret + "b")).isEqualTo("a" + GONE + "b");
    }

    @Test
    void chunking_never_changes_the_result() {
        var random = new Random(42);
        for (var round = 0; round < 300; round++) {
            var text = new StringBuilder();
            for (var at = 0; at < 200; at++) {
                text.append((char) ('a' + random.nextInt(3)));
            }
            var values = List.of("abca", "cabcab", "bbbb");
            assertThat(scrub(values, 1 + random.nextInt(20), text.toString()))
                    .isEqualTo(scrub(values, 1000, text.toString()))
                    .isEqualTo(new Redactor(values, false).text(text.toString()))
                    .doesNotContain("abca", "bbbb");
        }
    }
}
