package dev.caisson.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KnownSecretsTest {
    private final KnownSecrets known = new KnownSecrets();

    @Test
    void every_caller_has_its_own() {
        known.add("anna", List.of("s3cret-of-anna"));
        known.add("bert", List.of("s3cret-of-bert"));

        assertThat(known.of("anna")).containsExactly("s3cret-of-anna");
        assertThat(known.all()).containsExactlyInAnyOrder("s3cret-of-anna", "s3cret-of-bert");
        known.forget("anna");
        assertThat(known.of("anna")).isEmpty();
        assertThat(known.of("bert")).hasSize(1);
    }

    @Test
    void what_text_has_by_chance_is_not_remembered() {
        known.add("anna", List.of("test", "a1b2c3d", "postgres", "PASSWORD", "12345678"));
        assertThat(known.of("anna")).isEmpty();
        known.add("anna", List.of("a1b2c3d4"));
        assertThat(known.of("anna")).containsExactly("a1b2c3d4");
    }

    @Test
    void what_the_caller_named_is_remembered_whatever_its_characters() {
        known.addNamed("anna", List.of("correcthorsebatterystaple", "12345678", "1234567"));
        assertThat(known.of("anna"))
                .containsExactlyInAnyOrder("correcthorsebatterystaple", "12345678");
    }

    @Test
    void those_used_last_are_kept() {
        IntStream.rangeClosed(1, KnownSecrets.PER_CALLER_MAX)
                .forEach(number -> known.add("anna", List.of("secret-" + number)));
        known.add("anna", List.of("secret-1"));
        assertThat(known.of("anna")).hasSize(KnownSecrets.PER_CALLER_MAX).contains("secret-2");
        known.add("anna", List.of("secret-new"));

        assertThat(known.of("anna"))
                .hasSize(KnownSecrets.PER_CALLER_MAX)
                .contains("secret-1", "secret-new")
                .doesNotContain("secret-2");
    }

    @Test
    void the_memory_of_a_caller_and_of_all_ends() {
        var half = "x1".repeat(KnownSecrets.CHARACTERS_PER_CALLER_MAX / 4);
        known.add("anna", List.of(half, half.replace('x', 'y')));
        assertThat(known.of("anna")).hasSize(2);
        known.add("anna", List.of(half.replace('x', 'z')));
        assertThat(known.of("anna")).hasSize(2);
        known.add("anna", List.of(half + half + "1"));
        assertThat(known.of("anna")).isEmpty();

        var callers = KnownSecrets.CHARACTERS_MAX / KnownSecrets.CHARACTERS_PER_CALLER_MAX;
        for (var caller = 0; caller <= callers; caller++) {
            known.add("c" + caller, List.of(half, half.replace('x', 'y')));
        }
        assertThat(known.of("c0")).isEmpty();
        assertThat(known.of("c1")).hasSize(2);
    }

    @Test
    void a_value_is_known_as_json_and_addresses_write_it_too() {
        var redactor = new Redactor(Set.of("a\"b c/d"), false);

        assertThat(redactor.text("a\"b c/d a\\\"b c/d a%22b+c%2Fd a%22b%20c%2Fd"))
                .isEqualTo("[REDACTED:secret] ".repeat(4).strip());
    }

    @Test
    void a_value_is_known_as_common_libraries_write_it() {
        var redactor = new Redactor(Set.of("p\u00e4/(s)~ '\u007f\u0001!*"), false);

        for (var written :
                List.of(
                        "p\\u00e4/(s)~ '\\u007f\\u0001!*",
                        "p\\u00E4/(s)~ '\\u007F\\u0001!*",
                        "p\\u00e4\\/(s)~ '\\u007f\\u0001!*",
                        "p\u00e4\\/(s)~ '\u007f\\u0001!*",
                        "p%C3%A4%2F%28s%29%7E+%27%7F%01%21*",
                        "p%c3%a4%2f%28s%29%7e+%27%7f%01%21*",
                        "p%C3%A4/%28s%29~%20%27%7F%01%21%2A",
                        "p%c3%a4/%28s%29~%20%27%7f%01%21%2a",
                        "p%C3%A4%2F(s)~%20'%7F%01!*",
                        "p%c3%a4%2f(s)~%20'%7f%01!*")) {
            assertThat(redactor.text("<" + written + ">")).isEqualTo("<[REDACTED:secret]>");
        }
    }

    @Test
    void other_spellings_are_bounded_together_and_the_values_are_not() {
        var values =
                IntStream.range(0, 40).mapToObj(number -> number + "\n".repeat(1 << 10)).toList();

        var all = SecretSpellings.of(values, 4);

        assertThat(all).containsAll(values);
        assertThat(all.stream().mapToInt(String::length).sum() - 40 * (2 + (1 << 10)))
                .isLessThanOrEqualTo(SecretSpellings.OTHERS_CHARACTERS_MAX);
    }
}
