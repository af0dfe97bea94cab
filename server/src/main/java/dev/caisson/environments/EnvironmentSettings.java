package dev.caisson.environments;

import dev.caisson.config.Contradiction;
import dev.caisson.config.Defaults;
import dev.caisson.config.Fixed;
import dev.caisson.config.Key;
import java.time.Duration;
import java.util.List;

/// Settings of environments: which runs have them, where packages come from, and what a bake may
/// take.
///
/// @param usual names of the environments of a run whose caller does not say
/// @param bake whether the first start bakes what ships with the product
/// @param registries where packages are fetched; empty means what pip and npm of this machine use
/// @param bytesMax that one bake may fetch, and that an environment may take
/// @param filesMax that an environment may have
/// @param timeMax of each of the two steps of a bake
/// @param atOnce bakes under way
/// @param remembered bakes that can be asked about
/// @param namesMax environments that may have a name
/// @param connections of a bake at once
/// @param idleMax how long a connection of a bake may be silent
/// @param outputBytes of a bake that are kept
/// @param releasedKeep how long an environment stays that no name stands for any more
public record EnvironmentSettings(
        @Key(
                        name = "sandbox.environments",
                        initial = "data",
                        doc =
                                "Packages of a run whose caller does not say: environments by name,"
                                        + " the first that has a module wins.")
                List<String> usual,
        @Key(
                        name = "environments.bake",
                        initial = "true",
                        doc =
                                "Whether a server that lacks the environments data and dev bakes them"
                                        + " after its start.")
                boolean bake,
        @Key(
                        name = "environments.registries",
                        doc =
                                "Where bakes fetch packages: https or file addresses of Python"
                                        + " indexes, npm:https addresses of npm registries, and names"
                                        + " of further hosts, each with a port if it is not 443. Without it, what pip and npm of this"
                                        + " machine are set to use.")
                List<String> registries,
        @Key(
                        name = "environments.bytes_max",
                        initial = "2GiB",
                        min = "16MiB",
                        max = "1TiB",
                        doc = "What one bake may fetch, and what an environment may take.")
                long bytesMax,
        @Fixed("200000") int filesMax,
        @Fixed("15m") Duration timeMax,
        @Fixed("2") int atOnce,
        @Fixed("32") int remembered,
        @Fixed("100") int namesMax,
        @Fixed("64") int connections,
        @Fixed("1m") Duration idleMax,
        @Fixed("262144") int outputBytes,
        @Fixed("1d") Duration releasedKeep) {
    private static final long BYTES_PER_FILE = 8 << 10;

    public static final EnvironmentSettings DEFAULT = Defaults.of(EnvironmentSettings.class);

    public EnvironmentSettings {
        usual = List.copyOf(usual);
        registries = List.copyOf(registries);
        if (!Registries.areReadable(registries)) {
            throw new Contradiction(
                    "environments.registries",
                    "has a word that is neither an address nor a host",
                    "Write addresses such as https://pypi.example/simple, and hosts such as files.example or files.example:8443.");
        }
    }

    /// As many files as fit into the workspace of a bake.
    public long filesFitting() {
        return Math.min(filesMax, bytesMax / BYTES_PER_FILE);
    }
}
