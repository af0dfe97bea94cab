package dev.caisson.config;

import static dev.caisson.config.Setting.setting;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The table of every key there is. `docs/configuration.md` says the same in prose, and a test
/// compares the two.
final class Settings {
    static final Setting<String> HTTP_HOST =
            setting("http.host", Types.HOST, "127.0.0.1", "The address to listen on.");
    static final Setting<Integer> HTTP_PORT =
            setting(
                    "http.port",
                    Types.number(0, 65_535),
                    "8080",
                    "The port; 0 takes any free one.");
    static final Setting<List<String>> HTTP_ALLOWED_ORIGINS =
            setting(
                    "http.allowed_origins",
                    Types.ORIGINS,
                    "",
                    "Origins of web pages that may call, beside pages of this machine.");
    static final Setting<List<String>> HTTP_ALLOWED_HOSTS =
            setting(
                    "http.allowed_hosts",
                    Types.LIST,
                    "",
                    "Names clients may use in Host, beside loopback names and http.host.");
    static final Setting<List<String>> HTTP_TRUSTED_PROXIES =
            setting(
                    "http.trusted_proxies",
                    Types.NETWORKS,
                    "",
                    "Addresses or networks of proxies whose word on the client's address counts.");
    static final Setting<Optional<Path>> HTTP_TLS_CERTIFICATE =
            setting(
                    "http.tls_certificate",
                    Types.optional(Types.PATH),
                    "",
                    "A PEM file with the certificate chain; with http.tls_key it turns on TLS.");
    static final Setting<Optional<Path>> HTTP_TLS_KEY =
            setting(
                    "http.tls_key",
                    Types.optional(Types.PATH),
                    "",
                    "A PEM file with the certificate's private key.");
    static final Setting<Long> HTTP_BODY_BYTES_MAX =
            setting(
                    "http.body_bytes_max",
                    Types.size("1KiB", "1GiB"),
                    "8MiB",
                    "The largest body of a request.");
    static final Setting<Long> HTTP_HEADER_BYTES_MAX =
            setting(
                    "http.header_bytes_max",
                    Types.size("1KiB", "1MiB"),
                    "16KiB",
                    "The most bytes of a request's headers together.");
    static final Setting<Duration> HTTP_REQUEST_TIME =
            setting(
                    "http.request_time",
                    Types.duration("1s", "1h"),
                    "30s",
                    "How long a client may take to send a request.");
    static final Setting<Integer> HTTP_REQUESTS_MAX =
            setting(
                    "http.requests_max",
                    Types.number(1, 100_000),
                    "512",
                    "Requests being worked on at once.");
    static final Setting<Integer> HTTP_STREAMS_MAX =
            setting(
                    "http.streams_max",
                    Types.number(1, 1_000_000),
                    "10000",
                    "Open streams at once.");
    static final Setting<Optional<Long>> HTTP_BODIES_BYTES_MAX =
            setting(
                    "http.bodies_bytes_max",
                    Types.optional(Types.size("64KiB", "1TiB")),
                    "",
                    "Memory for the bodies of all requests, of which each takes eight times its"
                            + " length; a quarter of the heap if absent.");
    static final Setting<Optional<Long>> HTTP_ANSWERS_BYTES_MAX =
            setting(
                    "http.answers_bytes_max",
                    Types.optional(Types.size("64KiB", "1TiB")),
                    "",
                    "Memory for answers that wait for their readers; an eighth of the heap if"
                            + " absent.");
    static final Setting<Optional<URI>> HTTP_PUBLIC_BASE_URL =
            setting(
                            "http.public_base_url",
                            Types.optional(Types.BASE_URL),
                            "",
                            "The URL under which clients reach the server; shown at start.")
                    .alsoFrom("PUBLIC_BASE_URL");

    static final Setting<Path> DATA_DIRECTORY =
            setting("data.directory", Types.PATH, "", "Where everything that lasts is kept.");
    static final Setting<Optional<Path>> DATA_THREADS_DIRECTORY =
            setting(
                            "data.threads_directory",
                            Types.optional(Types.PATH),
                            "",
                            "Where the files of threads are kept; `threads` in data.directory if"
                                    + " absent.")
                    .alsoFrom("SANDBOX_ROOT");

