package dev.caisson.edit;

import java.util.stream.Collectors;

/// Replacement of a text in a file by another, or why it cannot be done.
public sealed interface Replacement {
    /// How many numbers of lines are told.
    int LINES_SHOWN = 10;

    /// @param text of the file from then on
    /// @param firstLine where the first change is, from 1
    record Done(String text, int count, int firstLine, Grade grade) implements Replacement {}

    /// The new text is there, and the old is not.
    record AlreadyThere() implements Replacement {}

    /// @param sentence for the caller
    record Impossible(String sentence) implements Replacement {}

    /// @param path as the caller knows it
    /// @param wanted and `replacement` are texts of [TextBytes]
    static Replacement of(
            String path, String text, String wanted, String replacement, boolean all) {
        var found = new Matcher(Matcher.EDIT, false).find(text, 0, wanted);
        if (found.places().isEmpty()) {
            var there = new Matcher(Matcher.EDIT, false).find(text, 0, replacement).places().size();
            return there > 0 && !replacement.isBlank()
                    ? new AlreadyThere()
                    : new Impossible(Nearest.sentence(path, text, wanted));
        }
        boolean several = found.places().size() > 1;
        if (several && !(all && found.grade() == Grade.EXACT)) {
            return new Impossible(several(path, text, found));
        }
        var fitting = found.grade() == Grade.EXACT ? replacement : lineEnds(replacement, text);
        return new Done(
                Matcher.replaced(text, found.places(), fitting),
                found.places().size(),
                Matcher.line(text, found.places().getFirst().from()),
                found.grade());
    }

    /// What was written with CRLF is taken over into a file without.
    private static String lineEnds(String replacement, String text) {
        return LineEndings.of(text) == LineEndings.LF
                ? replacement.replace("\r\n", "\n")
                : replacement;
    }

    private static String several(String path, String text, Matcher.Found found) {
        var lines =
                found.places().stream()
                        .limit(LINES_SHOWN)
                        .map(place -> Integer.toString(Matcher.line(text, place.from())))
                        .collect(Collectors.joining(", "));
        return "old_string matched %d times in %s (lines %s%s); add context to make it unique or set replace_all=true"
                .formatted(
                        found.places().size(),
                        path,
                        lines,
                        found.places().size() > LINES_SHOWN ? ", …" : "");
    }
}
