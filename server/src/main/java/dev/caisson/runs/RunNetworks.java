package dev.caisson.runs;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.egress.HostCertificates;
import dev.caisson.egress.HostUse;
import dev.caisson.egress.Proxies;
import dev.caisson.egress.Proxy;
import dev.caisson.executions.NetworkUse;
import dev.caisson.sandbox.NetworkDoor;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Networks of runs: a run of a caller with rules gets a proxy of its own, any other gets nothing.
public final class RunNetworks {
    private final Proxies proxies;
    private final BooleanSupplier possible;

    /// @param possible whether something can listen inside sandboxes
    public RunNetworks(Proxies proxies, BooleanSupplier possible) {
        this.proxies = proxies;
        this.possible = possible;
    }

    /// Network of one run.
    interface Opened extends AutoCloseable {
        Opened NONE = () -> NetworkDoor.CLOSED;

        NetworkDoor door();

        /// What was asked until now.
        default List<NetworkUse> uses() {
            return List.of();
        }

        /// Ends what is under way.
        default void end() {}

        @Override
        default void close() {
            end();
        }
    }

    /// @throws Refusal UNAVAILABLE when there should be one and cannot
    void requirePossible(Caller caller) {
        if (!caller.network().isNone() && !possible.getAsBoolean()) {
            throw new Refusal(
                    Reason.UNAVAILABLE,
                    "Your key has a network, and this server runs as a plain user, which cannot offer a"
                            + " way out of a sandbox. Its operator can run it as root, or give you a key"
                            + " without network.");
        }
    }

    Opened open(Caller caller) {
        return caller.network().isNone()
                ? Opened.NONE
                : new Proxied(proxies.of(caller.network(), caller.id()));
    }

    private record Proxied(Proxy proxy) implements Opened, NetworkDoor {
        @Override
        public NetworkDoor door() {
            return this;
        }

        @Override
        public void serve(SocketChannel connection) throws IOException, InterruptedException {
            proxy.serve(connection);
        }

        @Override
        public Optional<Path> certificates() {
            return HostCertificates.file();
        }

        @Override
        public List<NetworkUse> uses() {
            return proxy.uses().stream().map(Proxied::use).toList();
        }

        private static NetworkUse use(HostUse use) {
            return new NetworkUse(
                    use.host(),
                    use.port(),
                    use.verdict().word(),
                    use.requests(),
                    use.sent(),
                    use.received(),
                    use.first().toString(),
                    use.last().toString());
        }

        @Override
        public void end() {
            proxy.close();
        }
    }
}
