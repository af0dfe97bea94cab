package dev.caisson;

import dev.caisson.broker.ToolSpec;
import dev.caisson.config.Config;
import dev.caisson.config.Version;
import dev.caisson.http.HttpAccess;
import dev.caisson.http.HttpLimits;
import dev.caisson.http.HttpMemory;
import dev.caisson.http.HttpSettings;
import dev.caisson.http.HttpTls;
import dev.caisson.linux.LowPriority;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.ServerInfo;
import dev.caisson.redact.PersonalKind;
import dev.caisson.redact.RedactionRules;
import dev.caisson.rest.AnswerLimits;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PoolSettings;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.sandbox.Sharing;
import dev.caisson.session.SessionLimits;
import dev.caisson.share.Part;
import dev.caisson.share.Workers;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.storage.OutputLimits;
import dev.caisson.telemetry.OtlpSettings;
import dev.caisson.tools.Profile;
import dev.caisson.webhooks.WebhookSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The settings of each room, taken from the configuration. Rooms do not know the configuration.
final class RoomSettings {
    private static final int COMPUTING_MIN = 2;

    /// Who owns the files of workspaces on disk; each sandbox sees them as its own user's.
    static final int USER_ON_DISK = 1000;

    private RoomSettings() {}

    static HttpSettings http(Config.Http http, Part part) {
        return new HttpSettings(
                http.host(),
                http.port(),
                new HttpLimits(
                        Math.toIntExact(http.bodyBytesMax()),
                        Math.toIntExact(http.headerBytesMax()),
                        http.requestTime(),
                        http.requestsMax(),
                        http.streamsMax(),
                        HttpLimits.DEFAULT.streamBufferBytesMax(),
                        HttpLimits.DEFAULT.idleTime(),
                        memory(http),
                        part),
                new HttpAccess(
                        Set.copyOf(http.allowedHosts()),
                        Set.copyOf(http.allowedOrigins()),
                        http.trustedProxies()),
                tls(http),
                Optional.empty());
    }

    /// As many as the machine has processors, of which one caller leaves some to others.
    static Workers workers(Config.Shares shares) {
        return new Workers(
                Math.max(COMPUTING_MIN, Runtime.getRuntime().availableProcessors()),
                part(shares),
                new LowPriority("compute-"));
    }

    static ArchiveLimits archives(Config.Files files) {
        return new ArchiveLimits(files.archiveBytesMax(), files.archiveUnpackedBytesMax());
    }

    /// @param instructions for a caller who sees these tools
    static ServerInfo serverInfo(Function<List<ToolSpec>, String> instructions) {
        return new ServerInfo("caisson", "Caisson", Version.TEXT, instructions);
    }

    static McpLimits mcp(Config.Mcp mcp, Part part) {
        var rest = McpLimits.DEFAULT;
        return new McpLimits(
                mcp.pageSize(),
                rest.quiet(),
                mcp.heartbeat(),
                rest.idleBeat(),
                rest.answerTimeout(),
                rest.stateLife(),
                rest.stateBytes(),
                mcp.taskKeep(),
                rest.taskPoll(),
                rest.streamEvents(),
                rest.streamBytes(),
                rest.streamsPerSession(),
                rest.replayBytes(),
                mcp.sessionsMax(),
                mcp.sessionIdle(),
                rest.sessionLife(),
                rest.callsPerChannel(),
                rest.lineBytes(),
                rest.drain(),
                mcp.subscriptionsBytesMax(),
                part);
    }

