package dev.caisson.redact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {
    private final Redactor patterns = new Redactor(List.of(), true);

    /// Put together here, so that no scanner takes this file for a leak.
    private static final Map<String, String> EXAMPLES =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("aws-access-key", "AKIA" + "IOSFODNN7EXAMPLE"),
                            Map.entry("github-fine-grained-pat", "github_pat_" + "a1".repeat(41)),
                            Map.entry("github-pat", "ghp_" + "a".repeat(36)),
                            Map.entry("github-oauth", "gho_" + "b".repeat(36)),
                            Map.entry("anthropic-api-key", "sk-ant-" + "c-".repeat(12)),
                            Map.entry("openai-api-key", "sk-" + "proj-" + "d".repeat(24)),
                            Map.entry("google-api-key", "AIza" + "e".repeat(35)),
                            Map.entry("slack-token", "xoxb-" + "1".repeat(12)),
                            Map.entry("stripe-live-key", "rk_live_" + "f".repeat(24)),
                            Map.entry(
                                    "jwt",
                                    "eyJ"
                                            + "a".repeat(12)
                                            + ".eyJ"
                                            + "b".repeat(12)
                                            + "."
                                            + "c".repeat(12)),
                            Map.entry("basic-auth-url", "postgres://me:" + "pass@db.example"),
                            Map.entry(
                                    "pem-private-key",
                                    "-----BEGIN RSA PRIVATE KEY-----\nTUlJ\n+/=\n"
                                            + "-----END RSA PRIVATE KEY-----")));

    @Test
    void every_known_shape_is_replaced_by_its_name() {
        EXAMPLES.forEach((name, secret) ->
                assertThat(patterns.text("before " + secret + " after"))
                        .isEqualTo("before [REDACTED:" + name + "] after"));
        assertThat(EXAMPLES).hasSize(12);
        assertThat(patterns.events()).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GITHUB_TOKEN=abc",
                "DB_PASSWORD=hunter2",
                "MY_API_KEY=x",
                "TOKEN=1",
                "access_token = a1b2c3d4e5",
                "password = \"correct horse\"",
                "Secret='longer than eight'"
            })
    void the_value_of_a_secret_name_goes_and_the_name_stays(String line) {
        var clean = patterns.text(line + "\nPATH=/bin");

        assertThat(clean)
                .startsWith(line.substring(0, line.indexOf('=')))
                .contains("[REDACTED:secret-env-assignment]\nPATH=/bin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token = parser.next()",
                "token = x",
                "token = tokens[10000001]",
                "TOKEN=$1",
                "TOKEN=",
                "if password == other:",
                "tokens = 12345678",
                "git checkout sk-branch",
                "https://example.org/a:b@c",
                "-----BEGIN PUBLIC KEY-----"
            })
    void source_code_and_ordinary_text_survive(String line) {
        assertThat(patterns.text(line)).isEqualTo(line);
    }

    @Test
    void patterns_can_be_switched_off_and_exact_values_cannot() {
        var exact = new Redactor(List.of("s3cr3t", "abc"), false);

        assertThat(exact.text("GITHUB_TOKEN=x s3cr3t abc"))
                .isEqualTo("GITHUB_TOKEN=x [REDACTED:secret] abc");
    }

    @Test
    void a_longer_value_wins_over_one_it_contains() {
        var exact = new Redactor(List.of("pass", "password"), false);

        assertThat(exact.text("the password!")).isEqualTo("the [REDACTED:secret]!");
        assertThat(exact.events()).isEqualTo(1);
    }

    @Test
    void a_secret_that_a_border_cuts_is_recognised_by_what_stands_around() {
        var text = "key " + EXAMPLES.get("github-pat") + " end";

        assertThat(patterns.piece(text, 0, 10)).isEqualTo("key [REDACTED:github-pat]");
        assertThat(patterns.piece(text, 10, text.length())).isEqualTo("[REDACTED:github-pat] end");
    }

    @Test
    void a_private_key_without_an_end_is_taken_as_far_as_it_goes() {
        assertThat(patterns.text("x -----BEGIN PRIVATE KEY-----\nTUlJ\nTUlJ"))
                .isEqualTo("x [REDACTED:pem-private-key]");
        assertThat(patterns.text("if \"-----BEGIN PRIVATE KEY-----\" in text"))
                .isEqualTo("if \"[REDACTED:pem-private-key]\" in text");
    }

    @Test
    void a_number_that_has_an_exact_value_becomes_a_string() {
        var exact = new Redactor(List.of("4711004711", "2718.2818"), true);
        var tree = Json.parse("{\"a\":[4711004711,2718.2818,147110047112,4711],\"b\":1}");
        assertThat(Json.text(exact.tree(tree)))
                .isEqualTo(
                        "{\"a\":[\"[REDACTED:secret]\",\"[REDACTED:secret]\","
                                + "\"1[REDACTED:secret]2\",4711],\"b\":1}");
        assertThat(exact.events()).isEqualTo(3);
        assertThat(patterns.tree(tree)).isEqualTo(tree);
        assertThat(Json.text(exact.tree(tree, Set.of("a"))))
                .contains("[\"[REDACTED:secret]\",\"[REDACTED:secret]\",147110047112,");
    }

    @Test
    void every_string_of_a_tree_is_redacted() {
        var exact = new Redactor(List.of("s3cr3t"), false);
        var tree = Json.parse("{\"a\":[\"s3cr3t\",1,null,true],\"s3cr3t\":{\"b\":\"no\"}}");

        assertThat(Json.text(exact.tree(tree)))
                .isEqualTo(
                        "{\"a\":[\"[REDACTED:secret]\",1,null,true],"
                                + "\"[REDACTED:secret]\":{\"b\":\"no\"}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "=",
                "a://a:",
                "eyJaaaaaaaaaaa.",
                "sk-",
                "-----BEGIN ",
                "TOKEN=",
                "TOKEN=$",
                "token=",
                "token = '",
                "-----BEGIN PRIVATE KEY-----",
                "ghp_",
                "a://",
                "aaaaaaab",
                "xoxb-1-"
            })
    void hostile_text_takes_linear_time(String unit) {
        var redactor = new Redactor(List.of("a".repeat(5000) + "b"), true);
        var brief = unit.repeat((1 << 13) / unit.length());
        var longer = unit.repeat((1 << 17) / unit.length());

        // Until it is compiled, a method takes many times as long.
        leastCpuNanos(redactor, brief);
        var ratio = (double) leastCpuNanos(redactor, longer) / leastCpuNanos(redactor, brief);

        assertThat(ratio)
                .as("16 times the text takes 16 times as long, not 256 times")
                .isLessThan(64);
    }

    /// Of this thread alone, so that a busy machine does not matter.
    private static long cpuNanos(Redactor redactor, String text) {
        var threads = ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadCpuTime();
        redactor.text(text);
        return threads.getCurrentThreadCpuTime() - before;
    }

    /// The least of a few, none of which takes long.
    private static long leastCpuNanos(Redactor redactor, String text) {
        return LongStream.generate(() -> cpuNanos(redactor, text)).limit(10).min().orElseThrow();
    }
}
