package dev.caisson.storage;

import dev.caisson.linux.LoopImages;
import dev.caisson.linux.Mount;
import dev.caisson.sandbox.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// Workspaces as file systems of their own, each in a file: they end where their size ends, and no
/// program can fill the host's disk.
public final class ImageWorkspaces implements WorkspaceMaker {
    public static final long BYTES_DEFAULT = 1L << 30;
    public static final long FILES_DEFAULT = 100_000;

    private static final String IMAGE = "workspace.img";

    private final LoopImages images;
    private final long bytes;
    private final long files;

    /// @param bytes and `files` of a workspace; one that is there keeps what it was made with
    public ImageWorkspaces(LoopImages images, long bytes, long files) {
        this.images = images;
        this.bytes = bytes;
        this.files = files;
    }

    @Override
    public Opened open(Path directory) throws IOException {
        var image = directory.resolve(IMAGE);
        if (Files.notExists(image)) {
            images.create(image, bytes, files);
        }
        return new OpenImage(images.mount(image));
    }

    @Override
    public String capacity() {
        return String.format(Locale.ROOT, "%,d MiB and %,d files", bytes >> 20, files);
    }

    private record OpenImage(Mount mount) implements Opened {
        @Override
        public Workspace workspace() {
            return new Workspace.Image(mount);
        }

        @Override
        public Path root() {
            return Path.of("/proc/self/fd", Integer.toString(mount.descriptor()));
        }

        @Override
        public void close() {
            mount.close();
        }
    }
}
