package dev.caisson.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink.Stream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputCaptureTest {
    private static final OutputLimits LIMITS =
            new OutputLimits(1024, 2048, 16 << 10, 1 << 20, 100_000);

    @TempDir Path root;
    private Spool spool;
    private Redactor redactor = new Redactor(List.of("hunter2!"), true);

    @BeforeEach
    void start() {
        spool = new Spool(root, LIMITS, OutputRetention.DEFAULT.bytes());
    }

    private OutputCapture capture() {
        return spool.capture(Caller.LOCAL, "exe", redactor, (_, _, _, _) -> {});
    }

    private static void write(OutputCapture capture, Stream stream, String text) {
        var bytes = text.getBytes(UTF_8);
        capture.write(stream, bytes, 0, bytes.length);
    }

    private CapturedOutput captured(String stdout) {
        try (var capture = capture()) {
            write(capture, Stream.STDOUT, stdout);
            return capture.finish();
        }
    }

    @Test
    void the_streams_are_kept_apart_and_whole() {
        try (var capture = capture()) {
            write(capture, Stream.STDOUT, "out ä\n");
            write(capture, Stream.STDERR, "err\n");
            var captured = capture.finish();

            assertThat(captured.stdout()).isEqualTo(whole(7, "out ä\n"));
            assertThat(captured.stderr()).isEqualTo(whole(4, "err\n"));
        }
    }

    @Test
    void output_of_exactly_the_limit_is_whole_and_one_byte_more_is_cut() {
        assertThat(captured("x".repeat(1024)).stdout().truncated()).isFalse();

        var cut = captured("a".repeat(512) + "-" + "z".repeat(512)).stdout();

        assertThat(cut.bytes()).isEqualTo(1025);
        assertThat(cut.text()).hasSizeBetween(990, 1024);
        assertThat(cut.text())
                .isEqualTo(
                        "a".repeat(463)
                                + "\n[... 99 bytes of stdout omitted; output_read has them from"
                                + " offset 463 ...]\n"
                                + "z".repeat(463));
        assertThat(cut.omittedBytes()).isEqualTo(99);
    }

    @Test
    void each_stream_has_its_own_limit() {
        for (var over = 0; over <= 1; over++) {
            try (var capture = capture()) {
                write(capture, Stream.STDOUT, "o".repeat(1024 + over));
                write(capture, Stream.STDERR, "e".repeat(2048 + over));
                var captured = capture.finish();

                assertThat(captured.stdout().truncated()).isEqualTo(over == 1);
                assertThat(captured.stderr().truncated()).isEqualTo(over == 1);
                assertThat(captured.stdout().text()).hasSizeBetween(990, 1024);
                assertThat(captured.stderr().text()).hasSizeBetween(2000, 2048);
            }
        }
    }

    @Test
    void what_is_put_in_the_place_of_output_counts_too() {
        for (var length : List.of(340, 341, 342, 1024, 1025, 5000, 100_000)) {
            var bytes = new byte[length];
            Arrays.fill(bytes, (byte) 0xff);
            try (var capture = capture()) {
                capture.write(Stream.STDOUT, bytes, 0, length);
                assertCountsItself(capture.finish().stdout(), length > 341);
            }
        }
        redactor = new Redactor(List.of(), true);
        for (var count : List.of(30, 1000)) {
            var cut = captured("A_TOKEN=x ".repeat(count)).stdout();
            assertCountsItself(cut, true);
            assertThat(cut.text()).contains("REDACTED").doesNotContain("TOKEN=x");
        }
    }

    private static void assertCountsItself(CapturedStream stream, boolean truncated) {
        assertThat(stream.text().getBytes(UTF_8)).hasSizeLessThanOrEqualTo(1024);
        assertThat(stream.truncated()).isEqualTo(truncated);
        assertThat(stream.text().contains("bytes of stdout omitted")).isEqualTo(truncated);
    }

    @Test
    void what_is_not_kept_is_not_promised() {
        var limit = (int) LIMITS.spoolBytes();
        assertThat(captured("x".repeat(limit)).stdout().text()).contains("has them from offset");
        assertThat(captured("x".repeat(limit + 2000)).stdout().text())
                .contains("; output_read has the first ");
    }

    @Test
    void a_cut_never_splits_a_character() {
        for (var shift = 0; shift < 4; shift++) {
            var text = "x".repeat(shift) + "😀".repeat(1000);
            var cut = captured(text).stdout();

            assertThat(cut.text()).doesNotContain("\ufffd");
            assertThat(cut.faithful()).isTrue();
            var shown = cut.text().replaceAll("\n\\[\\.\\.\\..*\\.\\.\\.]\n", "");
            assertThat(shown.getBytes(UTF_8).length + cut.omittedBytes()).isEqualTo(cut.bytes());
        }
    }

    @Test
    void invalid_utf8_is_replaced_and_flagged() {
        try (var capture = capture()) {
            capture.write(Stream.STDOUT, new byte[] {'a', (byte) 0xff, 0, 'b'}, 0, 4);
            var stdout = capture.finish().stdout();

            assertThat(stdout.text()).isEqualTo("a\ufffd\0b");
            assertThat(stdout.faithful()).isFalse();
            assertThat(stdout.bytes()).isEqualTo(4);
        }
    }

    @Test
    void a_secret_split_by_chunks_is_neither_shown_nor_stored() throws Exception {
        try (var capture = capture()) {
            write(capture, Stream.STDOUT, "my hun");
            write(capture, Stream.STDOUT, "ter2! yes");
            var captured = capture.finish();

            assertThat(captured.stdout().text()).isEqualTo("my [REDACTED:secret] yes");
            assertThat(captured.stdout().bytes()).isEqualTo(15);
            assertThat(captured.redactions()).isEqualTo(1);
        }
        try (var files = Files.walk(root)) {
            assertThat(files.filter(Files::isRegularFile))
                    .as("the stream, its timeline and the mark of its owner")
                    .hasSize(3)
                    .allSatisfy(file ->
                            assertThat(new String(Files.readAllBytes(file), UTF_8))
                                    .doesNotContain("hunter2!"));
        }
    }

    @Test
    void a_token_that_the_cut_splits_is_recognised() {
        var token = "ghp_" + "a".repeat(36);

        assertThat(captured("x".repeat(430) + " " + token + " " + "y".repeat(2000)).stdout().text())
                .contains(" [REDACTED:github-pat]\n[...")
                .doesNotContain("ghp_");
        assertThat(captured("x".repeat(2000) + " " + token + " " + "y".repeat(430)).stdout().text())
                .contains("...]\n[REDACTED:github-pat] y");
    }

    @Test
    void a_gigabyte_takes_constant_memory_and_is_counted_to_the_byte() {
        var chunk = "0123456789abcdef".repeat(4096).getBytes(UTF_8);
        var chunks = (1 << 30) / chunk.length;
        redactor = new Redactor(List.of(), true);
        var before = usedMemory();
        try (var capture = capture()) {
            for (var i = 0; i < chunks; i++) {
                capture.write(Stream.STDOUT, chunk, 0, chunk.length);
            }
            var stdout = capture.finish().stdout();

            assertThat(usedMemory() - before).isLessThan(64 << 20);
            assertThat(stdout.bytes()).isEqualTo(1 << 30);
            assertThat(stdout.omittedBytes()).isBetween((1L << 30) - 1024, (1L << 30) - 900);
            assertThat(stdout.storedBytes()).isEqualTo(LIMITS.spoolBytes());
            assertThat(stdout.text()).startsWith("0123").endsWith("cdef").hasSizeLessThan(2000);
        }
    }

    private static long usedMemory() {
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void the_tap_sees_the_output_without_the_secrets() {
        var seen = new StringBuilder();
        try (var capture =
                spool.capture(
                        Caller.LOCAL,
                        "exe",
                        redactor,
                        (_, bytes, from, length) ->
                                seen.append(new String(bytes, from, length, UTF_8)))) {
            write(capture, Stream.STDERR, "a hunter2! b");
        }
        assertThat(seen).hasToString("a [REDACTED:secret] b");
    }

    @Test
    void a_spool_that_cannot_be_written_does_not_fail_the_run() throws Exception {
        try (var capture = capture()) {
            Files.delete(root.resolve("output"));
            Files.writeString(root.resolve("output"), "in the way");
            write(capture, Stream.STDOUT, "still here");
            var stdout = capture.finish().stdout();

            assertThat(stdout.text()).isEqualTo("still here");
            assertThat(stdout.storedBytes()).as("in memory").isEqualTo(10);
            write(capture, Stream.STDERR, "x".repeat(OutputMemory.RUN_BYTES_MAX));
            var stderr = capture.finish().stderr();
            assertThat(stderr.text()).contains("omitted; output_read has the first");
            assertThat(stderr.storedBytes())
                    .as("as much as memory has room for")
                    .isLessThan(OutputMemory.RUN_BYTES_MAX);
            assertThat(capture.handOver()).as("what memory has").isPresent();
        }
    }

    @Test
    void head_and_tail_agree_with_the_stream_for_every_length() {
        for (var length = 0; length < 60; length++) {
            var kept = new HeadAndTail(20, 7);
            var all = new byte[length];
            for (var i = 0; i < length; i++) {
                all[i] = (byte) i;
            }
            for (var at = 0; at < length; at += 5) {
                kept.add(all, at, Math.min(5, length - at));
            }
            assertThat(kept.total()).isEqualTo(length);
            assertThat(kept.head()).isEqualTo(Arrays.copyOf(all, Math.min(20, length)));
            assertThat(kept.tail())
                    .isEqualTo(Arrays.copyOfRange(all, Math.max(0, length - 7), length));
        }
    }

    private static CapturedStream whole(long bytes, String text) {
        return new CapturedStream(bytes, text, 0, bytes, true, new CapturedStream.Excerpt(text, 0));
    }
}
