package dev.caisson.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink.Stream;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.TestWorkers;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final OutputLimits LIMITS =
            new OutputLimits(1024, 2048, 16 << 10, 1 << 20, 100_000);
    private static final Caller BOB = new Caller("bob", "Bob", Set.of(), Set.of());
    private static final Redactor NOTHING = new Redactor(List.of(), false);

    @TempDir Path root;

    private Spool spool() {
        return new Spool(root, LIMITS, OutputRetention.DEFAULT.bytes());
    }

    private SpooledOutput stored(String stdout) {
        var spool = spool();
        store(spool, "exe", stdout);
        return spool.find(Caller.LOCAL, "exe").orElseThrow();
    }

    private static void store(Spool spool, String execution, String stdout) {
        try (var capture = spool.capture(Caller.LOCAL, execution, NOTHING, (_, _, _, _) -> {})) {
            var bytes = stdout.getBytes(UTF_8);
            capture.write(Stream.STDOUT, bytes, 0, bytes.length);
        }
    }

    @Test
    void output_is_found_by_its_owner_alone_and_after_a_restart() {
        stored("hello");

        assertThat(spool().find(Caller.LOCAL, "exe")).isPresent();
        assertThat(spool().find(BOB, "exe")).isEmpty();
        assertThat(spool().find(Caller.LOCAL, "../exe")).isEmpty();
    }

    private static KeptValue keep(Spool spool, String execution, String json)
            throws InterruptedException {
        try (var capture = spool.capture(Caller.LOCAL, execution, NOTHING, (_, _, _, _) -> {})) {
            return capture.keep(
                    new ByteArrayInputStream(json.getBytes(UTF_8)),
                    new CallerWorkers(TestWorkers.WORKERS, Caller.LOCAL.id()));
        }
    }

    @Test
    void a_value_is_kept_as_output_is() throws Exception {
        var spool = new Spool(root, LIMITS, 150_000);
        var value = "\"" + "ä".repeat(40_000) + "\"";

        assertThat(keep(spool, "one", value)).isEqualTo(new KeptValue.Stored(80_002));
        var kept = spool.find(Caller.LOCAL, "one").orElseThrow();
        assertThat(kept.valueBytes()).isEqualTo(80_002);
        var first = kept.readValue(0, 50_000, NOTHING);
        var second = kept.readValue(first.nextOffset(), 50_000, NOTHING);
        assertThat(first.text() + second.text()).isEqualTo(value);
        assertThat(second.last()).isTrue();

        keep(spool, "two", value);
        keep(spool, "three", "1");
        assertThat(
                        spool.find(Caller.LOCAL, "one").isPresent()
                                && spool.find(Caller.LOCAL, "two").isPresent())
                .as("both, over the limit on all")
                .isFalse();
        spool.forgetBefore(Instant.now().plusSeconds(60));
        assertThat(spool.find(Caller.LOCAL, "three")).as("too old").isEmpty();
    }

    @Test
    void a_value_that_is_not_kept_whole_is_not_kept() throws Exception {
        var spool = spool();
        var limit = (int) LIMITS.dataBytes();
        assertThat(keep(spool, "fits", "\"" + "x".repeat(limit - 2) + "\""))
                .isEqualTo(new KeptValue.Stored(limit));
        assertThat(keep(spool, "long", "\"" + "x".repeat(limit - 1) + "\""))
                .isEqualTo(new KeptValue.TooLarge());
        assertThat(keep(spool, "broken", "[1," + "2,".repeat(40_000)))
                .isEqualTo(new KeptValue.NotJson());
        for (var none : List.of("long", "broken")) {
            assertThat(spool.find(Caller.LOCAL, none).map(SpooledOutput::valueBytes).orElse(0L))
                    .isZero();
        }
    }

    @Test
    void while_it_is_being_written_only_what_cannot_change_is_shown() {
        var patterns = new Redactor(List.of(), true);
        var output = stored("one\ntwo\nthr");
        var piece = output.follow(Stream.STDOUT, 0, 1000, patterns);
        assertThat(piece.text()).isEqualTo("one\ntwo\n");
        assertThat(piece.nextOffset()).isEqualTo(8);
        assertThat(output.follow(Stream.STDOUT, 8, 1000, patterns).text()).isEmpty();
        assertThat(output.follow(Stream.STDOUT, 8, 1000, patterns).nextOffset()).isEqualTo(8);
        assertThat(output.follow(Stream.STDOUT, 4, 1000, patterns).text()).isEqualTo("two\n");
        assertThat(output.follow(Stream.STDERR, 0, 1000, patterns).nextOffset()).isZero();
        assertThat(output.read(Stream.STDOUT, 8, 1000, patterns).text()).isEqualTo("thr");
    }

    @Test
    void a_key_whose_end_has_not_come_is_not_shown_and_a_long_line_is() {
        var patterns = new Redactor(List.of(), true);
        var key = stored("before\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n");
        assertThat(key.follow(Stream.STDOUT, 0, 1000, patterns).text()).isEqualTo("before\n");

        var line = stored("x".repeat(3 * OutputLimits.WINDOW));
        var piece = line.follow(Stream.STDOUT, 0, 1 << 20, patterns);
        assertThat(piece.text()).hasSize(2 * OutputLimits.WINDOW);
        assertThat(line.follow(Stream.STDOUT, piece.nextOffset(), 1 << 20, patterns).text())
                .isEmpty();
    }

    @Test
    void pieces_put_together_are_the_stream() {
        var text = "añ😀\n".repeat(1000);
        var output = stored(text);
        var read = new StringBuilder();
        var offset = 0L;
        SpooledOutput.Piece piece;
        do {
            piece = output.read(Stream.STDOUT, offset, 101, NOTHING);
            assertThat(piece.offset()).isEqualTo(offset);
            read.append(piece.text());
            offset = piece.nextOffset();
        } while (!piece.last());

        assertThat(read).hasToString(text);
        assertThat(output.read(Stream.STDOUT, 1 << 20, 10, NOTHING).text()).isEmpty();
        assertThat(output.read(Stream.STDERR, 0, 10, NOTHING).text()).isEmpty();
    }

    @Test
    void a_token_at_the_border_of_a_piece_is_recognised() {
        var output = stored("x ghp_" + "a".repeat(36) + " y");
        var patterns = new Redactor(List.of(), true);

        assertThat(output.read(Stream.STDOUT, 0, 12, patterns).text())
                .isEqualTo("x [REDACTED:github-pat]");
        assertThat(output.read(Stream.STDOUT, 12, 100, patterns).text())
                .isEqualTo("[REDACTED:github-pat] y");
    }

    @Test
    void the_order_in_time_is_kept() {
        var spool = spool();
        try (var capture = spool.capture(Caller.LOCAL, "exe", NOTHING, (_, _, _, _) -> {})) {
            for (var i = 0; i < 3; i++) {
                capture.write(Stream.STDOUT, ("o" + i).getBytes(UTF_8), 0, 2);
                capture.write(Stream.STDERR, ("e" + i).getBytes(UTF_8), 0, 2);
            }
        }
        var output = spool.find(Caller.LOCAL, "exe").orElseThrow();

        var all = output.interleaved(0, 100, NOTHING);
        var rest = output.interleaved(4, 1, NOTHING);

        assertThat(words(all)).isEqualTo("o0 e0 o1 e1 o2 e2");
        assertThat(all.last()).isTrue();
        assertThat(words(rest)).isEqualTo("o2");
        assertThat(rest.nextChunk()).isEqualTo(5);
        assertThat(rest.last()).isFalse();
    }

    private static String words(SpooledOutput.Moments moments) {
        return moments.moments().stream()
                .map(SpooledOutput.Moment::text)
                .collect(Collectors.joining(" "));
    }

    @Test
    void grep_finds_lines_with_their_number_and_offset() throws Exception {
        var output = stored("one\ntwo\nthree\ntwo");

        assertThat(
                        output.grep(
                                Stream.STDOUT,
                                new Grep("^tw.$", 10),
                                NOTHING,
                                TestWorkers.COMPUTING))
                .isEqualTo(
                        new Grep.Found(
                                List.of(new Grep.Line(2, 4, "two"), new Grep.Line(4, 14, "two")),
                                Grep.End.COMPLETE));
    }

    @Test
    void grep_stops_at_its_limit_of_lines() throws Exception {
        var output = stored("x\n".repeat(10));

        assertThat(
                        output.grep(Stream.STDOUT, new Grep("x", 3), NOTHING, TestWorkers.COMPUTING)
                                .lines())
                .hasSize(3);
        assertThat(
                        output.grep(Stream.STDOUT, new Grep("x", 3), NOTHING, TestWorkers.COMPUTING)
                                .end())
                .isEqualTo(Grep.End.ENOUGH_FOUND);
    }

    @Test
    void a_line_without_end_is_looked_at_in_pieces() throws Exception {
        var output = stored("x".repeat(100_000) + "needle" + "x".repeat(100_000));

        var found =
                output.grep(Stream.STDOUT, new Grep("needle", 10), NOTHING, TestWorkers.COMPUTING);

        assertThat(found.lines()).hasSize(1);
        assertThat(found.lines().getFirst().text()).hasSize(RedactedLines.LINE_BYTES_MAX);
    }

    @Test
    void grep_does_not_confirm_what_is_struck() throws Exception {
        var secret = "ghp_" + "a".repeat(36);
        var output = stored("x " + secret + " y\nplain\n");
        var patterns = new Redactor(List.of(), true);

        for (var guess : List.of("ghp_", "ghp_a{36}", "a", "x ghp", "aaa y")) {
            assertThat(
                            output.grep(
                                            Stream.STDOUT,
                                            new Grep("(?:" + guess + ") ?y?$", 10),
                                            patterns,
                                            TestWorkers.COMPUTING)
                                    .lines())
                    .as(guess)
                    .noneMatch(line -> line.number() == 1);
        }
        assertThat(
                        output.grep(
                                        Stream.STDOUT,
                                        new Grep("REDACTED", 10),
                                        patterns,
                                        TestWorkers.COMPUTING)
                                .lines())
                .containsExactly(new Grep.Line(1, 0, "x [REDACTED:github-pat] y"));
    }

    @Test
    void grep_knows_a_secret_that_spans_lines() throws Exception {
        var key = "-----BEGIN PRIVATE KEY-----\nTUlJ\nQUJD\n-----END PRIVATE KEY-----";
        var output = stored("before\n" + key + "\nbehind TUlJ\n");
        var patterns = new Redactor(List.of(), true);

        assertThat(
                        output.grep(
                                        Stream.STDOUT,
                                        new Grep("TUlJ|QUJD|KEY-", 10),
                                        patterns,
                                        TestWorkers.COMPUTING)
                                .lines())
                .containsExactly(new Grep.Line(6, 71, "behind TUlJ"));
    }

    @Test
    void grep_shows_no_piece_of_a_secret_at_the_border_of_a_piece() throws Exception {
        var secret = "ghp_" + "a".repeat(36);
        for (var cut = 1; cut < secret.length(); cut += 7) {
            var output =
                    stored("-".repeat(RedactedLines.LINE_BYTES_MAX - cut) + secret + "-\nend\n");

            var found =
                    output.grep(
                            Stream.STDOUT,
                            new Grep("", 10),
                            new Redactor(List.of(), true),
                            TestWorkers.COMPUTING);

            assertThat(found.lines())
                    .hasSize(3)
                    .allMatch(line -> !line.text().contains("aa") && !line.text().contains("ghp"));
            assertThat(found.lines().getLast().text()).isEqualTo("end");
        }
    }

    @Test
    void grep_reads_a_long_file_to_its_end() throws Exception {
        var lines = new StringBuilder();
        for (var number = 1; number <= 60_000; number++) {
            lines.append("line ").append(number).append('\n');
        }
        var output = stored(lines.toString());

        var found =
                output.grep(
                        Stream.STDOUT,
                        new Grep("^line (1|50000|60000)$", 10),
                        NOTHING,
                        TestWorkers.COMPUTING);

        assertThat(found.end()).isEqualTo(Grep.End.COMPLETE);
        assertThat(found.lines())
                .containsExactly(
                        new Grep.Line(1, 0, "line 1"),
                        new Grep.Line(50_000, lines.indexOf("line 50000\n"), "line 50000"),
                        new Grep.Line(60_000, lines.indexOf("line 60000\n"), "line 60000"));
    }

    @Test
    void an_expression_that_would_backtrack_without_end_takes_no_longer_than_another()
            throws Exception {
        var output = stored("a".repeat(5000) + "b");

        for (var pattern : List.of("^(a|a?)+$", "(a*)*c", "^(a+a+)+$", ".*.*.*.*.*c")) {
            assertThat(
                            output.grep(
                                    Stream.STDOUT,
                                    new Grep(pattern, 10),
                                    NOTHING,
                                    TestWorkers.COMPUTING))
                    .as(pattern)
                    .isEqualTo(new Grep.Found(List.of(), Grep.End.COMPLETE));
        }
    }

    @Test
    void what_is_no_expression_is_refused() {
        assertThatThrownBy(() -> new Grep("(", 1)).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> new Grep("a".repeat(Grep.PATTERN_LENGTH_MAX + 1), 1))
                .isInstanceOf(Refusal.class);
        assertThat(new Grep("a".repeat(Grep.PATTERN_LENGTH_MAX), 1)).isNotNull();
    }

    @Test
    void output_is_forgotten_by_name_or_by_age_but_not_while_it_is_written() {
        var spool = spool();
        store(spool, "one", "a");
        store(spool, "two", "b");
        spool.forget(Caller.LOCAL.id(), "one");
        spool.forget("somebody", "two");
        assertThat(spool.find(Caller.LOCAL, "one")).isEmpty();
        assertThat(spool.find(Caller.LOCAL, "two")).isPresent();
        var later = Instant.now().plusSeconds(60);
        assertThat(spool.forgetBefore(Instant.now().minusSeconds(60))).isZero();
        try (var capture = spool.capture(Caller.LOCAL, "three", NOTHING, (_, _, _, _) -> {})) {
            capture.write(Stream.STDOUT, new byte[] {'c'}, 0, 1);
            assertThat(spool.forgetBefore(later)).isEqualTo(1);
            assertThat(spool.find(Caller.LOCAL, "two")).isEmpty();
        }
        assertThat(spool.forgetBefore(later)).isEqualTo(1);
    }

    @Test
    void the_oldest_output_goes_when_the_spool_is_full() throws Exception {
        var spool = new Spool(root, LIMITS, 2500);
        store(spool, "one", "x".repeat(1000));
        Thread.sleep(20);
        store(spool, "two", "x".repeat(1000));
        Thread.sleep(20);
        try (var _ = spool.capture(Caller.LOCAL, "one", NOTHING, (_, _, _, _) -> {})) {
            store(spool, "three", "x".repeat(1000));
        }

        assertThat(spool.find(Caller.LOCAL, "two")).as("the oldest not in use").isEmpty();
        assertThat(spool.find(Caller.LOCAL, "one")).as("in use").isPresent();
        assertThat(spool.find(Caller.LOCAL, "three")).isPresent();
    }

    /// A caller that writes without end takes nothing from one that wrote little long ago.
    @Test
    void when_the_spool_is_full_whoever_has_most_loses_its_oldest() throws Exception {
        var spool = new Spool(root, LIMITS, 10_000);
        store(spool, BOB, "bobs", "x".repeat(2000));
        for (var i = 0; i < 30; i++) {
            store(spool, "exe" + i, "x".repeat(1000));
        }
        assertThat(spool.find(BOB, "bobs")).isPresent();
        assertThat(spool.find(Caller.LOCAL, "exe0")).isEmpty();
        assertThat(spool.find(Caller.LOCAL, "exe29")).isPresent();

        var restarted = new Spool(root, LIMITS, 5_000);
        assertThat(restarted.sweepAbove(Map.of()).executions()).isPositive();
        assertThat(restarted.find(BOB, "bobs")).isPresent();
        assertThat(restarted.sweepAbove(Map.of()).executions()).isZero();
    }

    private static void store(Spool spool, Caller caller, String execution, String stdout) {
        try (var capture = spool.capture(caller, execution, NOTHING, (_, _, _, _) -> {})) {
            var bytes = stdout.getBytes(UTF_8);
            capture.write(Stream.STDOUT, bytes, 0, bytes.length);
        }
    }
}
