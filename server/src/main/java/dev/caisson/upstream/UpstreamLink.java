package dev.caisson.upstream;

import dev.caisson.call.Deadline;
import dev.caisson.upstream.connection.CallOptions;
import dev.caisson.upstream.connection.Era;
import dev.caisson.upstream.connection.LinkState;
import dev.caisson.upstream.connection.UpstreamFailure;
import dev.caisson.upstream.connection.UpstreamResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Link to one upstream over its whole life, as the rest of the room needs it. Connections are made
/// when they are needed, and made again after a failure.
public interface UpstreamLink extends AutoCloseable {
    /// Maker of links.
    @FunctionalInterface
    interface Maker {
        /// @param credentials are asked for when a connection is made
        /// @param era that it spoke before, when that is known
        /// @param listWanted is told when the upstream says that its tools are others now; must not
        ///   block
        UpstreamLink open(
                UpstreamSettings settings,
                CredentialValues credentials,
                Optional<Era> era,
                Runnable listWanted);
    }

    LinkState state();

    /// What went wrong last; empty while all is well.
    Optional<String> trouble();

    /// The era it speaks, once that is known.
    Optional<Era> era();

    /// How many messages came from it that nobody waited for.
    long dropped();

    /// The definitions of all tools as they were received, of all pages.
    List<ObjectNode> listTools(Deadline deadline) throws InterruptedException, UpstreamFailure;

    /// How long its last list counts, as far as the upstream says so.
    default Optional<Duration> listAge() {
        return Optional.empty();
    }

    UpstreamResult callTool(String caller, String tool, ObjectNode arguments, CallOptions options)
            throws InterruptedException, UpstreamFailure;

    UpstreamResult readResource(String caller, String uri, CallOptions options)
            throws InterruptedException, UpstreamFailure;

    /// Ends the connection and forgets its failures.
    void restart();

    /// Ends the connection for good.
    @Override
    void close();
}
