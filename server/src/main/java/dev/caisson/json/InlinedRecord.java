package dev.caisson.json;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Flattened component of a record, see [Inline].
///
/// @param described the members of the inlined record, as they are described here
record InlinedRecord(Method accessor, RecordShape shape, List<Member> described)
        implements RecordPart {
    static InlinedRecord of(RecordComponent component) {
        if (!component.getType().isRecord()) {
            throw new IllegalArgumentException(
                    component + " of " + component.getDeclaringRecord() + " is no record");
        }
        var accessor = component.getAccessor();
        accessor.setAccessible(true);
        var shape = RecordShape.of(component.getType().asSubclass(Record.class));
        var inline = Objects.requireNonNull(component.getAnnotation(Inline.class));
        return new InlinedRecord(accessor, shape, described(shape, inline));
    }

    private static List<Member> described(RecordShape shape, Inline inline) {
        var members = shape.members().collect(Collectors.toCollection(ArrayList::new));
        for (var text : inline.value()) {
            var unknown = members.stream().noneMatch(each -> each.name().equals(text.member()));
            if (unknown) {
                throw new IllegalArgumentException("there is no member " + text.member());
            }
            members.replaceAll(each ->
                    each.name().equals(text.member()) ? each.describedBy(text.value()) : each);
        }
        return List.copyOf(members);
    }

    @Override
    public Stream<Member> members() {
        return described.stream();
    }

    @Override
    public Object read(JsonNode object) {
        return shape.read(object);
    }

    @Override
    public void write(Object record, ObjectNode object) {
        try {
            shape.writeInto(accessor.invoke(record), object);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("cannot read " + accessor.getName(), failure);
        }
    }
}
