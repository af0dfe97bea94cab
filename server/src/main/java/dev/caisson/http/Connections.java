package dev.caisson.http;

import dev.caisson.share.HeldShare;
import dev.caisson.share.Share;
import dev.caisson.share.ShareLimit;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;

/// Connection limit: open connections, divided between callers.
///
/// A connection belongs to the address it comes from until a request on it was let in, and to that
/// request's caller from then on. When an address has its share of those nobody was let in on, the
/// oldest of them makes room for the newest: whoever has a key and uses it finds a connection,
/// however many idle ones others hold open from the same address, such as a proxy's.
final class Connections implements Connection.Listener {
    private final Share share;
    private final Map<Connection, Place> places = new HashMap<>();

    /// Those nobody was let in on, by address, the oldest first.
    private final Map<String, LinkedHashSet<Connection>> strangers = new HashMap<>();

    private record Place(String holder, HeldShare held, boolean stranger) {}

    Connections(int max, ShareLimit part) {
        share = new Share("connections", "connections", max, part);
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            return; // The one inside it counts.
        }
        enter(connection).ifPresent(unwanted -> unwanted.getEndPoint().close());
    }

    /// @return the connection that has to go
    private synchronized Optional<Connection> enter(Connection connection) {
        var address = address(connection);
        if (place(connection, address)) {
            return Optional.empty();
        }
        var oldest = oldestStranger(address);
        oldest.ifPresent(this::leave);
        return place(connection, address) ? oldest : Optional.of(connection);
    }

    private boolean place(Connection connection, String address) {
        var held = share.tryTake(address, 1);
        held.ifPresent(taken -> {
            places.put(connection, new Place(address, taken, true));
            strangers.computeIfAbsent(address, _ -> new LinkedHashSet<>()).add(connection);
        });
        return held.isPresent();
    }

    /// Of the same address if there is one, else of the address with most.
    private Optional<Connection> oldestStranger(String address) {
        var own = strangers.get(address);
        return own != null
                ? Optional.of(own.getFirst())
                : strangers.values().stream()
                        .max(Comparator.comparingInt(Set::size))
                        .map(LinkedHashSet::getFirst);
    }

    /// A request on this connection was let in.
    ///
    /// @throws dev.caisson.call.Refusal when the caller has its share of connections; then this one
    ///   counts no more, and must be closed after the answer
    synchronized void admitted(Connection connection, String caller) {
        var place = places.get(connection);
        if (place == null || place.holder().equals(caller)) {
            return;
        }
        leave(connection);
        places.put(connection, new Place(caller, share.take(caller, 1), false));
    }

    @Override
    public void onClosed(Connection connection) {
        leave(connection);
    }

    private synchronized void leave(Connection connection) {
        var place = places.remove(connection);
        if (place == null) {
            return;
        }
        place.held().close();
        if (place.stranger()) {
            strangers.computeIfPresent(
                    place.holder(),
                    (_, all) -> {
                        all.remove(connection);
                        return all.isEmpty() ? null : all;
                    });
        }
    }

    private static String address(Connection connection) {
        return connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress peer
                ? ShareHolder.at(peer.getAddress())
                : ShareHolder.UNKNOWN;
    }
}
