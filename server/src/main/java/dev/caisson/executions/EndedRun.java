package dev.caisson.executions;

import dev.caisson.json.Json;
import dev.caisson.json.Records;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// A run that has ended, as one record of the journal: its beginning where the database may not
/// have it, its end, and its output when that is small.
///
/// Its form is the length of a JSON object (4 bytes, big-endian), the object, and as the rest the
/// output.
///
/// @param start empty when the database has it
record EndedRun(String id, Optional<RunStart> start, EndTransition end) {
    /// @param start of one that the database does not have
    static EndedRun whole(RunStart start, EndTransition end) {
        return new EndedRun(start.id(), Optional.of(start), end);
    }

    byte[] form() {
        var tree = Json.object().put("id", id).put("at", end.at());
        start.ifPresent(begun -> tree.set("start", Records.tree(begun)));
        tree.set("end", end.data());
        var json = Json.bytes(tree);
        var output = end.output().orElse(new byte[0]);
        return ByteBuffer.allocate(Integer.BYTES + json.length + output.length)
                .putInt(json.length)
                .put(json)
                .put(output)
                .array();
    }

    static EndedRun read(byte[] form) {
        var buffer = ByteBuffer.wrap(form);
        var json = new byte[buffer.getInt()];
        buffer.get(json);
        var output = new byte[buffer.remaining()];
        buffer.get(output);
        var tree = (ObjectNode) Json.parse(new String(json, StandardCharsets.UTF_8));
        var completion = Records.read(tree.get("end"), Completion.class);
        return new EndedRun(
                tree.get("id").stringValue(),
                Optional.ofNullable(tree.get("start"))
                        .map(begun -> Records.read(begun, RunStart.class)),
                EndTransition.of(
                        completion,
                        Optional.of(output).filter(bytes -> bytes.length > 0),
                        tree.get("at").longValue()));
    }

    /// As it is found before the database has it.
    Optional<ExecutionRecord> record() {
        return start.map(begun -> begun.record().ended(end));
    }
}
