package dev.caisson.json;

import java.util.List;
import java.util.stream.Stream;
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
    /// that is an `Optional` may be `null`, or absent from a [Sparse] record. Nothing else is in
    /// it.
    ///
    /// @throws IllegalArgumentException when a component has a type that is not supported
    public static ObjectNode result(Class<? extends Record> type) {
        return RecordShape.of(type).resultSchema();
    }

    /// The schema of a result that is one of several. It names the members of all, so that a reader
    /// who looks no further than `properties` knows them; `anyOf` says which of them are there
    /// together, except for [Sparse] records, most of whose members may be absent anyway.
    public static ObjectNode result(
            Class<? extends Record> one, List<? extends Class<? extends Record>> others) {
        var types = Stream.concat(Stream.of(one), others.stream()).toList();
        var schemas = types.stream().map(SchemaOf::result).toList();
        return types.size() > 1 && types.stream().allMatch(SchemaOf::isSparse)
                ? EitherSchema.merged(schemas)
                : EitherSchema.of(schemas);
    }

    private static boolean isSparse(Class<? extends Record> type) {
        return type.isAnnotationPresent(Sparse.class);
    }
}
