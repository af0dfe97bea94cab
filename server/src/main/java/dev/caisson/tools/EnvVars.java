package dev.caisson.tools;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.redact.Redactor;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The environment of a run: what the operator set, and over it what the caller asks for.
///
/// @param secretValues never leave the server
record EnvVars(Map<String, String> all, Set<String> secretValues) {
    /// What a caller may call a variable, as a JSON Schema pattern.
    static final String NAME_PATTERN = "^[A-Z][A-Z0-9_]{0,127}$";

    /// They decide which program runs and how it starts, which is not the caller's business.
    private static final Set<String> REFUSED =
            Set.of(
                    "PATH",
                    "HOME",
                    "USER",
                    "SHELL",
                    "PWD",
                    "IFS",
                    "ENV",
                    "BASH_ENV",
                    "BASHOPTS",
                    "SHELLOPTS",
                    "PS4",
                    "NODE_OPTIONS",
                    "NODE_PATH",
                    "PYTHONHOME",
                    "PYTHONSTARTUP",
                    "PYTHONINSPECT");

    private static final List<String> REFUSED_PREFIXES = List.of("LD_", "GLIBC_", "CAISSON_");

    /// @throws Refusal INVALID_ARGUMENT that names the variable
    static EnvVars of(Profile profile, Map<String, String> requested) {
        requested.forEach(EnvVars::requireAllowed);
        var all = new HashMap<>(profile.env());
        all.putAll(profile.secrets());
        all.putAll(requested);
        requireFits(all, profile.envBytesMax());
        var secretValues = new HashSet<>(profile.secrets().values());
        requested.forEach((name, value) -> {
            if (Redactor.isSecretName(name)) {
                secretValues.add(value);
            }
        });
        return new EnvVars(Map.copyOf(all), Set.copyOf(secretValues));
    }

    private static void requireAllowed(String name, String value) {
        if (REFUSED.contains(name) || REFUSED_PREFIXES.stream().anyMatch(name::startsWith)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "env_vars may not set " + name + ": it decides how the program starts.");
        }
        if (value.indexOf('\0') >= 0) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT, "The value of " + name + " in env_vars has a NUL.");
        }
    }

    private static void requireFits(Map<String, String> all, int bytesMax) {
        var bytes =
                all.entrySet().stream()
                        .mapToLong(entry -> length(entry.getKey()) + length(entry.getValue()) + 2)
                        .sum();
        if (bytes > bytesMax) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "env_vars take "
                            + Words.number(bytes)
                            + " bytes; at most "
                            + Words.number(bytesMax)
                            + " fit. Write large values to a file instead.");
        }
    }

    private static long length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
