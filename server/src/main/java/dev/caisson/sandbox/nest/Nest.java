package dev.caisson.sandbox.nest;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.CgroupLimits;
import dev.caisson.linux.KeptNetwork;
import dev.caisson.linux.KernelException;
import dev.caisson.linux.PidFd;
import dev.caisson.linux.TmpfsSize;
import dev.caisson.sandbox.Blueprint;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.NotMade;
import dev.caisson.sandbox.TooLittleMemory;
import dev.caisson.sandbox.Unclean;
import dev.caisson.sandbox.Uninterrupted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Nest: what the sandboxes of one caller and one interpreter have in common, see
/// `guests/nest/nest.c`. It makes sandboxes until it is retired, and ends when the last of them
/// has. Its death is theirs.
final class Nest {
    private static final Logger LOG = LoggerFactory.getLogger(Nest.class);

    private static final Duration DEATH_MAX = Duration.ofSeconds(10);

    /// A booted interpreter and a few processes that wait.
    static final CgroupLimits LIMITS =
            new CgroupLimits(256L << 20, Runtime.getRuntime().availableProcessors(), 256);

    private final NestTools tools;
    private final Founded founded;
    private final Spares spares;
    private final long since = System.nanoTime();
    private int made;
    private int running;
    private int living;
    private long lastUsed = System.nanoTime();
    private boolean retired;
    private volatile boolean expired;
    private boolean closed;
    private volatile Optional<LastWorkspace> last = Optional.empty();

    /// What a run had that kept nothing: the next is likely to want the same.
    private record LastWorkspace(long runBytes, TmpfsSize size) {}

    /// What a nest consists of.
    ///
    /// @param outer waits for the nest, and is our child
    /// @param first process of the nest, whose death is everyone's
    /// @param zygote the line to the interpreter that is forked; empty when none is
    record Founded(
            NestUsers users,
            CgroupGroup group,
            PidFd outer,
            PidFd first,
            NestLine line,
            Optional<NestLine> zygote) {}

    Nest(NestTools tools, Founded founded) {
        this.tools = tools;
        this.founded = founded;
        this.spares = new Spares(tools.keeps());
    }

    /// @throws TooLittleMemory when the limit did not let the interpreter start
    /// @throws IOException when no sandbox could be made
    NestBox make(Blueprint blueprint) throws IOException, TooLittleMemory {
        enter();
        boolean done = false;
        try {
            var box = new NestBox(this, parts(blueprint), tools.machine().threads());
            done = true;
            return box;
        } catch (KernelException | UncheckedIOException failed) {
            throw new IOException("the nest could not make a sandbox", failed);
        } finally {
            if (!done) {
                leave(false);
            }
        }
    }

    private NestBox.Parts parts(Blueprint blueprint) throws IOException, TooLittleMemory {
        var users =
                founded.users()
                        .take()
                        .orElseThrow(() -> new NotMade("every place of the nest is taken"));
        try (var draft =
                new NestDraft(
                        tools.machine(),
                        users,
                        founded.users().place(users, tools.slots()),
                        blueprint,
                        spares)) {
            try {
                draft.makeShell(founded.line());
                likely(blueprint).ifPresent(draft::prepare);
                if (forks()) {
                    draft.fork(founded.zygote().get());
                } else {
                    draft.execute(founded.line());
                }
                return draft.finish();
            } catch (NestLine.Refused | NotMade failed) {
                if (draft.lackedMemory()) {
                    throw new TooLittleMemory();
                }
                throw failed;
            }
        }
    }

    /// The workspace of a run that is not known yet.
    private Optional<TmpfsSize> likely(Blueprint blueprint) {
        long bytes = blueprint.limits().memoryBytes();
        return blueprint.workspace().isPresent()
                ? Optional.empty()
                : last.filter(run -> run.runBytes() == bytes).map(LastWorkspace::size);
    }

    /// One of its sandboxes got a workspace in memory.
    void ran(Limits limits, TmpfsSize workspace) {
        last = Optional.of(new LastWorkspace(limits.memoryBytes(), workspace));
    }

    private synchronized void enter() throws NotMade {
        if (retired || !isAlive()) {
            throw new NotMade("the nest is closing");
        }
        made++;
        living++;
    }

