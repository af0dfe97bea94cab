package dev.caisson.telemetry;

import dev.caisson.call.SpanId;
import dev.caisson.call.TraceId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// A stretch of work that is over, as a tracing system shows it. Its words are from closed sets or
/// ids of ours: never code, output, arguments, an environment or a secret.
///
/// @param words what it says beside its name, by key
public record Span(
        TraceId trace,
        SpanId id,
        Optional<SpanId> parent,
        Kind kind,
        String name,
        Instant began,
        Duration took,
        Map<String, String> words,
        boolean failed) {
    public enum Kind {
        /// What somebody outside asked for.
        SERVER,
        /// A part of it.
        INTERNAL
    }

    public Span {
        words = Map.copyOf(words);
    }

    Instant ended() {
        return began.plus(took);
    }
}
