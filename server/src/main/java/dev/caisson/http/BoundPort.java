package dev.caisson.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;

/// Socket that is bound to the address of the server before anything else is made, so that a taken
/// port is reported at once. Clients that connect before the listener starts wait for it.
///
/// @param channel belongs to the listener once it has started
public record BoundPort(ServerSocketChannel channel) implements AutoCloseable {
    /// @throws IOException when the address is taken or not ours
    public static BoundPort bind(HttpSettings settings) throws IOException {
        var channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(
                    new InetSocketAddress(settings.host(), settings.port()),
                    JettySetup.ACCEPT_QUEUE);
            return new BoundPort(channel);
        } catch (UnresolvedAddressException _) {
            channel.close();
            throw new IOException("unknown host " + settings.host());
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
