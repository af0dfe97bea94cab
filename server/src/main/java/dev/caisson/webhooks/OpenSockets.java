package dev.caisson.webhooks;

import dev.caisson.share.HeldShare;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sockets by which results are being sent, and whose results those are.
final class OpenSockets {
    private static final Logger LOG = LoggerFactory.getLogger(OpenSockets.class);

    private final Map<Socket, String> owners = new ConcurrentHashMap<>();

    /// @return to be closed when nothing is sent by it any more
    HeldShare add(String owner, Socket socket) {
        owners.put(socket, owner);
        return () -> owners.remove(socket);
    }

    /// Closes those of these owners.
    void end(Set<String> ended) {
        owners.forEach((socket, owner) -> {
            if (ended.contains(owner)) {
                close(socket);
            }
        });
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.warn("a webhook of a revoked key may still be sent", e);
        }
    }
}
