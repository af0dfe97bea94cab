package dev.caisson.config;

import static dev.caisson.config.Setting.setting;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The part of the table under `keep`: what stays, how long, and how much of it.
final class KeepSettings {
    private static final Type<Optional<Duration>> AGE =
            Types.optional(Types.duration("1m", "3650d"));
    private static final Type<Optional<Long>> BYTES = Types.optional(Types.size("1MiB", "1024TiB"));

    static final Setting<Boolean> CODE =
            setting(
                    "keep.code",
                    Types.BOOL,
                    "true",
                    "Whether programs are kept with their executions; their hashes always are.");
    static final Setting<Optional<Duration>> EXECUTIONS_AGE =
            setting(
                    "keep.executions_age",
                    AGE,
                    "30d",
                    "How long an execution is kept after its end; empty means for ever.");
    static final Setting<Optional<Long>> EXECUTIONS_BYTES =
            setting(
                    "keep.executions_bytes",
                    BYTES,
                    "8GiB",
                    "What executions and their output may take; the key with most loses its oldest"
                            + " first.");
    static final Setting<Optional<Duration>> OUTPUT_AGE =
            setting(
                    "keep.output_age",
                    AGE,
                    "7d",
                    "How long the output of an execution is kept; empty means as long as it. So is"
                            + " a value too large for its answer; a smaller one is kept with the execution.");
    static final Setting<Long> OUTPUT_BYTES =
            setting(
                    "keep.output_bytes",
                    Types.size("1MiB", "1024TiB"),
                    "4GiB",
                    "What all kept output may take; the key with most loses its oldest first.");
    static final Setting<Optional<Duration>> THREADS_IDLE =
            setting(
                    "keep.threads_idle",
                    AGE,
                    "",
                    "How long a thread is kept that nobody uses; empty means for ever.");
    static final Setting<Optional<Long>> THREADS_BYTES =
            setting(
                    "keep.threads_bytes",
                    BYTES,
                    "",
                    "What threads may take; the key with most loses the longest unused first; empty"
                            + " means no limit.");
    static final Setting<Optional<Duration>> THREADS_REVOKED =
            setting(
                    "keep.threads_revoked",
                    AGE,
                    "30d",
                    "How long the threads of a key are kept after it was revoked; empty means for"
                            + " ever.");
    static final Setting<Duration> ANSWERS_AGE =
            setting(
                    "keep.answers_age",
                    Types.duration("1m", "365d"),
                    "1d",
                    "How long an Idempotency-Key and its answer are kept.");
    static final Setting<Long> ANSWERS_BYTES =
            setting(
                    "keep.answers_bytes",
                    Types.size("1MiB", "1024TiB"),
                    "1GiB",
                    "What the answers to requests with an Idempotency-Key may take; the key with most"
                            + " loses its oldest first.");
    static final Setting<Integer> ANSWERS_MAX =
            setting(
                    "keep.answers_max",
                    Types.number(1, 100_000_000),
                    "100000",
                    "How many Idempotency-Keys of one key are kept; further ones are refused.");
    static final Setting<Long> WEBHOOKS_BYTES =
            setting(
                    "keep.webhooks_bytes",
                    Types.size("1MiB", "1024TiB"),
                    "1GiB",
                    "What results that wait to be sent may take; the key with most has its oldest"
                            + " shortened first.");
    static final Setting<Long> TASKS_BYTES =
            setting(
                    "keep.tasks_bytes",
                    Types.size("1MiB", "1024TiB"),
                    "1GiB",
                    "What the results of tasks may take; the key with most loses its oldest first.");

    static final List<Setting<?>> ALL =
            List.of(
                    CODE,
                    EXECUTIONS_AGE,
                    EXECUTIONS_BYTES,
                    OUTPUT_AGE,
                    OUTPUT_BYTES,
                    THREADS_IDLE,
                    THREADS_BYTES,
                    THREADS_REVOKED,
                    ANSWERS_AGE,
                    ANSWERS_BYTES,
                    ANSWERS_MAX,
                    WEBHOOKS_BYTES,
                    TASKS_BYTES);

    private KeepSettings() {}
}
