package dev.caisson.linux;

import dev.caisson.linux.calls.HeldFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Network namespace that is held beyond the death of its processes, so that others of the same
/// owner can be put into it. The kernel says, without anybody inside, whether a socket is left.
public final class KeptNetwork implements AutoCloseable {
    /// Sockets, connections that are remembered for a while after their end, and packets that are
    /// not whole yet.
    private static final Pattern NOTHING =
            Pattern.compile("sockets: used 0\n(?s:.*)TCP: inuse 0 .* tw 0 (?s:.*)FRAG: inuse 0 .*");

    private final Descriptor namespace;
    private final HeldFile sockets;

    private KeptNetwork(Descriptor namespace, HeldFile sockets) {
        this.namespace = namespace;
        this.sockets = sockets;
    }

    /// That of a live process.
    ///
    /// @throws IOException when it has ended meanwhile, or is hidden
    public static KeptNetwork of(PidFd process) throws IOException {
        var directory = Path.of("/proc", Long.toString(process.pid()));
        try {
            var sockets = HeldFile.toRead(directory.resolve("net/sockstat"));
            var kept = new KeptNetwork(Descriptor.toRead(directory.resolve("ns/net")), sockets);
            if (kept.isRead() && !process.hasExited()) {
                return kept;
            }
            kept.close();
            throw new IOException("a network was not held in time");
        } catch (KernelException failed) {
            throw new IOException("a network cannot be held", failed);
        }
    }

    private boolean isRead() {
        try {
            return !sockets.read().isEmpty();
        } catch (UncheckedIOException gone) {
            return false;
        }
    }

    /// Stands for it, for who enters it.
    public Descriptor namespace() {
        return namespace;
    }

    /// Whether no socket is left in it, and no memory of one. When in doubt, false.
    public boolean isDeserted() {
        try {
            return NOTHING.matcher(sockets.read()).matches();
        } catch (UncheckedIOException unknown) {
            return false;
        }
    }

    @Override
    public void close() {
        sockets.close();
        namespace.close();
    }
}
