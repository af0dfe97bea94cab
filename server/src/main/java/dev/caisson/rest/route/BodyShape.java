package dev.caisson.rest.route;

import dev.caisson.json.Json;
import dev.caisson.json.SchemaOf;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// JSON Schema of a body, with its name in the document.
///
/// @param name under which the document has it, and generated clients
/// @param schema asked each time, for what tools take may change while the server runs
public record BodyShape(String name, Supplier<ObjectNode> schema) {
    /// Any object.
    public static final BodyShape ANY =
            new BodyShape("AnyObject", () -> Json.object().put("type", "object"));

    /// Of a body that we read, named as the record.
    static BodyShape taken(Class<? extends Record> type) {
        return new BodyShape(type.getSimpleName(), () -> SchemaOf.record(type));
    }

    /// Of a body that we give, named as the record.
    public static BodyShape given(Class<? extends Record> type) {
        return new BodyShape(type.getSimpleName(), () -> SchemaOf.result(type));
    }
}
