package dev.caisson.profiles;

import dev.caisson.config.Contradiction;
import dev.caisson.config.Key;
import dev.caisson.sandbox.Language;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One profile of the configuration, see [ProfileSettings] for what its members mean.
public record ProfileKeys(
        @Key(name = "description", max = "200", doc = "For people.") Optional<String> description,
        @Key(name = "default_language", doc = "The language of a run whose caller does not say.")
                Optional<Language> defaultLanguage,
        @Key(
                        name = "timeout",
                        min = "1s",
                        max = "1d",
                        doc = "How long a run may take; sandbox.wall_default if absent.")
                Optional<Duration> timeout,
        @Key(
                        name = "timeout_max",
                        min = "1s",
                        max = "1d",
                        doc = "The longest time a run may ask for; sandbox.wall_max if absent.")
                Optional<Duration> timeoutMax,
        @Key(
                        name = "memory_bytes",
                        min = "16MiB",
                        max = "1TiB",
                        doc = "Memory of a run; sandbox.memory_bytes if absent.")
                Optional<Long> memoryBytes,
        @Key(
                        name = "memory_bytes_max",
                        min = "16MiB",
                        max = "1TiB",
                        doc = "The most memory a run may ask for; what every run has if absent.")
                Optional<Long> memoryBytesMax,
        @Key(
                        name = "cpus",
                        min = "0.01",
                        max = "1024",
                        doc = "Cores' worth of time of a run; sandbox.cpus if absent.")
                Optional<Double> cpus,
        @Key(
                        name = "cpus_max",
                        min = "0.01",
                        max = "1024",
                        doc = "The most a run may ask for; what every run has if absent.")
                Optional<Double> cpusMax,
        @Key(
                        name = "processes",
                        min = "4",
                        max = "100000",
                        doc =
                                "Processes and threads of a run at once; sandbox.processes if absent.")
                Optional<Integer> processes,
        @Key(
                        name = "processes_max",
                        min = "4",
                        max = "100000",
                        doc = "The most a run may ask for; what every run has if absent.")
                Optional<Integer> processesMax,
        @Key(
                        name = "environments",
                        doc =
                                "The environments its runs may use, the usual one first; all if absent.")
                List<String> environments,
        @Key(name = "env_vars", doc = "An environment variable of every run.")
                Map<String, String> envVars,
        @Key(
                        name = "secret_env_vars",
                        secret = true,
                        doc = "The same with a value that is never shown.")
                Map<String, String> secretEnvVars,
        @Key(
                        name = "volumes",
                        doc = "Volumes of every run, such as data:ro, if its key may use them.")
                List<String> volumes,
        @Key(
                        name = "toolsets",
                        doc = "The toolsets that a key sees which names none; all if absent.")
                List<String> toolsets,
        @Key(
                        name = "runs_per_minute",
                        min = "1",
                        max = "1000000",
                        doc =
                                "Runs that a key may begin in a minute of the clock; no limit if absent.")
                Optional<Integer> runsPerMinute,
        @Key(
                        name = "cpu_per_day",
                        min = "1s",
                        max = "10000d",
                        doc =
                                "CPU time that runs of a key may use in a day (UTC); no limit if absent.")
                Optional<Duration> cpuPerDay,
        @Key(
                        name = "bytes_per_day",
                        min = "1B",
                        max = "1024TiB",
                        doc =
                                "Bytes that a key may add in a day (UTC), as output, files of threads and"
                                        + " uploads; no limit if absent.")
                Optional<Long> bytesPerDay) {
    /// What members are called in JSON that are called otherwise here.
    private static final Map<String, String> WORDS =
            Map.of(
                    "timeout_seconds",
                    "timeout",
                    "timeout_seconds_max",
                    "timeout_max",
                    "cpu_seconds_per_day",
                    "cpu_per_day");

    public ProfileKeys {
        environments = List.copyOf(environments);
        envVars = Map.copyOf(envVars);
        secretEnvVars = Map.copyOf(secretEnvVars);
        volumes = List.copyOf(volumes);
        toolsets = List.copyOf(toolsets);
        var made =
                settings(
                        description,
                        defaultLanguage,
                        new ProfileLimits(
                                timeout.map(Duration::toSeconds),
                                timeoutMax.map(Duration::toSeconds),
                                memoryBytes,
                                memoryBytesMax,
                                cpus,
                                cpusMax,
                                processes,
                                processesMax),
                        environments,
                        envVars,
                        secretEnvVars,
                        volumes,
                        toolsets,
                        ProfileQuotas.NONE);
        ProfileMistake.in(made).stream()
                .findFirst()
                .ifPresent(mistake -> {
                    throw contradiction(mistake);
                });
    }

    /// With the words of the configuration.
    static Contradiction contradiction(ProfileMistake mistake) {
        return new Contradiction(
                WORDS.getOrDefault(mistake.member(), mistake.member()),
                mistake.problem().replace("timeout_seconds", "timeout"),
                mistake.remedy().replace("timeout_seconds", "timeout"));
    }

    public ProfileSettings settings() {
        return settings(
                description,
                defaultLanguage,
                new ProfileLimits(
                        timeout.map(Duration::toSeconds),
                        timeoutMax.map(Duration::toSeconds),
                        memoryBytes,
                        memoryBytesMax,
                        cpus,
                        cpusMax,
                        processes,
                        processesMax),
                environments,
                envVars,
                secretEnvVars,
                volumes,
                toolsets,
                new ProfileQuotas(
                        runsPerMinute.map(Integer::longValue),
                        cpuPerDay.map(Duration::toSeconds),
                        bytesPerDay));
    }

    private static ProfileSettings settings(
            Optional<String> description,
            Optional<Language> defaultLanguage,
            ProfileLimits limits,
            List<String> environments,
            Map<String, String> envVars,
            Map<String, String> secretEnvVars,
            List<String> volumes,
            List<String> toolsets,
            ProfileQuotas quotas) {
        return new ProfileSettings(
                description,
                defaultLanguage,
                limits,
                Optional.of(environments).filter(all -> !all.isEmpty()),
                Optional.of(envVars).filter(all -> !all.isEmpty()),
                Optional.of(secretEnvVars).filter(all -> !all.isEmpty()),
                Optional.of(volumes).filter(all -> !all.isEmpty()),
                Optional.of(toolsets).filter(all -> !all.isEmpty()),
                quotas);
    }

    /// Without values of variables.
    @Override
    public String toString() {
        return "ProfileKeys" + settings();
    }
}
