package dev.caisson.json;

/// Escaping of untrusted text for a terminal: what controls it, turns the direction of writing or
/// cannot be seen is written as `\u202E`.
public final class Printable {
    private Printable() {}

    public static String text(String text) {
        return escaped(text, false);
    }

    /// The same for a document of JSON, which stays the same document.
    public static String json(String document) {
        return escaped(document, true);
    }

    private static String escaped(String text, boolean lines) {
        var safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point -> {
                    if (!isUnseen(point) || (lines && point == '\n')) {
                        safe.appendCodePoint(point);
                        return;
                    }
                    for (var unit : Character.toChars(point)) {
                        safe.append("\\u%04X".formatted((int) unit));
                    }
                });
        return safe.toString();
    }

    private static boolean isUnseen(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> false;
        };
    }
}
