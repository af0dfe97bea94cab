package dev.caisson.storage;

import dev.caisson.linux.DiskUsage;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.CallerWorkers;
import dev.caisson.storage.image.OpenWorkspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// Factory of workspaces out of what is kept in a directory of the server's.
public interface WorkspaceMaker extends AutoCloseable {
    /// Opens the workspace that is kept in a directory, and makes it when there is none.
    ///
    /// @param holder the caller whose share of the disk it counts to
    Opened open(Path directory, String holder) throws IOException;

    /// A new workspace that is gone, with everything in it, in a moment after it was closed. Empty
    /// when none is at hand: then one is opened and erased like any other.
    ///
    /// @param busy whether the caller has others: the last one at hand is for those who have none
    default Optional<Opened> temporary(String holder, boolean busy) {
        return Optional.empty();
    }

    /// A new workspace in memory, gone with everything in it when it is closed. What a program
    /// writes to it counts to the memory of its run. Empty where none is made.
    ///
    /// @param runBytes the memory of the run it is for
    default Optional<Opened> inMemory(long runBytes) {
        return Optional.empty();
    }

    /// The size of a workspace in memory. Empty where none is made.
    default OptionalLong bytesInMemory(long runBytes) {
        return OptionalLong.empty();
    }

    /// Does something to the directory of a workspace that nobody has open, also no other process.
    ///
    /// @throws dev.caisson.linux.LoopImages.InUse when somebody has it open after a moment
    default void whileClosed(Path directory, OpenWorkspaces.Act act) throws IOException {
        act.run();
    }

    /// Whether a workspace is kept in a directory.
    boolean isThere(Path directory);

    /// How full the workspace is that is kept in a directory and that nobody has open.
    DiskUsage room(Path directory) throws IOException;

    /// How full the workspace is that is kept in a directory, open or not, where its files have to
    /// be counted for that, which takes long. Empty where its file system knows.
    default Optional<DiskUsage> counted(Path directory, CallerWorkers computing)
            throws IOException {
        return Optional.empty();
    }

    /// What fits into one, as a phrase for people, such as `1 GiB and 100,000 files`; says so when
    /// there is no limit.
    String capacity();

    /// Gives up what was made ahead of need.
    @Override
    default void close() {}

    /// A workspace in use.
    interface Opened extends AutoCloseable {
        Workspace workspace();

        /// Where the server itself finds the files. What lies below is hostile: see [FileTree].
        Path root();

        /// How full it is.
        DiskUsage room() throws IOException;

        /// Checks that the disk still has room for what may be written, before a program writes.
        ///
        /// @throws dev.caisson.call.Refusal `NO_CAPACITY` when it has not
        default void confirmRoom() {}

        @Override
        void close();
    }
}
