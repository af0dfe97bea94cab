package dev.caisson.workflow;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;

/// Limits on what is kept of tasks.
///
/// @param bytesMax what all results may take
public record TaskLimits(
        @Key(
                        name = "keep.tasks_bytes",
                        initial = "1GiB",
                        min = "1MiB",
                        max = "1024TiB",
                        doc =
                                "What the results of tasks may take; the key with most loses its"
                                        + " oldest first.")
                long bytesMax) {
    public static final TaskLimits DEFAULT = Defaults.of(TaskLimits.class);
}
