package dev.caisson.sandbox;

import dev.caisson.linux.Mount;
import java.nio.file.Path;
import java.util.List;

/// Workspace of a run: what its program finds at `/workspace`.
public sealed interface Workspace {
    /// The user and group a program believes to be, and files of workspaces belong to on disk.
    int OWNER = 1_000;

    /// A file system of its own, so that its size is a hard limit. Attached late; stays open when
    /// the run is over.
    record Image(Mount mount) implements Workspace {}

    /// A plain directory: the reduced tier, without a limit of its own.
    record Directory(Path path) implements Workspace {}

    /// One that is opened when its run has a place: until then it takes nothing of the disk. Code
    /// that makes sandboxes never sees it, see [Run#opened].
    record OpenedLater(Opening opening) implements Workspace {}

    /// Opens a workspace, which may take a while.
    @FunctionalInterface
    interface Opening {
        Workspace open() throws InterruptedException;
    }

    /// A workspace with volumes beside it, each at `/volumes/<name>`.
    ///
    /// @param own without volumes
    record WithVolumes(Workspace own, List<Volume> volumes) implements Workspace {
        public WithVolumes {
            volumes = List.copyOf(volumes);
            if (own instanceof WithVolumes) {
                throw new IllegalArgumentException("volumes are given once");
            }
        }
    }

    /// A directory of a workspace, in place of the whole: nothing else of it can be seen.
    ///
    /// @param path names from the root of the whole, separated by slashes; no link on it is
    ///   followed
    @SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
    record Part(Workspace whole, byte[] path) implements Workspace {}

    /// @param name safe as a name of a directory
    /// @param storage like a workspace's own
    record Volume(String name, Workspace storage, boolean writable) {}
}
