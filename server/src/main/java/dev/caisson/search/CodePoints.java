package dev.caisson.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/// Set of code points, as ranges that are sorted and do not touch.
///
/// @param bounds first and last of each range, one after the other
@SuppressWarnings("ArrayRecordComponent") // Never changed, and never compared.
record CodePoints(int[] bounds) {
    static final int LAST = Character.MAX_CODE_POINT;
    static final CodePoints NONE = new CodePoints(new int[0]);
    static final CodePoints ALL = range(0, LAST);

    static CodePoints of(int one) {
        return range(one, one);
    }

    static CodePoints range(int from, int to) {
        return new CodePoints(new int[] {from, to});
    }

    /// Those for which something holds; a look at every code point there is.
    static CodePoints where(IntPredicate holds) {
        var found = new ArrayList<int[]>();
        for (int at = 0; at <= LAST; at++) {
            if (holds.test(at)) {
                int from = at;
                while (at < LAST && holds.test(at + 1)) {
                    at++;
                }
                found.add(new int[] {from, at});
            }
        }
        return joined(found);
    }

    int ranges() {
        return bounds.length / 2;
    }

    int from(int range) {
        return bounds[2 * range];
    }

    int to(int range) {
        return bounds[2 * range + 1];
    }

    boolean isEmpty() {
        return bounds.length == 0;
    }

    boolean isOne() {
        return bounds.length == 2 && bounds[0] == bounds[1];
    }

    boolean contains(int point) {
        for (int range = 0; range < ranges(); range++) {
            if (point >= from(range) && point <= to(range)) {
                return true;
            }
        }
        return false;
    }

    CodePoints and(CodePoints other) {
        var common = new ArrayList<int[]>();
        for (int one = 0, two = 0; one < ranges() && two < other.ranges(); ) {
            int from = Math.max(from(one), other.from(two));
            int to = Math.min(to(one), other.to(two));
            if (from <= to) {
                common.add(new int[] {from, to});
            }
            if (to(one) < other.to(two)) {
                one++;
            } else {
                two++;
            }
        }
        return joined(common);
    }

    CodePoints or(CodePoints other) {
        var all = list();
        all.addAll(other.list());
        return joined(all);
    }

    CodePoints not() {
        var rest = new ArrayList<int[]>();
        int next = 0;
        for (int range = 0; range < ranges(); range++) {
            if (from(range) > next) {
                rest.add(new int[] {next, from(range) - 1});
            }
            next = to(range) + 1;
        }
        if (next <= LAST) {
            rest.add(new int[] {next, LAST});
        }
        return joined(rest);
    }

    /// With the other cases of every letter in it.
    CodePoints ignoringCase() {
        var all = list();
        for (var cases : Cases.GROUPS) {
            if (Arrays.stream(cases).anyMatch(this::contains)) {
                for (int one : cases) {
                    all.add(new int[] {one, one});
                }
            }
        }
        return joined(all);
    }

    private List<int[]> list() {
        var all = new ArrayList<int[]>();
        for (int range = 0; range < ranges(); range++) {
            all.add(new int[] {from(range), to(range)});
        }
        return all;
    }

    private static CodePoints joined(List<int[]> ranges) {
        ranges.sort(Comparator.comparingInt(range -> range[0]));
        var bounds = new int[2 * ranges.size()];
        int filled = 0;
        for (var range : ranges) {
            if (filled > 0 && range[0] <= bounds[filled - 1] + 1) {
                bounds[filled - 1] = Math.max(bounds[filled - 1], range[1]);
            } else {
                bounds[filled++] = range[0];
                bounds[filled++] = range[1];
            }
        }
        return new CodePoints(Arrays.copyOf(bounds, filled));
    }

    /// Letters that differ only in their case. Made when a first expression needs them.
    private static final class Cases {
        static final List<int[]> GROUPS = groups();

        private static List<int[]> groups() {
            Map<Integer, List<Integer>> byFolded = new HashMap<>();
            for (int at = 0; at <= LAST; at++) {
                int folded = Character.toLowerCase(Character.toUpperCase(at));
                if (folded != at || Character.toUpperCase(at) != at) {
                    byFolded.computeIfAbsent(folded, _ -> new ArrayList<>()).add(at);
                }
            }
            return byFolded.values().stream()
                    .filter(cases -> cases.size() > 1)
                    .map(cases -> cases.stream().mapToInt(Integer::intValue).toArray())
                    .toList();
        }
    }
}
