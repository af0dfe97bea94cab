package dev.caisson.profiles;

import dev.caisson.json.Describe;
import dev.caisson.json.Inline;
import dev.caisson.sandbox.Language;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A profile as it is shown: of its secrets only the names.
public record ProfileView(
        String name,
        @Describe("configuration: only the server's configuration can change it.")
                NamedProfile.Source source,
        Optional<String> changedAt,
        Optional<String> description,
        Optional<Language> defaultLanguage,
        @Inline ProfileLimits limits,
        List<String> environments,
        Map<String, String> envVars,
        @Describe("Names alone.") List<String> secretEnvVars,
        List<String> volumes,
        List<String> toolsets,
        @Inline ProfileQuotas quotas) {
    public static ProfileView of(NamedProfile profile) {
        var settings = profile.settings();
        return new ProfileView(
                profile.name(),
                profile.source(),
                profile.changed().map(Instant::toString),
                settings.description(),
                settings.defaultLanguage(),
                settings.limits(),
                settings.environments().orElse(List.of()),
                settings.variables().plain(),
                settings.variables().secret().keySet().stream().sorted().toList(),
                settings.volumes().orElse(List.of()),
                settings.toolsets().orElse(List.of()),
                settings.quotas());
    }
}
