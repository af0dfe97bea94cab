package dev.caisson.rest;

import dev.caisson.actions.KeyActions;
import dev.caisson.call.Caller;
import dev.caisson.call.NetworkRules;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.ToolPatterns;
import dev.caisson.call.Variables;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.KeyRequest;
import dev.caisson.identity.NetworkForm;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Records;
import dev.caisson.profiles.NamedProfile;
import dev.caisson.profiles.ProfileSettings;
import dev.caisson.rest.route.Response;
import dev.caisson.rest.route.RouteRequest;
import dev.caisson.rest.runs.RestConversation;
import dev.caisson.storage.VolumeAccess;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Routes of API keys: list, create, revoke.
final class KeyRoutes {
    /// What a key gets whose maker asks for nothing else.
    private static final Set<Scope> USUAL = Set.of(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE);

    private final KeyDirectory keys;
    private final KeyActions actions;

    KeyRoutes(KeyDirectory keys, KeyActions actions) {
        this.keys = keys;
        this.actions = actions;
    }

    record NewKeyRequest(
            @Length(min = 1, max = KeyRequest.NAME_MAX) String name,
            @Describe("run, files_read and files_write when absent.") @MaxBytes(NAMES_BYTES_MAX)
                    Optional<List<String>> scopes,
            @Describe(
                            "The groups of tools it sees, of core and files; every group when absent or empty.")
                    @MaxBytes(NAMES_BYTES_MAX)
                    Optional<List<String>> toolsets,
            @Describe("Mounted at /volumes/<name> in every run of the key, if it may use them.")
                    @Length(max = StandingVolume.COUNT_MAX)
                    Optional<List<KeyVolume>> volumes,
            @Describe("Never when absent.") @Length(max = 64) Optional<String> expiresAt,
            @Describe(
                            "Over MCP, arguments that fail a tool's schema are answered with the error"
                                    + " -32602 instead of a result that says what is wrong.")
                    @DefaultsTo("false")
                    boolean strictParams,
            @Describe("The name of its profile, which says what its sandboxes get.")
                    @Length(min = 1, max = NamedProfile.NAME_MAX)
                    @DefaultsTo(Caller.DEFAULT_PROFILE)
                    String profile,
            @Describe(
                            "The environments its runs may use, the usual one first; those of the"
                                    + " profile when absent or empty.")
                    @Length(max = ProfileSettings.ENVIRONMENTS_MAX)
                    @MaxBytes(NAMES_BYTES_MAX)
                    Optional<List<String>> environments,
            @Describe(
                            "Environment variables of its programs, over those of the profile and under"
                                    + " those of a call.")
                    @MaxBytes(VARIABLES_BYTES_MAX)
                    Optional<Map<String, String>> envVars,
            @Describe("The same with values that are never shown again.")
                    @MaxBytes(VARIABLES_BYTES_MAX)
                    Optional<Map<String, String>> secretEnvVars,
            @Describe(
                            "Patterns of the tools of other servers that it sees, such as github.*; all"
                                    + " when absent, none when empty. Needs the scope tools.")
                    @Length(max = ToolPatterns.COUNT_MAX)
                    @MaxBytes(TOOLS_BYTES_MAX)
                    Optional<List<String>> tools,
            @Describe(
                            "What its programs may reach, by a proxy inside their sandbox; no network"
                                    + " when absent.")
                    @MaxBytes(NetworkForm.BYTES_MAX)
                    Optional<NetworkForm> network) {}

    /// How much variables may take, as JSON.
    static final int VARIABLES_BYTES_MAX = 16 << 10;

    /// How much the names of scopes and of toolsets may take, as JSON.
    static final int NAMES_BYTES_MAX = 4 << 10;

    /// How much patterns of tools may take, as JSON.
    static final int TOOLS_BYTES_MAX = 16 << 10;

