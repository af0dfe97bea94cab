package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Variables;
import dev.caisson.redact.SecretVariables;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The environment of a run: what its profile sets, over it what its key sets, and over both what
/// the caller asks for.
///
/// @param perCall what this call sets, also in an interpreter that is there already
/// @param secretValues never leave the server
/// @param namedValues those of them that the caller named
public record RunEnvironment(
        Map<String, String> all,
        Map<String, String> perCall,
        Set<String> secretValues,
        Set<String> namedValues) {
    /// Where a program's files can be fetched, for programs that hand out addresses.
    static final String FILE_BASE_URL = "FILE_BASE_URL";

    public static final int NAME_LENGTH_MAX = 128;

    private static final String MEMBER = "env_vars";

    /// What a caller may call a variable, as a JSON Schema pattern.
    public static final String NAME_PATTERN = "^[A-Z][A-Z0-9_]{0,127}$";

    /// The same in words.
    public static final String NAME_RULE =
            "capital letters, digits and _, starting with a letter, 128 characters at most";

    /// How many variables of a run may be secret. Each is looked for in everything the run shows.
    public static final int SECRETS_MAX = 100;

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

    /// @param ofKey what every run of this key has
    /// @param secretNames which of the requested ones are secret, whatever their names
    /// @throws Refusal INVALID_ARGUMENT that names the variable
    static RunEnvironment of(
            Profile profile,
            Variables ofKey,
            Map<String, String> requested,
            Collection<String> secretNames) {
        requireAllowed(MEMBER, requested);
        secretNames.forEach(name -> NulCheck.require("secret_env_vars", name));
        secretNames.forEach(name -> requireGiven(name, requested));
        var all = new HashMap<>(profile.env());
        all.putAll(profile.secrets());
        all.putAll(ofKey.plain());
        all.putAll(ofKey.secret());
        all.putAll(requested);
        requireFits(all, profile.envBytesMax());
        var secretValues = secrets(requested, secretNames);
        profile.secrets().values().forEach(value -> addWithPasswords(value, secretValues));
        ofKey.secret().values().forEach(value -> addWithPasswords(value, secretValues));
        return new RunEnvironment(
                Map.copyOf(all),
                requested,
                Set.copyOf(secretValues),
                named(requested, secretNames));
    }

    /// The same with the address of the program's files, unless somebody has set another.
    RunEnvironment servedAt(String url) {
        if (all.containsKey(FILE_BASE_URL)) {
            return this;
        }
        return new RunEnvironment(with(all, url), with(perCall, url), secretValues, namedValues);
    }

    private static Map<String, String> with(Map<String, String> variables, String url) {
        var more = new HashMap<>(variables);
        more.put(FILE_BASE_URL, url);
        return Map.copyOf(more);
    }

    private static Set<String> named(
            Map<String, String> requested, Collection<String> secretNames) {
        var values = new HashSet<String>();
        requested.forEach((name, value) -> {
            if (secretNames.contains(name)) {
                addWithPasswords(value, values);
            }
        });
        return Set.copyOf(values);
    }

    /// Those that are named, and those that are guessed.
    private static Set<String> secrets(
            Map<String, String> requested, Collection<String> secretNames) {
        var values = new HashSet<String>();
        var variables = 0;
        for (var variable : requested.entrySet()) {
            var guessed = SecretVariables.values(variable.getKey(), variable.getValue());
            var named = secretNames.contains(variable.getKey());
            values.addAll(guessed);
            if (named) {
                addWithPasswords(variable.getValue(), values);
            }
            variables += named || !guessed.isEmpty() ? 1 : 0;
        }
        requireFew(variables);
        return values;
    }

    /// @throws Refusal INVALID_ARGUMENT for variables that somebody may not give in advance
    public static void requireStanding(Variables variables) {
        for (var all : List.of(variables.plain(), variables.secret())) {
            requireAllowed(MEMBER, all);
            for (var name : all.keySet()) {
                if (!name.matches(NAME_PATTERN)) {
                    throw new Refusal(
                            Reason.INVALID_ARGUMENT,
                            "The name of a variable has up to 128 capital letters, digits and _, and"
                                    + " begins with a letter.",
                            Map.of("parameter", MEMBER));
                }
            }
        }
        requireFew(variables.secret().size());
    }

    /// The secrets among variables that nobody has looked at yet, as many as a run may have.
    ///
    /// @param names which of them are secret, whatever their names
    public static Set<String> secretsIn(JsonNode variables, JsonNode names) {
        var values = new HashSet<String>();
        var named =
                names.valueStream()
                        .filter(JsonNode::isString)
                        .map(JsonNode::stringValue)
                        .collect(Collectors.toSet());
        for (var variable : variables.properties()) {
            if (!variable.getValue().isString() || values.size() >= SECRETS_MAX) {
                continue;
            }
            var value = variable.getValue().stringValue();
            values.addAll(SecretVariables.values(variable.getKey(), value));
            if (named.contains(variable.getKey())) {
                addWithPasswords(value, values);
            }
        }
        return values;
    }

    private static void addWithPasswords(String value, Set<String> secrets) {
        secrets.add(value);
        secrets.addAll(SecretVariables.passwords(value));
    }

    private static void requireGiven(String name, Map<String, String> requested) {
        if (!requested.containsKey(name)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "secret_env_vars names " + name + ", which env_vars does not set.");
        }
    }

    private static void requireFew(int variables) {
        if (variables > SECRETS_MAX) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    """
                    env_vars has %d secrets, by their names, by a password in them or by \
                    secret_env_vars; a run may have %d at most. Put several into one \
                    variable, or give what is no secret another name.\
                    """
                            .formatted(variables, SECRETS_MAX));
        }
    }

    /// @param member what the caller's variables are called where they stand
    /// @throws Refusal INVALID_ARGUMENT that names the variable
    public static void requireAllowed(String member, Map<String, String> requested) {
        requested.forEach((name, value) -> requireAllowed(member, name, value));
    }

    private static void requireAllowed(String member, String name, String value) {
        if (REFUSED.contains(name) || REFUSED_PREFIXES.stream().anyMatch(name::startsWith)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    member + " may not set " + name + ": it decides how the program starts.");
        }
        NulCheck.require(member + "." + name, value);
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
                            + Quantities.number(bytes)
                            + " bytes; at most "
                            + Quantities.number(bytesMax)
                            + " fit. Write large values to a file instead.");
        }
    }

    private static long length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
