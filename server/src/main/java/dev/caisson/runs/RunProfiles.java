package dev.caisson.runs;

import dev.caisson.call.Caller;
import dev.caisson.profiles.CountedRun;
import dev.caisson.profiles.NamedProfile;
import dev.caisson.profiles.ProfileQuotas;
import dev.caisson.profiles.ProfileSettings;
import dev.caisson.profiles.Profiles;
import dev.caisson.profiles.Quotas;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Profiles of runs by caller: the server's own settings, and over them those of the profile that
/// the caller's key has. A profile is put together once and kept until it changes.
public final class RunProfiles {
    private record Made(NamedProfile from, Profile profile) {}

    private final Profile base;
    private final Function<String, Optional<NamedProfile>> find;
    private final Function<Caller, NamedProfile> require;
    private final Optional<Quotas> quotas;
    private final Map<String, Made> made = new ConcurrentHashMap<>();

    /// @param base the server's own settings
    public RunProfiles(Profile base, Profiles profiles, Quotas quotas) {
        this(base, profiles::find, profiles::of, Optional.of(quotas));
        profiles.listen((changed, _) -> changed.forEach(made::remove));
    }

    private RunProfiles(
            Profile base,
            Function<String, Optional<NamedProfile>> find,
            Function<Caller, NamedProfile> require,
            Optional<Quotas> quotas) {
        this.base = base;
        this.find = find;
        this.require = require;
        this.quotas = quotas;
    }

    /// The same for every caller, without quotas.
    public static RunProfiles only(Profile profile) {
        var server =
                NamedProfile.of(
                        NamedProfile.Source.SERVER, Caller.DEFAULT_PROFILE, ProfileSettings.NONE);
        return new RunProfiles(profile, _ -> Optional.of(server), _ -> server, Optional.empty());
    }

    /// The server's own settings.
    Profile base() {
        return base;
    }

    /// @throws dev.caisson.call.Refusal UNAVAILABLE when the profile of the caller is gone
    public Profile of(Caller caller) {
        return of(require.apply(caller));
    }

    /// The environments that the runs of a caller may use, the usual one first; empty when neither
    /// its key nor its profile says which.
    Optional<List<String>> environments(Caller caller) {
        return environments(caller.profile(), caller.environments());
    }

    /// The environments that runs may use with a profile.
    ///
    /// @param ofKey those of the key, which count before those of the profile; empty for none
    public Optional<List<String>> environments(String profile, List<String> ofKey) {
        return ofKey.isEmpty()
                ? find.apply(profile).flatMap(each -> each.settings().environments())
                : Optional.of(ofKey);
    }

    /// Of what a caller is shown: the server's own settings when there is no such profile.
    public Profile named(String name) {
        return find.apply(name).map(this::of).orElse(base);
    }

    private Profile of(NamedProfile from) {
        var known = made.get(from.name());
        if (known == null || !known.from().equals(from)) {
            known = new Made(from, base.with(from.settings()));
            made.put(from.name(), known);
        }
        return known.profile();
    }

    /// Counts a run of a caller.
    ///
    /// @throws dev.caisson.call.Refusal QUOTA_EXCEEDED when it may begin none now
    CountedRun begin(Caller caller) {
        return quotas.map(all -> all.begin(caller, quotas(caller))).orElse(CountedRun.FREE);
    }

    /// Counts bytes that a caller stores.
    ///
    /// @throws dev.caisson.call.Refusal QUOTA_EXCEEDED when they are more than is left
    public void store(Caller caller, long bytes) {
        quotas.ifPresent(all -> all.store(caller, quotas(caller), bytes));
    }

    private ProfileQuotas quotas(Caller caller) {
        return find.apply(caller.profile())
                .map(profile -> profile.settings().quotas())
                .orElse(ProfileQuotas.NONE);
    }
}
