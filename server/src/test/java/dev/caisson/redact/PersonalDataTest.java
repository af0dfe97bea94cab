package dev.caisson.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The optional layer: data about people, known by its form and its check digits.
class PersonalDataTest {
    private static final Set<PersonalKind> ALL = EnumSet.allOf(PersonalKind.class);

    private static Redactor of(Set<PersonalKind> kinds) {
        return new Redactor(List.of(), new SecretForms(false, kinds), _ -> {});
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mail|anna@example.org",
                "mail|first.last+tag@sub.example.co.uk",
                "mail|o'neil_1%x@xn--mller-kva.de",
                "phone|+49 30 1234567",
                "phone|+1 (555) 010-9999",
                "phone|+442071838750",
                "phone|030 1234567",
                "phone|0171/1234567",
                "phone|(0171) 123 45 67",
                "phone|(555) 010-9999",
                "phone|555-010-9999",
                "card|4111111111111111",
                "card|4111 1111 1111 1111",
                "card|5555-5555-5555-4444",
                "card|378282246310005",
                "card|3782 822463 10005",
                "card|30569309025904",
                "card|6011111111111117",
                "card|2223003122003222",
                "iban|DE89370400440532013000",
                "iban|DE89 3704 0044 0532 0130 00",
                "iban|GB29NWBK60161331926819",
                "iban|NO93 8601 1117 947",
                "iban|MT84MALT011000012345MTLCAST001S"
            })
    void every_form_is_replaced_by_its_name(String kind, String data) {
        var redactor = of(ALL);

        assertThat(redactor.text("of " + data + ", and"))
                .isEqualTo("of [REDACTED:" + kind + "], and");
        assertThat(redactor.text(data)).isEqualTo("[REDACTED:" + kind + "]");
        assertThat(redactor.text("{\"x\":\"" + data + "\"}"))
                .isEqualTo("{\"x\":\"[REDACTED:" + kind + "]\"}");
        assertThat(redactor.events()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user@host",
                "npm i left-pad@1.3.0",
                "@app.route",
                "a @ b.example",
                "@example.org",
                "x@.org",
                // One digit off, too short, too long, a longer number, no issuer, a decimal.
                "4111111111111112",
                "411111111111",
                "41111111111111111111",
                "x4111111111111111",
                "9111111111111111",
                "1700000000000000000",
                "0.4111111111111111",
                "4111 1111 1111 1112",
                "DE89370400440532013001",
                "XDE89370400440532013000",
                "DE8937040044",
                "2026-11-17 22:10:09",
                "192.168.100.200",
                "01-02-2026",
                "12345678901",
                "a0171 1234567",
                "+1",
                "x = 1 + 2345",
                "0x7fffffff 0012345678"
            })
    void what_only_looks_alike_stays(String text) {
        assertThat(of(ALL).text(text)).isEqualTo(text);
    }

    @Test
    void each_kind_is_looked_for_alone() {
        var text = "a@b.example +49 30 1234567 4111111111111111 DE89370400440532013000";
        for (var kind : PersonalKind.values()) {
            assertThat(of(Set.of(kind)).text(text))
                    .containsOnlyOnce("[REDACTED:")
                    .contains("[REDACTED:" + kind.word() + "]");
        }
        assertThat(new Redactor(List.of(), true).text(text)).isEqualTo(text);
    }

    @Test
    void what_stands_beside_belongs_to_no_number() {
        assertThat(of(ALL).text("+49 30 123456 42 pieces of 2026"))
                .endsWith("pieces of 2026")
                .startsWith("[REDACTED:phone]");
        assertThat(of(ALL).text("4111 1111 1111 1111 5555 5555 5555 4444"))
                .isEqualTo("[REDACTED:card] [REDACTED:card]");
        assertThat(of(ALL).text("DE89 3704 0044 0532 0130 00 IS MINE"))
                .isEqualTo("[REDACTED:iban] IS MINE");
    }

    /// A piece is judged with what stands around it, so every border can cut every kind.
    @Test
    void a_border_hides_nothing() {
        for (var data :
                List.of(
                        "anna@example.org",
                        "+49 30 1234567",
                        "4111 1111 1111 1111",
                        "DE89 3704 0044 0532 0130 00")) {
            var text = "x " + data + " y";
            for (var cut = 0; cut <= text.length(); cut++) {
                var redactor = of(ALL);
                var both = redactor.piece(text, 0, cut) + redactor.piece(text, cut, text.length());
                assertThat(both.replaceAll("\\[REDACTED:[a-z]+\\]", "")).isEqualTo("x  y");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@", "a@", "a@a.", "a.a@", "+", "+1", "+1 ", "0", "01 23 ", "4", "4111 ", "4111-",
                "A", "AA11", "DE89 ", "(", "(0", "1-1", "5555"
            })
    void hostile_text_takes_linear_time(String unit) {
        var brief = unit.repeat((1 << 13) / unit.length());
        var longer = unit.repeat((1 << 17) / unit.length());

        // Until it is compiled, a method takes many times as long.
        leastCpuNanos(brief);
        var ratio = (double) leastCpuNanos(longer) / leastCpuNanos(brief);

        assertThat(ratio)
                .as("16 times the text takes 16 times as long, not 256 times")
                .isLessThan(64);
    }

    /// The least of a few, of this thread alone, so that a busy machine does not matter.
    private static long leastCpuNanos(String text) {
        var threads = ManagementFactory.getThreadMXBean();
        var redactor = of(ALL);
        return LongStream.generate(
                        () -> {
                            var before = threads.getCurrentThreadCpuTime();
                            redactor.text(text);
                            return threads.getCurrentThreadCpuTime() - before;
                        })
                .limit(10)
                .min()
                .orElseThrow();
    }
}
