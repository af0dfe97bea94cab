package dev.caisson.edit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Nearest text to one that was not found: the stretch of lines that shares most lines with it.
final class Nearest {
    /// How many stretches are compared.
    private static final int CANDIDATES_MAX = 64;

    /// In longer files nothing is looked for.
    private static final int LINES_MAX = 100_000;

    private static final int SHOWN_MAX = 160;

    /// How often a line is compared in all.
    private static final int VOTES_MAX = 1_000_000;

    private final String what;
    private final UnaryOperator<String> redaction;

    /// @param what was not found, as the caller knows it
    /// @param redaction of what is shown, before it is cut
    Nearest(String what, UnaryOperator<String> redaction) {
        this.what = what;
        this.redaction = redaction;
    }

    String sentence(String path, String text, String wanted) {
        var head = what + " not found in " + path + ".";
        var sought = wanted.strip();
        if (sought.isEmpty() || isLong(text) || isLong(sought)) {
            return head;
        }
        var lines = text.split("\n", -1);
        var old = sought.split("\n", -1);
        return best(lines, old).map(start -> head + told(lines, old, start)).orElse(head);
    }

    private static boolean isLong(String text) {
        return text.chars().filter(one -> one == '\n').limit(LINES_MAX).count() >= LINES_MAX;
    }

    private String told(String[] lines, String[] old, int start) {
        int end = Math.min(lastLine(lines), start + old.length);
        var where =
                old.length == 1
                        ? " The nearest text is at line %d".formatted(start + 1)
                        : " The nearest text is at lines %d-%d".formatted(start + 1, end);
        for (int at = start; at < end; at++) {
            if (!lines[at].strip().equals(old[at - start].strip())) {
                return "%s; line %d differs: has \"%s\", %s has \"%s\"."
                        .formatted(where, at + 1, shown(lines[at]), what, shown(old[at - start]));
            }
        }
        return end - start < old.length
                ? "%s; the file ends there, %s goes on with \"%s\"."
                        .formatted(where, what, shown(old[end - start]))
                : where + "; only its spaces differ.";
    }

    /// Behind a last line break there is no line.
    private static int lastLine(String[] lines) {
        return lines[lines.length - 1].isEmpty() ? lines.length - 1 : lines.length;
    }

    private String shown(String line) {
        return Cut.of(redaction.apply(TextBytes.shown(line)).strip(), SHOWN_MAX, "…");
    }

    private static Optional<Integer> best(String[] lines, String[] old) {
        var places = new HashMap<String, List<Integer>>();
        for (int at = 0; at < lines.length; at++) {
            var line = lines[at].strip();
            if (!line.isEmpty()) {
                places.computeIfAbsent(line, _ -> new ArrayList<>()).add(at);
            }
        }
        var votes = new HashMap<Integer, Integer>();
        int looks = 0;
        for (int each = 0; each < old.length && looks < VOTES_MAX; each++) {
            for (int at : places.getOrDefault(old[each].strip(), List.of())) {
                looks++;
                if (at >= each && (votes.size() < CANDIDATES_MAX || votes.containsKey(at - each))) {
                    votes.merge(at - each, 1, Integer::sum);
                }
            }
        }
        return votes.entrySet().stream()
                .max(
                        Map.Entry.<Integer, Integer>comparingByValue()
                                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey)
                .or(() -> similar(lines, old));
    }

    /// The line that is most like the first one that has something in it.
    private static Optional<Integer> similar(String[] lines, String[] old) {
        var wanted = old[0].strip();
        int best = -1;
        int most = Math.max(3, wanted.length() / 2);
        for (int at = 0; at < lines.length; at++) {
            int common = common(lines[at].strip(), wanted);
            if (common > most) {
                most = common;
                best = at;
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(best);
    }

    /// How many characters are the same from the beginning and from the end.
    private static int common(String one, String two) {
        int length = Math.min(one.length(), two.length());
        int begin = 0;
        while (begin < length && one.charAt(begin) == two.charAt(begin)) {
            begin++;
        }
        int end = 0;
        while (end < length - begin
                && one.charAt(one.length() - 1 - end) == two.charAt(two.length() - 1 - end)) {
            end++;
        }
        return begin + end;
    }
}
