package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.UnixSockets;
import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Limits;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Input of the confinement policy: everything that decides how one sandbox is confined.
/// [SandboxSpec] turns it into words for the kernel.
///
/// @param host what there is on this machine
/// @param boot what is started inside, and made of what
/// @param slot the directory of this sandbox: `job/` is shown inside, `control` leads to the server
/// @param user the host's id it runs as; empty when the server is a plain user and cannot change it
/// @param groups the files a process joins its control group by; empty without control groups
/// @param filtered whether there is a filter for system calls
/// @param sockets where it may have UNIX sockets, and so whether there is a gate
/// @param workspace bound at the start where nothing can be attached later
record Confinement(
        Host host,
        Boot boot,
        Path slot,
        OptionalInt user,
        List<Path> groups,
        boolean filtered,
        UnixSockets sockets,
        Limits limits,
        Optional<Path> workspace) {
    Confinement {
        groups = List.copyOf(groups);
    }
}
