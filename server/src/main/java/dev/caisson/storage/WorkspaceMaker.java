package dev.caisson.storage;

import dev.caisson.linux.Room;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.Computing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Makes workspaces out of what is kept in a directory of the server's.
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

    /// Does something to the directory of a workspace that nobody has open, also no other process.
    ///
    /// @throws dev.caisson.linux.LoopImages.InUse when somebody has it open after a moment
    default void whileClosed(Path directory, OpenPlaces.Act act) throws IOException {
        act.run();
    }

    /// Whether a workspace is kept in a directory.
    boolean isThere(Path directory);

    /// How full the workspace is that is kept in a directory and that nobody has open.
    Room room(Path directory) throws IOException;

    /// How full the workspace is that is kept in a directory, open or not, where its files have to
    /// be counted for that, which takes long. Empty where its file system knows.
    default Optional<Room> counted(Path directory, Computing computing) throws IOException {
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
        Room room() throws IOException;

        @Override
        void close();
    }
}
