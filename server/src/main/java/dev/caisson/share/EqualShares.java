package dev.caisson.share;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// Division of room between callers who together keep more than fits.
///
/// The caller with most gives first, until all who gave have the same and everything fits. A caller
/// with no more than an equal share loses nothing, however much others keep.
public final class EqualShares {
    private EqualShares() {}

    /// @param held by each caller
    /// @return by how much each caller is above its share; callers at or below it are left out
    public static Map<String, Long> above(Map<String, Long> held, long room) {
        var level = level(held.values(), room);
        var excess = new LinkedHashMap<String, Long>();
        held.forEach((caller, amount) -> {
            if (amount > level) {
                excess.put(caller, amount - level);
            }
        });
        return excess;
    }

    /// What each may have at most.
    private static long level(Collection<Long> held, long room) {
        var ascending = held.stream().sorted().toList();
        var left = room;
        for (var i = 0; i < ascending.size(); i++) {
            var equal = Math.max(0, left) / (ascending.size() - i);
            if (ascending.get(i) > equal) {
                return equal;
            }
            left -= ascending.get(i);
        }
        return Long.MAX_VALUE;
    }
}