    static final Setting<Optional<String>> DATA_DATABASE_URL =
            setting(
                            "data.database_url",
                            Types.optional(Types.DATABASE),
                            "",
                            "A PostgreSQL database to use in place of the file in data.directory.")
                    .hidden();
    static final Setting<Optional<String>> DATA_DATABASE_USER =
            setting(
                    "data.database_user",
                    Types.optional(Types.text(100)),
                    "",
                    "Whose name to use at data.database_url.");
    static final Setting<Optional<String>> DATA_DATABASE_PASSWORD =
            setting(
                            "data.database_password",
                            Types.optional(Types.secret(1)),
                            "",
                            "The password of data.database_user.")
                    .hidden();

    static final Setting<Boolean> LEDGER_ENABLED =
            setting(
                    "ledger.enabled",
                    Types.BOOL,
                    "true",
                    "Whether every call leaves an entry in the ledger.");

    static final Setting<List<String>> WEBHOOKS_PRIVATE_HOSTS =
            setting(
                    "webhooks.private_hosts",
                    Types.LIST,
                    "",
                    "Hosts that results may be sent to although their addresses are private.");
    static final Setting<Integer> WEBHOOKS_UNDELIVERED_MAX =
            setting(
                    "webhooks.undelivered_max",
                    Types.number(1, 1_000_000),
                    "1000",
                    "How many results of one key may wait to be sent; further ones are refused.");

    static final Setting<Boolean> AUTH_ENABLED =
            setting(
                    "auth.enabled",
                    Types.BOOL,
                    "true",
                    "Whether callers need a key; false only on a loopback address.");
    static final Setting<Optional<String>> AUTH_API_TOKEN =
            setting(
                            "auth.api_token",
                            Types.optional(Types.secret(8)),
                            "",
                            "A key with every scope that is valid beside the stored ones. At least 32"
                                    + " characters, unless the server listens on a loopback"
                                    + " address.")
                    .alsoFrom("MCP_API_TOKEN")
                    .hidden();
    static final Setting<Integer> AUTH_FAILURES_MAX =
            setting(
                    "auth.failures_max",
                    Types.number(1, 1_000_000),
                    "3",
                    "Failed attempts of one address before it must wait.");
    static final Setting<Duration> AUTH_FAILURE_WINDOW =
            setting(
                    "auth.failure_window",
                    Types.duration("1s", "1d"),
                    "60s",
                    "How long a failed attempt counts.");

    static final Setting<Integer> MCP_PAGE_SIZE =
            setting("mcp.page_size", Types.number(1, 1_000), "100", "Items on one page of a list.");
    static final Setting<Duration> MCP_HEARTBEAT =
            setting(
                    "mcp.heartbeat",
                    Types.duration("100ms", "1m"),
                    "1s",
                    "How often an open stream of a call in progress shows life.");
    static final Setting<Boolean> MCP_LEGACY_SSE =
            setting(
                    "mcp.legacy_sse",
                    Types.BOOL,
                    "true",
                    "Whether GET /sse and POST /message serve clients of 2024-11-05.");
    static final Setting<Integer> MCP_SESSIONS_MAX =
            setting(
                    "mcp.sessions_max",
                    Types.number(1, 1_000_000),
                    "10000",
                    "Sessions of legacy clients at once.");
    static final Setting<Duration> MCP_SESSION_IDLE =
            setting(
                    "mcp.session_idle",
                    Types.duration("1s", "30d"),
                    "10m",
                    "How long the streams of an unused session can be taken up again.");
    static final Setting<Long> MCP_SUBSCRIPTIONS_BYTES_MAX =
            setting(
                    "mcp.subscriptions_bytes_max",
                    Types.size("64KiB", "1TiB"),
                    "16MiB",
                    "Memory for the URIs that clients watch, all together.");
    static final Setting<Boolean> MCP_STRICT_PARAMS =
            setting(
                    "mcp.strict_params",
                    Types.BOOL,
                    "false",
                    "Whether tool arguments that are not valid are answered with the error -32602"
                            + " instead of a result that says what is wrong. A key can ask for it"
                            + " too.");
    static final Setting<Duration> MCP_TASK_KEEP =
            setting(
                    "mcp.task_keep",
                    Types.duration("1s", "365d"),
                    "1d",
                    "How long the result of a task is kept at most.");

