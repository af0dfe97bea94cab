package dev.caisson.egress;

import dev.caisson.config.Defaults;
import dev.caisson.config.Key;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import java.time.Clock;

/// Limits on the network of programs.
///
/// @param runConnections at a time
/// @param runBytes in both directions together
/// @param connections of all runs at a time
public record NetworkSettings(
        @Key(
                        name = "network.run_connections",
                        initial = "64",
                        min = "1",
                        max = "128",
                        doc = "Connections to the network that one run has at a time.")
                int runConnections,
        @Key(
                        name = "network.run_bytes",
                        initial = "1GiB",
                        min = "1KiB",
                        max = "1TiB",
                        doc = "What one run may send and receive.")
                long runBytes,
        @Key(
                        name = "network.connections",
                        initial = "1024",
                        min = "1",
                        max = "65536",
                        doc =
                                "Connections to the network that all runs together have at a time;"
                                        + " shares.part says how many of them one key may have.")
                int connections) {
    public static final NetworkSettings DEFAULT = Defaults.of(NetworkSettings.class);

    /// @param part what one key may have of all connections
    public Proxies proxies(ShareLimit part) {
        return new Proxies(
                ProxyLimits.of(runConnections, runBytes),
                new Share("network_connections", "connections to the network", connections, part),
                AddressSource.SYSTEM,
                Clock.systemUTC());
    }
}
