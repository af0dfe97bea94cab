package dev.caisson.acceptance.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.acceptance.Json;

/// Comparing a message with what a transcript expects.
final class Expected {
    private Expected() {}

    static void json(String pattern, String message, Words words) {
        assertThat(message).as("a message like %s", pattern).startsWith("{");
        assertThat(JsonPattern.of(pattern, words).mismatch(Json.parse(message)))
                .as("%nwanted %s%ngot    %s", pattern, message)
                .isEmpty();
    }
}
