package dev.caisson.config;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Every setting, read and checked. The records check what must fit together; what each value may
/// be is checked by its type in [Settings].
public record Config(
        Http http,
        Data data,
        Ledger ledger,
        Keep keep,
        Webhooks webhooks,
        Auth auth,
        Shares shares,
        Mcp mcp,
        Files files,
        Sandbox sandbox,
        Log log,
        Telemetry telemetry,
        Redact redact) {
    public Config {
        if (!auth.enabled() && !http.isLoopback()) {
            throw new Contradiction(
                    Settings.AUTH_ENABLED,
                    "must stay true while http.host is " + http.host(),
                    "Without keys the server listens on a loopback address alone: set http.host to"
                            + " 127.0.0.1, or leave keys on.");
        }
        if (auth.isTokenShort() && !http.isLoopback()) {
            throw new Contradiction(
                    Settings.AUTH_API_TOKEN,
                    "has fewer than %d characters while http.host is %s"
                            .formatted(Auth.TOKEN_LENGTH_MIN, http.host()),
                    "Whoever guesses it may do everything: make a longer one, such as with openssl"
                            + " rand -hex 32.");
        }
    }

    public record Http(
            String host,
            int port,
            List<String> allowedOrigins,
            List<String> allowedHosts,
            List<String> trustedProxies,
            Optional<Path> tlsCertificate,
            Optional<Path> tlsKey,
            long bodyBytesMax,
            long headerBytesMax,
            Duration requestTime,
            int requestsMax,
            int streamsMax,
            Optional<Long> bodiesBytesMax,
            Optional<Long> answersBytesMax,
            Optional<URI> publicBaseUrl) {
        public Http {
            allowedOrigins = List.copyOf(allowedOrigins);
            allowedHosts = List.copyOf(allowedHosts);
            trustedProxies = List.copyOf(trustedProxies);
            if (tlsCertificate.isPresent() != tlsKey.isPresent()) {
                throw new Contradiction(
                        tlsKey.isPresent() ? Settings.HTTP_TLS_KEY : Settings.HTTP_TLS_CERTIFICATE,
                        "stands alone",
                        "Set http.tls_certificate and http.tls_key together, or neither.");
            }
        }

        /// Whether only this machine can reach the listener. Whether nobody but this machine is
        /// meant to reach the server, also not by a proxy.
        public boolean isLocal() {
            return isLoopback() && trustedProxies.isEmpty() && publicBaseUrl.isEmpty();
        }

        public boolean isLoopback() {
            return host.equals("localhost") || InetAddress.ofLiteral(host).isLoopbackAddress();
        }

        public boolean tls() {
            return tlsKey.isPresent();
        }
    }

    /// @param threadsDirectory the files of threads
    /// @param databaseUrl of a PostgreSQL database; without it the database is a file
    public record Data(
            Path directory,
            Path threadsDirectory,
            Optional<String> databaseUrl,
            Optional<String> databaseUser,
            Optional<String> databasePassword) {
        public Data {
            if (databaseUrl.isEmpty() && databaseUser.or(() -> databasePassword).isPresent()) {
                throw new Contradiction(
                        databaseUser.isPresent()
                                ? Settings.DATA_DATABASE_USER
                                : Settings.DATA_DATABASE_PASSWORD,
                        "stands without data.database_url",
                        "Set data.database_url too, or leave it out.");
            }
        }

        /// Without the secret.
        @Override
        public String toString() {
            return "Data[directory=" + directory + "]";
        }
    }

    public record Ledger(boolean enabled) {}

    /// How long what is kept stays, and how much of it; what is empty has no limit.
    public record Keep(
            boolean code,
            Optional<Duration> executionsAge,
            Optional<Long> executionsBytes,
            Optional<Duration> outputAge,
            long outputBytes,
            Optional<Duration> threadsIdle,
            Optional<Long> threadsBytes,
            Optional<Duration> threadsRevoked,
            Duration answersAge,
            long answersBytes,
            int answersMax,
            long webhooksBytes,
            long tasksBytes) {}

    /// @param undeliveredMax how many results of one key may wait
    public record Webhooks(List<String> privateHosts, int undeliveredMax) {
        public Webhooks {
            privateHosts = List.copyOf(privateHosts);
        }
    }

    public record Auth(
            boolean enabled, Optional<String> apiToken, int failuresMax, Duration failureWindow) {
        /// A shorter token is for this machine alone, and is warned of.
        public static final int TOKEN_LENGTH_MIN = 32;

        /// Whether there is a token that is short enough to be guessed.
        public boolean isTokenShort() {
            return enabled
                    && apiToken.filter(token -> token.length() < TOKEN_LENGTH_MIN).isPresent();
        }

        /// Without the secret.
        @Override
        public String toString() {
            return "Auth[enabled=" + enabled + "]";
        }
    }

    /// @param part of anything finite that one key alone may hold
    public record Shares(double part) {}

    /// @param strictParams whether arguments that fail a tool's schema are an error of the protocol
    public record Mcp(
            int pageSize,
            Duration heartbeat,
            boolean legacySse,
            int sessionsMax,
            Duration sessionIdle,
            Duration taskKeep,
            long subscriptionsBytesMax,
            boolean strictParams) {}

    /// @param formerSecrets with which links were signed that may still be about
    /// @param lastingLinks whether links without expiry are accepted
    /// @param archiveBytesMax what files of one archive may take on the disk
    /// @param archiveUnpackedBytesMax what they may have unpacked
    public record Files(
            Optional<String> secret,
            List<String> formerSecrets,
            Duration linkLife,
            boolean lastingLinks,
            long archiveBytesMax,
            long archiveUnpackedBytesMax) {
        public Files {
            formerSecrets = List.copyOf(formerSecrets);
        }

        /// Without the secret.
        @Override
        public String toString() {
            return "Files[]";
        }
    }

    public record Log(String level) {}

    /// @param otlpEndpoint where spans are sent; none are made without it
    /// @param metricsAccess `auto`, `open` or `key`
    public record Telemetry(
            Optional<URI> otlpEndpoint,
            Map<String, String> otlpHeaders,
            String serviceName,
            String metricsAccess) {
        public Telemetry {
            otlpHeaders = Map.copyOf(otlpHeaders);
        }

        /// Without the secrets.
        @Override
        public String toString() {
            return "Telemetry[otlpEndpoint=" + otlpEndpoint + "]";
        }
    }

    /// @param personalData kinds that are struck
    /// @param patternsOff tools whose texts lose exact secrets alone
    public record Redact(List<String> personalData, List<String> patternsOff) {
        public Redact {
            personalData = List.copyOf(personalData);
            patternsOff = List.copyOf(patternsOff);
        }
    }

    public record Sandbox(
            Duration wallDefault,
            Duration wallMax,
            long memoryBytes,
            long memoryTotalBytes,
            double cpus,
            int processes,
            int openFiles,
            long fileBytes,
            long tmpBytes,
            long workspaceBytes,
            int workspaceFiles,
            long codeBytesMax,
            long envBytesMax,
            long stdoutInlineBytes,
            long stderrInlineBytes,
            long outputSpoolBytes,
            long dataSpoolBytes,
            int concurrency,
            int queueMax,
            long poolMemoryBytes,
            Duration poolIdle,
            int sessionsMax,
            int sessionsPerKey,
            Duration sessionIdle,
            List<String> acceptMissing,
            Optional<Path> imageDirectory,
            int uidBase,
            int uidCount,
            String defaultLanguage,
            boolean redactPatterns,
            boolean rawOutput,
            Duration detachAfter,
            Optional<String> dockerHost) {
        private static final long FILE_SYSTEM_BYTES = 256 << 10;
        private static final long BYTES_PER_FILE = 264;

        public Sandbox {
            acceptMissing = List.copyOf(acceptMissing);
            if (wallDefault.compareTo(wallMax) > 0) {
                throw new Contradiction(
                        SandboxSettings.WALL_DEFAULT,
                        "is longer than sandbox.wall_max",
                        "Lower it, or raise sandbox.wall_max.");
            }
            requireWithin(outputSpoolBytes, stdoutInlineBytes, SandboxSettings.STDOUT_INLINE_BYTES);
            requireWithin(outputSpoolBytes, stderrInlineBytes, SandboxSettings.STDERR_INLINE_BYTES);
            if (workspaceBytes < bytesFor(workspaceFiles)) {
                throw new Contradiction(
                        SandboxSettings.WORKSPACE_BYTES,
                        "is too small for the %d files of sandbox.workspace_files"
                                .formatted(workspaceFiles),
                        "Raise it to %d or more, or lower sandbox.workspace_files."
                                .formatted(bytesFor(workspaceFiles)));
            }
            if (uidCount < concurrency) {
                throw new Contradiction(
                        SandboxSettings.UID_COUNT,
                        "is less than sandbox.concurrency",
                        "Every sandbox needs a user id of its own: raise it, or lower"
                                + " sandbox.concurrency.");
            }
        }

        /// The least a file system with so many files is made of: 256 bytes for each, and what
        /// describes them.
        private static long bytesFor(int files) {
            return FILE_SYSTEM_BYTES + BYTES_PER_FILE * files;
        }

        private static void requireWithin(long spoolBytes, long bytes, Setting<Long> setting) {
            if (bytes > spoolBytes) {
                throw new Contradiction(
                        setting,
                        "is more than sandbox.output_spool_bytes",
                        "Lower it, or raise sandbox.output_spool_bytes.");
            }
        }
    }
}
