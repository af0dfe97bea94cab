package dev.caisson.json;

import java.lang.reflect.RecordComponent;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Component of a record in its JSON object: one member, or the members of a record that is
/// flattened by [Inline].
sealed interface RecordPart permits Member, InlinedRecord {
    static RecordPart of(RecordComponent component) {
        return component.isAnnotationPresent(Inline.class)
                ? InlinedRecord.of(component)
                : Member.of(component);
    }

    Stream<Member> members();

    /// The value of the component within an object.
    Object read(JsonNode object);

    /// Writes the component of a record into its object.
    void write(Object record, ObjectNode object);
}
