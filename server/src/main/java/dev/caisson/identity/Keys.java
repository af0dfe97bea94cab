package dev.caisson.identity;

import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.call.ToolPatterns;
import dev.caisson.call.Toolset;
import dev.caisson.call.TraceId;
import dev.caisson.identity.KeyEvent.Act;
import dev.caisson.json.Json;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// API keys in the store: created, revoked, found. A secret is shown when it is made and never
/// again.
public final class Keys implements KeyDirectory {
    /// How much of a wrong name is repeated.
    private static final int SHOWN_MAX = 40;

    private final Store store;
    private final Clock clock;
    private final KeyRecorder recorder;
    private final KeyCheck check;
    private final LastUses lastUses;
    private final List<Consumer<KeyInfo>> revocationListeners = new CopyOnWriteArrayList<>();

    /// Keys of whose making nobody keeps a record.
    public Keys(Store store, Clock clock) {
        this(store, clock, KeyRecorder.NONE);
    }

    /// Keys of the default profile alone.
    public Keys(Store store, Clock clock, KeyRecorder recorder) {
        this(store, clock, recorder, KeyCheck.DEFAULT_PROFILE_ONLY);
    }

    /// @param check of what a key is to get from other rooms
    public Keys(Store store, Clock clock, KeyRecorder recorder, KeyCheck check) {
        this.store = store;
        this.clock = clock;
        this.recorder = recorder;
        this.check = check;
        this.lastUses = new LastUses(store, clock);
    }

    /// Makes a key without volumes.
    public NewKey create(
            String name, Set<Scope> scopes, Set<String> toolsets, Optional<Instant> expires) {
        return create(name, scopes, toolsets, List.of(), expires);
    }

    /// Makes a key for the server itself.
    public NewKey create(
            String name,
            Set<Scope> scopes,
            Set<String> toolsets,
            List<StandingVolume> volumes,
            Optional<Instant> expires) {
        return create(
                new KeyRequest(name, scopes, toolsets, volumes, expires, false), KeyActor.inside());
    }

    /// Makes a key, and records that.
    ///
    /// @throws Refusal INVALID_ARGUMENT for a name, a set of scopes, toolsets, volumes or an expiry
    ///   that make no sense
    public NewKey create(KeyRequest wanted, KeyActor actor) {
        check(wanted.name(), wanted.scopes(), wanted.expires());
        checkToolsets(wanted.toolsets());
        checkVolumes(wanted.volumes());
        checkTools(wanted.tools());
        var key = fresh(wanted);
        return store.write(handle -> {
            check.require(handle, wanted);
            insert(handle, key, wanted, actor);
            return key;
        });
    }

    /// How many keys that work have a profile.
    public static long having(Transaction handle, String profile, Instant now) {
        return KeyRows.having(handle, profile, now);
    }

    private void insert(Transaction handle, NewKey key, KeyRequest wanted, KeyActor actor) {
        KeyRows.insert(handle, key.info(), Secret.hash(key.secret()));
        recorder.record(
                handle,
                new KeyEvent(Act.KEY_CREATE, actor, Optional.of(key.info().id()), wanted.json()));
    }

    /// Makes a key that may do everything if there is no key at all, not even a revoked one.
    ///
    /// @param beforehand hands the key to its owner; what it throws is thrown, and there is no key
    public Optional<NewKey> createFirstAdmin(Consumer<NewKey> beforehand) {
        if (store.read(KeyRows::any)) {
            return Optional.empty();
        }
        var wanted =
                new KeyRequest(
                        "admin",
                        Set.of(Scope.values()),
                        Set.of(),
                        List.of(),
                        Optional.empty(),
                        false);
        var key = fresh(wanted);
        beforehand.accept(key);
        return store.write(handle -> {
            if (KeyRows.any(handle)) {
                return Optional.empty();
            }
            insert(handle, key, wanted, KeyActor.inside());
            return Optional.of(key);
        });
    }

    @Override
    public List<KeyInfo> list() {
        return store.read(KeyRows::list);
    }

    @Override
    public Map<String, Instant> lastUses() {
        return lastUses.all();
    }

    /// The holder of a key is admitted, for the first time or again.
    void noteUse(String id) {
        lastUses.note(id);
    }

    /// Ends a key for the server itself.
    public Optional<KeyInfo> revoke(String id) {
        return revoke(id, KeyActor.inside());
    }

    /// Ends a key, and records that; the first revocation stays.
    ///
    /// @return the key as it is now, or empty when there is none with this id
    public Optional<KeyInfo> revoke(String id, KeyActor actor) {
        Optional<KeyInfo> revoked =
                store.write(handle -> {
                    KeyRows.revoke(handle, id, now());
                    var found = KeyRows.find(handle, id).map(KeyRows.Row::info);
                    found.ifPresent(key -> recorder.record(handle, revocation(key, actor)));
                    return found;
                });
        revoked.ifPresent(key -> revocationListeners.forEach(each -> each.accept(key)));
        return revoked;
    }

