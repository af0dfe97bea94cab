package dev.caisson.sandbox;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.share.Held;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Weights by which callers divide the processors when several want them: the sandboxes of one
/// caller weigh as much together as those of any other, however many they are.
///
/// A group per caller with the runs below it would say the same to the kernel, but a sandbox that
/// waited for its run is in its group before its caller is known, and to move it takes longer than
/// most programs. So the groups are siblings, and each has its part of its caller's weight, written
/// anew whenever one begins or ends.
final class CallerWeights {
    /// What all sandboxes of one caller weigh, and what those do that are being made for nobody
    /// yet: whoever comes next finds one, however busy the others are.
    static final int WHOLE = CgroupGroup.WEIGHT_MAX;

    private final Map<String, Own> callers = new HashMap<>();

    /// The sandboxes of one caller.
    ///
    /// @param dying those that were killed: they have a whole weight among them, beside the one of
    ///   those that run, since what keeps them from dying keeps their caller waiting
    private record Own(List<CgroupGroup> running, List<CgroupGroup> dying) {
        Own() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        void weighAll() {
            running.forEach(group -> weigh(group, each(running.size())));
            dying.forEach(group -> weigh(group, each(dying.size())));
        }
    }

    /// The part of its caller's weight that a sandbox has, until this is closed.
    interface Weight extends Held {
        Weight NONE =
                new Weight() {
                    @Override
                    public void dying() {}

                    @Override
                    public void close() {}
                };

        /// Everything in it was killed, and needs the processors to die and for nothing else.
        void dying();
    }

    /// What one more sandbox of a caller weighs while it is made.
    synchronized int ofNext(String caller) {
        var own = callers.get(caller);
        return each(own == null ? 1 : own.running().size() + 1);
    }

    /// From now on a sandbox belongs to a caller.
    synchronized Weight join(String caller, CgroupGroup group) {
        var own = callers.computeIfAbsent(caller, _ -> new Own());
        own.running().add(group);
        own.weighAll();
        return new Weight() {
            @Override
            public void dying() {
                killed(caller, group);
            }

            @Override
            public void close() {
                leave(caller, group);
            }
        };
    }

    private synchronized void killed(String caller, CgroupGroup group) {
        var own = callers.get(caller);
        if (own != null && own.running().remove(group)) {
            own.dying().add(group);
            own.weighAll();
        } else if (own == null || !own.dying().contains(group)) {
            weigh(group, WHOLE);
        }
    }

    private synchronized void leave(String caller, CgroupGroup group) {
        callers.computeIfPresent(
                caller,
                (_, own) -> {
                    own.running().remove(group);
                    own.dying().remove(group);
                    own.weighAll();
                    return own.running().isEmpty() && own.dying().isEmpty() ? null : own;
                });
    }

    private static int each(int count) {
        return Math.max(1, WHOLE / count);
    }

    private static void weigh(CgroupGroup group, int weight) {
        try {
            group.weigh(weight);
        } catch (UncheckedIOException gone) {
            // One that has ended weighs nothing.
        }
    }
}
