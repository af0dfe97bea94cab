package dev.caisson.edit;

import java.util.ArrayList;
import java.util.List;

/// Lines of a file in the place of a hunk, and what becomes of them: those that stay are those of
/// the file, byte for byte; new ones get its line endings, and its indentation where the hunk was
/// found without.
///
/// @param lines of the file, without line breaks but with what else is before those
/// @param ended whether the last of them has a line break
record HunkLines(List<String> lines, boolean ended, boolean crlf, Grade grade) {
    HunkLines {
        lines = List.copyOf(lines);
    }

    /// @param region whole lines of a file
    static HunkLines of(String region, LineEndings endings, Grade grade) {
        boolean ended = region.endsWith("\n");
        var inner = ended ? region.substring(0, region.length() - 1) : region;
        boolean crlf =
                endings == LineEndings.CRLF
                        || (endings == LineEndings.MIXED && region.contains("\r\n"));
        return new HunkLines(List.of(inner.split("\n", -1)), ended, crlf, grade);
    }

    String under(Hunk hunk) {
        var result = new ArrayList<String>();
        int at = 0;
        for (var line : hunk.lines()) {
            switch (line.kind()) {
                case STAYS -> result.add(lines.get(at++));
                case GOES -> at++;
                case NEW -> result.add(indented(line.text(), hunk.old()));
            }
        }
        return text(result, hunk.lastBreak());
    }

    private String text(List<String> result, Hunk.LastBreak last) {
        boolean end = ended ? last != Hunk.LastBreak.ABSENT : last == Hunk.LastBreak.PRESENT;
        var text = new StringBuilder();
        for (int at = 0; at < result.size(); at++) {
            var line = result.get(at);
            boolean broken = end || at < result.size() - 1;
            boolean has = line.endsWith("\r");
            if (crlf && has != broken) {
                text.append(broken ? line + "\r" : line.substring(0, line.length() - 1));
            } else {
                text.append(line);
            }
            text.append(broken ? "\n" : "");
        }
        return text.toString();
    }

    private String indented(String line, List<String> old) {
        if (grade.compareTo(Grade.INDENTATION) < 0 || line.isBlank()) {
            return line;
        }
        int first = 0;
        while (first < old.size() - 1 && old.get(first).isBlank()) {
            first++;
        }
        var ours = indentation(lines.get(first));
        var theirs = indentation(old.get(first));
        if (ours.endsWith(theirs)) {
            return ours.substring(0, ours.length() - theirs.length()) + line;
        }
        var more =
                theirs.endsWith(ours) ? theirs.substring(0, theirs.length() - ours.length()) : "";
        return line.startsWith(more) ? line.substring(more.length()) : line;
    }

    private static String indentation(String line) {
        int at = 0;
        while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
        return line.substring(0, at);
    }
}
