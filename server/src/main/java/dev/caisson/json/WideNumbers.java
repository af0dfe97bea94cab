package dev.caisson.json;

import tools.jackson.databind.JsonNode;

/// Numbers of so many digits, written out, that a few characters of text cost minutes and gigabytes
/// in a division. They are data like any other, and are not computed with.
final class WideNumbers {
    /// Before the point, or behind it: more than a double has.
    static final int DIGITS_MAX = 1_000;

    static final String SENTENCE =
            "a number has more than %,d digits when it is written out".formatted(DIGITS_MAX);

    private WideNumbers() {}

    static boolean isIn(JsonNode node) {
        return node.isContainer()
                ? node.valueStream().anyMatch(WideNumbers::isIn)
                : node.isBigDecimal() && isWide(node);
    }

    private static boolean isWide(JsonNode node) {
        var number = node.decimalValue();
        return Math.abs((long) number.precision() - number.scale()) > DIGITS_MAX
                || number.scale() > DIGITS_MAX;
    }
}
