package dev.caisson.linux;

import dev.caisson.linux.cgroup.CgroupDetector;
import java.nio.file.Path;
import java.util.Optional;

/// Control groups of this host behind one interface: version 1, version 2, and both at once.
public interface Cgroups {
    /// What a group can limit or do on this host.
    enum Power {
        MEMORY,
        PROCESSES,
        CPU
    }

    /// What there is on this machine. Never fails: a host without control groups has one that
    /// misses every power.
    ///
    /// @param root where they are mounted, `/sys/fs/cgroup`
    /// @param owner of the groups made through it
    static Cgroups detect(Path root, ServerToken owner) {
        return CgroupDetector.detect(root, owner);
    }

    /// Which version is used and where groups are made, for people.
    String describe();

    /// Why a limit cannot be set, and what to do about it; empty when it can.
    Optional<String> missing(Power power);

    /// Whether what is in its groups can be made to stand still.
    boolean canFreeze();

    /// Makes an empty group with these limits, read back from the kernel.
    ///
    /// @param name lower case letters, digits and dashes, at most 64; its own within this server
    CgroupGroup create(String name, CgroupLimits limits);

    /// Limits the memory and the processes of all groups together, those of other servers of this
    /// machine included: whatever they do, the rest of the machine has what is above it.
    ///
    /// @throws java.io.UncheckedIOException when the kernel refuses, as when more is in use
    void limitTogether(long memoryBytes, int processes);

    /// Kills and removes what servers left behind that are not alive any more. Groups of live
    /// servers are not touched.
    ///
    /// @return how many groups were removed
    int sweep() throws InterruptedException;
}
