package dev.caisson.edit;

import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// Replacement of a text in a file by another, or why it cannot be done.
public sealed interface Replacement {
    /// How many numbers of lines are told.
    int LINES_SHOWN = 10;

    /// No file becomes larger.
    int BYTES_MAX = 16 << 20;

    /// @param text of the file from then on
    /// @param firstLine where the first change is, from 1
    record Done(String text, int count, int firstLine, Grade grade) implements Replacement {}

    /// The new text is there, and the old is not.
    record AlreadyThere() implements Replacement {}

    /// @param sentence for the caller
    record Impossible(String sentence) implements Replacement {}

    /// @param path as the caller knows it
    /// @param wanted and `replacement` are texts of [TextBytes]
    /// @param redaction of lines of the file that are shown
    static Replacement of(
            String path,
            String text,
            String wanted,
            String replacement,
            boolean all,
            UnaryOperator<String> redaction) {
        var found = new Matcher(Matcher.EDIT, false).find(text, 0, wanted);
        if (found.places().isEmpty()) {
            var there = new Matcher(Matcher.EDIT, false).find(text, 0, replacement).places().size();
            return there > 0 && !replacement.isBlank()
                    ? new AlreadyThere()
                    : new Impossible(
                            new Nearest("old_string", redaction).sentence(path, text, wanted));
        }
        if (found.places().size() > Matcher.PLACES_MAX) {
            return new Impossible(
                    "old_string matched more than %d times in %s; add context to make it match less."
                            .formatted(Matcher.PLACES_MAX, path));
        }
        boolean several = found.places().size() > 1;
        if (several && !(all && found.grade() == Grade.EXACT)) {
            return new Impossible(several(path, text, found));
        }
        var taken = found.grade() == Grade.EXACT ? replacement : lineEnds(replacement, text);
        var fitting = LineEndings.of(text).fit(taken);
        long length = Matcher.length(text, found.places(), fitting);
        if (length > BYTES_MAX && length > text.length()) {
            return new Impossible(
                    "%s would have %d MiB; edit makes files up to 16 MiB. Use a program."
                            .formatted(path, (length + (1 << 20) - 1) >> 20));
        }
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
