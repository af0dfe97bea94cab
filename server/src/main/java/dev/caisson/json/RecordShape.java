package dev.caisson.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A record as an object.
record RecordShape(Constructor<? extends Record> constructor, List<Member> members)
        implements Shape {
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
            return new RecordShape(constructor, Arrays.stream(components).map(Member::of).toList());
        } catch (NoSuchMethodException failure) {
            throw new IllegalStateException("every record has its constructor", failure);
        }
    }

    @Override
    public ObjectNode schema() {
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        members.forEach(member -> properties.set(member.name(), member.schema()));
        var required = members.stream().filter(Member::required).map(Member::name).toList();
        if (!required.isEmpty()) {
            required.forEach(schema.putArray("required")::add);
        }
        return schema.put("additionalProperties", false);
    }

    @Override
    public ObjectNode resultSchema() {
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        members.forEach(member -> properties.set(member.name(), member.resultSchema()));
        members.forEach(member -> schema.withArrayProperty("required").add(member.name()));
        return schema.put("additionalProperties", false);
    }

    @Override
    public Record read(JsonNode node) {
        var arguments = members.stream().map(member -> member.read(node)).toArray();
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
        var object = Json.object();
        for (var member : members) {
            object.set(member.name(), member.write(value));
        }
        return object;
    }
}
