package dev.caisson.profiles;

import dev.caisson.call.StandingVolume;
import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.json.Length;
import dev.caisson.json.MaxBytes;
import dev.caisson.sandbox.Language;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A profile as somebody sends it to be stored: its settings, and which secrets it keeps.
///
/// @param keepSecretEnvVars so that a profile can be changed without knowing its secrets
public record ProfileBody(
        @Describe("For people.") @Length(max = ProfileSettings.DESCRIPTION_MAX)
                Optional<String> description,
        @Describe("The language of a run whose caller does not say.")
                Optional<Language> defaultLanguage,
        @Inline ProfileLimits limits,
        @Describe("The environments its runs may use, the usual one first; all when absent.")
                @Length(max = ProfileSettings.ENVIRONMENTS_MAX)
                @MaxBytes(ProfileSettings.NAMES_BYTES_MAX)
                Optional<List<String>> environments,
        @Describe("Environment variables of every run, under those of the key and of the call.")
                @Length(max = ProfileSettings.VARIABLES_MAX)
                @MaxBytes(VARIABLES_BYTES_MAX)
                Optional<Map<String, String>> envVars,
        @Describe("The same with values that are never shown again.")
                @Length(max = ProfileSettings.VARIABLES_MAX)
                @MaxBytes(VARIABLES_BYTES_MAX)
                Optional<Map<String, String>> secretEnvVars,
        @Describe("Names of secrets that the profile has and keeps with their values.")
                @Length(max = ProfileSettings.VARIABLES_MAX)
                @MaxBytes(ProfileSettings.NAMES_BYTES_MAX)
                Optional<List<String>> keepSecretEnvVars,
        @Describe("Volumes of every run, such as data:ro or data:rw, if its key may use them.")
                @Length(max = StandingVolume.COUNT_MAX)
                @MaxBytes(ProfileSettings.NAMES_BYTES_MAX)
                Optional<List<String>> volumes,
        @Describe("The groups of tools that a key sees which names none itself; all when absent.")
                @Length(max = ProfileSettings.TOOLSETS_MAX)
                @MaxBytes(ProfileSettings.NAMES_BYTES_MAX)
                Optional<List<String>> toolsets,
        @Inline ProfileQuotas quotas) {
    public static final int VARIABLES_BYTES_MAX = ProfileSettings.VARIABLES_BYTES_MAX;

    public ProfileSettings settings() {
        return new ProfileSettings(
                description,
                defaultLanguage,
                limits,
                environments,
                envVars,
                secretEnvVars,
                volumes,
                toolsets,
                quotas);
    }

    public Set<String> keptSecrets() {
        return Set.copyOf(keepSecretEnvVars.orElse(List.of()));
    }

    /// Without values of variables.
    @Override
    public String toString() {
        return "ProfileBody" + settings();
    }
}
