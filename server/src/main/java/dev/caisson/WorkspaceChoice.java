package dev.caisson;

import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.linux.MemoryMount;
import dev.caisson.sandbox.Isolation;
import dev.caisson.sandbox.Layer;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.storage.MemoryWorkspaces;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.storage.WorkspaceSize;
import java.time.Duration;
import java.util.Optional;

/// Choice of the kind of workspaces: images with a file system of their own, or plain directories.
final class WorkspaceChoice {
    /// As many as the pool usually has sandboxes that wait.
    private static final int WORKSPACES_AHEAD = 4;

    /// How long a call waits for room on the disk that others are using.
    private static final Duration DISK_WAIT_MAX = Duration.ofSeconds(20);

    private WorkspaceChoice() {}

    /// A file system of its own for each workspace where this machine can have it.
    static WorkspaceMaker of(Config config, Isolation isolation) {
        var disk =
                new HostDisk(
                        config.data().threadsDirectory(),
                        HostDisk.RESERVE_DEFAULT,
                        DISK_WAIT_MAX,
                        config.shares());
        return LoopImages.missing().isEmpty()
                ? images(config, disk)
                : new DirectoryWorkspaces(ownerOnDisk(isolation));
    }

    /// For bakes: as large as an environment may be.
    static WorkspaceMaker forBakes(Config config, Isolation isolation) {
        var settings = config.environments();
        var disk =
                new HostDisk(
                        config.data().directory(),
                        HostDisk.RESERVE_DEFAULT,
                        DISK_WAIT_MAX,
                        config.shares());
        return LoopImages.missing().isEmpty()
                ? new ImageWorkspaces(
                        new LoopImages(HostSettings.USER_ON_DISK),
                        disk,
                        settings.bytesMax(),
                        settings.filesFitting())
                : new DirectoryWorkspaces(ownerOnDisk(isolation));
    }

    /// Where sandboxes wait, so do workspaces for them.
    private static WorkspaceMaker images(Config config, HostDisk disk) {
        var size = config.files().workspace();
        var images =
                new ImageWorkspaces(
                        new LoopImages(HostSettings.USER_ON_DISK),
                        disk,
                        size.bytes(),
                        size.files());
        inMemory(size).ifPresent(images::with);
        return config.running().sandboxes().pool().memoryBytes() > 0
                ? images.ahead(config.data().threadsDirectory(), WORKSPACES_AHEAD)
                : images;
    }

    /// A kernel that cannot attach them leaves runs without a thread on the disk.
    private static Optional<MemoryWorkspaces> inMemory(WorkspaceSize size) {
        return size.memoryBytes() > 0 && MemoryMount.missing().isEmpty()
                ? Optional.of(
                        new MemoryWorkspaces(
                                size.memoryBytes(), size.files(), HostSettings.USER_ON_DISK))
                : Optional.empty();
    }

    /// A plain directory belongs to whom sandboxes see as themselves: the server's own user when
    /// they have none of their own.
    private static Optional<Integer> ownerOnDisk(Isolation isolation) {
        return isolation.inForce().contains(Layer.OWN_USER)
                ? Optional.of(HostSettings.USER_ON_DISK)
                : Optional.empty();
    }
}
