package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.redact.Redactor;
import dev.caisson.sandbox.Sink.Stream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is seen of a run while it goes on tells no secret either, wherever the pieces of its output
/// end.
class LiveOutputTest {
    private static final String TOKEN = "ghp_" + "a1B2".repeat(9);

    private final FakeCall client = new FakeCall(Caller.LOCAL);
    private final LiveOutput live = new LiveOutput("x", new Redactor(List.of(), true));

    private void writes(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        live.write(Stream.STDOUT, bytes, 0, bytes.length);
    }

    private String seen() {
        live.passOn(client.call());
        return client.logs.stream()
                .map(data -> data.get("text").stringValue())
                .collect(Collectors.joining());
    }

    private static void assertNothingOf(String secret, String seen) {
        assertThat(
                        IntStream.rangeClosed(0, secret.length() - 8)
                                .mapToObj(at -> secret.substring(at, at + 8)))
                .noneMatch(seen::contains);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 20, 39, 40})
    void a_token_that_the_border_of_a_piece_cuts_is_not_seen(int inside) {
        writes(
                "x".repeat(LiveOutput.HELD_BYTES_MAX - inside - 1)
                        + " "
                        + TOKEN.substring(0, inside));
        seen();
        writes(TOKEN.substring(inside) + "\nend\n");

        assertThat(seen()).contains("end").contains("[REDACTED:github-pat]");
        assertNothingOf(TOKEN, seen());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 20, 39})
    void a_token_that_a_gap_cuts_is_not_seen(int inside) {
        writes("x".repeat(LiveOutput.HELD_BYTES_MAX - inside - 1) + " " + TOKEN);
        seen();
        writes(TOKEN.substring(inside) + "\nend\n");

        assertThat(seen()).contains("bytes not shown while running").contains("end");
        assertNothingOf(TOKEN, seen());
    }

    @Test
    void a_private_key_that_is_longer_than_a_piece_is_not_seen() {
        var line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n";
        writes("-----BEGIN PRIVATE KEY-----\n" + line.repeat(400));
        seen();
        writes(line + "-----END PRIVATE KEY-----\nend\n");

        assertThat(seen()).contains("end").doesNotContain("MIIEvQ");
    }

    @Test
    void whole_lines_are_seen_as_they_come_and_the_rest_of_a_line_later() {
        writes("one\ntw");
        assertThat(seen()).isEqualTo("one\n");
        writes("o\n");
        assertThat(seen()).isEqualTo("one\ntwo\n");
    }

    @Test
    void a_line_that_never_ends_is_seen_nevertheless() {
        for (var round = 0; round < 4; round++) {
            writes("x".repeat(LiveOutput.HELD_BYTES_MAX / 2));
            seen();
        }
        assertThat(seen()).hasSizeGreaterThan(LiveOutput.HELD_BYTES_MAX / 2);
    }
}
