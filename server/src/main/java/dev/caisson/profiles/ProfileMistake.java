package dev.caisson.profiles;

import dev.caisson.call.StandingVolume;
import dev.caisson.call.Toolset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Mistake in the settings of a profile. It never repeats a value of a variable.
///
/// @param member its name in JSON
/// @param problem what is wrong, as a clause
/// @param remedy what to do, as a sentence
public record ProfileMistake(String member, String problem, String remedy) {
    /// How much of a wrong name is repeated.
    private static final int SHOWN_MAX = 40;

    public String sentence() {
        return member + " " + problem + ". " + remedy;
    }

    /// All there are in settings whose values are each of the right kind.
    static List<ProfileMistake> in(ProfileSettings settings) {
        var found = new ArrayList<ProfileMistake>();
        var limits = settings.limits();
        below(found, "timeout_seconds", limits.timeoutSeconds(), limits.timeoutSecondsMax());
        below(found, "memory_bytes", limits.memoryBytes(), limits.memoryBytesMax());
        below(found, "cpus", limits.cpus(), limits.cpusMax());
        below(found, "processes", limits.processes(), limits.processesMax());
        toolsets(settings).ifPresent(found::add);
        volumes(settings).ifPresent(found::add);
        twice(settings).ifPresent(found::add);
        return found;
    }

    private static <N extends Comparable<N>> void below(
            List<ProfileMistake> found, String member, Optional<N> value, Optional<N> max) {
        if (value.isPresent() && max.isPresent() && value.get().compareTo(max.get()) > 0) {
            found.add(
                    new ProfileMistake(
                            member,
                            "is more than " + member + "_max",
                            "Lower it, or raise " + member + "_max."));
        }
    }

    private static Optional<ProfileMistake> toolsets(ProfileSettings settings) {
        return settings.toolsets().orElse(List.of()).stream()
                .filter(word -> !Toolset.exists(word))
                .findFirst()
                .map(word ->
                        new ProfileMistake(
                                "toolsets",
                                "names " + shown(word) + ", which is no toolset",
                                "There are " + String.join(", ", Toolset.words()) + "."));
    }

    private static Optional<ProfileMistake> volumes(ProfileSettings settings) {
        var names = new HashSet<String>();
        for (var text : settings.volumes().orElse(List.of())) {
            var volume = StandingVolume.of(text);
            if (volume.isEmpty()) {
                return Optional.of(
                        new ProfileMistake(
                                "volumes",
                                "has " + shown(text) + ", which is not the name of a volume",
                                "Write names such as data, data:ro or data:rw."));
            } else if (!names.add(volume.get().name())) {
                return Optional.of(
                        new ProfileMistake(
                                "volumes",
                                "names " + volume.get().name() + " twice",
                                "Name each volume once."));
            }
        }
        return names.size() > StandingVolume.COUNT_MAX
                ? Optional.of(
                        new ProfileMistake(
                                "volumes",
                                "has more than " + StandingVolume.COUNT_MAX + " volumes",
                                "Leave some out."))
                : Optional.empty();
    }

    private static Optional<ProfileMistake> twice(ProfileSettings settings) {
        var variables = settings.variables();
        return variables.plain().keySet().stream()
                .filter(variables.secret()::containsKey)
                .sorted()
                .findFirst()
                .map(name ->
                        new ProfileMistake(
                                "secret_env_vars",
                                "names " + shown(name) + ", which env_vars has too",
                                "Keep one of the two."));
    }

    private static String shown(String name) {
        var printable = name.codePoints().limit(SHOWN_MAX).filter(c -> !Character.isISOControl(c));
        return printable
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