    static WebhookSettings webhooks(Config config) {
        return WebhookSettings.DEFAULT.with(
                config.webhooks().privateHosts().stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet()),
                config.webhooks().undeliveredMax(),
                config.keep().webhooksBytes(),
                part(config.shares()));
    }

    static AnswerLimits answers(Config.Keep keep) {
        return new AnswerLimits(keep.answersAge(), keep.answersBytes(), keep.answersMax());
    }

    /// Empty when no spans are wanted.
    static Optional<OtlpSettings> otlp(Config.Telemetry telemetry) {
        return telemetry
                .otlpEndpoint()
                .map(endpoint ->
                        new OtlpSettings(
                                endpoint,
                                telemetry.otlpHeaders(),
                                telemetry.serviceName(),
                                Version.TEXT));
    }

    static SandboxSettings sandboxes(Config config) {
        var sandbox = config.sandbox();
        return new SandboxSettings(
                sandboxDirectory(config.data()),
                guests(),
                sandbox.imageDirectory(),
                sandbox.concurrency(),
                sandbox.queueMax(),
                SandboxSettings.WAIT_DEFAULT,
                new SandboxSettings.UserRange(
                        SandboxSettings.UserRange.DEFAULT.locks(),
                        sandbox.uidBase(),
                        sandbox.uidCount()),
                acceptMissing(sandbox.acceptMissing()),
                Path.of("/sys/fs/cgroup"),
                PoolSettings.of(limits(sandbox), sandbox.poolMemoryBytes(), sandbox.poolIdle()),
                sharing(config));
    }

    /// Less than one run needs would let nothing run.
    private static long sandboxMemoryMin(Config config) {
        return config.sandbox().memoryBytes();
    }

    private static Sharing sharing(Config config) {
        var part = part(config.shares());
        long total = config.sandbox().memoryTotalBytes();
        return new Sharing(
                part,
                total > 0
                        ? Math.max(total, sandboxMemoryMin(config))
                        : Sharing.DEFAULT.memoryBytes());
    }

    /// Sessions hold their memory between calls: half of it is for runs.
    static SessionLimits sessions(Config config) {
        var sandbox = config.sandbox();
        long room = sharing(config).memoryBytes() / 2 / sandbox.memoryBytes();
        return new SessionLimits(
                (int) Math.min(sandbox.sessionsMax(), Math.max(1, room)),
                sandbox.sessionsPerKey(),
                sandbox.sessionIdle(),
                part(config.shares()));
    }

    static OutputLimits output(Config.Sandbox sandbox) {
        return new OutputLimits(
                Math.toIntExact(sandbox.stdoutInlineBytes()),
                Math.toIntExact(sandbox.stderrInlineBytes()),
                sandbox.outputSpoolBytes(),
                sandbox.dataSpoolBytes());
    }

    static Profile profile(Config.Sandbox sandbox, Config.Redact redact) {
        return new Profile(
                Language.of(sandbox.defaultLanguage()).orElseThrow(),
                limits(sandbox),
                sandbox.wallMax(),
                Profile.DEFAULT.waitMax(),
                Math.toIntExact(sandbox.codeBytesMax()),
                Math.toIntExact(sandbox.envBytesMax()),
                Map.of(),
                Map.of(),
                redaction(sandbox, redact),
                sandbox.detachAfter());
    }

    private static Limits limits(Config.Sandbox sandbox) {
        return new Limits(
                sandbox.wallDefault(),
                sandbox.memoryBytes(),
                sandbox.cpus(),
                sandbox.processes(),
                sandbox.openFiles(),
                sandbox.fileBytes(),
                sandbox.tmpBytes());
    }

    private static RedactionRules redaction(Config.Sandbox sandbox, Config.Redact redact) {
        return new RedactionRules(
                sandbox.redactPatterns(),
                redact.personalData().stream()
                        .map(word -> PersonalKind.of(word).orElseThrow())
                        .collect(Collectors.toUnmodifiableSet()),
                Set.copyOf(redact.patternsOff()));
    }

    /// Sandboxes live below a directory that their users can pass through; a root server's data
    /// directory is not one.
    private static Path sandboxDirectory(Config.Data data) {
        return "root".equals(System.getProperty("user.name"))
                ? Path.of("/run/caisson/sandboxes")
                : data.directory().resolve("sandboxes");
    }

    /// Where the launcher put what runs inside a sandbox.
    private static Path guests() {
        return Path.of(System.getProperty("caisson.guests", "guests")).toAbsolutePath();
    }

    private static Set<Layer> acceptMissing(List<String> words) {
        return words.stream()
                .map(word -> Layer.of(word).orElseThrow())
                .collect(Collectors.toUnmodifiableSet());
    }

    static Part part(Config.Shares shares) {
        return new Part(shares.part());
    }

    private static HttpMemory memory(Config.Http http) {
        var usual = HttpMemory.ofHeap(Runtime.getRuntime().maxMemory(), http.bodyBytesMax());
        return new HttpMemory(
                http.bodiesBytesMax().orElse(usual.bodiesBytesMax()),
                http.answersBytesMax().orElse(usual.answersBytesMax()));
    }

    private static Optional<HttpTls> tls(Config.Http http) {
        return http.tlsCertificate()
                .flatMap(chain -> http.tlsKey().map(key -> new HttpTls(chain, key)));
    }
}
