package dev.caisson.sandbox;

import dev.caisson.linux.Mount;
import java.nio.file.Path;

/// What a program finds at `/workspace`.
public sealed interface Workspace {
    /// A file system of its own, so that its size is a hard limit. Attached late; stays open when
    /// the run is over.
    record Image(Mount mount) implements Workspace {}

    /// A plain directory: the reduced tier, without a limit of its own.
    record Directory(Path path) implements Workspace {}
}
