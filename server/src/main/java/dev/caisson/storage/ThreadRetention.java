package dev.caisson.storage;

import dev.caisson.config.Key;
import java.time.Duration;
import java.util.Optional;

/// Retention of threads: for how long they are kept, and how much of them. What is empty has no
/// limit.
///
/// @param idle how long one is kept that nobody uses
/// @param revoked how long those of a key are kept after it was revoked
public record ThreadRetention(
        @Key(
                        name = "keep.threads_idle",
                        min = "1m",
                        max = "3650d",
                        doc = "How long a thread is kept that nobody uses; empty means for ever.")
                Optional<Duration> idle,
        @Key(
                        name = "keep.threads_bytes",
                        min = "1MiB",
                        max = "1024TiB",
                        doc =
                                "What threads may take; the key with most loses the longest unused"
                                        + " first; empty means what keep.disk_part leaves.")
                Optional<Long> bytes,
        @Key(
                        name = "keep.threads_revoked",
                        initial = "30d",
                        min = "1m",
                        max = "3650d",
                        doc =
                                "How long the threads of a key are kept after it was revoked; empty"
                                        + " means for ever.")
                Optional<Duration> revoked) {}
