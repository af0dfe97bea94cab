package dev.caisson.sandbox;

import dev.caisson.call.Refusal;
import dev.caisson.linux.CgroupGroup;
import dev.caisson.share.Held;
import dev.caisson.share.Share;
import dev.caisson.share.WaitingShare;
import java.time.Duration;
import java.util.Optional;

/// What callers divide between them of the machine sandboxes run on: places, in which programs run,
/// memory, processes, and processors.
///
/// Memory and processes are counted by limits, not by use: what all sandboxes may have together is
/// there, so none is ended for what another one takes, and those of one caller never have more than
/// its share. The control group above all of them has the same totals as its limits.
final class Places {
    private final WaitingShare places;
    private final WaitingShare memory;
    private final long memoryBytes;
    private final WaitingShare processes;
    private final int processesMax;
    private final CallerWeights weights = new CallerWeights();
    private final Share held;

    Places(SandboxSettings settings) {
        var sharing = settings.sharing();
        held = new Share("places", "sandboxes", settings.places(), sharing.part());
        places = new WaitingShare(held, settings.waitingMax(), settings.waitMax());
        memoryBytes = forRuns(sharing.memoryBytes(), settings.pool().memoryBytes());
        memory = waiting(settings, "memory", "bytes of memory for sandboxes", memoryBytes);
        processesMax = sharing.processes();
        processes = waiting(settings, "processes", "processes for sandboxes", processesMax);
    }

    private static WaitingShare waiting(
            SandboxSettings settings, String name, String unit, long total) {
        return new WaitingShare(
                new Share(name, unit, total, settings.sharing().part()),
                settings.waitingMax(),
                settings.waitMax());
    }

    /// What waits for a run has its part of the memory too.
    private static long forRuns(long all, long waiting) {
        return Math.max(all / 2, all - waiting);
    }

    /// A place, for a program in a sandbox that is there already.
    ///
    /// @throws Refusal when too many wait already, or no place came free in time
    Held enter(String caller) throws InterruptedException {
        return places.take(caller, 1);
    }

    /// Memory and processes for one more sandbox, as long as it lives. More than there is at all is
    /// as much as there is.
    Held reserve(String caller, Limits limits) throws InterruptedException {
        long bytes = Math.min(limits.memoryBytes(), memoryBytes);
        int count = Math.min(limits.processes(), processesMax);
        return both(memory.take(caller, bytes), () -> processes.take(caller, count));
    }

    /// A place, and what a sandbox needs. That comes first: sessions hold theirs for long, and a
    /// caller that waits for memory must not keep a place from the others.
    Held enter(String caller, Limits limits) throws InterruptedException {
        return both(reserve(caller, limits), () -> enter(caller));
    }

    private interface Wish {
        Held take() throws InterruptedException;
    }

    /// What does not come gives the first back.
    private static Held both(Held first, Wish wish) throws InterruptedException {
        try {
            var second = wish.take();
            return () -> {
                second.close();
                first.close();
            };
        } catch (InterruptedException | RuntimeException failed) {
            first.close();
            throw failed;
        }
    }

    /// Whether a caller has more than the place it has just got.
    boolean hasOthers(String caller) {
        return held.held(caller) > 1;
    }

    /// From now on a sandbox has its part of its caller's weight.
    CallerWeights.Weight weigh(String caller, Optional<CgroupGroup> group) {
        return group.map(each -> weights.join(caller, each)).orElse(CallerWeights.Weight.NONE);
    }

    int weightOfNext(String caller) {
        return weights.ofNext(caller);
    }

    /// Nobody gets a place, memory or processes afterwards; waits until nobody has a place.
    ///
    /// @return false when the time was over first
    boolean awaitIdle(Duration atMost) throws InterruptedException {
        memory.close();
        processes.close();
        return places.awaitIdle(atMost);
    }

    int waiting() {
        return memory.waiting() + processes.waiting() + places.waiting();
    }

    int inUse() {
        return Math.toIntExact(places.inUse());
    }
}
