package dev.caisson.model;

import dev.caisson.call.Digests;
import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import tools.jackson.databind.JsonNode;

/// Text that stands for a value in an index, so that texts have the order of their values on every
/// database: they are compared byte by byte in UTF-8.
///
/// Integers and moments are 16 hexadecimal digits of the value moved into the positive, numbers
/// those of their bits as a double, of which the sign is turned. A text is its first
/// [#CHARACTERS_MAX] characters in NFC.
final class KeyText {
    static final int CHARACTERS_MAX = 128;

    /// The order of the databases.
    static final Comparator<String> ORDER =
            (one, other) -> Arrays.compareUnsigned(bytes(one), bytes(other));

    private KeyText() {}

    /// @param value in its canonical form
    static String of(Datatype type, JsonNode value) {
        return switch (type) {
            case INTEGER -> digits(value.longValue());
            case NUMBER -> digits(value.decimalValue().doubleValue());
            case BOOLEAN -> value.booleanValue() ? "1" : "0";
            case DATETIME -> digits(Instant.parse(value.stringValue()).toEpochMilli());
            case STRING, TEXT, DATE, UUID, URI, ENUM, REF -> start(value.stringValue());
            case FILE, JSON -> start(Json.text(value));
        };
    }

    /// A text that only equal values have.
    static String exact(Datatype type, JsonNode value) {
        return Digests.sha256Hex(
                bytes(type == Datatype.NUMBER ? of(type, value) : Json.text(value)));
    }

    private static String digits(long value) {
        return "%016x".formatted(value ^ Long.MIN_VALUE);
    }

    private static String digits(double value) {
        var bits = Double.doubleToLongBits(value + 0.0);
        return "%016x".formatted(bits < 0 ? ~bits : bits ^ Long.MIN_VALUE);
    }

    private static String start(String text) {
        var normal = Normalizer.normalize(text, Normalizer.Form.NFC);
        if (normal.length() <= CHARACTERS_MAX) {
            return normal;
        }
        var end = Character.isHighSurrogate(normal.charAt(CHARACTERS_MAX - 1)) ? 1 : 0;
        return normal.substring(0, CHARACTERS_MAX - end);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
