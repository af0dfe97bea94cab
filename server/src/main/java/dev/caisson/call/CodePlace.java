package dev.caisson.call;

import java.util.Optional;

/// Place in a program from which it made a call. It is the word of the program, for whoever reads
/// the record, and decides nothing.
///
/// @param file of a bounded length, without characters that are not seen
/// @param line from 1
public record CodePlace(String file, int line) {
    /// Of a longer path the end is kept.
    public static final int FILE_LENGTH_MAX = 256;

    public static final int LINE_MAX = 10_000_000;

    public CodePlace {
        if (file.isEmpty() || file.length() > FILE_LENGTH_MAX || line < 1 || line > LINE_MAX) {
            throw new IllegalArgumentException("no place in a program: " + line);
        }
    }

    /// A place as a program says it; empty for what is none.
    public static Optional<CodePlace> said(String file, long line) {
        var clean = clean(file);
        return clean.isEmpty() || line < 1 || line > LINE_MAX
                ? Optional.empty()
                : Optional.of(new CodePlace(clean, (int) line));
    }

    /// No character is cut in two.
    private static String clean(String file) {
        var seen = new StringBuilder();
        file.codePoints().filter(CodePlace::isSeen).forEach(seen::appendCodePoint);
        int from = Math.max(0, seen.length() - FILE_LENGTH_MAX);
        if (from > 0 && Character.isLowSurrogate(seen.charAt(from))) {
            from++;
        }
        return seen.substring(from);
    }

    private static boolean isSeen(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }
}