    record KeyVolume(
            @Length(min = 1, max = 63) String name,
            @Describe("write lets programs change its files.") @DefaultsTo("read")
                    VolumeAccess access) {
        static KeyVolume of(StandingVolume volume) {
            return new KeyVolume(
                    volume.name(), volume.writable() ? VolumeAccess.WRITE : VolumeAccess.READ);
        }

        StandingVolume standing() {
            if (!name.matches(StandingVolume.NAME_PATTERN)) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        name + " is not a valid volume name.",
                        Map.of("parameter", "volumes"));
            }
            return new StandingVolume(name, access == VolumeAccess.WRITE);
        }
    }

    record Key(
            String id,
            String name,
            List<String> scopes,
            List<String> toolsets,
            List<KeyVolume> volumes,
            String createdAt,
            Optional<String> expiresAt,
            Optional<String> revokedAt,
            @Describe("When its holder was let in for the first time.")
                    Optional<String> firstUsedAt,
            @Describe("When it was used last, to the minute.") Optional<String> lastUsedAt,
            boolean strictParams,
            String profile,
            @Describe("The environments its runs may use; those of the profile when empty.")
                    List<String> environments,
            @Describe("The names of its environment variables.") List<String> envVars,
            @Describe("The names of those whose values are never shown.")
                    List<String> secretEnvVars,
            @Describe("Patterns of the tools of other servers that it sees.") List<String> tools,
            @Describe("What its programs may reach; null when they have no network.")
                    Optional<NetworkForm> network,
            @Describe("Shown when the key is made, and never again.") Optional<String> secret) {
        static Key of(KeyInfo info, Optional<Instant> lastUsed, Optional<String> secret) {
            return new Key(
                    info.id(),
                    info.name(),
                    info.scopes().stream().sorted().map(Scope::word).toList(),
                    info.toolsets().stream().sorted().toList(),
                    info.volumes().stream().map(KeyVolume::of).toList(),
                    info.created().toString(),
                    info.expires().map(Instant::toString),
                    info.revoked().map(Instant::toString),
                    info.firstUsed().map(Instant::toString),
                    lastUsed.map(Instant::toString),
                    info.strictParams(),
                    info.profile(),
                    info.environments(),
                    info.variables().plain().keySet().stream().sorted().toList(),
                    info.variables().secret().keySet().stream().sorted().toList(),
                    info.tools().patterns(),
                    info.network().isNone()
                            ? Optional.empty()
                            : Optional.of(NetworkForm.shown(info.network())),
                    secret);
        }
    }

    record KeyList(List<Key> keys) {}

    Response list(RouteRequest ask) {
        var lastUses = keys.lastUses();
        var all =
                keys.list().stream()
                        .map(info ->
                                Key.of(
                                        info,
                                        Optional.ofNullable(lastUses.get(info.id())),
                                        Optional.empty()))
                        .toList();
        return Response.ok(Records.tree(new KeyList(all)));
    }

    Response create(RouteRequest ask) throws InterruptedException {
        var made = actions.create(RestConversation.inline(ask), ask.body(), () -> wanted(ask));
        return Response.json(
                201,
                Records.tree(Key.of(made.info(), Optional.empty(), Optional.of(made.secret()))));
    }

    private static KeyRequest wanted(RouteRequest ask) {
        requireFits(ask.body(), "scopes", NAMES_BYTES_MAX);
        requireFits(ask.body(), "toolsets", NAMES_BYTES_MAX);
        requireFits(ask.body(), "environments", NAMES_BYTES_MAX);
        requireFits(ask.body(), "env_vars", VARIABLES_BYTES_MAX);
        requireFits(ask.body(), "secret_env_vars", VARIABLES_BYTES_MAX);
        requireFits(ask.body(), "tools", TOOLS_BYTES_MAX);
        requireFits(ask.body(), "network", NetworkForm.BYTES_MAX);
        var wanted = ask.body(NewKeyRequest.class);
        return new KeyRequest(
                wanted.name(),
                wanted.scopes().map(KeyRoutes::scopes).orElse(USUAL),
                Set.copyOf(wanted.toolsets().orElse(List.of())),
                wanted.volumes().orElse(List.of()).stream().map(KeyVolume::standing).toList(),
                wanted.expiresAt().map(KeyRoutes::moment),
                wanted.strictParams(),
                wanted.profile(),
                wanted.environments().orElse(List.of()),
                new Variables(
                        wanted.envVars().orElse(Map.of()), wanted.secretEnvVars().orElse(Map.of())),
                wanted.tools().map(ToolPatterns::new).orElse(ToolPatterns.ALL),
                wanted.network().map(NetworkForm::rulesFromAfar).orElse(NetworkRules.NONE));
    }

    static void requireFits(JsonNode body, String member, int bytesMax) {
        if (Json.bytes(body.path(member)).length > bytesMax) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    member + " may take " + bytesMax + " bytes at most.",
                    Map.of("parameter", member));
        }
    }

    Response revoke(RouteRequest ask) throws InterruptedException {
        var info = actions.revoke(RestConversation.inline(ask), ask.place("id"));
        var lastUsed = Optional.ofNullable(keys.lastUses().get(info.id()));
        return Response.ok(Records.tree(Key.of(info, lastUsed, Optional.empty())));
    }

    private static Set<Scope> scopes(List<String> words) {
        return words.stream().map(KeyRoutes::scope).collect(Collectors.toUnmodifiableSet());
    }

    private static Scope scope(String word) {
        return Scope.of(word)
                .orElseThrow(() ->
                        new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "scopes may be "
                                        + Arrays.stream(Scope.values()).map(Scope::word).toList()
                                        + ".",
                                Map.of("parameter", "scopes")));
    }

    private static Instant moment(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException _) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "expires_at must be a moment such as 2030-01-31T12:00:00Z.",
                    Map.of("parameter", "expires_at"));
        }
    }
}
