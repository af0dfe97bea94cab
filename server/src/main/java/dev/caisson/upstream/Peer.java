package dev.caisson.upstream;

import dev.caisson.egress.Destination;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The other end of a connection: an address, or a command that is started in a sandbox.
public sealed interface Peer {
    /// How the protocol is spoken over HTTP.
    enum Transport {
        /// Streamable HTTP, or HTTP+SSE where the server speaks nothing newer.
        AUTO,
        HTTP,
        SSE;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A server at an address.
    record Remote(URI url, Transport transport) implements Peer {}

    /// A server that is started by this one.
    ///
    /// @param command the program and its arguments
    /// @param env variables of its environment
    /// @param show directories of the host that it may read, at the same path
    /// @param network what it may reach; a host that begins with `*.` is all names below
    record Command(
            List<String> command,
            Map<String, SecretText> env,
            List<Path> show,
            Set<Destination> network,
            long memoryBytes)
            implements Peer {
        public Command {
            command = List.copyOf(command);
            env = Map.copyOf(env);
            show = List.copyOf(show);
            network = Set.copyOf(network);
        }
    }
}
