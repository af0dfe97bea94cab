package dev.caisson.runs;

import java.util.Optional;
import java.util.regex.Pattern;

/// Commands of notebooks, such as `!ls` and `%timeit`, which no Python interpreter knows.
final class NotebookMagics {
    private static final Pattern LINE = Pattern.compile("(?m)^[ \\t]*(?:!|%%?)[A-Za-z][^\\n]*");

    private NotebookMagics() {}

    /// What to say of a program that failed because of one.
    static Optional<String> advice(String code, String errors) {
        if (!errors.contains("SyntaxError")) {
            return Optional.empty();
        }
        var magic = LINE.matcher(code);
        return magic.find()
                ? Optional.of(
                        "No notebook magics here (line %d): use subprocess, or language bash."
                                .formatted(lineOf(code, magic.start())))
                : Optional.empty();
    }

    private static long lineOf(String code, int at) {
        return code.substring(0, at).lines().count()
                + (at == 0 || code.charAt(at - 1) == '\n' ? 1 : 0);
    }
}
