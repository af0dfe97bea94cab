package dev.caisson.config;

import java.util.Optional;

/// Builds the record tree from the values. Every section is tried, so that each can complain.
final class Sections {
    private Sections() {}

    static Optional<Config> config(Values values) {
        var http = values.make(() -> http(values));
        var data = values.make(() -> data(values));
        var ledger = values.make(() -> new Config.Ledger(values.get(Settings.LEDGER_ENABLED)));
        var keep = values.make(() -> keep(values));
        var webhooks =
                values.make(() ->
                        new Config.Webhooks(
                                values.get(Settings.WEBHOOKS_PRIVATE_HOSTS),
                                values.get(Settings.WEBHOOKS_UNDELIVERED_MAX)));
        var auth = values.make(() -> auth(values));
        var shares = values.make(() -> new Config.Shares(values.get(Settings.SHARES_PART)));
        var mcp = values.make(() -> mcp(values));
        var files =
                values.make(() ->
                        new Config.Files(
                                values.get(Settings.FILES_SECRET),
                                values.get(Settings.FILES_FORMER_SECRETS),
                                values.get(Settings.FILES_LINK_LIFE),
                                values.get(Settings.FILES_LASTING_LINKS),
                                values.get(Settings.FILES_ARCHIVE_BYTES_MAX),
                                values.get(Settings.FILES_ARCHIVE_UNPACKED_BYTES_MAX)));
        var sandbox = values.make(() -> sandbox(values));
        var log = values.make(() -> log(values));
        var telemetry = values.make(() -> telemetry(values));
        var redact =
                values.make(() ->
                        new Config.Redact(
                                values.get(RedactSettings.PERSONAL_DATA),
                                values.get(RedactSettings.PATTERNS_OFF)));
        if (http.isEmpty() || data.isEmpty() || sandbox.isEmpty()) {
            return Optional.empty();
        }
        return values.make(() ->
                new Config(
                        http.orElseThrow(),
                        data.orElseThrow(),
                        ledger.orElseThrow(),
                        keep.orElseThrow(),
                        webhooks.orElseThrow(),
                        auth.orElseThrow(),
                        shares.orElseThrow(),
                        mcp.orElseThrow(),
                        files.orElseThrow(),
                        sandbox.orElseThrow(),
                        log.orElseThrow(),
                        telemetry.orElseThrow(),
                        redact.orElseThrow()));
    }

    private static Config.Http http(Values values) {
        return new Config.Http(
                values.get(Settings.HTTP_HOST),
                values.get(Settings.HTTP_PORT),
                values.get(Settings.HTTP_ALLOWED_ORIGINS),
                values.get(Settings.HTTP_ALLOWED_HOSTS),
                values.get(Settings.HTTP_TRUSTED_PROXIES),
                values.get(Settings.HTTP_TLS_CERTIFICATE),
                values.get(Settings.HTTP_TLS_KEY),
                values.get(Settings.HTTP_BODY_BYTES_MAX),
                values.get(Settings.HTTP_HEADER_BYTES_MAX),
                values.get(Settings.HTTP_REQUEST_TIME),
                values.get(Settings.HTTP_REQUESTS_MAX),
                values.get(Settings.HTTP_STREAMS_MAX),
                values.get(Settings.HTTP_BODIES_BYTES_MAX),
                values.get(Settings.HTTP_ANSWERS_BYTES_MAX),
                values.get(Settings.HTTP_PUBLIC_BASE_URL));
    }

    private static Config.Data data(Values values) {
        var directory = values.get(Settings.DATA_DIRECTORY);
        return new Config.Data(
                directory,
                values.get(Settings.DATA_THREADS_DIRECTORY).orElse(directory.resolve("threads")),
                values.get(Settings.DATA_DATABASE_URL),
                values.get(Settings.DATA_DATABASE_USER),
                values.get(Settings.DATA_DATABASE_PASSWORD));
    }

