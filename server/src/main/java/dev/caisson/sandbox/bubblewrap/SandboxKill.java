package dev.caisson.sandbox.bubblewrap;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.linux.PidFd;
import dev.caisson.sandbox.Unclean;
import dev.caisson.sandbox.Uninterrupted;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/// Kill of everything in one sandbox: by the death of its first process, and by its control group
/// for whatever resists. What was frozen is thawed, and what dies gets the processors to do so.
public final class SandboxKill {
    /// How long the kernel may take to reap what was killed.
    public static final Duration DEATH_MAX = Duration.ofSeconds(5);

    /// How often what takes long to die is helped meanwhile.
    private static final int DEATH_STEPS = 20;

    private final Optional<CgroupGroup> group;
    private final BoxFreezer freezer;
    private volatile Runnable hastening = this::hasten;

    public SandboxKill(Optional<CgroupGroup> group) {
        this.group = group;
        this.freezer = new BoxFreezer(group);
    }

    /// Of what is killed here.
    public BoxFreezer freezer() {
        return freezer;
    }

    /// From now on it has a caller, who gives it the weight to die with.
    public void onKill(Runnable byCaller) {
        hastening = byCaller;
    }

    /// Kills and waits for nothing.
    ///
    /// @param first of the process namespace, if it is known yet
    public void strike(Optional<PidFd> first) {
        first.ifPresent(PidFd::kill);
        hastening.run();
        freezer.end();
    }

    /// To die takes processor time, and what was killed uses it for nothing else: the small weight
    /// of one of many would only keep its caller waiting.
    private void hasten() {
        try {
            group.ifPresent(dying -> dying.weigh(CgroupGroup.WEIGHT_MAX));
        } catch (UncheckedIOException gone) {
            // Nothing is left to be hastened.
        }
    }

    public void awaitDeath(PidFd first) {
        for (int step = 0; step < DEATH_STEPS; step++) {
            var pause = DEATH_MAX.dividedBy(DEATH_STEPS);
            if (Uninterrupted.call(() -> first.awaitExit(pause))) {
                return;
            }
            // Somebody may have frozen it again.
            freezer.thaw();
        }
        throw new Unclean("process " + first.pid() + " does not die");
    }

    /// Kills whatever is left in the control group.
    public void killGroup() {
        group.ifPresent(all -> {
            if (!Uninterrupted.call(all::killAll)) {
                throw new Unclean("something in " + all.name() + " does not die");
            }
        });
    }
}
