package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import dev.caisson.rpc.Revision;
import java.time.Duration;
import java.util.Optional;

/// Connector to an upstream that is started as a process. It is asked in the words of the newest
/// era first; one that ends on them is started again and asked in the older ones.
///
/// @param server as it is called in sentences
public record StdioConnector(String server, Starter starter, long resultBytesMax, ReadBudget budget)
        implements Connector {
    /// How long a server may think about words it may not know.
    static final Duration DISCOVERY_MAX = Duration.ofSeconds(2);

    /// Starts the process.
    @FunctionalInterface
    public interface Starter {
        StdioProcess start() throws UpstreamFailure, InterruptedException;
    }

    @Override
    public Connection connect(Optional<Era> known, Deadline deadline)
            throws UpstreamFailure, InterruptedException {
        var first = new Attempt(deadline);
        boolean made = false;
        try {
            if (known.equals(Optional.of(Era.LEGACY))) {
                made = true;
                return first.legacy();
            }
            var about = first.discovered();
            made = about.isPresent() || first.transport.isOpen();
            if (about.isPresent()) {
                first.transport.agree(Revision.R2026_07_28);
                return first.handshake.connected(about.get(), first.messages, resultBytesMax);
            }
            if (made) {
                return first.legacy();
            }
        } finally {
            if (!made) {
                first.transport.close();
            }
        }
        return new Attempt(deadline).legacy();
    }

    private final class Attempt {
        private final ServerMessages messages = new ServerMessages();
        private final StdioTransport transport;
        private final Handshake handshake;
        private final Deadline deadline;

        Attempt(Deadline deadline) throws UpstreamFailure, InterruptedException {
            this.deadline = deadline;
            this.transport =
                    new StdioTransport(
                            starter.start(), Math.toIntExact(resultBytesMax), messages, budget);
            this.handshake = new Handshake(server, transport, deadline);
        }

        /// Empty when it does not speak the newest era.
        Optional<ServerAbout> discovered() throws UpstreamFailure, InterruptedException {
            var ask = handshake.ask().within(deadline.orIn(DISCOVERY_MAX));
            try {
                return handshake.modern(transport.request(Handshake.discovery(), ask));
            } catch (UpstreamFailure silent) {
                if (deadline.isOver()
                        || (silent.type() != ToolErrorType.TIMEOUT && transport.isOpen())) {
                    throw silent;
                }
                return Optional.empty();
            }
        }

        Connection legacy() throws UpstreamFailure, InterruptedException {
            boolean made = false;
            try {
                transport.agree(Revision.NEWEST_LEGACY);
                var response = transport.request(Handshake.initialization(), handshake.ask());
                var about = handshake.legacy(response, Era.LEGACY);
                made = true;
                return handshake.connected(about, messages, resultBytesMax);
            } finally {
                if (!made) {
                    transport.close();
                }
            }
        }
    }
}
