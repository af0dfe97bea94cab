package dev.caisson.sandbox;

import dev.caisson.call.SpanId;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;

/// Way from a program to this server. The program finds it at an address inside its own network;
/// whoever connects there is the program, and needs nothing else to show.
///
/// It is open for one run. A listener takes the connections, see [DoorListener], and hands each to
/// [#serve].
@FunctionalInterface
public interface HostDoor {
    /// No way: nothing listens inside.
    HostDoor CLOSED = connection -> {};

    /// Serves one connection until its end, which is that of the run at the latest. Called on a
    /// thread of its own; the connection is closed afterwards.
    void serve(SocketChannel connection) throws IOException, InterruptedException;

    /// A directory of the host whose files stay until it is closed.
    interface Wrappers extends AutoCloseable {
        Path directory();

        @Override
        void close();
    }

    /// What programs find at `/run/job/servers`, to read. Whoever shows it closes it when nothing
    /// runs there any more.
    default Optional<Wrappers> wrappers() {
        return Optional.empty();
    }

    /// The span of the run, below which are those of its calls.
    default Optional<SpanId> span() {
        return Optional.empty();
    }

    /// By which the run is parked while somebody outside is waited for; the same at every call.
    default RunControl control() {
        return new RunControl();
    }

    default boolean isOpen() {
        return !equals(CLOSED);
    }
}
