package dev.caisson.sandbox;

import dev.caisson.linux.CgroupGroup;
import dev.caisson.share.Held;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

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

    private final Map<String, List<CgroupGroup>> groups = new HashMap<>();

    /// What one more sandbox of a caller weighs while it is made.
    synchronized int ofNext(String caller) {
        return each(groups.getOrDefault(caller, List.of()).size() + 1);
    }

    /// From now on a sandbox belongs to a caller, until this is closed.
    Held join(String caller, CgroupGroup group) {
        synchronized (this) {
            groups.computeIfAbsent(caller, _ -> new ArrayList<>()).add(group);
            weighAll(caller);
        }
        var joined = new AtomicBoolean(true);
        return () -> {
            if (joined.compareAndSet(true, false)) {
                leave(caller, group);
            }
        };
    }

    private synchronized void leave(String caller, CgroupGroup group) {
        groups.computeIfPresent(
                caller,
                (_, all) -> {
                    all.remove(group);
                    return all.isEmpty() ? null : all;
                });
        weighAll(caller);
    }

    private void weighAll(String caller) {
        var all = groups.getOrDefault(caller, List.of());
        all.forEach(group -> weigh(group, each(all.size())));
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
