package dev.caisson.rest;

import java.time.Duration;

/// What is kept of requests that were made with an `Idempotency-Key`.
///
/// @param age how long a key is remembered
/// @param bytesMax what all answers may take; the key with most loses its oldest
/// @param keysMax how many keys of one caller are remembered at a time
public record AnswerLimits(Duration age, long bytesMax, int keysMax) {
    public static final AnswerLimits DEFAULT =
            new AnswerLimits(Duration.ofDays(1), 1L << 30, 100_000);
}
