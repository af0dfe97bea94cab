package dev.caisson.linux;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Control group of one sandbox: processes with limits the kernel holds, whatever the version of
/// its control groups. Who has one must [#remove()] it.
public interface CgroupGroup {
    /// The most that [#weigh] takes.
    int WEIGHT_MAX = 1_000;

    String name();

    /// A process of one thread joins by writing its own number, or `0`, to each of these; what it
    /// starts from then on is inside too. A launcher that cannot write one of them must not go on.
    List<Path> procsFiles();

    /// The same files, open for as long as the group is there.
    List<Descriptor> joins();

    /// The directory in which processes of a user can be born, which is then given to him. Empty
    /// where a group must be joined, as in version 1. In version 2 a process that joins waits some
    /// milliseconds for every processor, and one that is born there does not.
    ///
    /// @param user who makes them, and must be in a group of the same server
    Optional<Path> homeFor(int user);

    /// Changes the limits, and checks that the kernel took them.
    void update(CgroupLimits limits);

    /// What this group weighs against others when processors, or the disk where the kernel divides
    /// it, are short.
    ///
    /// @param weight from 1 to [#WEIGHT_MAX]
    void weigh(int weight);

    /// How many processes in here were killed because of the memory limit.
    long oomKills();

    long memoryPeakBytes();

    /// What everything in here uses now, files in memory and caches included.
    long memoryBytes();

    /// Of everything that ever ran in here.
    Duration cpuTime();

    /// How often a process or thread could not be made because of the limit.
    long forksRefused();

    boolean isEmpty();

    /// Whether nothing is alive in here but these, by their numbers on the host. One that has ended
    /// and was not reaped counts as gone. When in doubt, false.
    boolean holdsOnly(Set<Long> processes);

    /// Whether what is in here can be made to stand still.
    boolean canFreeze();

    /// Makes everything in here stand still. That takes some steps: it is asked for again until it
    /// is so.
    ///
    /// @return whether everything stands still
    boolean freeze();

    /// Lets go on whoever was frozen in here: what is frozen cannot even die in version 1.
    void thaw();

    /// Kills everything in here, also what is being started meanwhile, and waits until it is gone.
    ///
    /// @return false when something was still there after a bounded wait
    boolean killAll() throws InterruptedException;

    /// Makes the group as good as new for others of the same owner: proves that nothing runs in
    /// here and that hardly any memory is left, and counts from zero. The limits stay.
    ///
    /// @return false when one of these cannot be shown; then it is to be removed
    boolean restart();

    /// Removes the group, after killing what is left in it.
    ///
    /// @return false when it stayed busy for a bounded time; the sweeper will have it later
    boolean remove() throws InterruptedException;
}
