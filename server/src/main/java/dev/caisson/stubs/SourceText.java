package dev.caisson.stubs;

import dev.caisson.json.Json;

/// Text of strangers as part of a program: literals, docstrings and comments that it cannot end.
final class SourceText {
    private SourceText() {}

    /// A literal of Python, in ASCII.
    static String python(String text) {
        var literal = new StringBuilder("\"");
        text.codePoints().forEach(point -> literal.append(pythonPoint(point)));
        return literal.append('"').toString();
    }

    private static String pythonPoint(int point) {
        return switch (point) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            default -> {
                if (point >= ' ' && point < 0x7f) {
                    yield Character.toString(point);
                }
                if (isSurrogate(point)) {
                    yield "\\ufffd";
                }
                yield point > 0xffff ? "\\U%08x".formatted(point) : "\\u%04x".formatted(point);
            }
        };
    }

    /// A literal of JavaScript, in ASCII.
    static String javaScript(String text) {
        var literal = new StringBuilder();
        Json.text(Json.tree(text))
                .chars()
                .forEach(unit -> {
                    if (unit >= ' ' && unit < 0x7f) {
                        literal.append((char) unit);
                    } else {
                        literal.append("\\u%04x".formatted(unit));
                    }
                });
        return literal.toString();
    }

    /// What stands between the quotes of a docstring.
    static String docstring(String text, String indent) {
        return lines(visible(text).replace("\\", "\\\\").replace("\"", "\\\""), indent);
    }

    /// What stands in a block comment of TypeScript.
    static String blockComment(String text, String indent) {
        return lines(visible(text).replace("*/", "*\\/").replace("/*", "/\\*"), indent);
    }

    /// A comment at the end of a line.
    static String lineComment(String text) {
        return visible(text).replaceAll("\\s+", " ").strip();
    }

    private static String lines(String text, String indent) {
        return text.strip().replaceAll("[ \t]*\n", "\n").replace("\n", "\n" + indent);
    }

    /// Without what is not seen or ends a line unseen.
    private static String visible(String text) {
        var clean = new StringBuilder();
        text.replace("\r\n", "\n")
                .replace('\r', '\n')
                .codePoints()
                .forEach(point -> {
                    if (point == '\n' || point == '\t' || isVisible(point)) {
                        clean.appendCodePoint(point);
                    } else {
                        clean.append(' ');
                    }
                });
        return clean.toString();
    }

    private static boolean isVisible(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }

    private static boolean isSurrogate(int point) {
        return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    }
}
