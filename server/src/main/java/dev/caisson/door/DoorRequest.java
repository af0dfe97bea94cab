package dev.caisson.door;

import dev.caisson.broker.ToolOrigin;
import dev.caisson.call.CodePlace;
import dev.caisson.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Request of a program: a call of a tool, or what is one to the broker.
///
/// @param id by which the program knows the answer
/// @param server the module of the tool
/// @param tool its name there
/// @param definition start of the hash of the definition that the program was given files of
/// @param at where in the program it is made, by its own word
/// @param raw whether the result is wanted as it came, too
record DoorRequest(
        long id,
        String server,
        String tool,
        ObjectNode arguments,
        Optional<String> definition,
        Optional<CodePlace> at,
        Optional<Duration> timeout,
        boolean raw) {
    private static final int NAME_LENGTH_MAX = 256;
    private static final Pattern DEFINITION = Pattern.compile("[0-9a-f]{8}");
    private static final long TIMEOUT_MILLIS_MAX = Duration.ofDays(1).toMillis();

    /// @throws IOException for a frame that asks for nothing there is
    static DoorRequest of(ObjectNode frame) throws IOException {
        var id = id(frame.path("id"));
        if (frame.has("call")) {
            var name = name(frame.path("call"));
            int slash = name.indexOf('/');
            if (slash < 0) {
                throw new IOException("a call without a server");
            }
            return of(
                    id,
                    name.substring(0, slash),
                    name.substring(slash + 1),
                    object(frame.path("arguments")),
                    frame);
        }
        if (frame.has("search")) {
            return ofOwn(id, "tool_search", frame.path("search"), frame);
        }
        if (frame.has("describe")) {
            return ofOwn(id, "tool_describe", frame.path("describe"), frame);
        }
        if (frame.has("read")) {
            var read = object(frame.path("read"));
            var uri = Json.object().put("uri", name(read.path("uri")));
            return of(id, name(read.path("server")), "resources/read", uri, frame);
        }
        throw new IOException("a frame that asks for nothing");
    }

    private static DoorRequest ofOwn(long id, String tool, JsonNode arguments, ObjectNode frame)
            throws IOException {
        return of(id, ToolOrigin.OWN_SERVER, tool, object(arguments), frame);
    }

    private static DoorRequest of(
            long id, String server, String tool, ObjectNode arguments, ObjectNode frame)
            throws IOException {
        return new DoorRequest(
                id,
                server,
                tool,
                arguments,
                definition(frame.path("definition")),
                at(frame.path("at")),
                timeout(frame.path("timeout_ms")),
                frame.path("raw").booleanValue(false));
    }

    /// @throws IOException when it is no number
    static long id(JsonNode id) throws IOException {
        if (!id.isIntegralNumber() || !id.canConvertToLong()) {
            throw new IOException("a frame without an id");
        }
        return id.longValue();
    }

    private static String name(JsonNode name) throws IOException {
        if (!name.isString() || name.stringValue().length() > NAME_LENGTH_MAX) {
            throw new IOException("a frame without a name");
        }
        return name.stringValue();
    }

    private static ObjectNode object(JsonNode value) throws IOException {
        return switch (value) {
            case ObjectNode object -> object;
            case JsonNode absent when absent.isMissingNode() || absent.isNull() -> Json.object();
            default -> throw new IOException("arguments that are no object");
        };
    }

    private static Optional<String> definition(JsonNode hash) throws IOException {
        if (hash.isMissingNode() || hash.isNull()) {
            return Optional.empty();
        }
        if (!hash.isString() || !DEFINITION.matcher(hash.stringValue()).matches()) {
            throw new IOException("a definition that is no hash");
        }
        return Optional.of(hash.stringValue());
    }

    /// What is no place is none: nothing depends on it.
    private static Optional<CodePlace> at(JsonNode at) {
        var line = at.path("line");
        return line.isIntegralNumber() && line.canConvertToLong()
                ? CodePlace.said(at.path("file").stringValue(""), line.longValue())
                : Optional.empty();
    }

    private static Optional<Duration> timeout(JsonNode millis) throws IOException {
        if (millis.isMissingNode() || millis.isNull()) {
            return Optional.empty();
        }
        if (!millis.isNumber()) {
            throw new IOException("a time that is no number");
        }
        double asked = millis.doubleValue();
        return Optional.of(
                Duration.ofMillis((long) Math.clamp(asked, 1.0, (double) TIMEOUT_MILLIS_MAX)));
    }
}