    private void leave(boolean wasRunning) {
        boolean last;
        synchronized (this) {
            living--;
            running -= wasRunning ? 1 : 0;
            lastUsed = System.nanoTime();
            last = retired && living == 0;
        }
        if (last) {
            close();
        }
    }

    /// What it consists of, for those who look at it from outside.
    Founded founded() {
        return founded;
    }

    /// The control groups that wait for its next sandboxes, by their names.
    Set<String> spareGroups() {
        return spares.groupNames();
    }

    /// Whether its sandboxes are forked.
    boolean forks() {
        return founded.zygote().isPresent();
    }

    /// One of its sandboxes has been given its job.
    synchronized void begun() {
        running++;
        lastUsed = System.nanoTime();
    }

    /// Whether it can make sandboxes, and those it made can run.
    synchronized boolean isAlive() {
        return !closed && !isBroken() && !founded.first().hasExited();
    }

    private boolean isBroken() {
        return founded.line().isBroken() || founded.zygote().filter(NestLine::isBroken).isPresent();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized int made() {
        return made;
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    /// Whether no program has run in it for so long.
    synchronized boolean isIdleFor(Duration time) {
        return running == 0 && System.nanoTime() - lastUsed >= time.toNanos();
    }

    /// Makes no more sandboxes, and ends with the last it made.
    void retire() {
        boolean last;
        synchronized (this) {
            retired = true;
            last = living == 0;
        }
        if (last) {
            close();
        }
    }

    /// The same, and what waits in it is too old for a program.
    void expire() {
        expired = true;
        retire();
    }

    boolean isExpired() {
        return expired;
    }

    /// Kills everything in it at once; its sandboxes are then ended by whoever has them.
    void kill() {
        synchronized (this) {
            if (!closed) {
                founded.first().kill();
            }
        }
        retire();
    }

    /// See [dev.caisson.sandbox.Box#end].
    void end(NestBox box, String caller) {
        if (!box.isDeserted()) {
            box.kill();
        }
        tools.removals().run(caller, () -> remove(box));
    }

    private void remove(NestBox box) {
        var parts = box.parts();
        boolean clean = false;
        try {
            patiently(box::clear);
            parts.mounts().close();
            parts.pipes().close();
            parts.processes().close();
            parts.leader().close();
            if (!spares.keep(parts.group())) {
                patiently(() -> remove(parts.group()));
            }
            parts.network().ifPresent(spares::keep);
            clean = true;
        } catch (IOException | RuntimeException failed) {
            LOG.error("a sandbox could not be removed", failed);
        } finally {
            giveBack(box, clean);
            leave(box.hasBegun());
        }
    }

    private void patiently(Runnable removal) {
        for (int trial = 1; trial < tools.trials(); trial++) {
            try {
                removal.run();
                return;
            } catch (Unclean again) {
                LOG.warn("a run still has leftovers after {} attempts", trial, again);
            }
        }
        removal.run();
    }

    private static void remove(CgroupGroup group) {
        if (!Uninterrupted.call(group::remove)) {
            throw new Unclean("the control group " + group.name() + " stays busy");
        }
    }

    /// The slot is for the next sandbox of these users, which is the same caller's.
    private void giveBack(NestBox box, boolean clean) {
        var slot = box.parts().slot();
        if (!clean) {
            box.parts().network().ifPresent(KeptNetwork::close);
            LOG.error("slot {} is not reused: a run left something in it", slot.number());
            return;
        }
        try {
            box.emptySlot();
            founded.users().keep(box.parts().users(), slot, box.stated());
        } catch (IOException | RuntimeException failed) {
            LOG.error("slot {} is not reused: it could not be emptied", slot.number(), failed);
        }
    }

    /// Its users are free again only when nothing runs as one of them.
    private void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        spares.close();
        remove(tools, founded);
    }

    static void remove(NestTools tools, Founded founded) {
        founded.first().kill();
        founded.line().close();
        founded.zygote().ifPresent(NestLine::close);
        boolean dead = Uninterrupted.call(() -> founded.first().awaitExit(DEATH_MAX));
        founded.outer().kill();
        Uninterrupted.call(() -> tools.machine().reaper().reap(founded.outer(), DEATH_MAX));
        founded.first().close();
        founded.outer().close();
        if (dead && Uninterrupted.call(founded.group()::remove)) {
            founded.users().close();
        } else {
            LOG.error("the users of a nest are not reused: something in it does not die");
        }
    }
}