    static final Setting<Optional<String>> FILES_SECRET =
            setting(
                            "files.secret",
                            Types.optional(Types.secret(8)),
                            "",
                            "The secret links to files are signed with; made at the first start if"
                                    + " absent.")
                    .alsoFrom("FILE_SECRET")
                    .hidden();
    static final Setting<List<String>> FILES_FORMER_SECRETS =
            setting(
                            "files.former_secrets",
                            Types.SECRETS,
                            "",
                            "Secrets that sign no more links, while links signed with them still"
                                    + " work.")
                    .hidden();
    static final Setting<Duration> FILES_LINK_LIFE =
            setting(
                    "files.link_life",
                    Types.duration("1s", "365d"),
                    "1h",
                    "How long a signed link works.");
    static final Setting<Boolean> FILES_LASTING_LINKS =
            setting(
                    "files.lasting_links",
                    Types.BOOL,
                    "false",
                    "Whether links that sign thread and path alone, and never expire, are accepted"
                            + " for threads of the holder of auth.api_token.");

    static final Setting<Long> FILES_ARCHIVE_BYTES_MAX =
            setting(
                    "files.archive_bytes_max",
                    Types.size("1MiB", "1TiB"),
                    "8GiB",
                    "How much the files of one archive may take on the disk.");
    static final Setting<Long> FILES_ARCHIVE_UNPACKED_BYTES_MAX =
            setting(
                    "files.archive_unpacked_bytes_max",
                    Types.size("1MiB", "1TiB"),
                    "16GiB",
                    "How much they may have unpacked, with the holes of sparse files.");

    static final Setting<Double> SHARES_PART =
            setting(
                    "shares.part",
                    Types.decimal(0.01, 1),
                    "0.75",
                    "The most one key may have of what the server has to give at once.");

    static final Setting<String> LOG_LEVEL =
            setting(
                    "log.level",
                    Types.oneOf(List.of("error", "warn", "info", "debug")),
                    "info",
                    "The least severe level that is written.");

    /// In the order in which they are listed.
    static final List<Setting<?>> ALL =
            Stream.of(
                            Stream.<Setting<?>>of(
                                    HTTP_HOST,
                                    HTTP_PORT,
                                    HTTP_ALLOWED_ORIGINS,
                                    HTTP_ALLOWED_HOSTS,
                                    HTTP_TRUSTED_PROXIES,
                                    HTTP_TLS_CERTIFICATE,
                                    HTTP_TLS_KEY,
                                    HTTP_BODY_BYTES_MAX,
                                    HTTP_HEADER_BYTES_MAX,
                                    HTTP_REQUEST_TIME,
                                    HTTP_REQUESTS_MAX,
                                    HTTP_STREAMS_MAX,
                                    HTTP_BODIES_BYTES_MAX,
                                    HTTP_ANSWERS_BYTES_MAX,
                                    HTTP_PUBLIC_BASE_URL,
                                    DATA_DIRECTORY,
                                    DATA_THREADS_DIRECTORY,
                                    DATA_DATABASE_URL,
                                    DATA_DATABASE_USER,
                                    DATA_DATABASE_PASSWORD,
                                    LEDGER_ENABLED,
                                    WEBHOOKS_PRIVATE_HOSTS,
                                    WEBHOOKS_UNDELIVERED_MAX,
                                    AUTH_ENABLED,
                                    AUTH_API_TOKEN,
                                    AUTH_FAILURES_MAX,
                                    AUTH_FAILURE_WINDOW,
                                    SHARES_PART,
                                    MCP_PAGE_SIZE,
                                    MCP_HEARTBEAT,
                                    MCP_LEGACY_SSE,
                                    MCP_SESSIONS_MAX,
                                    MCP_SESSION_IDLE,
                                    MCP_TASK_KEEP,
                                    MCP_SUBSCRIPTIONS_BYTES_MAX,
                                    MCP_STRICT_PARAMS,
                                    FILES_SECRET,
                                    FILES_FORMER_SECRETS,
                                    FILES_LINK_LIFE,
                                    FILES_LASTING_LINKS,
                                    FILES_ARCHIVE_BYTES_MAX,
                                    FILES_ARCHIVE_UNPACKED_BYTES_MAX,
                                    LOG_LEVEL),
                            RedactSettings.ALL.stream(),
                            TelemetrySettings.ALL.stream(),
                            KeepSettings.ALL.stream(),
                            SandboxSettings.ALL.stream())
                    .flatMap(settings -> settings)
                    .toList();

    private Settings() {}

    static Optional<Setting<?>> find(String name) {
        return ALL.stream().filter(setting -> setting.name().equals(name)).findFirst();
    }
}
