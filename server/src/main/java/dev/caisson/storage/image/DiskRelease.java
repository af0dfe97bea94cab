package dev.caisson.storage.image;

import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Release of disk room: gives that of an image back when the image is really gone: closed, or
/// deleted, and with no device on it any more. A process that holds a file in it can still write
/// until then.
public final class DiskRelease {
    private static final Logger LOG = LoggerFactory.getLogger(DiskRelease.class);

    /// The kernel takes a moment to let go of a device after its last mount is gone.
    private static final Duration USUAL_MAX = Duration.ofMillis(200);

    /// A busy machine takes longer; after this somebody holds it.
    private static final Duration BUSY_MAX = Duration.ofSeconds(10);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private DiskRelease() {}

    /// Looks at an image that is mounted now; when it cannot, nothing stays mounted or promised.
    public static LoopImages.DeviceWatch watch(
            Path image, Runnable close, HostDisk.Promise promise) {
        boolean watched = false;
        try {
            var device = LoopImages.watch(image);
            watched = true;
            return device;
        } finally {
            if (!watched) {
                try {
                    close.run();
                } finally {
                    promise.close();
                }
            }
        }
    }

    /// @param close the mount, and what else is to be done before the room is free
    public static void after(
            Runnable close, LoopImages.DeviceWatch device, HostDisk.Promise promise) {
        boolean released = false;
        try {
            close.run();
            released = device.awaitReleased(USUAL_MAX);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            if (released) {
                end(device, promise);
            } else {
                Thread.ofVirtual().name("disk-release").start(() -> later(device, promise));
            }
        }
    }

    private static void later(LoopImages.DeviceWatch device, HostDisk.Promise promise) {
        try {
            if (!device.awaitReleased(BUSY_MAX)) {
                LOG.warn("a closed image is still in use; its disk space stays reserved");
            }
            while (!device.awaitReleased(LOOK_AGAIN)) {
                Thread.sleep(LOOK_AGAIN);
            }
            end(device, promise);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void end(LoopImages.DeviceWatch device, HostDisk.Promise promise) {
        device.close();
        promise.close();
    }
}
