package dev.caisson.json;

import tools.jackson.databind.JsonNode;

/// Short text of a JSON value within a sentence: short, on one line, never whole when they are
/// long.
final class ShortText {
    static final int LENGTH_MAX = 60;

    private ShortText() {}

    static String value(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "an object";
            case ARRAY -> "a list";
            case STRING -> text(node.stringValue());
            case NUMBER, BOOLEAN, NULL, BINARY, MISSING, POJO -> cut(node.toString());
        };
    }

    static String text(String text) {
        return "\"" + cut(text) + "\"";
    }

    static String cut(String text) {
        var printable = text.chars().map(ShortText::printable);
        var line =
                printable
                        .limit(LENGTH_MAX + 1L)
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append);
        return line.length() > LENGTH_MAX
                ? line.substring(0, LENGTH_MAX - 1) + "…"
                : line.toString();
    }

    private static int printable(int character) {
        return Character.isISOControl(character) ? '�' : character;
    }
}
