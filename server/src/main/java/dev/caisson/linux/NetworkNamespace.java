package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Network namespace of a process: lets the server listen inside it. A thread of its own steps
/// over, opens the listener and ends; the socket stays inside, and connections to it are accepted
/// outside. Nothing listens on the host.
public final class NetworkNamespace {
    private static final int CLONE_NEWNET = 0x40000000;

    private NetworkNamespace() {}

    /// Listens on the loopback address inside.
    ///
    /// @throws IOException when the port is taken
    /// @throws KernelException when this server may not enter the namespace
    public static ServerSocketChannel listen(PidFd process, int port) throws IOException {
        var opened = new CompletableFuture<ServerSocketChannel>();
        Thread.ofPlatform()
                .name("listen-inside")
                .daemon()
                .start(() -> {
                    try {
                        opened.complete(open(process, port));
                    } catch (IOException failed) {
                        opened.completeExceptionally(new UncheckedIOException(failed));
                    } catch (RuntimeException failed) {
                        opened.completeExceptionally(failed);
                    }
                });
        try {
            return opened.join();
        } catch (CompletionException failed) {
            switch (failed.getCause()) {
                case UncheckedIOException wrapped -> throw wrapped.getCause();
                case KernelException refused -> throw refused;
                case null, default -> throw failed;
            }
        }
    }

    /// Called by a thread that ends afterwards: it never comes back.
    private static ServerSocketChannel open(PidFd process, int port) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            int entered =
                    process.whileOpen(descriptor -> kernel.setnsNow(descriptor, CLONE_NEWNET));
            Kernel.check("setns", entered, "the network of process " + process.pid());
        }
        var listener = ServerSocketChannel.open();
        try {
            listener.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            return listener;
        } catch (IOException failed) {
            listener.close();
            throw failed;
        }
    }
}
