package dev.caisson.rest;

import dev.caisson.json.Json;
import dev.caisson.json.SchemaOf;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// What a body looks like.
///
/// @param name under which the document has it, and generated clients
/// @param schema asked each time, for what tools take may change while the server runs
record Shape(String name, Supplier<ObjectNode> schema) {
    /// Any object.
    static final Shape ANY = new Shape("AnyObject", () -> Json.object().put("type", "object"));

    /// Of a body that we read, named as the record.
    static Shape taken(Class<? extends Record> type) {
        return new Shape(type.getSimpleName(), () -> SchemaOf.record(type));
    }

    /// Of a body that we give, named as the record.
    static Shape given(Class<? extends Record> type) {
        return new Shape(type.getSimpleName(), () -> SchemaOf.result(type));
    }
}
