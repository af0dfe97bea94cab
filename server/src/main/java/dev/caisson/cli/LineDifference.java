package dev.caisson.cli;

import java.util.ArrayList;
import java.util.List;

/// Difference of two texts in lines: the lines before and after the change that both have, `-` what
/// is gone, `+` what is new.
final class LineDifference {
    /// More lines than that are not compared one by one.
    static final int COMPARED_MAX = 2_000;

    private final List<String> before;
    private final List<String> after;

    private LineDifference(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
    }

    static List<String> of(List<String> before, List<String> after) {
        int head = 0;
        while (head < before.size()
                && head < after.size()
                && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < before.size() - head
                && tail < after.size() - head
                && before.get(before.size() - 1 - tail)
                        .equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        var lines = new ArrayList<String>();
        before.subList(0, head).forEach(line -> lines.add("  " + line));
        lines.addAll(
                new LineDifference(
                                before.subList(head, before.size() - tail),
                                after.subList(head, after.size() - tail))
                        .middle());
        before.subList(before.size() - tail, before.size()).forEach(line -> lines.add("  " + line));
        return lines;
    }

    private List<String> middle() {
        var lines = new ArrayList<String>();
        if (before.size() > COMPARED_MAX || after.size() > COMPARED_MAX) {
            before.forEach(line -> lines.add("- " + line));
            after.forEach(line -> lines.add("+ " + line));
            return lines;
        }
        var common = common();
        int old = 0;
        int now = 0;
        while (old < before.size() || now < after.size()) {
            if (old < before.size()
                    && now < after.size()
                    && before.get(old).equals(after.get(now))) {
                lines.add("  " + before.get(old));
                old++;
                now++;
            } else if (now == after.size()
                    || (old < before.size() && common[old + 1][now] >= common[old][now + 1])) {
                lines.add("- " + before.get(old));
                old++;
            } else {
                lines.add("+ " + after.get(now));
                now++;
            }
        }
        return lines;
    }

    /// How many lines the rests of both texts have in common.
    private int[][] common() {
        var common = new int[before.size() + 1][after.size() + 1];
        for (int old = before.size() - 1; old >= 0; old--) {
            for (int now = after.size() - 1; now >= 0; now--) {
                common[old][now] =
                        before.get(old).equals(after.get(now))
                                ? common[old + 1][now + 1] + 1
                                : Math.max(common[old + 1][now], common[old][now + 1]);
            }
        }
        return common;
    }
}
