package dev.caisson;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.identity.KeyCheck;
import dev.caisson.identity.Keys;
import dev.caisson.profiles.ProfileKeys;
import dev.caisson.profiles.ProfileSettings;
import dev.caisson.profiles.Profiles;
import dev.caisson.runs.RunEnvironment;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Wiring of profiles to the rooms that must be able to meet them.
final class ProfileWiring {
    private ProfileWiring() {}

    static Profiles profiles(Config config, Store store, Clock clock) {
        Map<String, ProfileSettings> configured =
                config.running().profiles().entrySet().stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        Map.Entry::getKey, entry -> settings(entry.getValue())));
        return new Profiles(store, clock, configured, ProfileWiring::require, Keys::having);
    }

    private static ProfileSettings settings(ProfileKeys keys) {
        return keys.settings();
    }

    /// A key has a profile that exists, and names and variables that a program may have.
    static KeyCheck keyCheck(Profiles profiles) {
        return (transaction, wanted) -> {
            profiles.requireExists(transaction, wanted.profile());
            requireNames(wanted.environments());
            RunEnvironment.requireStanding(wanted.variables());
        };
    }

    /// Whether an environment of a name exists is found out by its runs: it may be made later.
    private static void require(ProfileSettings settings) {
        RunEnvironment.requireStanding(settings.variables());
        requireNames(settings.environments().orElse(List.of()));
    }

    private static void requireNames(List<String> environments) {
        if (environments.size() > ProfileSettings.ENVIRONMENTS_MAX
                || Set.copyOf(environments).size() < environments.size()
                || !environments.stream().allMatch(PackageEnvironment::isName)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "environments has at most %d different names of up to 32 small letters, digits, - and _, beginning with a letter."
                            .formatted(ProfileSettings.ENVIRONMENTS_MAX),
                    Map.of("parameter", "environments"));
        }
    }
}
