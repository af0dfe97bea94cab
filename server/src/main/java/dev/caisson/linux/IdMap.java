package dev.caisson.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/// Makes files that belong to one id on disk appear as another's through a mount: the id on disk
/// can be the same for every workspace, and no two sandboxes share an id.
///
/// It is a user namespace that nothing runs in, held by its descriptor. Making one takes a helper
/// process for a few milliseconds: make it once per sandbox user, ahead of need.
public final class IdMap implements AutoCloseable {
    private final int onDisk;
    private final int inHost;
    private final int descriptor;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private IdMap(int onDisk, int inHost, int descriptor) {
        this.onDisk = onDisk;
        this.inHost = inHost;
        this.descriptor = descriptor;
    }

    /// @param onDisk user and group that own the files in the file system
    /// @param inHost user and group they appear to belong to
    public static IdMap create(int onDisk, int inHost) {
        try {
            var helper =
                    new ProcessBuilder("unshare", "--user", "cat")
                            .redirectError(Redirect.DISCARD)
                            .start();
            try {
                return new IdMap(onDisk, inHost, namespaceOf(helper, onDisk + " " + inHost + " 1"));
            } finally {
                helper.destroyForcibly();
                helper.getInputStream().close();
                helper.getOutputStream().close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot make a user namespace", failed);
        }
    }

    private static int namespaceOf(Process helper, String line) throws IOException {
        awaitUnshared(helper);
        var directory = Path.of("/proc", Long.toString(helper.pid()));
        Files.writeString(directory.resolve("uid_map"), line);
        Files.writeString(directory.resolve("gid_map"), line);
        try (var arena = Arena.ofConfined()) {
            return new Kernel(arena).open(directory + "/ns/user", Kernel.O_RDONLY);
        }
    }

    /// A byte that comes back came from `cat`, which `unshare` became after it was done.
    private static void awaitUnshared(Process helper) throws IOException {
        var input = helper.getOutputStream();
        input.write('\n');
        input.flush();
        if (helper.getInputStream().read() < 0) {
            throw new IOException("unshare --user was refused");
        }
    }

    public int onDisk() {
        return onDisk;
    }

    public int inHost() {
        return inHost;
    }

    int descriptor() {
        return descriptor;
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            try (var arena = Arena.ofConfined()) {
                new Kernel(arena).close(descriptor);
            }
        }
    }
}
