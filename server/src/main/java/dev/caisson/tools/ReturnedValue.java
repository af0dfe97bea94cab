package dev.caisson.tools;

import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// The value of an execution as it is told: what the program handed over, or the last line of its
/// stdout. It is in the answer, or kept with the execution, or a note says why it is neither.
///
/// @param data in the answer, redacted
/// @param storedBytes that output_read has; 0 when it is not kept
/// @param dataFile where it is in the thread's workspace too
/// @param note what to know of it; words of the program are in quotes
record ReturnedValue(
        Optional<JsonNode> data,
        long storedBytes,
        Optional<ExecutionReport.DataFile> dataFile,
        Optional<String> note) {
    static ReturnedValue of(JsonNode data) {
        return new ReturnedValue(Optional.of(data), 0, Optional.empty(), Optional.empty());
    }

    /// One that is not there.
    static ReturnedValue without(String note) {
        return new ReturnedValue(Optional.empty(), 0, Optional.empty(), Optional.of(note));
    }

    /// For readers of texts: the value, or the note in its place.
    String shown(Function<JsonNode, String> json) {
        return data.map(json).or(() -> note).orElse("");
    }
}
