package dev.caisson.sandbox;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;

/// Way from a program to the network: a proxy, to which every connection is handed that the program
/// makes to an address inside its own network. It is open for one run, as a [HostDoor] is.
public interface NetworkDoor extends HostDoor {
    /// No way: nothing listens inside.
    NetworkDoor CLOSED =
            new NetworkDoor() {
                @Override
                public void serve(SocketChannel connection) throws IOException {
                    connection.close();
                }

                @Override
                public boolean isOpen() {
                    return false;
                }
            };

    /// File with the certificates that programs are to trust.
    default Optional<Path> certificates() {
        return Optional.empty();
    }
}
