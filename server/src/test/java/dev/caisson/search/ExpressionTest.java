package dev.caisson.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
    private static boolean finds(String expression, String line) {
        return Expression.of("pattern", expression, false).search().isFoundIn(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "foo~a foo b~true",
                "foo~a fo b~false",
                "^foo~foo bar~true",
                "^foo~a foo~false",
                "bar$~foo bar~true",
                "bar$~bar foo~false",
                "fo+b?~xfooo~true",
                "a{3}~aa~false",
                "a{3,}~aaaa~true",
                "^a{2,3}$~aaaa~false",
                "x(a|bc)*y~xabcay~true",
                "[a-c&&[^b]]~b~false",
                "[a-c&&[^b]]~c~true",
                "[a-z--[c-x]]~m~false",
                "[[:digit:]_]~_~true",
                "[]a]~]~true",
                "\\d+\\s\\w~12 x~true",
                "\\bfoo\\b~a foo-b~true",
                "\\bfoo\\b~afoo~false",
                "\\Boo~foo~true",
                "\\<fo~a fo~true",
                "fo\\>~fox~false",
                "(?i)stra\\x{df}e~STRAßE~true",
                "(?i:K)~\u212a~true",
                "é.ü~éaü~true",
                "é.ü~é😀ü~true",
                "^.$~😀~true",
                "\\p{Greek}~λ~true",
                "\\p{Lu}~a~false",
                "\\PL~a~false",
                "(?x) a b # c~ab~true",
                "(?P<name>a)(?:b)~ab~true",
                "a*?b~aab~true",
                "\\.~a~false",
                "[\\d-]~-~true",
                "()~x~true",
                "(a*)*$~aaa~true",
                "\\u0041\\x42~AB~true",
                "\\w~ü~true",
                "(?-u)\\w~ü~false",
                "interface{}~any interface{} x~true",
                "a{,3}{x}~a{,3}{x}~true",
            })
    void an_expression_matches_as_its_syntax_says(
            String expression, String line, boolean expected) {
        assertThat(finds(expression, line)).isEqualTo(expected);
    }

    @Test
    void case_is_ignored_when_asked() {
        assertThat(Expression.of("p", "hello [a-c]", true).search().isFoundIn("HELLO B")).isTrue();
        assertThat(Expression.of("p", "hello", false).search().isFoundIn("HELLO")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "a(b~is not closed, at offset 1",
                "ab)~closes nothing, at offset 2",
                "[ab~is not closed, at offset 0",
                "*a~repeats nothing, at offset 0",
                "(?=a)~looks ahead or behind",
                "(?<!a)~looks ahead or behind",
                "(a)\\1~refers back to a group, which is not possible here, at offset 3",
                "a\\nb~asks for a line break",
                "\\q~has a \\q, which is unknown",
                "[b-a]~end is before its beginning",
                "\\p{Klingon}~property that is not known: Klingon",
                "a{1001}~more than 1000 times",
            })
    void what_is_no_expression_is_refused_by_name_and_offset(String expression, String words) {
        assertThatThrownBy(() -> Expression.of("pattern", expression, false))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            assertThat(refusal.sentence())
                                    .startsWith("pattern is not a regular expression")
                                    .contains(words);
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{100}){100}){100}",
                "((){1000}){1000}",
                "(\\w{900}){900}",
                "(a|b|c){1000}{1000}",
            })
    void an_expression_that_grows_when_it_is_written_out_is_refused(String expression) {
        assertThatThrownBy(() -> Expression.of("pattern", expression, false))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("too large");
    }

    @Test
    void the_longest_expression_is_taken_and_a_longer_one_is_not() {
        Expression.of("pattern", "a".repeat(Expression.LENGTH_MAX), false);
        assertThatThrownBy(() ->
                        Expression.of("pattern", "a".repeat(Expression.LENGTH_MAX + 1), false))
                .hasMessageContaining("longer than 1000");
        Expression.of("pattern", "(".repeat(90) + ")".repeat(90), false);
        assertThatThrownBy(() -> Expression.of("pattern", "(".repeat(101) + ")".repeat(101), false))
                .hasMessageContaining("nested deeper than 100");
    }

    @Test
    void it_finds_the_same_lines_as_another_engine_and_where_they_begin_to_match() {
        var random = new Random(7);
        int matched = 0;
        for (int round = 0; round < 2_000; round++) {
            var expression = expression(random, 3);
            var other = Pattern.compile(expression, Pattern.UNICODE_CHARACTER_CLASS);
            var search = Expression.of("pattern", expression, false).search();
            var line = line(random);
            var matcher = other.matcher(line);
            boolean found = matcher.find();
            assertThat(search.isFoundIn(line)).as("%s in %s", expression, line).isEqualTo(found);
            if (found) {
                matched++;
                var bytes = line.getBytes(UTF_8);
                assertThat(search.leftmost(0, bytes.length))
                        .as("%s in %s", expression, line)
                        .isEqualTo(line.substring(0, matcher.start()).getBytes(UTF_8).length);
            }
        }
        assertThat(matched).isBetween(300, 1_900);
    }

    private static String expression(Random random, int depth) {
        if (depth == 0) {
            return List.of("a", "b", "ab", "é", ".", "[ab]", "[^a]", "\\w", "\\d", "^", "$", "x")
                    .get(random.nextInt(12));
        }
        var one = expression(random, depth - 1);
        var two = expression(random, depth - 1);
        return switch (random.nextInt(7)) {
            case 0 -> one + two;
            case 1 -> "(" + one + "|" + two + ")";
            case 2 -> "(?:" + one + ")*" + two;
            case 3 -> "(?:" + one + ")+";
            case 4 -> one + "(?:" + two + ")?";
            case 5 -> "(?:" + one + "){1,2}";
            default -> one;
        };
    }

    private static String line(Random random) {
        var line = new StringBuilder();
        for (int each = random.nextInt(12); each > 0; each--) {
            line.append("abxé1 ".charAt(random.nextInt(6)));
        }
        return line.toString();
    }

    @Test
    void in_a_text_of_lines_it_finds_each_line_that_matches_and_no_other() {
        var random = new Random(8);
        for (int round = 0; round < 300; round++) {
            var expression = expression(random, 2);
            var other = Pattern.compile(expression, Pattern.UNICODE_CHARACTER_CLASS);
            var lines = new ArrayList<String>();
            for (int each = 0; each < 20; each++) {
                lines.add(line(random));
            }
            var expected = new ArrayList<String>();
            lines.forEach(line -> {
                if (other.matcher(line).find()) {
                    expected.add(line);
                }
            });
            var text = String.join("\n", lines).getBytes(UTF_8);
            var search = Expression.of("pattern", expression, false).search();
            search.in(text, 0, text.length);
            var found = new ArrayList<String>();
            for (int at = search.next(0); at >= 0; ) {
                int end = search.lineEnd(at);
                int start = search.lineStart(at);
                found.add(new String(text, start, end - start, UTF_8));
                at = end < text.length ? search.next(end + 1) : -1;
            }
            assertThat(found).as(expression).isEqualTo(expected);
        }
    }

    @Test
    void texts_that_every_match_has_are_found_in_any_case_and_among_alternatives() {
        var random = new Random(12);
        int matched = 0;
        for (int round = 0; round < 1_000; round++) {
            var expression =
                    switch (random.nextInt(4)) {
                        case 0 -> "(?i)" + word(random, 3);
                        case 1 -> word(random, 3) + "|" + word(random, 4);
                        case 2 -> "x?(?:" + word(random, 3) + "|" + word(random, 5) + ")+\\w";
                        default -> "(?i:" + word(random, 3) + "|" + word(random, 3) + ")[ab]*";
                    };
            var text = new StringBuilder();
            for (int each = 0; each < 60; each++) {
                text.append("abABé\n".charAt(random.nextInt(6)));
            }
            var other = Pattern.compile(expression, Pattern.UNICODE_CHARACTER_CLASS);
            var lines = text.toString().split("\n", -1);
            var bytes = text.toString().getBytes(UTF_8);
            var search = Expression.of("pattern", expression, false).search();
            search.in(bytes, 0, bytes.length);
            int at = 0;
            for (var line : lines) {
                int end = at + line.getBytes(UTF_8).length;
                search.in(bytes, at, end);
                boolean found = other.matcher(line).find();
                matched += found ? 1 : 0;
                assertThat(search.next(at) >= 0).as("%s in %s", expression, line).isEqualTo(found);
                at = end + 1;
            }
        }
        assertThat(matched).isGreaterThan(500);
    }

    private static String word(Random random, int length) {
        var word = new StringBuilder();
        for (int each = 0; each < length; each++) {
            word.append("abAB".charAt(random.nextInt(4)));
        }
        return word.toString();
    }

    @Test
    void bytes_that_are_no_text_match_nothing_and_stop_nothing() {
        var text = new byte[] {(byte) 0xff, 'a', (byte) 0xc3, 'b'};
        var search = Expression.of("pattern", "a.b", false).search();
        search.in(text, 0, text.length);
        assertThat(search.next(0)).isEqualTo(-1);
        var other = Expression.of("pattern", "a", false).search();
        other.in(text, 0, text.length);
        assertThat(other.next(0)).isNotNegative();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a*)*b",
                "(a|aa)+$b",
                ".*.*.*=.*",
                "(x+x+)+y",
                "(a|b)*a(a|b){12}c",
                "(\\w+\\s?)*!"
            })
    void hostile_expressions_take_time_that_grows_with_the_text_alone(String expression) {
        long small = nanos(expression, 1 << 20);
        long large = nanos(expression, 8 << 20);
        assertThat(large)
                .as("8 times the text took %d ns, once %d ns", large, small)
                .isLessThan(small * 40 + Duration.ofSeconds(1).toNanos());
    }

    private static long nanos(String expression, int length) {
        var text = new byte[length];
        for (int at = 0; at < length; at++) {
            text[at] = (byte) ((at * 31 + at / 7) % 3 == 0 ? 'b' : 'a');
        }
        var search = Expression.of("pattern", expression, false).search();
        long begun = System.nanoTime();
        search.in(text, 0, length);
        assertThat(search.next(0) >= 0).isEqualTo(expression.equals("(a*)*b"));
        return System.nanoTime() - begun;
    }

    @Test
    void more_states_than_are_kept_change_nothing() {
        var random = new Random(9);
        var text = new byte[300_000];
        for (int at = 0; at < text.length; at++) {
            text[at] = (byte) (random.nextBoolean() ? 'a' : 'b');
        }
        text[text.length - 1] = 'c';
        var search = Expression.of("pattern", "a[ab]{18}c", false).search();
        search.in(text, 0, text.length);
        assertThat(search.next(0) >= 0).isEqualTo(text[text.length - 20] == 'a');
    }
}
