package dev.caisson.profiles;

import dev.caisson.call.StandingVolume;
import dev.caisson.call.Variables;
import dev.caisson.json.Inline;
import dev.caisson.sandbox.Language;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Settings of a profile: what the sandboxes of its keys get. Every member may be absent, and then
/// the server's own settings count. It is the form in which profiles are kept in the store, as
/// JSON.
public record ProfileSettings(
        Optional<String> description,
        Optional<Language> defaultLanguage,
        @Inline ProfileLimits limits,
        Optional<List<String>> environments,
        Optional<Map<String, String>> envVars,
        Optional<Map<String, String>> secretEnvVars,
        Optional<List<String>> volumes,
        Optional<List<String>> toolsets,
        @Inline ProfileQuotas quotas) {
    static final int DESCRIPTION_MAX = 200;

    /// How many environments a profile, or a key, may name.
    public static final int ENVIRONMENTS_MAX = 32;

    static final int TOOLSETS_MAX = 32;
    static final int VARIABLES_MAX = 100;
    static final int NAMES_BYTES_MAX = 8 << 10;
    static final int VARIABLES_BYTES_MAX = 16 << 10;

    /// Nothing but the server's own settings.
    public static final ProfileSettings NONE =
            new ProfileSettings(
                    Optional.empty(),
                    Optional.empty(),
                    ProfileLimits.NONE,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    ProfileQuotas.NONE);

    public ProfileSettings {
        environments = environments.map(List::copyOf);
        envVars = envVars.map(Map::copyOf);
        secretEnvVars = secretEnvVars.map(Map::copyOf);
        volumes = volumes.map(List::copyOf);
        toolsets = toolsets.map(List::copyOf);
    }

    public Variables variables() {
        return new Variables(envVars.orElse(Map.of()), secretEnvVars.orElse(Map.of()));
    }

    /// Those that are valid.
    public List<StandingVolume> standingVolumes() {
        return volumes.orElse(List.of()).stream()
                .flatMap(text -> StandingVolume.of(text).stream())
                .toList();
    }

    /// Empty means every group of tools.
    public Set<String> seenToolsets() {
        return Set.copyOf(toolsets.orElse(List.of()));
    }

    /// The same with other secrets.
    public ProfileSettings withSecrets(Map<String, String> secrets) {
        return new ProfileSettings(
                description,
                defaultLanguage,
                limits,
                environments,
                envVars,
                secrets.isEmpty() ? Optional.empty() : Optional.of(secrets),
                volumes,
                toolsets,
                quotas);
    }

    /// Whether tools say the same of themselves as with other settings.
    boolean looksLike(ProfileSettings other) {
        return defaultLanguage.equals(other.defaultLanguage)
                && limits.equals(other.limits)
                && environments.equals(other.environments)
                && seenToolsets().equals(other.seenToolsets());
    }

    /// Without values of variables.
    @Override
    public String toString() {
        return "ProfileSettings[%s, %s]".formatted(limits, variables());
    }
}
