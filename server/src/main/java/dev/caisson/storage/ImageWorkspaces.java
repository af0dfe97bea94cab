package dev.caisson.storage;

import dev.caisson.linux.DiskUsage;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.linux.Mount;
import dev.caisson.linux.ServerToken;
import dev.caisson.sandbox.Workspace;
import dev.caisson.storage.image.DiskRelease;
import dev.caisson.storage.image.OpenWorkspaces;
import dev.caisson.storage.image.ReadyImages;
import dev.caisson.storage.tree.Roots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/// Workspaces as file systems of their own, each in a file: they end where their size ends, and no
/// program can fill the host's disk.
public final class ImageWorkspaces implements WorkspaceMaker {
    public static final long BYTES_DEFAULT = 1L << 30;
    public static final long FILES_DEFAULT = 100_000;

    public static final String IMAGE = "workspace.img";

    private final LoopImages images;
    private final HostDisk disk;
    private final long bytes;
    private final long files;
    private Optional<ReadyImages> ready = Optional.empty();
    private Optional<MemoryWorkspaces> memory = Optional.empty();

    /// @param disk the images are on; each is promised its room while it is open
    /// @param bytes and `files` of a workspace; one that is there keeps what it was made with
    public ImageWorkspaces(LoopImages images, HostDisk disk, long bytes, long files) {
        this.images = images;
        this.disk = disk;
        this.bytes = bytes;
        this.files = files;
    }

    /// The same, with new ones made ahead and used ones closed after their answers, until this is
    /// closed.
    ///
    /// @param threads the directory [Threads] are kept in
    public ImageWorkspaces ahead(Path threads, int count) {
        var directory = threads.resolve("ephemeral").resolve(ServerToken.own() + "-ready");
        ready = Optional.of(new ReadyImages(directory, count, this::makeAhead));
        return this;
    }

    /// The same, with those in memory for runs that keep nothing.
    public ImageWorkspaces with(MemoryWorkspaces inMemory) {
        memory = Optional.of(inMemory);
        return this;
    }

    @Override
    public Optional<Opened> inMemory(long runBytes) {
        return memory.map(each -> each.open(runBytes));
    }

    @Override
    public OptionalLong bytesInMemory(long runBytes) {
        return memory.map(each -> OptionalLong.of(each.bytes(runBytes)))
                .orElse(OptionalLong.empty());
    }

    @Override
    public Opened open(Path directory, String holder) throws IOException {
        var image = directory.resolve(IMAGE);
        ready.ifPresent(each -> each.awaitClosed(image));
        return Files.notExists(image) ? openNew(image, holder) : openOld(image, holder);
    }

    @Override
    public Optional<Opened> temporary(String holder, boolean busy) {
        return ready.flatMap(images ->
                images.take(busy)
                        .map(taken -> {
                            taken.promise().passTo(holder);
                            return new OpenTemporary(taken, images);
                        }));
    }

    private Opened openOld(Path image, String holder) throws IOException {
        var promise = promise(holder, image, Files.size(image));
        return opened(image, mounted(image, promise), promise);
    }

    private Mount mounted(Path image, HostDisk.Promise promise) throws IOException {
        try {
            return images.mount(image);
        } catch (IOException | RuntimeException failed) {
            promise.close();
            throw failed;
        }
    }

    private Opened openNew(Path image, String holder) throws IOException {
        var promise = promise(holder, image, bytes);
        var taken = ready.flatMap(each -> each.take(false));
        if (taken.isEmpty()) {
            return opened(image, make(image, promise).mount(), promise);
        }
        try {
            Files.move(taken.get().image(), image);
        } catch (IOException failed) {
            taken.get().discard();
            promise.close();
            throw failed;
        }
        taken.get().promise().close();
        return opened(image, taken.get().mount(), promise);
    }

    /// Empty when there is no room: an image made ahead never waits for the disk.
    private Optional<ReadyImages.Ready> makeAhead(Path image) throws IOException {
        var promise = disk.promiseNow(image, bytes);
        return promise.isEmpty() ? Optional.empty() : Optional.of(make(image, promise.get()));
    }

    private ReadyImages.Ready make(Path image, HostDisk.Promise promise) throws IOException {
        try {
            images.create(image, bytes, files);
        } catch (IOException | RuntimeException failed) {
            promise.close();
            throw failed;
        }
        return new ReadyImages.Ready(image, mounted(image, promise), promise);
    }

    /// Images made ahead are given up first when the disk has no room for this one.
    private HostDisk.Promise promise(String holder, Path image, long size) {
        if (disk.availableBytes() < size) {
            ready.ifPresent(ReadyImages::drain);
        }
        return disk.promise(holder, image, size);
    }

    private Opened opened(Path image, Mount mount, HostDisk.Promise promise) throws IOException {
        var device = DiskRelease.watch(image, mount::close, promise);
        var open = new OpenImage(image, mount, device, promise, ready);
        try {
            Roots.reopen(open.root());
            return open;
        } catch (IOException | RuntimeException failed) {
            open.closeNow();
            throw failed;
        }
    }

    @Override
    public void whileClosed(Path directory, OpenWorkspaces.Act act) throws IOException {
        var image = directory.resolve(IMAGE);
        ready.ifPresent(each -> each.awaitClosed(image));
        if (Files.notExists(image)) {
            act.run();
            return;
        }
        try (var _ = LoopImages.hold(image)) {
            act.run();
        }
    }

    @Override
    public boolean isThere(Path directory) {
        return Files.exists(directory.resolve(IMAGE));
    }

    @Override
    public DiskUsage room(Path directory) throws IOException {
        var image = directory.resolve(IMAGE);
        ready.ifPresent(each -> each.awaitClosed(image));
        return Files.exists(image)
                ? LoopImages.room(image)
                : new DiskUsage(0, OptionalLong.of(bytes), 0, OptionalLong.of(files));
    }

    @Override
    public String capacity() {
        return String.format(Locale.ROOT, "%,d MiB and %,d files", bytes >> 20, files)
                + memory.map(MemoryWorkspaces::capacity).orElse("");
    }

    @Override
    public void close() {
        ready.ifPresent(ReadyImages::close);
    }

    /// It stays where it was made, and is discarded there.
    private record OpenTemporary(ReadyImages.Ready taken, ReadyImages ahead) implements Opened {
        @Override
        public Workspace workspace() {
            return new Workspace.Image(taken.mount());
        }

        @Override
        public Path root() {
            return rootOf(taken.mount());
        }

        @Override
        public DiskUsage room() {
            return LoopImages.room(taken.mount());
        }

        @Override
        public void confirmRoom() {
            taken.promise().confirm();
        }

        @Override
        public void close() {
            ahead.close(taken.image(), taken::discard);
        }
    }

    private static Path rootOf(Mount mount) {
        return Path.of("/proc/self/fd", Integer.toString(mount.descriptor()));
    }

    private record OpenImage(
            Path image,
            Mount mount,
            LoopImages.DeviceWatch device,
            HostDisk.Promise promise,
            Optional<ReadyImages> closer)
            implements Opened {
        @Override
        public Workspace workspace() {
            return new Workspace.Image(mount);
        }

        @Override
        public Path root() {
            return rootOf(mount);
        }

        @Override
        public DiskUsage room() {
            return LoopImages.room(mount);
        }

        @Override
        public void confirmRoom() {
            promise.confirm();
        }

        @Override
        public void close() {
            closer.ifPresentOrElse(later -> later.close(image, this::closeNow), this::closeNow);
        }

        private void closeNow() {
            DiskRelease.after(mount::close, device, promise);
        }
    }
}
