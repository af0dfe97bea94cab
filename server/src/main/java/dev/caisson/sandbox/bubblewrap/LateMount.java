package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.MountFlag;
import java.nio.file.Path;
import java.util.Set;

/// Late mount: what is attached to a sandbox, or limited there, after it was locked and before it
/// is given its job, the same for every run.
public sealed interface LateMount {
    String target();

    /// A file system in memory of its own, limited in bytes and in files.
    record Tmpfs(String target, long bytes, long files, Set<MountFlag> flags)
            implements LateMount {}

    /// Something of the host, shown over what is there with [SandboxSpec#COVER_FLAGS].
    record Cover(String target, Path source) implements LateMount {}

    /// Pseudo-terminals that are there already, limited in number.
    record Terminals(String target, int most) implements LateMount {}
}
