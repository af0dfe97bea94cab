package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.MountFlag;
import dev.caisson.sandbox.Workspace;
import java.util.List;
import java.util.Set;

/// Mount of one run: what is attached to a locked sandbox for that run alone, before it is given
/// its job.
sealed interface RunMount {
    /// A workspace or a volume, with its owner mapped to the sandbox's user.
    record Storage(String target, Workspace storage, Set<MountFlag> flags) implements RunMount {}

    /// Empty directories for volumes to be attached to.
    record Directories(String target, List<String> names, Set<MountFlag> flags)
            implements RunMount {}
}
