package dev.caisson.sandbox;

import dev.caisson.json.Json;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Parser of the record by which a guest hands over a value: a line of JSON with the value itself,
/// the file it was put into, or why it could not be written; and the forms of the last expression,
/// where they were asked for.
///
/// It is the word of the program, which can write the same.
public final class ValueRecord {
    private static final int TEXT_LENGTH_MAX = 600;

    /// Where guests put a value that is too large; no other file is named in our voice.
    private static final Pattern SPILLED = Pattern.compile("/workspace/result(-\\d{1,3})?\\.json");

    private ValueRecord() {}

    public static HandedOver parse(byte[] line) {
        try {
            return value(Json.parse(line));
        } catch (JacksonException malformed) {
            return new HandedOver.Unfit("the value did not arrive as JSON");
        }
    }

    public static HandedOver value(JsonNode record) {
        return record.path("display").isArray()
                ? new HandedOver.Displayed(
                        DisplayForm.parse(record.path("display")),
                        hasValue(record) ? Optional.of(own(record)) : Optional.empty())
                : own(record);
    }

    /// Whether there is anything but a form of display in it.
    public static boolean hasValue(JsonNode record) {
        return record.has("value") || record.has("file") || record.has("unfit");
    }

    private static HandedOver own(JsonNode record) {
        if (record.has("value")) {
            return HandedOver.of(record.get("value"));
        }
        var file = record.path("file").asString("");
        if (record.path("bytes").canConvertToLong() && SPILLED.matcher(file).matches()) {
            return new HandedOver.InFile(record.path("bytes").asLong(0), file);
        }
        var said = record.path("unfit").asString("");
        return said.isEmpty()
                ? new HandedOver.Unfit("the value did not arrive as a record")
                : new HandedOver.Unwritable(shortened(said));
    }

    private static String shortened(String text) {
        return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX);
    }
}
