package dev.caisson.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// Hunk of a patch: a stretch of lines of which some stay, some go and some are new.
///
/// @param anchors lines that stand before it, one after the other, as `@@` of an envelope says
/// @param line where it begins, as `@@` of a unified diff says; from 1
/// @param atEnd whether the file ends with it
/// @param lastBreak of the file, if the hunk says something about it
public record Hunk(
        List<String> anchors,
        OptionalInt line,
        List<Line> lines,
        boolean atEnd,
        LastBreak lastBreak) {
    /// The line break at the end of the file.
    enum LastBreak {
        AS_BEFORE,
        ABSENT,
        PRESENT
    }

    /// What becomes of a line.
    enum Kind {
        STAYS,
        GOES,
        NEW
    }

    /// @param text without its line break
    record Line(Kind kind, String text) {}

    public Hunk {
        anchors = List.copyOf(anchors);
        lines = List.copyOf(lines);
    }

    /// The lines that are there before.
    List<String> old() {
        return without(Kind.NEW);
    }

    /// The lines that are there behind it.
    List<String> now() {
        return without(Kind.GOES);
    }

    private List<String> without(Kind kind) {
        return lines.stream().filter(line -> line.kind() != kind).map(Line::text).toList();
    }

    /// How often a text is searched for it.
    public int searches() {
        return 1 + anchors.size();
    }

    /// Whether it has a text among the lines that are to be found.
    public boolean seeks(String text) {
        return old().stream().anyMatch(line -> line.contains(text));
    }

    /// Whether its lines from then on tell that it was applied: there are new ones, or those that
    /// went were between others.
    boolean isKnownBehind() {
        return lines.stream().anyMatch(line -> line.kind() == Kind.NEW)
                || (lines.getFirst().kind() == Kind.STAYS && lines.getLast().kind() == Kind.STAYS);
    }

    boolean changesNothing() {
        return lines.stream().allMatch(line -> line.kind() == Kind.STAYS);
    }

    /// Without lines that stay at its end, when they are empty: they may be no more than the space
    /// between two parts of a patch.
    Hunk withoutBlankEnd() {
        var kept = new ArrayList<>(lines);
        while (!kept.isEmpty()
                && kept.getLast().kind() == Kind.STAYS
                && kept.getLast().text().isEmpty()) {
            kept.removeLast();
        }
        return new Hunk(anchors, line, kept, atEnd, lastBreak);
    }

    static String joined(List<String> lines) {
        return lines.stream().collect(Collectors.joining("\n"));
    }
}
