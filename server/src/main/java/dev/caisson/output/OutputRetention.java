package dev.caisson.output;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;
import java.time.Duration;
import java.util.Optional;

/// Retention of the output of runs.
///
/// @param age how long it is kept; empty means as long as its execution
/// @param bytes what all of it may take
public record OutputRetention(
        @Key(
                        name = "keep.output_age",
                        initial = "7d",
                        min = "1m",
                        max = "3650d",
                        doc =
                                "How long the output of an execution is kept; empty means as long as"
                                        + " it. So is a value too large for its answer; a smaller one is"
                                        + " kept with the execution.")
                Optional<Duration> age,
        @Key(
                        name = "keep.output_bytes",
                        initial = "4GiB",
                        min = "1MiB",
                        max = "1024TiB",
                        doc =
                                "What all kept output may take; the key with most loses its oldest"
                                        + " first.")
                long bytes) {
    public static final OutputRetention DEFAULT = Defaults.of(OutputRetention.class);
}
