package dev.caisson.executions;

import dev.caisson.json.Named;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// Value a run returned beside its output: what the program handed over, or the last line of its
/// stdout. It is in the answer, or kept with the execution, or a note says why it is neither.
///
/// @param data in the answer, redacted
/// @param dataFile where it is in the thread's workspace too
/// @param note what to know of it; words of the program are in quotes
/// @param storedBytes that are kept with the output; absent from what former versions kept
public record ReturnedValue(
        Optional<JsonNode> data,
        Optional<DataFile> dataFile,
        @Named("data_note") Optional<String> note,
        Optional<Long> storedBytes) {
    /// File of the workspace that has the value.
    public record DataFile(String path, long bytes) {}

    public static ReturnedValue of(JsonNode data) {
        return new ReturnedValue(
                Optional.of(data), Optional.empty(), Optional.empty(), Optional.of(0L));
    }

    /// One that is not there.
    public static ReturnedValue without(String note) {
        return elsewhere(0, Optional.empty(), note);
    }

    /// One that is not in the answer.
    ///
    /// @param storedBytes 0 when it is not kept
    public static ReturnedValue elsewhere(long storedBytes, Optional<DataFile> file, String note) {
        return new ReturnedValue(
                Optional.empty(), file, Optional.of(note), Optional.of(storedBytes));
    }

    /// How much of it is kept with the output; 0 when it is not.
    public long keptBytes() {
        return storedBytes.orElse(0L);
    }

    /// For readers of texts: the value, or the note in its place.
    public String shown(Function<JsonNode, String> json) {
        return data.map(json).or(() -> note).orElse("");
    }
}
