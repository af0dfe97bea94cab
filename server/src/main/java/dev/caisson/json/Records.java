package dev.caisson.json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Records as JSON objects, and back.
///
/// A component may be a `String`, `int`, `long`, `double`, `boolean`, an enum, a `List`, a `Map`
/// from `String`, another record, a `JsonNode` (anything) or an `ObjectNode` (any object), each
/// also within an `Optional`, which makes the member optional where it is read and `null` where it
/// is written without a value. Its member has the component's name in snake case (`threadId` is
/// `thread_id`) or the one of [Named]; an enum's constant is its `word()`, or its name in lower
/// case. [Describe], [Length], [Range], [Matches], [MaxBytes], [Except], [OrWhole] and [DefaultsTo]
/// change the schema. The members of a record marked with [Inline] stand in the object that holds
/// it; those of a record marked with [Sparse] are left out where they have no value.
public final class Records {
    private Records() {}

    /// Reads an object that is valid against [SchemaOf#record].
    ///
    /// @throws IllegalArgumentException with its own message when the record's constructor throws
    ///   one, or when a number does not fit its component
    public static <R extends Record> R read(JsonNode node, Class<R> type) {
        return type.cast(RecordShape.of(type).read(node));
    }

    /// The object of a record. Every member is there, an empty `Optional` as `null`, unless the
    /// record is [Sparse].
    public static ObjectNode tree(Record value) {
        return RecordShape.of(value.getClass()).write(value);
    }
}