    private static KeyEvent revocation(KeyInfo key, KeyActor actor) {
        return new KeyEvent(
                Act.KEY_REVOKE, actor, Optional.of(key.id()), Json.object().put("id", key.id()));
    }

    /// The holder of a key is admitted; the first time is recorded.
    void used(String id, Door door) {
        var actor = new KeyActor(KeyInfo.callerId(id), door, TraceId.fresh());
        store.write(handle -> {
            var first = KeyRows.use(handle, id, now());
            if (first) {
                recorder.record(
                        handle,
                        new KeyEvent(Act.KEY_FIRST_USE, actor, Optional.of(id), Json.object()));
            }
            return first;
        });
    }

    /// The holder of the one more secret is admitted; the first time of each such secret is
    /// recorded.
    ///
    /// @param hash of the secret, by which it is told from one that was set before
    void tokenUsed(String caller, byte[] hash, Door door) {
        var event =
                new KeyEvent(
                        Act.KEY_FIRST_USE,
                        new KeyActor(caller, door, TraceId.fresh()),
                        Optional.empty(),
                        Json.object().put("token_hash", HexFormat.of().formatHex(hash)));
        store.write(handle -> {
            var first = !recorder.has(handle, event);
            if (first) {
                recorder.record(handle, event);
            }
            return first;
        });
    }

    /// Is told of every key that this object revokes, once that is durable.
    void onRevoked(Consumer<KeyInfo> listener) {
        revocationListeners.add(listener);
    }

    /// The callers whose keys were revoked at that moment or later.
    List<String> revokedSince(Instant moment) {
        return store.read(handle -> KeyRows.revokedSince(handle, moment)).stream()
                .map(KeyInfo::callerId)
                .toList();
    }

    /// The callers whose keys were revoked before that moment.
    public List<String> revokedBefore(Instant moment) {
        return store.read(handle -> KeyRows.revokedBefore(handle, moment)).stream()
                .map(KeyInfo::callerId)
                .toList();
    }

    Optional<KeyRows.Row> row(String id) {
        return store.read(handle -> KeyRows.find(handle, id));
    }

    private NewKey fresh(KeyRequest wanted) {
        var secret = Secret.fresh();
        var id = Secret.id(secret).orElseThrow();
        var info =
                new KeyInfo(
                        id,
                        wanted.name(),
                        wanted.scopes(),
                        wanted.toolsets(),
                        wanted.volumes(),
                        now(),
                        wanted.expires(),
                        Optional.empty(),
                        Optional.empty(),
                        wanted.strictParams(),
                        wanted.profile(),
                        wanted.environments(),
                        wanted.variables(),
                        wanted.tools(),
                        wanted.network());
        return new NewKey(info, secret);
    }

    private static void checkTools(ToolPatterns tools) {
        var wrong =
                tools.patterns().size() > ToolPatterns.COUNT_MAX
                        || !tools.patterns().stream().allMatch(ToolPatterns::isPattern);
        if (wrong) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "tools has up to %d patterns of tools of other servers: module.function with * for any characters, such as github.* or github.list_issues; an empty list is none of them."
                            .formatted(ToolPatterns.COUNT_MAX),
                    Map.of("parameter", "tools"));
        }
    }

    private void check(String name, Set<Scope> scopes, Optional<Instant> expires) {
        if (name.isBlank()
                || name.length() > KeyRequest.NAME_MAX
                || name.chars().anyMatch(Keys::control)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The name of a key must have 1 to "
                            + KeyRequest.NAME_MAX
                            + " printable characters.");
        }
        if (scopes.isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A key needs at least one scope of "
                            + List.of(Scope.values()).stream().map(Scope::word).toList()
                            + ".");
        }
        if (expires.filter(moment -> !moment.isAfter(clock.instant())).isPresent()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "The expiry of a key must lie in the future.");
        }
    }

    /// A key for a toolset that is misspelled would see nothing, and its owner would not know why.
    private static void checkToolsets(Set<String> toolsets) {
        var unknown = toolsets.stream().filter(name -> !Toolset.exists(name)).sorted().findFirst();
        if (unknown.isPresent()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "There is no toolset %s. toolsets may be %s."
                            .formatted(shown(unknown.get()), Toolset.words()),
                    Map.of("parameter", "toolsets"));
        }
    }

    private static String shown(String name) {
        var printable = name.codePoints().limit(SHOWN_MAX).filter(c -> !control(c));
        return printable
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static void checkVolumes(List<StandingVolume> volumes) {
        var names = volumes.stream().map(StandingVolume::name).distinct().count();
        if (volumes.size() > StandingVolume.COUNT_MAX || names < volumes.size()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "A key may have up to " + StandingVolume.COUNT_MAX + " volumes, each once.");
        }
    }

    private static boolean control(int character) {
        return Character.isISOControl(character);
    }

    /// To the millisecond, as it is stored.
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
