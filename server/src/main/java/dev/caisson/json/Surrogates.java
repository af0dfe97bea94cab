package dev.caisson.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.JsonNode;

/// Search for halves of surrogate pairs, which JSON can write as escapes and no text can hold: kept
/// as UTF-8 they become something else, and two names become one.
final class Surrogates {
    private Surrogates() {}

    /// Whether an escape stands for half of a pair; only then a tree needs a look.
    static boolean mayBeIn(byte[] json) {
        for (int i = 0; i + 3 < json.length; i++) {
            if (json[i] == '\\' && json[i + 1] == 'u' && (json[i + 2] | 0x20) == 'd') {
                return true;
            }
        }
        return false;
    }

    /// @throws JacksonException when a text or a name has a half without the other
    static void requirePairs(JsonNode tree) {
        if (tree.isString()) {
            require(tree.stringValue());
        }
        for (var member : tree.properties()) {
            require(member.getKey());
        }
        for (var value : tree) {
            requirePairs(value);
        }
    }

    /// A pair is one code point beyond the first 65,536; a half stands for itself.
    static void require(String text) {
        if (text.codePoints().anyMatch(Surrogates::isHalf)) {
            throw new StreamReadException(
                    null, "a text has half of a surrogate pair, which is no character");
        }
    }

    private static boolean isHalf(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
