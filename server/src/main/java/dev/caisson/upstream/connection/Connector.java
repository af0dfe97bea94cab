package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import java.util.Optional;

/// Maker of connections to one upstream.
@FunctionalInterface
public interface Connector {
    /// Makes one, and agrees on a revision.
    ///
    /// @param known the era it spoke before, so that it need not be found out again
    Connection connect(Optional<Era> known, Deadline deadline)
            throws UpstreamFailure, InterruptedException;
}
