package dev.caisson.linux.mount;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.caisson.linux.Errno;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.calls.Kernel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Loop device: a file as a block device. The kernel lets go of it by itself when nothing uses it
/// any more, also when this process is killed.
///
/// @param path such as `/dev/loop3`
/// @param descriptor open on it, so that it stays until it is mounted
public record LoopDevice(String path, int descriptor) {
    private static final String CONTROL = "/dev/loop-control";
    private static final long LOOP_CTL_GET_FREE = 0x4C82;
    private static final long LOOP_CONFIGURE = 0x4C0A;
    private static final int CONFIG_BYTES = 304;
    private static final int FLAGS_AT = 8 + 52;
    private static final int AUTOCLEAR = 4;
    private static final int LOOP_MAJOR = 7;
    private static final int BLOCK_DEVICE_FOR_ROOT = 0060600;
    private static final int TRIES_MAX = 64;

    public static boolean exists() {
        return Files.isWritable(Path.of(CONTROL));
    }

    /// Puts an open file behind a free device. Another process may take the same one first: then
    /// the next is tried.
    public static LoopDevice configure(Kernel kernel, int image) {
        int control = kernel.open(CONTROL, Kernel.O_RDWR);
        try {
            for (int tries = 0; tries < TRIES_MAX; tries++) {
                int number =
                        Kernel.check(
                                "ioctl", kernel.ioctlNow(control, LOOP_CTL_GET_FREE, 0), CONTROL);
                var path = node(kernel, number);
                var device = configured(kernel, path, image);
                if (device.isPresent()) {
                    return device.get();
                }
            }
            throw new KernelException("loop_configure", Errno.EBUSY.number(), "every free device");
        } finally {
            kernel.closeNow(control);
        }
    }

    /// @return empty when somebody else has it, or is just leaving it
    private static Optional<LoopDevice> configured(Kernel kernel, String path, int image) {
        int device = kernel.openNow(path, Kernel.O_RDWR);
        if (-device == Errno.ENXIO.number()) {
            return Optional.empty();
        }
        Kernel.check("open", device, path);
        int result = configure(kernel, device, image);
        if (result >= 0) {
            return Optional.of(new LoopDevice(path, device));
        }
        kernel.closeNow(device);
        if (-result != Errno.EBUSY.number()) {
            throw new KernelException("loop_configure", -result, path);
        }
        return Optional.empty();
    }

    private static int configure(Kernel kernel, int device, int image) {
        var config = kernel.struct(CONFIG_BYTES);
        config.set(JAVA_INT, 0, image);
        config.set(JAVA_INT, FLAGS_AT, AUTOCLEAR);
        return kernel.ioctlNow(device, LOOP_CONFIGURE, config.address());
    }

    /// The kernel makes devices on demand; where nothing makes their nodes, as in a container, we
    /// do, if nobody else does first.
    private static String node(Kernel kernel, int number) {
        var path = "/dev/loop" + number;
        if (!Files.exists(Path.of(path))) {
            long device = (long) LOOP_MAJOR << 8 | number;
            int made = kernel.mknodNow(path, BLOCK_DEVICE_FOR_ROOT, device);
            if (-made != Errno.EEXIST.number()) {
                Kernel.check("mknod", made, path);
            }
        }
        return path;
    }
}
