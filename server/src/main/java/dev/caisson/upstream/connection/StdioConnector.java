package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.rpc.Revision;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Connector to an upstream that is started as a process. It is asked in the words of the newest
/// era first; one that ends on them is started again and asked in the older ones.
///
/// @param server as it is called in sentences
/// @param forms whether forms that it wants to have filled in are answered
public record StdioConnector(
        String server, Starter starter, long resultBytesMax, ReadBudget budget, boolean forms)
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
        if (known.equals(Optional.of(Era.LEGACY))) {
            var attempt = new Attempt(deadline);
            try {
                return attempt.legacy();
            } catch (UpstreamFailure failed) {
                if (!failed.sent() || deadline.isOver()) {
                    throw failed;
                }
                // What it spoke once need not be what it speaks now.
            }
        }
        return newest(deadline);
    }

    private Connection newest(Deadline deadline) throws UpstreamFailure, InterruptedException {
        var first = new Attempt(deadline);
        boolean made = false;
        try {
            var connection = first.either();
            made = connection.isPresent();
            if (made) {
                return connection.get();
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
            this.handshake = new Handshake(server, transport, deadline, forms);
        }

        /// Asks in the newest words, and after a while in the older ones too: one that is slow to
        /// start may not have read the first yet.
        ///
        /// @return empty when the process ended on words it does not know
        Optional<Connection> either() throws UpstreamFailure, InterruptedException {
            var discovery = new CompletableFuture<Optional<ServerAbout>>();
            var asking = Thread.ofVirtual().name("discovery").start(() -> discover(discovery));
            try {
                var wait = deadline.orIn(DISCOVERY_MAX);
                var about = discovered(discovery, wait);
                if (about.isPresent()) {
                    return Optional.of(modern(about.get()));
                }
                return transport.openness().isOpen() ? legacyOr(discovery) : Optional.empty();
            } finally {
                asking.interrupt();
            }
        }

        private void discover(CompletableFuture<Optional<ServerAbout>> discovery) {
            try {
                var response = transport.request(Handshake.discovery(), handshake.ask());
                discovery.complete(handshake.modern(response));
            } catch (UpstreamFailure | InterruptedException failed) {
                discovery.completeExceptionally(failed);
            }
        }

        /// Empty when it does not speak the newest era, or has not said so yet.
        private Optional<ServerAbout> discovered(
                CompletableFuture<Optional<ServerAbout>> discovery, Deadline until)
                throws UpstreamFailure, InterruptedException {
            try {
                return discovery.get(until.left().toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException slow) {
                return Optional.empty();
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof UpstreamFailure failure
                        && transport.openness().isOpen()) {
                    throw failure;
                }
                return Optional.empty();
            }
        }

        private Connection modern(ServerAbout about) {
            transport.agree(Revision.R2026_07_28);
            return handshake.connected(about, messages, resultBytesMax);
        }

        /// One that does not know the older words may still answer the newest.
        private Optional<Connection> legacyOr(CompletableFuture<Optional<ServerAbout>> discovery)
                throws UpstreamFailure, InterruptedException {
            try {
                return Optional.of(begin());
            } catch (UpstreamFailure refused) {
                var about = discovered(discovery, deadline.orIn(DISCOVERY_MAX));
                if (about.isPresent()) {
                    return Optional.of(modern(about.get()));
                }
                if (transport.openness().isOpen() || deadline.isOver()) {
                    throw refused;
                }
                return Optional.empty();
            }
        }

        private Connection begin() throws UpstreamFailure, InterruptedException {
            transport.agree(Revision.NEWEST_LEGACY);
            var response = transport.request(handshake.initialization(), handshake.ask());
            var about = handshake.legacy(response, Era.LEGACY);
            return handshake.connected(about, messages, resultBytesMax);
        }

        Connection legacy() throws UpstreamFailure, InterruptedException {
            boolean made = false;
            try {
                var connection = begin();
                made = true;
                return connection;
            } finally {
                if (!made) {
                    transport.close();
                }
            }
        }
    }
}
