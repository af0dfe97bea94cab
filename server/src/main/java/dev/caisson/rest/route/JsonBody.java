package dev.caisson.rest.route;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.http.Exchange;
import dev.caisson.json.BrokenJson;
import dev.caisson.json.Json;
import dev.caisson.json.Schema;
import dev.caisson.json.SchemaOf;
import dev.caisson.share.CallerWorkers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON body of a request.
///
/// @param check empty where whoever gets it checks it, as the broker does
public record JsonBody(BodyShape shape, Optional<Schema> check) {
    static JsonBody of(Class<? extends Record> type) {
        return new JsonBody(BodyShape.taken(type), Optional.of(Schema.of(SchemaOf.record(type))));
    }

    /// For a body that is checked by whoever gets it.
    public static JsonBody unchecked(BodyShape shape) {
        return new JsonBody(shape, Optional.empty());
    }

    /// @throws Refusal MALFORMED when it is not a JSON object, INVALID_ARGUMENT when it is not of
    ///   this shape
    /// @throws Problem when it claims to be something else
    public ObjectNode read(Exchange exchange, CallerWorkers computing) throws InterruptedException {
        requireJson(exchange);
        var bytes = exchange.body();
        return bytes.length <= Json.PARSED_AT_ONCE_BYTES
                ? read(bytes)
                : computing.run(() -> read(bytes));
    }

    private ObjectNode read(byte[] bytes) {
        var body = object(parsed(bytes));
        var complaints = check.map(schema -> schema.complaints(body)).orElseGet(List::of);
        if (!complaints.isEmpty()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "The body is not valid: " + String.join("; ", complaints),
                    Map.of("complaints", complaints));
        }
        return body;
    }

    private static void requireJson(Exchange exchange) {
        var type = exchange.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        var semicolon = type.indexOf(';');
        if (!(semicolon < 0 ? type : type.substring(0, semicolon)).strip().equals(Reply.JSON)) {
            throw HttpProblem.notJson();
        }
    }

    private static JsonNode parsed(byte[] bytes) {
        try {
            return Json.parseRequest(bytes);
        } catch (JacksonException broken) {
            throw new Refusal(Reason.MALFORMED, BrokenJson.sentence("The body", broken) + ".");
        }
    }

    private static ObjectNode object(JsonNode body) {
        if (body instanceof ObjectNode object) {
            return object;
        }
        throw new Refusal(Reason.MALFORMED, "The body must be a JSON object.");
    }
}
