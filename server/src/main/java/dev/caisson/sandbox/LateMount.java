package dev.caisson.sandbox;

import java.nio.file.Path;

/// What is attached to a sandbox, or limited there, after it was locked and before it is given its
/// job.
sealed interface LateMount {
    String target();

    /// A file system in memory of its own, limited in bytes and in files.
    record Tmpfs(String target, long bytes, long files) implements LateMount {}

    /// Something of the host, shown read-only over what is there.
    record Cover(String target, Path source) implements LateMount {}

    /// Pseudo-terminals that are there already, limited in number.
    record Terminals(String target, int most) implements LateMount {}

    /// The run's workspace, with its owner mapped to the sandbox's user.
    record RunWorkspace(String target) implements LateMount {}
}
