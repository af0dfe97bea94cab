package dev.caisson.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON shape of a record: an object with a member for each component.
record RecordShape(Constructor<? extends Record> constructor, List<RecordPart> parts)
        implements JsonShape {
    private static final ClassValue<RecordShape> SHAPES =
            new ClassValue<>() {
                @Override
                protected RecordShape computeValue(Class<?> type) {
                    return derive(type.asSubclass(Record.class));
                }
            };

    static RecordShape of(Class<? extends Record> type) {
        return SHAPES.get(type);
    }

    private static RecordShape derive(Class<? extends Record> type) {
        var components = type.getRecordComponents();
        var types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new RecordShape(
                    constructor, Arrays.stream(components).map(RecordPart::of).toList());
        } catch (NoSuchMethodException failure) {
            throw new IllegalStateException("every record has its constructor", failure);
        }
    }

    Stream<Member> members() {
        return parts.stream().flatMap(RecordPart::members);
    }

    @Override
    public ObjectNode schema() {
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        members().forEach(member -> properties.set(member.name(), member.schema()));
        var required = members().filter(Member::required).map(Member::name).toList();
        if (!required.isEmpty()) {
            required.forEach(schema.putArray("required")::add);
        }
        return schema.put("additionalProperties", false);
    }

    @Override
    public ObjectNode resultSchema() {
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        members().forEach(member -> properties.set(member.name(), member.resultSchema()));
        members()
                .filter(member -> !member.sparse())
                .forEach(member -> schema.withArrayProperty("required").add(member.name()));
        return schema.put("additionalProperties", false);
    }

    @Override
    public Record read(JsonNode node) {
        var arguments = parts.stream().map(part -> part.read(node)).toArray();
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException failure) {
            throw switch (failure.getCause()) {
                case RuntimeException own -> own;
                case null, default -> new IllegalStateException("cannot make a record", failure);
            };
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("cannot make a record", failure);
        }
    }

    @Override
    public ObjectNode write(Object value) {
        return writeInto(value, Json.object());
    }

    ObjectNode writeInto(Object value, ObjectNode object) {
        parts.forEach(part -> part.write(value, object));
        return object;
    }
}
