package dev.caisson.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Listener inside a sandbox, at which programs connect to a [HostDoor]. Between the runs of a
/// session, and beyond so many connections at a time, whoever connects is turned away at once.
public final class DoorListener implements AutoCloseable {
    /// How many connections the processes of a run may have at a time.
    public static final int CONNECTIONS_MAX = 32;

    /// The variable in which a program finds the address.
    public static final String VARIABLE = "CAISSON_DOOR";

    /// The file in which it does, within its job.
    public static final String FILE = "door";

    /// Whoever is turned away comes again no faster than this.
    private static final long TURNED_AWAY_MILLIS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(DoorListener.class);

    private final ServerSocketChannel listener;
    private final String address;
    private final int connectionsMax;
    private final Set<SocketChannel> connections = new HashSet<>();
    private HostDoor door = HostDoor.CLOSED;
    private Optional<HostDoor.Wrappers> wrappers = Optional.empty();

    private DoorListener(ServerSocketChannel listener, String address, int connectionsMax) {
        this.listener = listener;
        this.address = address;
        this.connectionsMax = connectionsMax;
    }

    /// Listens in a box for its first run, whose program finds the address in a file. The files of
    /// that run stay as long as this.
    public static DoorListener open(Box box, HostDoor door) throws IOException {
        var listener = at(box, 0, CONNECTIONS_MAX);
        boolean open = false;
        try {
            box.put(FILE, (listener.address + "\n").getBytes(StandardCharsets.US_ASCII));
            listener.wrappers = door.wrappers();
            if (listener.wrappers.isPresent()) {
                box.showWrappers(listener.wrappers.get().directory());
            }
            listener.turnTo(door);
            open = true;
            return listener;
        } finally {
            if (!open) {
                listener.close();
            }
        }
    }

    /// Listens in a box, for nobody yet.
    ///
    /// @param wanted the port; 0 for any
    /// @param connectionsMax at a time
    static DoorListener at(Box box, int wanted, int connectionsMax) throws IOException {
        var listener = box.listen(wanted);
        var port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        var door = new DoorListener(listener, "127.0.0.1:" + port, connectionsMax);
        Thread.ofVirtual().name("door-" + port).start(door::accept);
        return door;
    }

    public String address() {
        return address;
    }

    /// From now on connections are those of a run.
    public synchronized void turnTo(HostDoor next) {
        door = next;
    }

    /// The run is over: its connections are closed, and nobody gets another.
    public void turnAway() {
        Set<SocketChannel> open;
        synchronized (this) {
            door = HostDoor.CLOSED;
            open = Set.copyOf(connections);
            connections.clear();
        }
        open.forEach(DoorListener::close);
    }

    private void accept() {
        try {
            while (true) {
                var connection = listener.accept();
                if (!admit(connection)) {
                    close(connection);
                    Thread.sleep(TURNED_AWAY_MILLIS);
                }
            }
        } catch (IOException | InterruptedException closed) {
            LOG.debug("a door is closed: {}", closed.toString());
        }
    }

    private synchronized boolean admit(SocketChannel connection) {
        if (!door.isOpen() || connections.size() >= connectionsMax) {
            return false;
        }
        connections.add(connection);
        var open = door;
        Thread.ofVirtual().name("door").start(() -> serve(open, connection));
        return true;
    }

    /// A program that breaks its connection harms nothing but that.
    private void serve(HostDoor open, SocketChannel connection) {
        try (connection) {
            open.serve(connection);
        } catch (IOException | InterruptedException ended) {
            LOG.debug("a connection of a program ended: {}", ended.toString());
        } finally {
            synchronized (this) {
                connections.remove(connection);
            }
        }
    }

    private static void close(AutoCloseable channel) {
        try {
            channel.close();
        } catch (Exception failed) {
            LOG.debug("a connection could not be closed", failed);
        }
    }

    @Override
    public void close() {
        turnAway();
        close(listener);
        wrappers.ifPresent(HostDoor.Wrappers::close);
    }
}
