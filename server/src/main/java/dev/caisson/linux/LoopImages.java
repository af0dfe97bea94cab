package dev.caisson.linux;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.calls.Pause;
import dev.caisson.linux.calls.Privileges;
import dev.caisson.linux.mount.DetachedFileSystems;
import dev.caisson.linux.mount.DraftFile;
import dev.caisson.linux.mount.Ext4;
import dev.caisson.linux.mount.ImageTemplate;
import dev.caisson.linux.mount.LoopDevice;
import dev.caisson.linux.mount.Superblock;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// Image files with a file system each, attached as loop devices, so that a workspace has one of
/// its own: it ends where its size ends, in bytes and in files, and nothing a program does in it
/// can take more of the host's disk.
///
/// An image is mounted nowhere in the host's table of mounts, and never twice: the lock on it is
/// held by the device behind the mount, for as long as that is there.
public final class LoopImages {
    /// Each template keeps some hundred kilobytes.
    private static final int TEMPLATES_MAX = 16;

    private static final Duration LOCK_MAX = Duration.ofSeconds(2);

    private record Shape(long bytes, long files) {}

    private final int owner;
    private final Map<Shape, ImageTemplate> templates = new ConcurrentHashMap<>();

    /// @param owner user and group its root directory belongs to on disk
    public LoopImages(int owner) {
        this.owner = owner;
    }

    /// What this host lacks for images, and what to do about it.
    public static Optional<String> missing() {
        for (var tool : Ext4.TOOLS) {
            if (!Ext4.installed(tool)) {
                return Optional.of(tool + " is not installed: install the package e2fsprogs.");
            }
        }
        if (!Privileges.has(Privileges.Capability.SYS_ADMIN) || !LoopDevice.exists()) {
            return Optional.of(
                    "This server may not mount file systems from images: run it as root on a host with loop devices (modprobe loop).");
        }
        return Optional.empty();
    }

    /// Makes a new, empty image, whole or not at all.
    ///
    /// @param image must not exist
    /// @param bytes of the whole; some hundredths are the file system's own
    /// @param files that fit in at least; the file system rounds up to whole blocks of its table
    public void create(Path image, long bytes, long files) throws IOException {
        if (bytes < 1 << 20 || files < 1) {
            throw new IllegalArgumentException("an image has at least 1 MiB and one file");
        }
        var shape = new Shape(bytes, files);
        var directory = Objects.requireNonNull(image.toAbsolutePath().getParent());
        var template = templates.get(shape);
        if (template == null) {
            template = template(directory, shape);
        }
        try (var draft = DraftFile.in(directory)) {
            template.writeTo(draft.path());
            draft.become(image);
        }
    }

    private ImageTemplate template(Path directory, Shape shape) throws IOException {
        try (var draft = DraftFile.in(directory)) {
            Ext4.make(draft.path(), shape.bytes(), shape.files(), owner);
            var made = ImageTemplate.of(draft.path());
            if (templates.size() < TEMPLATES_MAX) {
                templates.put(shape, made);
            }
            return made;
        }
    }

    /// How full an image is that is mounted nowhere.
    public static DiskUsage room(Path image) throws IOException {
        return Superblock.of(image).room();
    }

    /// How full a mounted image is.
    public static DiskUsage room(Mount mounted) {
        try (var arena = Arena.ofConfined()) {
            var all = new Kernel(arena).room("/proc/self/fd/" + mounted.descriptor());
            return new DiskUsage(
                    all.bytesUsed(),
                    all.bytesMax(),
                    all.filesUsed() - Ext4.RESERVED_FILES,
                    OptionalLong.of(all.filesMax().orElseThrow() - Ext4.RESERVED_FILES));
        }
    }

    /// An image that is mounted already.
    public static final class InUse extends IOException {
        private static final long serialVersionUID = 1L;

        InUse() {
            super("the image is in use");
        }
    }

    /// Mounts an image, after a check when it was not left in order.
    ///
    /// @throws InUse when it is mounted already, here or by another process
    /// @throws IOException when it is broken
    public Mount mount(Path image) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            int file = kernel.open(image.toString(), Kernel.O_RDWR);
            try {
                lock(kernel, file, image);
                if (!Ext4.isClean(image)) {
                    Ext4.repair(image);
                }
                return mount(kernel, file);
            } finally {
                kernel.closeNow(file);
            }
        }
    }

    /// Keeps everybody from mounting an image until it is closed.
    ///
    /// @throws InUse when somebody has it mounted
    public static Hold hold(Path image) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            int file = kernel.open(image.toString(), Kernel.O_RDWR);
            try {
                lock(kernel, file, image);
                return () -> close(file);
            } catch (IOException | RuntimeException failed) {
                kernel.closeNow(file);
                throw failed;
            }
        }
    }

    /// Whether nobody has an image mounted now.
    ///
    /// @throws NoSuchFileException when it was deleted
    public static boolean isFree(Path image) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            int file = kernel.openExisting(image, Kernel.O_RDWR);
            try {
                return kernel.lockNow(file);
            } finally {
                kernel.closeNow(file);
            }
        }
    }

    /// Looks at an image until its device has let go of it, also after it was deleted.
    public static DeviceWatch watch(Path image) {
        try (var arena = Arena.ofConfined()) {
            return new DeviceWatch(
                    image.toString(), new Kernel(arena).open(image.toString(), Kernel.O_RDWR));
        }
    }

    /// Whether a device still has an image. A mount may outlive what mounted it: somebody may hold
    /// a file in it.
    ///
    /// @param file open on the image
    public record DeviceWatch(String image, int file) implements AutoCloseable {
        /// Waits for a bounded time until the device has let go.
        public boolean awaitReleased(Duration atMost) throws InterruptedException {
            try (var arena = Arena.ofConfined()) {
                var kernel = new Kernel(arena);
                return Pause.until(() -> kernel.lockNow(file), atMost);
            }
        }

        @Override
        public void close() {
            LoopImages.close(file);
        }
    }

    private static void close(int file) {
        try (var arena = Arena.ofConfined()) {
            new Kernel(arena).close(file);
        }
    }

    /// An image that nobody can mount meanwhile.
    public interface Hold extends AutoCloseable {
        @Override
        void close();
    }

    /// The kernel takes a moment to let go of a device after its last mount is gone.
    private static void lock(Kernel kernel, int file, Path image) throws IOException {
        try {
            if (!Pause.until(() -> kernel.lockNow(file), LOCK_MAX)) {
                throw new InUse();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + image, interrupted);
        }
    }

    private static Mount mount(Kernel kernel, int file) {
        var device = LoopDevice.configure(kernel, file);
        try {
            return new LoopMount(device.path(), DetachedFileSystems.ext4(kernel, device.path()));
        } finally {
            kernel.closeNow(device.descriptor());
        }
    }

    /// A mounted image.
    static final class LoopMount implements Mount {
        private final String device;
        private final int descriptor;
        private final AtomicBoolean open = new AtomicBoolean(true);

        LoopMount(String device, int descriptor) {
            this.device = device;
            this.descriptor = descriptor;
        }

        @Override
        public int descriptor() {
            return descriptor;
        }

        /// A second mount of the same file system, for kernels that cannot copy one that is mounted
        /// nowhere.
        int again(Kernel kernel) {
            return DetachedFileSystems.ext4(kernel, device);
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
}
