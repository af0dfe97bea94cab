package dev.caisson.json;

import tools.jackson.databind.node.ObjectNode;

/// JSON Schemas of records. See [Records] for what a record may hold.
public final class SchemaOf {
    private SchemaOf() {}

    /// The schema of what [Records#read] reads: an object schema whose members stand in the order
    /// of the record's components. Nothing else is allowed in it.
    ///
    /// @throws IllegalArgumentException when a component has a type that is not supported
    public static ObjectNode record(Class<? extends Record> type) {
        return RecordShape.of(type).schema();
    }

    /// The schema of what [Records#tree] makes of such a record: every member is there, and one
    /// that is an `Optional` may be `null`. Nothing else is in it.
    ///
    /// @throws IllegalArgumentException when a component has a type that is not supported
    public static ObjectNode result(Class<? extends Record> type) {
        return RecordShape.of(type).resultSchema();
    }

    /// The schema of a result that is one of two. It names the members of both, so that a reader
    /// who looks no further than `properties` knows them all; `anyOf` says which of them are there
    /// together.
    public static ObjectNode result(Class<? extends Record> one, Class<? extends Record> other) {
        return EitherSchema.of(result(one), result(other));
    }
}
