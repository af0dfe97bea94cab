package dev.caisson.rest;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;
import java.time.Duration;

/// Limits on what is kept of requests that were made with an `Idempotency-Key`.
///
/// @param age how long a key is remembered
/// @param bytesMax what all answers may take; the key with most loses its oldest
/// @param keysMax how many keys of one caller are remembered at a time
public record IdempotencyLimits(
        @Key(
                        name = "keep.answers_age",
                        initial = "1d",
                        min = "1m",
                        max = "365d",
                        doc = "How long an Idempotency-Key and its answer are kept.")
                Duration age,
        @Key(
                        name = "keep.answers_bytes",
                        initial = "1GiB",
                        min = "1MiB",
                        max = "1024TiB",
                        doc =
                                "What the answers to requests with an Idempotency-Key may take; the"
                                        + " key with most loses its oldest first.")
                long bytesMax,
        @Key(
                        name = "keep.answers_max",
                        initial = "100000",
                        min = "1",
                        max = "100000000",
                        doc =
                                "How many Idempotency-Keys of one key are kept; further ones are"
                                        + " refused.")
                int keysMax) {
    public static final IdempotencyLimits DEFAULT = Defaults.of(IdempotencyLimits.class);
}
