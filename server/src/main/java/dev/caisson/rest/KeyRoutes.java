package dev.caisson.rest;

import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.identity.KeyActor;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.KeyRequest;
import dev.caisson.identity.Keys;
import dev.caisson.json.DefaultsTo;
import dev.caisson.json.Describe;
import dev.caisson.json.Json;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.json.Records;
import dev.caisson.storage.Access;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Keys: seen, made and revoked.
final class KeyRoutes {
    /// What a key gets whose maker asks for nothing else.
    private static final Set<Scope> USUAL = Set.of(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE);

    private final Keys keys;

    KeyRoutes(Keys keys) {
        this.keys = keys;
    }

    record NewKeyRequest(
            @Length(min = 1, max = Keys.NAME_MAX) String name,
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
                    boolean strictParams) {}

    /// How much the names of scopes and of toolsets may take, as JSON.
    static final int NAMES_BYTES_MAX = 4 << 10;

    record KeyVolume(
            @Length(min = 1, max = 63) String name,
            @Describe("write lets programs change its files.") @DefaultsTo("read") Access access) {
        static KeyVolume of(StandingVolume volume) {
            return new KeyVolume(volume.name(), volume.writable() ? Access.WRITE : Access.READ);
        }

        StandingVolume standing() {
            if (!name.matches(StandingVolume.NAME_PATTERN)) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        name + " is no name of a volume.",
                        Map.of("parameter", "volumes"));
            }
            return new StandingVolume(name, access == Access.WRITE);
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
            boolean strictParams,
            @Describe("Shown when the key is made, and never again.") Optional<String> secret) {
        static Key of(KeyInfo info, Optional<String> secret) {
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
                    info.strictParams(),
                    secret);
        }
    }

    record KeyList(List<Key> keys) {}

    Response list(Ask ask) {
        return Response.ok(
                Records.tree(
                        new KeyList(
                                keys.list().stream()
                                        .map(info -> Key.of(info, Optional.empty()))
                                        .toList())));
    }

    Response create(Ask ask) {
        requireFits(ask.body(), "scopes");
        requireFits(ask.body(), "toolsets");
        var wanted = ask.body(NewKeyRequest.class);
        var made =
                keys.create(
                        new KeyRequest(
                                wanted.name(),
                                wanted.scopes().map(KeyRoutes::scopes).orElse(USUAL),
                                Set.copyOf(wanted.toolsets().orElse(List.of())),
                                wanted.volumes().orElse(List.of()).stream()
                                        .map(KeyVolume::standing)
                                        .toList(),
                                wanted.expiresAt().map(KeyRoutes::moment),
                                wanted.strictParams()),
                        actor(ask));
        return Response.json(201, Records.tree(Key.of(made.info(), Optional.of(made.secret()))));
    }

    private static KeyActor actor(Ask ask) {
        return new KeyActor(ask.caller().id(), Door.REST, ask.exchange().trace());
    }

    private static void requireFits(JsonNode body, String member) {
        if (Json.bytes(body.path(member)).length > NAMES_BYTES_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    member + " may take " + NAMES_BYTES_MAX + " bytes at most.",
                    Map.of("parameter", member));
        }
    }

    Response revoke(Ask ask) {
        var id = ask.place("id");
        var info =
                keys.revoke(id, actor(ask))
                        .orElseThrow(
                                () -> new Refusal(Reason.NOT_FOUND, "There is no key " + id + "."));
        return Response.ok(Records.tree(Key.of(info, Optional.empty())));
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
