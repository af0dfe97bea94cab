package dev.caisson.json;

import tools.jackson.databind.node.ObjectNode;

/// JSON Schemas of records. See [Records] for what a record may hold.
public final class SchemaOf {
    private SchemaOf() {}

    /// An object schema whose members stand in the order of the record's components. Nothing else
    /// is allowed in it.
    ///
    /// @throws IllegalArgumentException when a component has a type that is not supported
    public static ObjectNode record(Class<? extends Record> type) {
        return RecordShape.of(type).schema();
    }
}
