package dev.caisson;

import dev.caisson.config.Contradiction;
import dev.caisson.config.Effective;
import dev.caisson.config.KeyFamily;
import dev.caisson.config.Mistakes;
import dev.caisson.config.Sources;
import dev.caisson.devtools.DevSettings;
import dev.caisson.door.DoorSettings;
import dev.caisson.egress.NetworkSettings;
import dev.caisson.environments.EnvironmentSettings;
import dev.caisson.executions.AttemptSettings;
import dev.caisson.executions.ExecutionSettings;
import dev.caisson.http.HttpSettings;
import dev.caisson.identity.AuthSettings;
import dev.caisson.identity.VaultSettings;
import dev.caisson.ledger.LedgerSettings;
import dev.caisson.ledger.UpstreamCallLimits;
import dev.caisson.mcp.McpSettings;
import dev.caisson.output.OutputLimits;
import dev.caisson.output.OutputRetention;
import dev.caisson.policy.ApprovalSettings;
import dev.caisson.policy.PolicySettings;
import dev.caisson.profiles.ProfileKeys;
import dev.caisson.rest.IdempotencyLimits;
import dev.caisson.runs.BackgroundSettings;
import dev.caisson.runs.Profile;
import dev.caisson.sandbox.SandboxOptions;
import dev.caisson.session.SessionLimits;
import dev.caisson.share.ShareLimit;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.storage.DiskSettings;
import dev.caisson.storage.LinkSettings;
import dev.caisson.storage.ThreadRetention;
import dev.caisson.storage.WorkspaceSize;
import dev.caisson.store.DataSettings;
import dev.caisson.telemetry.LogSettings;
import dev.caisson.telemetry.TelemetrySettings;
import dev.caisson.tools.RunCodeSettings;
import dev.caisson.tools.ToolSettings;
import dev.caisson.upstream.UpstreamOptions;
import dev.caisson.webhooks.WebhookSettings;
import dev.caisson.workflow.TaskLimits;
import java.util.Map;

/// Configuration of the server: the settings records of all rooms. Each room declares its keys;
/// this record checks what must fit together between rooms.
public record Config(
        HttpSettings http,
        DataSettings data,
        LedgerSettings ledger,
        Kept kept,
        WebhookSettings webhooks,
        UpstreamOptions upstreams,
        PolicySettings policy,
        ApprovalSettings approvals,
        AuthSettings auth,
        VaultSettings vault,
        ShareLimit shares,
        McpSettings mcp,
        LogSettings log,
        TelemetrySettings telemetry,
        Running running,
        Files files,
        EnvironmentSettings environments) {
    /// Retention of what the server keeps.
    public record Kept(
            ExecutionSettings executions,
            OutputRetention output,
            ThreadRetention threads,
            IdempotencyLimits answers,
            TaskLimits tasks,
            UpstreamCallLimits upstreamCalls) {}

    /// Settings of files and workspaces.
    public record Files(
            LinkSettings links,
            ArchiveLimits archives,
            WorkspaceSize workspace,
            DiskSettings disk) {}

    /// Settings of runs and of where they run.
    public record Running(
            Profile profile,
            OutputLimits output,
            SandboxOptions sandboxes,
            SessionLimits sessionsWanted,
            BackgroundSettings background,
            RunCodeSettings runCode,
            ToolSettings tools,
            DoorSettings code,
            NetworkSettings network,
            AttemptSettings attempts,
            DevSettings dev,
            @KeyFamily(name = "profiles") Map<String, ProfileKeys> profiles) {
        public Running {
            profiles = Map.copyOf(profiles);
        }

        /// Sessions hold their memory between calls: half of it is for runs.
        SessionLimits sessions() {
            return sessionsWanted.within(
                    sandboxes.sharing().memoryBytes(), profile.limits().memoryBytes());
        }
    }

    public Config {
        if (!auth.enabled() && !http.isLoopback()) {
            throw new Contradiction(
                    "auth.enabled",
                    "must stay true while http.host is " + http.host(),
                    "Without keys the server listens on a loopback address alone: set http.host to"
                            + " 127.0.0.1, or leave keys on.");
        }
        auth.tokens().issuer().ifPresent(issuer -> checkIssuer(issuer, auth, http));
        if (auth.isTokenShort() && !http.isLoopback()) {
            throw new Contradiction(
                    "auth.api_token",
                    "has fewer than %d characters while http.host is %s"
                            .formatted(AuthSettings.TOKEN_LENGTH_MIN, http.host()),
                    "Whoever guesses it may do everything: make a longer one, such as with openssl"
                            + " rand -hex 32.");
        }
    }

    private static void checkIssuer(String issuer, AuthSettings auth, HttpSettings http) {
        var key = "auth.issuer";
        if (!auth.enabled()) {
            throw new Contradiction(
                    key,
                    "has no meaning while auth.enabled is false",
                    "Everybody may do everything then: set auth.enabled, or leave the issuer out.");
        }
        if (http.publicBaseUrl().isEmpty()) {
            throw new Contradiction(
                    key,
                    "needs http.public_base_url",
                    "Tokens are issued for the address of this server: set it.");
        }
        if (!issuer.startsWith("https://") && !issuer.startsWith("http://")) {
            throw new Contradiction(
                    key,
                    "is not an address",
                    "Write it as the tokens name it, such as https://login.example.org.");
        }
    }

    /// With other sizes of what is kept.
    Config keeping(Kept newKept, WebhookSettings newWebhooks) {
        return new Config(
                http,
                data,
                ledger,
                newKept,
                newWebhooks,
                upstreams,
                policy,
                approvals,
                auth,
                vault,
                shares,
                mcp,
                log,
                telemetry,
                running,
                files,
                environments);
    }

    /// @throws Mistakes with all that is wrong, when anything is
    public static Config read(Sources sources) throws Mistakes {
        return of(Effective.read(Config.class, sources));
    }

    static Config of(Effective effective) {
        return effective.as(Config.class);
    }
}
