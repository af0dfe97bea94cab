package dev.caisson.runs;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.config.Contradiction;
import dev.caisson.config.Defaults;
import dev.caisson.config.Fixed;
import dev.caisson.config.Key;
import dev.caisson.profiles.ProfileSettings;
import dev.caisson.redact.RedactionRules;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Profile of runs as a caller's runs find it: limits and defaults, of the server's settings and
/// over them those of the caller's [ProfileSettings].
///
/// @param limits of a run whose caller asks for nothing else
/// @param maxima what a caller may ask for in place of the limits
/// @param wallMax the longest time a caller may ask for
/// @param waitMax the longest a caller may wait for a busy thread
/// @param env what every program finds in its environment
/// @param secrets the same, but their values never leave the server
/// @param redaction what is taken out of answers beside the secrets
/// @param detachAfter when a call goes on as a task, if the client can follow one
public record Profile(
        @Key(
                        name = "sandbox.default_language",
                        initial = "python",
                        doc = "The language of a run whose caller does not say.")
                Language defaultLanguage,
        Limits limits,
        LimitMaxima maxima,
        @Key(
                        name = "sandbox.wall_max",
                        initial = "1h",
                        min = "100ms",
                        max = "1d",
                        doc = "The longest time a caller may ask for.")
                Duration wallMax,
        @Fixed("5m") Duration waitMax,
        @Key(
                        name = "sandbox.code_bytes_max",
                        initial = "1MiB",
                        min = "1KiB",
                        max = "64MiB",
                        doc = "The longest program.")
                int codeBytesMax,
        @Key(
                        name = "sandbox.env_bytes_max",
                        initial = "64KiB",
                        min = "1KiB",
                        max = "1MiB",
                        doc = "The most bytes of environment variables of a run together.")
                int envBytesMax,
        @Fixed("") Map<String, String> env,
        @Fixed("") Map<String, String> secrets,
        RedactionRules redaction,
        @Key(
                        name = "sandbox.detach_after",
                        initial = "20s",
                        min = "100ms",
                        max = "1d",
                        doc = "When a run goes on as a task, if the client can follow one.")
                Duration detachAfter) {
    public static final Profile DEFAULT = Defaults.of(Profile.class);

    public Profile {
        env = Map.copyOf(env);
        secrets = Map.copyOf(secrets);
        if (limits.wall().compareTo(wallMax) > 0) {
            throw new Contradiction(
                    "sandbox.wall_default",
                    "is longer than sandbox.wall_max",
                    "Lower it, or raise sandbox.wall_max.");
        }
    }

    /// The same with the settings of a profile over it.
    public Profile with(ProfileSettings settings) {
        var wanted = settings.limits();
        var longest =
                wanted.timeoutSecondsMax()
                        .or(() -> wanted.timeoutSeconds().filter(s -> s > wallMax.toSeconds()))
                        .map(Duration::ofSeconds)
                        .orElse(wallMax);
        var usual =
                wanted.timeoutSeconds()
                        .map(Duration::ofSeconds)
                        .orElse(limits.wall().compareTo(longest) <= 0 ? limits.wall() : longest);
        var allEnv = new HashMap<>(env);
        allEnv.putAll(settings.variables().plain());
        var allSecrets = new HashMap<>(secrets);
        allSecrets.putAll(settings.variables().secret());
        return new Profile(
                settings.defaultLanguage().orElse(defaultLanguage),
                new Limits(
                        usual,
                        least(wanted.memoryBytes(), limits.memoryBytes(), wanted.memoryBytesMax()),
                        least(wanted.cpus(), limits.cpus(), wanted.cpusMax()),
                        least(wanted.processes(), limits.processes(), wanted.processesMax()),
                        limits.openFiles(),
                        limits.fileBytes(),
                        limits.tmpBytes()),
                new LimitMaxima(wanted.memoryBytesMax(), wanted.cpusMax(), wanted.processesMax()),
                longest,
                waitMax,
                codeBytesMax,
                envBytesMax,
                allEnv,
                allSecrets,
                redaction,
                detachAfter);
    }

    /// What a profile says, or what the server says where that is no more than the maximum.
    private static <N extends Comparable<N>> N least(Optional<N> wanted, N usual, Optional<N> max) {
        return wanted.orElseGet(() -> max.filter(most -> most.compareTo(usual) < 0).orElse(usual));
    }

    /// The limits of a run.
    ///
    /// @param wall the time it asks for; never more than the longest there is
    /// @throws Refusal INVALID_ARGUMENT for a wish beyond a maximum, which is named
    Limits limits(Optional<Duration> wall, LimitsWish wish) {
        var memory = wish.memoryBytes().orElse(limits.memoryBytes());
        var cpus = wish.cpus().orElse(limits.cpus());
        var processes = wish.processes().orElse(limits.processes());
        if (memory > maxima.memoryBytes(limits)) {
            throw beyond("memory_mib", Quantities.bytes(maxima.memoryBytes(limits)));
        }
        if (cpus > maxima.cpus(limits)) {
            throw beyond("cpus", Double.toString(maxima.cpus(limits)));
        }
        if (processes > maxima.processes(limits)) {
            throw beyond("processes", Integer.toString(maxima.processes(limits)));
        }
        var time = wall.map(asked -> asked.compareTo(wallMax) <= 0 ? asked : wallMax);
        return new Limits(
                time.orElse(limits.wall()),
                memory,
                cpus,
                processes,
                limits.openFiles(),
                limits.fileBytes(),
                limits.tmpBytes());
    }

    /// The most that a run may ask for.
    public Limits most() {
        return new Limits(
                wallMax,
                maxima.memoryBytes(limits),
                maxima.cpus(limits),
                maxima.processes(limits),
                limits.openFiles(),
                limits.fileBytes(),
                limits.tmpBytes());
    }

    private static Refusal beyond(String member, String most) {
        return new Refusal(
                Reason.INVALID_ARGUMENT,
                "limits.%s is more than the profile of this key allows: at most %s."
                        .formatted(member, most),
                Map.of("parameter", "limits"));
    }

    /// @throws Refusal INVALID_ARGUMENT for a program that is empty or too long
    void requireFits(String code) {
        var bytes = code.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > codeBytesMax) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "code must be between 1 byte and %s; it has %s. Put data into files instead."
                            .formatted(Quantities.bytes(codeBytesMax), Quantities.bytes(bytes)));
        }
    }

    /// Without values of variables.
    @Override
    public String toString() {
        return "Profile[%s, %s, %s]".formatted(defaultLanguage, limits, maxima);
    }
}
