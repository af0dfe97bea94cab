package dev.caisson.runs;

import java.util.regex.Pattern;

/// Text of a program as it is run. Language models put programs into Markdown; a fence around the
/// whole of one is no part of it.
public final class ProgramText {
    private static final Pattern FENCED =
            Pattern.compile(
                    "\\s*(```+|~~~+)[\\w+#.-]{0,20}[ \\t]*\\r?\\n(.*?)\\r?\\n?\\1\\s*",
                    Pattern.DOTALL);

    private ProgramText() {}

    /// The program within a fence that is around all of it, or the program as it is.
    public static String unfenced(String code) {
        if (!isFenced(code)) {
            return code;
        }
        var found = FENCED.matcher(code);
        return found.matches() && !found.group(2).isBlank() ? found.group(2) + "\n" : code;
    }

    /// Whether it begins and ends like one, which is found out cheaply.
    private static boolean isFenced(String code) {
        var text = code.strip();
        return text.length() > 6 && (isWithin("```", text) || isWithin("~~~", text));
    }

    private static boolean isWithin(String fence, String text) {
        return text.startsWith(fence) && text.endsWith(fence);
    }
}
