package dev.caisson.profiles;

import dev.caisson.call.Caller;
import dev.caisson.call.NearName;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.StandingVolume;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Profiles of the configuration and of the store. They are read from memory; what this process
/// changes is there at once, what another process changes when [ProfileWatch] looks.
///
/// A profile of the configuration hides a stored one of the same name. The profile `default` is
/// always there.
public final class Profiles {
    /// How many can be stored.
    public static final int COUNT_MAX = 100;

    /// Counter of the keys that work and have a profile.
    @FunctionalInterface
    public interface Holders {
        long count(Transaction transaction, String profile, Instant now);
    }

    /// Hears of changes.
    @FunctionalInterface
    public interface Listener {
        /// @param changed the names of profiles whose settings are others now
        /// @param seen those of them whose callers see something else
        void changed(Set<String> changed, Set<String> seen);
    }

    private final Store store;
    private final Clock clock;
    private final Map<String, NamedProfile> configured;
    private final Consumer<ProfileSettings> rules;
    private final Holders holders;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile Map<String, NamedProfile> known = Map.of();
    private volatile Map<String, Long> revisions = Map.of();

    /// @param configured by name
    /// @param rules refuse settings that other rooms cannot meet
    /// @throws Refusal for a profile of the configuration that the rules refuse
    public Profiles(
            Store store,
            Clock clock,
            Map<String, ProfileSettings> configured,
            Consumer<ProfileSettings> rules,
            Holders holders) {
        this.store = store;
        this.clock = clock;
        this.rules = rules;
        this.holders = holders;
        this.configured =
                configured.entrySet().stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        Map.Entry::getKey, entry -> checked(entry, rules)));
        known = merged(store.read(ProfileRows::all));
    }

    private static NamedProfile checked(
            Map.Entry<String, ProfileSettings> entry, Consumer<ProfileSettings> rules) {
        try {
            rules.accept(entry.getValue());
        } catch (Refusal refusal) {
            throw new Refusal(
                    refusal.reason(),
                    "The profile %s of the configuration cannot be used: %s"
                            .formatted(entry.getKey(), refusal.sentence()));
        }
        return NamedProfile.of(NamedProfile.Source.CONFIGURATION, entry.getKey(), entry.getValue());
    }

    /// Is told of every change, once it is in force.
    public void listen(Listener listener) {
        listeners.add(listener);
    }

    /// In the order of their names.
    public List<NamedProfile> list() {
        return List.copyOf(new TreeMap<>(known).values());
    }

    public Optional<NamedProfile> find(String name) {
        return Optional.ofNullable(known.get(name));
    }

    /// The profile of a caller.
    ///
    /// @throws Refusal UNAVAILABLE when there is none of its name: another one might allow more
    public NamedProfile of(Caller caller) {
        return find(caller.profile())
                .orElseThrow(() ->
                        new Refusal(
                                Reason.UNAVAILABLE,
                                "The profile %s of this key does not exist any more. The server's operator must define it again, or make another key."
                                        .formatted(caller.profile()),
                                Map.of("profile", caller.profile())));
    }

    /// The environments that a caller may use, the usual one first: those of its key, else those of
    /// its profile; empty means all.
    public List<String> environmentsOf(Caller caller) {
        if (!caller.environments().isEmpty()) {
            return caller.environments();
        }
        return find(caller.profile())
                .flatMap(profile -> profile.settings().environments())
                .orElse(List.of());
    }

    /// The caller with what its profile gives to a key that says nothing else: toolsets, and
    /// volumes beside its own.
    public Caller applied(Caller caller) {
        var settings = find(caller.profile()).map(NamedProfile::settings);
        if (settings.isEmpty()) {
            return caller;
        }
        var seen = caller.toolsets().isEmpty() ? settings.get().seenToolsets() : caller.toolsets();
        var volumes = new LinkedHashMap<String, StandingVolume>();
        settings.get().standingVolumes().forEach(one -> volumes.put(one.name(), one));
        caller.volumes().forEach(one -> volumes.put(one.name(), one));
        return caller.seeing(seen).mounting(List.copyOf(volumes.values()));
    }

    /// Stores a profile, in place of the one of that name.
    ///
    /// @param keptSecrets the names of those secrets that it has already and keeps
    /// @throws Refusal INVALID_ARGUMENT that names the member; FORBIDDEN for a profile of the
    ///   configuration
    public NamedProfile put(String name, ProfileSettings settings, Set<String> keptSecrets) {
        requireName(name);
        requireStored(name);
        NamedProfile stored =
                store.write(handle -> {
                    var before = ProfileRows.find(handle, name);
                    var whole = withKept(settings, before, keptSecrets);
                    require(whole);
                    if (before.isEmpty() && ProfileRows.revisions(handle).size() >= COUNT_MAX) {
                        throw new Refusal(
                                Reason.INVALID_ARGUMENT,
                                "There are %d profiles already, the most there can be. Remove one first."
                                        .formatted(COUNT_MAX));
                    }
                    ProfileRows.put(handle, name, whole, clock.instant());
                    return ProfileRows.find(handle, name).orElseThrow();
                });
        refresh();
        return stored;
    }

    /// @throws Refusal NOT_FOUND when none is stored; CONFLICT while keys have it
    public void remove(String name) {
        requireStored(name);
        store.write(handle -> {
            long keys =
                    name.equals(Caller.DEFAULT_PROFILE)
                            ? 0
                            : holders.count(handle, name, clock.instant());
            if (keys > 0) {
                throw new Refusal(
                        Reason.CONFLICT,
                        "%d %s the profile %s. Revoke them first."
                                .formatted(keys, keys == 1 ? "key has" : "keys have", name),
                        Map.of(Refusal.RETRYABLE, false));
            }
            if (!ProfileRows.delete(handle, name)) {
                throw missing(name);
            }
            return name;
        });
        refresh();
    }

    /// @throws Refusal INVALID_ARGUMENT when there is no profile of this name
    public void requireExists(Transaction handle, String name) {
        if (!name.equals(Caller.DEFAULT_PROFILE)
                && !configured.containsKey(name)
                && ProfileRows.find(handle, name).isEmpty()) {
            var names = list().stream().map(NamedProfile::name).toList();
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "There is no profile of this name. "
                            + NearName.of(name, names)
                                    .map(near -> "Did you mean " + near + "?")
                                    .orElse("There are " + String.join(", ", names) + "."),
                    Map.of("parameter", "profile"));
        }
    }

    /// Reads what was stored since, by whichever process, and tells who listens.
    public void refresh() {
        var changed = new HashSet<String>();
        var seen = new HashSet<String>();
        synchronized (this) {
            if (store.read(ProfileRows::revisions).equals(revisions)) {
                return;
            }
            var before = known;
            known = merged(store.read(ProfileRows::all));
            changed.addAll(before.keySet());
            changed.addAll(known.keySet());
            changed.removeIf(name -> settings(before, name).equals(settings(known, name)));
            changed.stream()
                    .filter(name -> !settings(before, name).looksLike(settings(known, name)))
                    .forEach(seen::add);
        }
        if (!changed.isEmpty()) {
            listeners.forEach(listener -> listener.changed(Set.copyOf(changed), Set.copyOf(seen)));
        }
    }

    private static ProfileSettings settings(Map<String, NamedProfile> all, String name) {
        return Optional.ofNullable(all.get(name))
                .map(NamedProfile::settings)
                .orElse(ProfileSettings.NONE);
    }

    private Map<String, NamedProfile> merged(Map<String, NamedProfile> stored) {
        revisions =
                stored.values().stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        NamedProfile::name, NamedProfile::revision));
        var all = new HashMap<String, NamedProfile>();
        all.put(
                Caller.DEFAULT_PROFILE,
                NamedProfile.of(
                        NamedProfile.Source.SERVER, Caller.DEFAULT_PROFILE, ProfileSettings.NONE));
        all.putAll(stored);
        all.putAll(configured);
        return Map.copyOf(all);
    }

    private static ProfileSettings withKept(
            ProfileSettings settings, Optional<NamedProfile> before, Set<String> kept) {
        var had = before.map(one -> one.settings().variables().secret()).orElse(Map.of());
        var secrets = new HashMap<>(settings.variables().secret());
        for (var name : kept) {
            var value = had.get(name);
            if (value == null) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "keep_secret_env_vars names a secret that the profile does not have.",
                        Map.of("parameter", "keep_secret_env_vars"));
            }
            secrets.putIfAbsent(name, value);
        }
        return settings.withSecrets(secrets);
    }

    private void require(ProfileSettings settings) {
        var mistakes = ProfileMistake.in(settings);
        if (!mistakes.isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    mistakes.stream()
                            .map(ProfileMistake::sentence)
                            .collect(Collectors.joining(" ")),
                    Map.of("parameter", mistakes.getFirst().member()));
        }
        rules.accept(settings);
    }

    private static void requireName(String name) {
        if (!name.matches(NamedProfile.NAME_PATTERN)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The name of a profile has 1 to 63 small letters, digits, - and _, and begins"
                            + " with a letter or digit.",
                    Map.of("parameter", "name"));
        }
    }

    private void requireStored(String name) {
        if (configured.containsKey(name)) {
            throw new Refusal(
                    Reason.FORBIDDEN,
                    "The profile %s is defined in the configuration of the server: change it there."
                            .formatted(name));
        }
    }

    static Refusal missing(String name) {
        return new Refusal(Reason.NOT_FOUND, "There is no profile of this name stored: " + name);
    }
}
