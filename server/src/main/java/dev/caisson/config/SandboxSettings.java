package dev.caisson.config;

import static dev.caisson.config.Setting.setting;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The part of the table under `sandbox`: what one run may use, and what the host offers.
public final class SandboxSettings {
    /// As sandboxes name them; a test of the wiring compares.
    public static final List<String> LAYERS =
            List.of(
                    "namespaces",
                    "own_user",
                    "read_only_root",
                    "private_proc",
                    "no_privileges",
                    "syscall_filter",
                    "sockets_stay_inside",
                    "no_network",
                    "memory_limit",
                    "process_limit",
                    "cpu_limit",
                    "file_limits",
                    "bounded_tmp",
                    "workspace_limit");

    public static final List<String> LANGUAGES = List.of("python", "node", "typescript", "bash");

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
    static final Setting<Long> MEMORY_TOTAL_BYTES =
            setting(
                    "sandbox.memory_total_bytes",
                    Types.size("0B", "64TiB"),
                    "0B",
                    "Memory of all sandboxes together, and the limit of their common control group; with 0B it is three fifths of the machine's.");
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
                    "1MiB",
                    "The longest program.");
    static final Setting<Long> ENV_BYTES_MAX =
            setting(
                    "sandbox.env_bytes_max",
                    Types.size("1KiB", "1MiB"),
                    "64KiB",
                    "The most bytes of environment variables of a run together.");
    static final Setting<Long> STDOUT_INLINE_BYTES =
            setting(
                    "sandbox.stdout_inline_bytes",
                    Types.size("1KiB", "16MiB"),
                    "64KiB",
                    "How much of stdout is in the answer itself, with the line that says what is left out.");
    static final Setting<Long> STDERR_INLINE_BYTES =
            setting(
                    "sandbox.stderr_inline_bytes",
                    Types.size("1KiB", "16MiB"),
                    "256KiB",
                    "The same of stderr.");
    static final Setting<Long> OUTPUT_SPOOL_BYTES =
            setting(
                    "sandbox.output_spool_bytes",
                    Types.size("64KiB", "1TiB"),
                    "64MiB",
                    "How much of each stream is kept to be read later.");
    static final Setting<Long> DATA_SPOOL_BYTES =
            setting(
                    "sandbox.data_spool_bytes",
                    Types.size("64KiB", "64MiB"),
                    "4MiB",
                    "The longest value handed over that is kept to be read later, as JSON; up to 64 KiB are in the answer itself.");
    static final Setting<Integer> CONCURRENCY =
            setting(
                    "sandbox.concurrency",
                    Types.number(1, 1_000),
                    "16",
                    "Runs at once; more wait in a queue.");
    static final Setting<Integer> QUEUE_MAX =
            setting(
                    "sandbox.queue_max",
                    Types.number(0, 100_000),
                    "256",
                    "Runs that may wait for a place.");
    static final Setting<Long> POOL_MEMORY_BYTES =
            setting(
                    "sandbox.pool_memory_bytes",
                    Types.size("0B", "1TiB"),
                    "256MiB",
                    "Memory for sandboxes that wait for a run; with 0B, or where the server may not mount, every run starts from nothing.");
    static final Setting<Duration> POOL_IDLE =
            setting(
                    "sandbox.pool_idle",
                    Types.duration("1s", "1d"),
                    "5m",
                    "After this time without demand fewer sandboxes wait.");
    static final Setting<Integer> SESSIONS_MAX =
            setting(
                    "sandbox.sessions_max",
                    Types.number(0, 1_000),
                    "8",
                    "Sessions alive at once; 0 turns them off.");
    static final Setting<Integer> SESSIONS_PER_KEY =
            setting(
                    "sandbox.sessions_per_key",
                    Types.number(0, 1_000),
                    "4",
                    "Sessions of one key alive at once.");
    static final Setting<Duration> SESSION_IDLE =
            setting(
                    "sandbox.session_idle",
                    Types.duration("1s", "1d"),
                    "10m",
                    "How long a session lives without a call.");
    static final Setting<List<String>> ACCEPT_MISSING =
            setting(
                    "sandbox.accept_missing",
                    Types.someOf(LAYERS),
                    "",
                    "Layers of isolation the operator does without, by name; see the list below.");
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
                    "10000",
                    "How many user ids there are for sandboxes.");
    static final Setting<String> DEFAULT_LANGUAGE =
            setting(
                    "sandbox.default_language",
                    Types.oneOf(LANGUAGES),
                    "python",
                    "The language of a run whose caller does not say.");
    static final Setting<Boolean> REDACT_PATTERNS =
            setting(
                    "sandbox.redact_patterns",
                    Types.BOOL,
                    "true",
                    "Whether what looks like a secret is struck from output.");
    static final Setting<Boolean> RAW_OUTPUT =
            setting(
                    "sandbox.raw_output",
                    Types.BOOL,
                    "false",
                    "Whether run_code answers with content of type output; strict clients refuse it.");
    static final Setting<Duration> DETACH_AFTER =
            setting(
                    "sandbox.detach_after",
                    Types.duration("100ms", "1d"),
                    "20s",
                    "When a run goes on as a task, if the client can follow one.");
    static final Setting<Optional<String>> DOCKER_HOST =
            setting(
                            "sandbox.docker_host",
                            Types.optional(Types.text(1_024)),
                            "",
                            "Kept for a Docker tier; read, and without effect: no sandbox uses Docker.")
                    .alsoFrom("DOCKER_HOST");

    static final List<Setting<?>> ALL =
            List.of(
                    WALL_DEFAULT,
                    WALL_MAX,
                    MEMORY_BYTES,
                    MEMORY_TOTAL_BYTES,
                    CPUS,
                    PROCESSES,
                    OPEN_FILES,
                    FILE_BYTES,
                    TMP_BYTES,
                    WORKSPACE_BYTES,
                    WORKSPACE_FILES,
                    CODE_BYTES_MAX,
                    ENV_BYTES_MAX,
                    STDOUT_INLINE_BYTES,
                    STDERR_INLINE_BYTES,
                    OUTPUT_SPOOL_BYTES,
                    DATA_SPOOL_BYTES,
                    CONCURRENCY,
                    QUEUE_MAX,
                    POOL_MEMORY_BYTES,
                    POOL_IDLE,
                    SESSIONS_MAX,
                    SESSIONS_PER_KEY,
                    SESSION_IDLE,
                    ACCEPT_MISSING,
                    IMAGE_DIRECTORY,
                    UID_BASE,
                    UID_COUNT,
                    DEFAULT_LANGUAGE,
                    REDACT_PATTERNS,
                    RAW_OUTPUT,
                    DETACH_AFTER,
                    DOCKER_HOST);

    private SandboxSettings() {}
}
