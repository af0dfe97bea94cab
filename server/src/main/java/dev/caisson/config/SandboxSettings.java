package dev.caisson.config;

import static dev.caisson.config.Setting.setting;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The part of the table under `sandbox`: what one run may use, and what the host offers.
final class SandboxSettings {
    static final Setting<Duration> WALL_DEFAULT =
            setting(
                    "sandbox.wall_default",
                    Types.duration("100ms", "1d"),
                    "30s",
                    "How long a run may take when the caller does not say.");
    static final Setting<Duration> WALL_MAX =
            setting(
                    "sandbox.wall_max",
                    Types.duration("100ms", "1d"),
                    "1h",
                    "The longest time a caller may ask for.");
    static final Setting<Long> MEMORY_BYTES =
            setting(
                    "sandbox.memory_bytes",
                    Types.size("16MiB", "1TiB"),
                    "512MiB",
                    "Memory of one run, its /tmp included.");
    static final Setting<Double> CPUS =
            setting(
                    "sandbox.cpus",
                    Types.decimal(0.01, 1024),
                    "1.0",
                    "Cores' worth of time of a run.");
    static final Setting<Integer> PROCESSES =
            setting(
                    "sandbox.processes",
                    Types.number(4, 100_000),
                    "128",
                    "Processes and threads of one run at once.");
    static final Setting<Integer> OPEN_FILES =
            setting(
                    "sandbox.open_files",
                    Types.number(16, 1_000_000),
                    "1024",
                    "Open files of one process.");
    static final Setting<Long> FILE_BYTES =
            setting(
                    "sandbox.file_bytes",
                    Types.size("1MiB", "1TiB"),
                    "1GiB",
                    "The largest single file.");
    static final Setting<Long> TMP_BYTES =
            setting("sandbox.tmp_bytes", Types.size("1MiB", "1TiB"), "128MiB", "The size of /tmp.");
    static final Setting<Long> WORKSPACE_BYTES =
            setting(
                    "sandbox.workspace_bytes",
                    Types.size("1MiB", "1TiB"),
                    "1GiB",
                    "The size of /workspace.");
    static final Setting<Integer> WORKSPACE_FILES =
            setting(
                    "sandbox.workspace_files",
                    Types.number(100, 100_000_000),
                    "100000",
                    "The most files in /workspace.");
    static final Setting<Long> CODE_BYTES_MAX =
            setting(
                    "sandbox.code_bytes_max",
                    Types.size("1KiB", "64MiB"),
                    "1MB",
                    "The longest program.");
    static final Setting<Long> ENV_BYTES_MAX =
            setting(
                    "sandbox.env_bytes_max",
                    Types.size("1KiB", "1MiB"),
                    "64KiB",
                    "The most bytes of environment variables of a run together.");
    static final Setting<Long> OUTPUT_INLINE_BYTES =
            setting(
                    "sandbox.output_inline_bytes",
                    Types.size("1KiB", "16MiB"),
                    "64KiB",
                    "How much of each stream is in the answer itself.");
    static final Setting<Long> OUTPUT_SPOOL_BYTES =
            setting(
                    "sandbox.output_spool_bytes",
                    Types.size("64KiB", "1TiB"),
                    "64MiB",
                    "How much of each stream is kept to be read later.");
    static final Setting<Integer> CONCURRENCY =
            setting(
                    "sandbox.concurrency",
                    Types.number(1, 4_096),
                    "16",
                    "Runs at once; more wait in a queue.");
    static final Setting<Integer> QUEUE_MAX =
            setting(
                    "sandbox.queue_max",
                    Types.number(0, 100_000),
                    "256",
                    "Runs that may wait for a place.");
    static final Setting<List<String>> ACCEPT_MISSING =
            setting(
                    "sandbox.accept_missing",
                    Types.LIST,
                    "",
                    "Layers of isolation the operator does without, by name.");
    static final Setting<Optional<Path>> IMAGE_DIRECTORY =
            setting(
                    "sandbox.image_directory",
                    Types.optional(Types.PATH),
                    "",
                    "A directory of images with a runner manifest each.");
    static final Setting<Integer> UID_BASE =
            setting(
                    "sandbox.uid_base",
                    Types.number(1_000, 2_000_000_000),
                    "200000",
                    "The first of the user ids that belong to sandboxes alone.");
    static final Setting<Integer> UID_COUNT =
            setting(
                    "sandbox.uid_count",
                    Types.number(1, 1_000_000),
                    "4096",
                    "How many user ids there are for sandboxes.");
    static final Setting<String> DEFAULT_LANGUAGE =
            setting(
                    "sandbox.default_language",
                    Types.oneOf("python", "node", "typescript", "bash"),
                    "python",
                    "The language of a run whose caller does not say.");
    static final Setting<Boolean> REDACT_PATTERNS =
            setting(
                    "sandbox.redact_patterns",
                    Types.BOOL,
                    "true",
                    "Whether what looks like a secret is struck from output.");
    static final Setting<Optional<String>> DOCKER_HOST =
            setting(
                            "sandbox.docker_host",
                            Types.optional(Types.text(1_024)),
                            "",
                            "The Docker daemon of a Docker tier; the default tier uses none.")
                    .alsoFrom("DOCKER_HOST");

    static final List<Setting<?>> ALL =
            List.of(
                    WALL_DEFAULT,
                    WALL_MAX,
                    MEMORY_BYTES,
                    CPUS,
                    PROCESSES,
                    OPEN_FILES,
                    FILE_BYTES,
                    TMP_BYTES,
                    WORKSPACE_BYTES,
                    WORKSPACE_FILES,
                    CODE_BYTES_MAX,
                    ENV_BYTES_MAX,
                    OUTPUT_INLINE_BYTES,
                    OUTPUT_SPOOL_BYTES,
                    CONCURRENCY,
                    QUEUE_MAX,
                    ACCEPT_MISSING,
                    IMAGE_DIRECTORY,
                    UID_BASE,
                    UID_COUNT,
                    DEFAULT_LANGUAGE,
                    REDACT_PATTERNS,
                    DOCKER_HOST);

    private SandboxSettings() {}
}
