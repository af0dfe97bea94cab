package dev.caisson.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AhoCorasickTest {
    @Test
    void it_finds_what_a_plain_search_finds() {
        var random = new Random(7);
        for (var round = 0; round < 500; round++) {
            var values = Set.copyOf(words(random, 1 + random.nextInt(6)));
            var text = word(random, 100);
            var automaton = new AhoCorasick(values);
            var state = AhoCorasick.START;
            for (var at = 0; at < text.length(); at++) {
                state = automaton.next(state, text.charAt(at));
                var read = text.substring(0, at + 1);
                var complete =
                        values.stream().filter(read::endsWith).mapToInt(String::length).max();
                assertThat(automaton.complete(state)).isEqualTo(complete.orElse(0));
                assertThat(automaton.unsettled(state)).isEqualTo(begun(values, read));
            }
        }
    }

    private static int begun(Set<String> values, String read) {
        return values.stream()
                .flatMapToInt(value ->
                        IntStream.range(0, value.length())
                                .filter(length -> read.endsWith(value.substring(0, length))))
                .max()
                .orElse(0);
    }

    private static List<String> words(Random random, int count) {
        var words = new ArrayList<String>();
        for (var number = 0; number < count; number++) {
            words.add(word(random, 1 + random.nextInt(6)));
        }
        return words;
    }

    private static String word(Random random, int length) {
        var word = new StringBuilder();
        for (var at = 0; at < length; at++) {
            word.append((char) ('a' + random.nextInt(3)));
        }
        return word.toString();
    }

    /// The processor time of this thread alone, so that a busy machine does not matter.
    @Test
    void four_thousand_values_cost_a_text_hardly_more_than_one() {
        var text = "nothing of interest in here, 12 34 secret- ".repeat(5_000);
        var one = least(new Redactor(List.of("secret-number-1"), false), text);
        var values = IntStream.range(0, 4_000).mapToObj(number -> "secret-number-" + number);
        var many = least(new Redactor(values.toList(), false), text);

        assertThat((double) many / one).as("%d ns and %d ns", many, one).isLessThan(20);
    }

    private static long least(Redactor redactor, String text) {
        var threads = ManagementFactory.getThreadMXBean();
        return LongStream.range(0, 5)
                .map(_ -> {
                    var before = threads.getCurrentThreadCpuTime();
                    redactor.text(text);
                    return threads.getCurrentThreadCpuTime() - before;
                })
                .min()
                .orElseThrow();
    }
}
