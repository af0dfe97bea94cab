package dev.caisson.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What redactors of one caller share.
class RedactionTest {
    private static final String MARK = "[REDACTED:secret]";

    private final AtomicInteger turns = new AtomicInteger();
    private final Redaction redaction =
            new Redaction(
                    RedactionRules.DEFAULT,
                    new Redaction.Turns() {
                        @Override
                        public <T> T take(String caller, Supplier<T> work) {
                            turns.incrementAndGet();
                            return work.get();
                        }
                    },
                    _ -> {});

    /// As many and as long as a caller may well have.
    private static List<String> hundred() {
        return IntStream.range(100, 200).mapToObj(RedactionTest::secret).toList();
    }

    private static String secret(int number) {
        return number + "-Ab/%".repeat(100);
    }

    private String scrubbed(Redactor redactor, String text) {
        var clean = new ByteArrayOutputStream();
        var scrubber = redactor.scrubber(clean::write);
        for (var one : text.getBytes(StandardCharsets.UTF_8)) {
            scrubber.write(new byte[] {one}, 0, 1);
        }
        scrubber.end();
        return clean.toString(StandardCharsets.UTF_8);
    }

    @Test
    void what_finds_the_values_of_a_caller_is_built_once_and_in_its_turn() {
        redaction.learn("anna", hundred());
        for (var call = 0; call < 50; call++) {
            assertThat(redaction.of("x", "anna").text(secret(150))).isEqualTo(MARK);
            redaction.learn("anna", hundred());
            var run = redaction.ofRun("x", "anna", Set.of(secret(120)), List.of(secret(120)));
            assertThat(run.text(secret(120))).isEqualTo(MARK);
            assertThat(redaction.exactly("anna", Set.of("given")).text(secret(199) + "given"))
                    .isEqualTo(MARK + MARK);
        }
        assertThat(turns).hasValue(1);

        assertThat(scrubbed(redaction.of("x", "anna"), secret(150))).isEqualTo(MARK);
        assertThat(scrubbed(redaction.of("x", "anna"), secret(150))).isEqualTo(MARK);
        assertThat(turns).hasValue(2);

        redaction.learn("anna", List.of("another-0ne"));
        assertThat(redaction.of("x", "anna").text("another-0ne " + secret(150)))
                .isEqualTo(MARK + " " + MARK);
        assertThat(turns).hasValue(3);
        redaction.forget("anna");
        assertThat(redaction.of("x", "anna").text("another-0ne")).isEqualTo("another-0ne");
    }

    @Test
    void what_a_run_is_given_openly_is_no_secret_in_it() {
        redaction.learn("anna", List.of("0pen-now", "s3cret-still"));
        var run = redaction.ofRun("x", "anna", Set.of("short"), List.of("0pen-now", "short"));

        assertThat(run.text("0pen-now s3cret-still short"))
                .isEqualTo("0pen-now " + MARK + " " + MARK);
        assertThat(redaction.of("x", "anna").text("0pen-now")).isEqualTo(MARK);
    }

    @Test
    void a_remembered_value_and_one_of_the_run_that_overlap_both_go() {
        redaction.learn("anna", List.of("abc-DEF-123"));
        var run = redaction.ofRun("x", "anna", Set.of("123-xyz"), List.of());

        assertThat(run.text("<abc-DEF-123-xyz>")).isEqualTo("<" + MARK + ">");
        assertThat(scrubbed(run, "<abc-DEF-123-xyz>")).isEqualTo("<" + MARK + ">");
        assertThat(scrubbed(run, "<abc-DEF-12>")).isEqualTo("<abc-DEF-12>");
    }

    /// The processor time of this thread alone, so that a busy machine does not matter.
    @Test
    void a_hundred_remembered_secrets_cost_a_call_hardly_anything() {
        redaction.learn("anna", hundred());
        var without = least("bert");
        var with = least("anna");

        assertThat((double) with / without).as("%d ns and %d ns", with, without).isLessThan(30);
    }

    private long least(String caller) {
        var threads = ManagementFactory.getThreadMXBean();
        var text = "nothing of interest in here; ".repeat(100);
        return LongStream.range(0, 300)
                .map(_ -> {
                    var before = threads.getCurrentThreadCpuTime();
                    assertThat(redaction.of("x", caller).text(text)).hasSize(text.length());
                    return threads.getCurrentThreadCpuTime() - before;
                })
                .skip(50)
                .min()
                .orElseThrow();
    }

    @Test
    void what_is_ready_for_all_callers_is_bounded_and_the_last_one_stays() {
        var known = new KnownSecrets();
        var values = List.of("x1".repeat(KnownSecrets.CHARACTERS_PER_CALLER_MAX / 2));
        for (var caller = 0; caller < 12; caller++) {
            known.add("c" + caller, values);
            var first = known.exact("c" + caller, Redaction.Turns.NONE);
            assertThat(known.exact("c" + caller, Redaction.Turns.NONE)).isSameAs(first);
            assertThat(known.readyCharacters())
                    .isLessThanOrEqualTo(KnownSecrets.READY_CHARACTERS_MAX);
        }
        assertThat(known.exact("c0", Redaction.Turns.NONE).given()).hasSize(1);
    }
}
