package dev.caisson.sandbox.pool;

import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Box;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.share.HeldShare;
import dev.caisson.share.ResizableShare;
import dev.caisson.share.Share;
import dev.caisson.share.WaitingShare;
import java.time.Duration;
import java.util.Optional;

/// Admission of runs to the machine, whose resources callers divide between them: places, in which
/// programs run, memory, processes, and processors.
///
/// Memory and processes are counted by limits, not by use: what all sandboxes may have together is
/// there, so none is ended for what another one takes, and those of one caller never have more than
/// its share. The control group above all of them has the same totals as its limits.
public final class Places {
    private final WaitingShare places;
    private final WaitingShare memory;
    private final long memoryBytes;
    private final WaitingShare processes;
    private final int processesMax;
    private final CallerWeights weights = new CallerWeights();
    private final Share held;

    public Places(SandboxSettings settings) {
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
    public HeldPlace enter(String caller) throws InterruptedException {
        return new HeldPlace(places, caller, places.take(caller, 1), Optional.empty(), () -> {});
    }

    /// Memory and processes for one more sandbox, as long as it lives. More than there is at all is
    /// as much as there is.
    public HeldShare reserve(String caller, Limits limits) throws InterruptedException {
        return both(memory.take(caller, bytes(limits)), () -> reserveProcesses(caller, limits));
    }

    /// Memory for one more sandbox that lives between programs, which holds less of it meanwhile.
    public ResizableShare reserveMemory(String caller, Limits limits) throws InterruptedException {
        return ResizableShare.take(memory, caller, bytes(limits));
    }

    /// Whether a caller would have to wait for memory, and less so if its sandboxes that rest gave
    /// back theirs.
    ///
    /// @param resting what they hold together
    public boolean isShortByOwn(String caller, long bytes, long resting) {
        return !memory.hasNow(caller, bytes) && (memory.free() >= bytes || resting >= bytes);
    }

    /// Processes for one more sandbox, as long as it lives.
    public HeldShare reserveProcesses(String caller, Limits limits) throws InterruptedException {
        return processes.take(caller, Math.min(limits.processes(), processesMax));
    }

    /// What a sandbox with these limits takes of the memory.
    public long bytes(Limits limits) {
        return Math.min(limits.memoryBytes(), memoryBytes);
    }

    /// A place, and what a sandbox needs. That comes first: sessions hold theirs for long, and a
    /// caller that waits for memory must not keep a place from the others.
    public HeldPlace enter(String caller, Limits limits) throws InterruptedException {
        var held = reserveMemory(caller, limits);
        boolean entered = false;
        try {
            var others = reserveProcesses(caller, limits);
            try {
                var place = places.take(caller, 1);
                entered = true;
                return new HeldPlace(places, caller, place, Optional.of(held), others);
            } finally {
                if (!entered) {
                    others.close();
                }
            }
        } finally {
            if (!entered) {
                held.close();
            }
        }
    }

    private interface Wish {
        HeldShare take() throws InterruptedException;
    }

    /// What does not come gives the first back.
    private static HeldShare both(HeldShare first, Wish wish) throws InterruptedException {
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
    public boolean hasOthers(String caller) {
        return held.held(caller) > 1;
    }

    /// From now on a sandbox has its part of its caller's weight.
    public CallerWeights.Weight weigh(String caller, Box box) {
        return weights.join(caller, box::weigh);
    }

    public int weightOfNext(String caller) {
        return weights.ofNext(caller);
    }

    /// Nobody gets a place, memory or processes afterwards; waits until nobody has a place.
    ///
    /// @return false when the time was over first
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        memory.close();
        processes.close();
        return places.awaitIdle(atMost);
    }

    public int waiting() {
        return memory.waiting() + processes.waiting() + places.waiting();
    }

    public int inUse() {
        return Math.toIntExact(places.inUse());
    }
}
