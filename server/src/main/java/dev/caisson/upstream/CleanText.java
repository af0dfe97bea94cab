package dev.caisson.upstream;

import java.text.Normalizer;

/// Cleaning of the text of an upstream, once, before a model or a person reads it: in the form NFC,
/// of characters that can be seen, and short. What hides, controls a terminal or turns the
/// direction of writing is taken out; nothing is put in its place but a blank for a tabulator.
public final class CleanText {
    static final int TITLE_MAX = 100;
    static final int DESCRIPTION_MAX = 2048;

    /// Of a member of a schema.
    static final int MEMBER_MAX = 500;

    private static final String CUT = "…";

    private CleanText() {}

    /// One line.
    public static String title(String text) {
        return cut(clean(text).replace('\n', ' ').strip(), TITLE_MAX);
    }

    public static String description(String text) {
        return cut(clean(text).strip(), DESCRIPTION_MAX);
    }

    static String member(String text) {
        return cut(clean(text).strip(), MEMBER_MAX);
    }

    /// A sentence of an upstream within one of ours, such as the text of an error.
    static String sentence(String text, int lengthMax) {
        return cut(clean(text).strip(), lengthMax);
    }

    /// Whether every character of a text would be kept.
    static boolean isClean(String text) {
        return clean(text).equals(text);
    }

    private static String clean(String text) {
        // Bounded before it is looked at closely: NFC may take several characters for one.
        var bounded =
                text.length() > 8 * DESCRIPTION_MAX ? text.substring(0, 8 * DESCRIPTION_MAX) : text;
        var lines = bounded.replace("\r\n", "\n").replace('\r', '\n');
        var kept = new StringBuilder(lines.length());
        Normalizer.normalize(lines, Normalizer.Form.NFC)
                .codePoints()
                .forEach(point -> keep(kept, point));
        return kept.toString();
    }

    private static void keep(StringBuilder kept, int point) {
        if (point == '\n') {
            kept.append('\n');
        } else if (point == '\t') {
            kept.append(' ');
        } else if (!isHidden(point)) {
            kept.appendCodePoint(point);
        }
    }

    /// Control, format (with tags and marks of direction), private use, unassigned, half of a pair,
    /// other ends of lines, and what is drawn as nothing.
    private static boolean isHidden(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> isDrawnAsNothing(point);
        };
    }

    /// Letters and marks that show nothing: fillers of Hangul, selectors of variants.
    private static boolean isDrawnAsNothing(int point) {
        return point == 0x115F
                || point == 0x1160
                || point == 0x3164
                || point == 0xFFA0
                || point == 0x034F
                || (point >= 0x180B && point <= 0x180F)
                || (point >= 0xFE00 && point <= 0xFE0F)
                || (point >= 0xE0100 && point <= 0xE01EF);
    }

    private static String cut(String text, int max) {
        if (text.codePointCount(0, text.length()) <= max) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, max - 1)) + CUT;
    }
}
