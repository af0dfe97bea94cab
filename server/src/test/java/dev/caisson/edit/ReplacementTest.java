package dev.caisson.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplacementTest {
    private static Replacement of(String text, String old, String now, boolean all) {
        return Replacement.of("f", plain(text), plain(old), plain(now), all, shown -> shown);
    }

    private static String plain(String text) {
        return TextBytes.ofCaller(text.replace("\\n", "\n").replace("\\r", "\r"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '"',
            value = {
                "a b c~b~x~a x c~EXACT",
                "a\\r\\nb\\r\\nc~a\\nb~x\\ny~x\\r\\ny\\r\\nc~LINE_ENDINGS",
                "a\\nb\\nc~a\\r\\nb~x\\r\\ny~x\\ny\\nc~LINE_ENDINGS",
                "a  \\nb \\nc~a\\nb\\nc~x~x~TRAILING_SPACE",
                "a\\nb~a \\nb~x~x~TRAILING_SPACE",
                "é ü\\n~ü~ö~é ö\\n~EXACT",
                "last~last~x~x~EXACT",
            })
    void a_text_is_replaced_by_the_first_grade_that_finds_it(
            String text, String old, String now, String expected, Grade grade) {
        assertThat(of(text, old, now, false))
                .isInstanceOfSatisfying(
                        Replacement.Done.class,
                        done -> {
                            assertThat(done.text()).isEqualTo(plain(expected));
                            assertThat(done.grade()).isEqualTo(grade);
                            assertThat(done.count()).isEqualTo(1);
                        });
    }

    @Test
    void a_grade_that_finds_several_places_changes_nothing() {
        assertThat(of("a \nb\na  \nb\n", "a\nb", "x", false))
                .isInstanceOfSatisfying(
                        Replacement.Impossible.class,
                        no ->
                                assertThat(no.sentence())
                                        .startsWith(
                                                "old_string matched 2 times in f (lines 1, 3)"));
        assertThat(of("a \nb\na  \nb\n", "a\nb", "x", true))
                .isInstanceOf(Replacement.Impossible.class);
        assertThat(of("  a\n", "a", "b", false)).isInstanceOf(Replacement.Done.class);
        assertThat(of("integer x\n", "int ", "y", false))
                .isInstanceOf(Replacement.Impossible.class);
        assertThat(of("\ta\n", "  a", "b", false)).isInstanceOf(Replacement.Impossible.class);
    }

    @Test
    void what_is_done_already_is_told_apart() {
        assertThat(of("new\n", "old", "new", false)).isInstanceOf(Replacement.AlreadyThere.class);
        assertThat(of("other\n", "old", "new", false)).isInstanceOf(Replacement.Impossible.class);
        assertThat(of("other\n", "old", "", false)).isInstanceOf(Replacement.Impossible.class);
    }

    @Test
    void the_nearest_text_is_the_one_that_shares_most_lines() {
        var text = "void a() {\n  one();\n  two();\n}\nvoid b() {\n  one();\n  three();\n}\n";
        assertThat(of(text, "void b() {\n  one();\n  thre();\n}", "x", false))
                .isEqualTo(
                        new Replacement.Impossible(
                                "old_string not found in f. The nearest text is at lines 5-8; line 7"
                                        + " differs: has \"three();\", old_string has \"thre();\"."));
        assertThat(of(text, "something else", "x", false))
                .isEqualTo(new Replacement.Impossible("old_string not found in f."));
        assertThat(of("value = compute(1)\n", "value = compute(2)", "x", false))
                .isEqualTo(
                        new Replacement.Impossible(
                                "old_string not found in f. The nearest text is at line 1; line 1"
                                        + " differs: has \"value = compute(1)\", old_string has"
                                        + " \"value = compute(2)\"."));
    }

    /// Against the JDK's own search, on generated texts.
    @Test
    void generated_edits_are_those_of_a_slow_reference() {
        var random = new Random(5);
        int done = 0;
        for (int round = 0; round < 2_000; round++) {
            var text = text(random, 12);
            var old = text(random, 3);
            var now = text(random, 4);
            if (old.isEmpty()) {
                continue;
            }
            int count = 0;
            for (int at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length())) {
                count++;
            }
            var result = Replacement.of("f", text, old, now, true, shown -> shown);
            if (count > 0) {
                done++;
                var expected = text.replace(old, LineEndings.of(text).fit(now));
                assertThat(result)
                        .isInstanceOfSatisfying(
                                Replacement.Done.class,
                                made -> assertThat(made.text()).isEqualTo(expected));
            } else if (result instanceof Replacement.Done made) {
                assertThat(bare(text)).contains(bare(old));
                assertThat(made.count()).isEqualTo(1);
            }
        }
        assertThat(done).isGreaterThan(300);
    }

    private static String bare(String text) {
        return text.replace("\r\n", "\n").replaceAll("[ \t]+(?=\n|$)", "");
    }

    private static String text(Random random, int parts) {
        var text = new StringBuilder();
        for (int part = random.nextInt(parts + 1); part > 0; part--) {
            text.append(new String[] {"a", "b", " ", "\n", "\r\n", "ab"}[random.nextInt(6)]);
        }
        return text.toString();
    }
}
