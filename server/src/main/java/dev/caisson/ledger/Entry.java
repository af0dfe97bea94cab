package dev.caisson.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What the ledger says about one call.
///
/// @param at when it began, to the millisecond
/// @param caller the id of whoever called
/// @param argumentsHash of the arguments as JSON, see [dev.caisson.call.KeyedDigest]
/// @param codeHash of the program, if one was run, in the same form
/// @param resultBytes of what was handed back; 0 when nothing was
/// @param status `success`, `failed`, `cancelled`, `input_required`, `fault`, or `refused:` and the
///   reason
/// @param duration to the microsecond
/// @param approval what was decided, if the call had to be approved
/// @param redactions secrets taken out of the answer
public record Entry(
        Instant at,
        String caller,
        String door,
        String tool,
        String argumentsHash,
        Optional<String> codeHash,
        long resultBytes,
        String status,
        Duration duration,
        Optional<String> approval,
        long redactions,
        String traceId) {
    private static final long NANOS_PER_MICRO = 1_000;

    public Entry {
        at = Instant.ofEpochMilli(at.toEpochMilli());
        duration = Duration.ofNanos(duration.toNanos() / NANOS_PER_MICRO * NANOS_PER_MICRO);
    }

    long durationMicros() {
        return duration.toNanos() / NANOS_PER_MICRO;
    }
}
