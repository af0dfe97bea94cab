package dev.caisson.sandbox.session;

import dev.caisson.json.Json;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.ValueRecord;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Record of a session's guest about one cell: the word of the program, which can say the same.
///
/// @param code empty while the cell has not ended: the value of one that is about to exit
record CellRecord(Optional<Integer> code, Optional<HandedOver> value) {
    private static final int CODE_MAX = 255;

    /// @return empty when it cannot be read
    static Optional<CellRecord> parse(byte[] line) {
        try {
            return of(Json.parse(line));
        } catch (JacksonException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<CellRecord> of(JsonNode record) {
        var code = record.path("code");
        if (code.isMissingNode()) {
            return Optional.of(new CellRecord(Optional.empty(), value(record)));
        }
        return code.canConvertToInt() && code.asInt(0) >= 0 && code.asInt(0) <= CODE_MAX
                ? Optional.of(new CellRecord(Optional.of(code.asInt(0)), value(record)))
                : Optional.empty();
    }

    private static Optional<HandedOver> value(JsonNode record) {
        return ValueRecord.hasValue(record) || record.has("display")
                ? Optional.of(ValueRecord.value(record))
                : Optional.empty();
    }
}
