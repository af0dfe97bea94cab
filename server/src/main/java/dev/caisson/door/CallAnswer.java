package dev.caisson.door;

import dev.caisson.broker.NormalResult;
import dev.caisson.broker.ToolResult;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Answer to one call of a program, as it is sent.
///
/// @param error what went wrong; empty when nothing did
@SuppressWarnings("ArrayRecordComponent") // Never compared, never changed.
record CallAnswer(byte[] frame, Optional<CallError> error) {
    private static final String FILES = "/tmp/tools/";

    /// @param number of the call, for the names of files
    /// @param own warnings of ours, before those of the result
    static CallAnswer of(DoorRequest request, long number, ToolResult result, List<String> own) {
        var normal = NormalResult.of(result, FILES + number + "-");
        if (normal.failure().isPresent()) {
            var error = new CallError(ToolErrorType.TOOL_FAILED, normal.failure().get());
            return of(request.id(), error, raw(request, result));
        }
        var json = Json.object().put("id", request.id()).put("ok", true);
        json.set("data", normal.data());
        var warnings = json.putArray("warnings");
        own.forEach(warnings::add);
        normal.warnings().forEach(warnings::add);
        var files = json.putArray("files");
        for (var file : normal.files()) {
            files.addObject()
                    .put("path", file.path())
                    .put("mime_type", file.mimeType())
                    .put("data", file.data());
        }
        raw(request, result).ifPresent(whole -> json.set("raw", whole));
        var frame = Json.bytes(json);
        return frame.length <= DoorSettings.FRAME_OUT_MAX
                ? new CallAnswer(frame, Optional.empty())
                : of(request.id(), tooLarge(frame.length));
    }

    private static Optional<ObjectNode> raw(DoorRequest request, ToolResult result) {
        return request.raw() ? Optional.of(RawResult.of(result)) : Optional.empty();
    }

    private static CallError tooLarge(int bytes) {
        return new CallError(
                ToolErrorType.TOO_LARGE,
                "The result takes %,d bytes and a program gets %,d at most. Ask for less."
                        .formatted(bytes, DoorSettings.FRAME_OUT_MAX));
    }

    static CallAnswer of(long id, CallError error) {
        return of(id, error, Optional.empty());
    }

    private static CallAnswer of(long id, CallError error, Optional<ObjectNode> raw) {
        var json = Json.object().put("id", id).put("ok", false);
        json.set("error", error.json());
        raw.ifPresent(whole -> json.set("raw", whole));
        return new CallAnswer(Json.bytes(json), Optional.of(error));
    }
}
