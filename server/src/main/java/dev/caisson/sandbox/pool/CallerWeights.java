package dev.caisson.sandbox.pool;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.share.HeldShare;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/// Weights by which callers divide the processors when several want them: the sandboxes of one
/// caller weigh as much together as those of any other, however many they are.
///
/// A group per caller with the runs below it would say the same to the kernel, but a sandbox that
/// waited for its run is in its group before its caller is known, and to move it takes longer than
/// most programs. So the groups are siblings, and each has its part of its caller's weight, written
/// anew whenever one begins or ends.
public final class CallerWeights {
    /// What all sandboxes of one caller weigh, and what those do that are being made for nobody
    /// yet: whoever comes next finds one, however busy the others are.
    public static final int WHOLE = CgroupGroup.WEIGHT_MAX;

    private final Map<String, Own> callers = new HashMap<>();

    /// The sandboxes of one caller.
    ///
    /// @param dying those that were killed: they have a whole weight among them, beside the one of
    ///   those that run, since what keeps them from dying keeps their caller waiting
    private record Own(List<IntConsumer> running, List<IntConsumer> dying) {
        Own() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        void weighAll() {
            running.forEach(box -> weigh(box, each(running.size())));
            dying.forEach(box -> weigh(box, each(dying.size())));
        }
    }

    /// The part of its caller's weight that a sandbox has, until this is closed.
    public interface Weight extends HeldShare {
        /// Everything in it was killed, and needs the processors to die and for nothing else.
        void dying();
    }

    /// What one more sandbox of a caller weighs while it is made.
    synchronized int ofNext(String caller) {
        var own = callers.get(caller);
        return each(own == null ? 1 : own.running().size() + 1);
    }

    /// From now on a sandbox belongs to a caller.
    ///
    /// @param box takes its weight, as [Box#weigh] does
    synchronized Weight join(String caller, IntConsumer box) {
        var own = callers.computeIfAbsent(caller, _ -> new Own());
        own.running().add(box);
        own.weighAll();
        return new Weight() {
            @Override
            public void dying() {
                killed(caller, box);
            }

            @Override
            public void close() {
                leave(caller, box);
            }
        };
    }

    private synchronized void killed(String caller, IntConsumer box) {
        var own = callers.get(caller);
        if (own != null && own.running().remove(box)) {
            own.dying().add(box);
            own.weighAll();
        } else if (own == null || !own.dying().contains(box)) {
            weigh(box, WHOLE);
        }
    }

    private synchronized void leave(String caller, IntConsumer box) {
        callers.computeIfPresent(
                caller,
                (_, own) -> {
                    own.running().remove(box);
                    own.dying().remove(box);
                    own.weighAll();
                    return own.running().isEmpty() && own.dying().isEmpty() ? null : own;
                });
    }

    private static int each(int count) {
        return Math.max(1, WHOLE / count);
    }

    private static void weigh(IntConsumer box, int weight) {
        try {
            box.accept(weight);
        } catch (UncheckedIOException gone) {
            // One that has ended weighs nothing.
        }
    }
}