    private static Config.Keep keep(Values values) {
        return new Config.Keep(
                values.get(KeepSettings.CODE),
                values.get(KeepSettings.EXECUTIONS_AGE),
                values.get(KeepSettings.EXECUTIONS_BYTES),
                values.get(KeepSettings.OUTPUT_AGE),
                values.get(KeepSettings.OUTPUT_BYTES),
                values.get(KeepSettings.THREADS_IDLE),
                values.get(KeepSettings.THREADS_BYTES),
                values.get(KeepSettings.THREADS_REVOKED),
                values.get(KeepSettings.ANSWERS_AGE),
                values.get(KeepSettings.ANSWERS_BYTES),
                values.get(KeepSettings.ANSWERS_MAX),
                values.get(KeepSettings.WEBHOOKS_BYTES),
                values.get(KeepSettings.TASKS_BYTES));
    }

    private static Config.Auth auth(Values values) {
        return new Config.Auth(
                values.get(Settings.AUTH_ENABLED),
                values.get(Settings.AUTH_API_TOKEN),
                values.get(Settings.AUTH_FAILURES_MAX),
                values.get(Settings.AUTH_FAILURE_WINDOW));
    }

    private static Config.Mcp mcp(Values values) {
        return new Config.Mcp(
                values.get(Settings.MCP_PAGE_SIZE),
                values.get(Settings.MCP_HEARTBEAT),
                values.get(Settings.MCP_LEGACY_SSE),
                values.get(Settings.MCP_SESSIONS_MAX),
                values.get(Settings.MCP_SESSION_IDLE),
                values.get(Settings.MCP_TASK_KEEP),
                values.get(Settings.MCP_SUBSCRIPTIONS_BYTES_MAX),
                values.get(Settings.MCP_STRICT_PARAMS));
    }

    private static Config.Log log(Values values) {
        return new Config.Log(values.get(Settings.LOG_LEVEL));
    }

    private static Config.Telemetry telemetry(Values values) {
        return new Config.Telemetry(
                values.get(TelemetrySettings.OTLP_ENDPOINT),
                values.get(TelemetrySettings.OTLP_HEADERS),
                values.get(TelemetrySettings.SERVICE_NAME),
                values.get(TelemetrySettings.METRICS_ACCESS));
    }

    private static Config.Sandbox sandbox(Values values) {
        return new Config.Sandbox(
                values.get(SandboxSettings.WALL_DEFAULT),
                values.get(SandboxSettings.WALL_MAX),
                values.get(SandboxSettings.MEMORY_BYTES),
                values.get(SandboxSettings.MEMORY_TOTAL_BYTES),
                values.get(SandboxSettings.CPUS),
                values.get(SandboxSettings.PROCESSES),
                values.get(SandboxSettings.OPEN_FILES),
                values.get(SandboxSettings.FILE_BYTES),
                values.get(SandboxSettings.TMP_BYTES),
                values.get(SandboxSettings.WORKSPACE_BYTES),
                values.get(SandboxSettings.WORKSPACE_FILES),
                values.get(SandboxSettings.CODE_BYTES_MAX),
                values.get(SandboxSettings.ENV_BYTES_MAX),
                values.get(SandboxSettings.STDOUT_INLINE_BYTES),
                values.get(SandboxSettings.STDERR_INLINE_BYTES),
                values.get(SandboxSettings.OUTPUT_SPOOL_BYTES),
                values.get(SandboxSettings.DATA_SPOOL_BYTES),
                values.get(SandboxSettings.CONCURRENCY),
                values.get(SandboxSettings.QUEUE_MAX),
                values.get(SandboxSettings.POOL_MEMORY_BYTES),
                values.get(SandboxSettings.POOL_IDLE),
                values.get(SandboxSettings.SESSIONS_MAX),
                values.get(SandboxSettings.SESSIONS_PER_KEY),
                values.get(SandboxSettings.SESSION_IDLE),
                values.get(SandboxSettings.ACCEPT_MISSING),
                values.get(SandboxSettings.IMAGE_DIRECTORY),
                values.get(SandboxSettings.UID_BASE),
                values.get(SandboxSettings.UID_COUNT),
                values.get(SandboxSettings.DEFAULT_LANGUAGE),
                values.get(SandboxSettings.REDACT_PATTERNS),
                values.get(SandboxSettings.RAW_OUTPUT),
                values.get(SandboxSettings.DETACH_AFTER),
                values.get(SandboxSettings.DOCKER_HOST));
    }
}
