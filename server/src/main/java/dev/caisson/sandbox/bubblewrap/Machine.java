package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.Cgroups;
import dev.caisson.linux.MountTool;
import dev.caisson.linux.Reaper;
import dev.caisson.linux.UnixSockets;
import java.util.Optional;
import java.util.concurrent.Executor;

/// Tools of this machine that sandboxes are made with, shared by all of them and closed with the
/// server.
///
/// @param mounts empty when the server is a plain user
/// @param filtered whether system calls are filtered
/// @param sockets where programs may have UNIX sockets
/// @param tellsStatus whether the kernel says how a process ended that is not our child
/// @param threads for what blocks in the kernel; a virtual thread would hold its carrier there
public record Machine(
        Host host,
        Cgroups groups,
        Optional<MountTool> mounts,
        boolean filtered,
        UnixSockets sockets,
        boolean tellsStatus,
        Reaper reaper,
        Launcher launcher,
        Executor threads)
        implements AutoCloseable {

    static Machine of(
            Host host,
            Cgroups groups,
            Optional<MountTool> mounts,
            boolean filtered,
            UnixSockets sockets,
            Executor threads) {
        return new Machine(
                host,
                groups,
                mounts,
                filtered,
                sockets,
                Reaper.missing().isEmpty(),
                Reaper.install(),
                new Launcher(),
                threads);
    }

    public boolean limitsGroups() {
        return groups.missing(Cgroups.Power.MEMORY).isEmpty();
    }

    @Override
    public void close() {
        launcher.close();
        mounts.ifPresent(MountTool::close);
    }
}
