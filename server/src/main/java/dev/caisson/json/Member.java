package dev.caisson.json;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.JsonNodeException;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// One component of a record as a member of an object.
///
/// @param optional whether the component is an `Optional`
/// @param schema the shape's, with what the annotations add
/// @param resultSchema the same for a value that we give
record Member(
        String name,
        Method accessor,
        Shape shape,
        boolean optional,
        Optional<JsonNode> preset,
        ObjectNode schema,
        ObjectNode resultSchema) {
    static Member of(RecordComponent component) {
        var optional = component.getType() == Optional.class;
        var shape = shape(component, optional);
        var preset = preset(component, shape);
        var accessor = component.getAccessor();
        accessor.setAccessible(true);
        var schema = Keywords.of(component, shape.schema());
        preset.ifPresent(value -> schema.set("default", value));
        var given = Keywords.of(component, shape.resultSchema());
        return new Member(
                name(component),
                accessor,
                shape,
                optional,
                preset,
                schema,
                optional ? NullableSchema.of(given) : given);
    }

    private static Shape shape(RecordComponent component, boolean optional) {
        try {
            return Shape.of(
                    optional ? inner(component.getGenericType()) : component.getGenericType());
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(
                    component + " of " + component.getDeclaringRecord() + " cannot be used",
                    failure);
        }
    }

    private static Type inner(Type optional) {
        return ((ParameterizedType) optional).getActualTypeArguments()[0];
    }

    private static String name(RecordComponent component) {
        var named = component.getAnnotation(Named.class);
        return named != null
                ? named.value()
                : component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static Optional<JsonNode> preset(RecordComponent component, Shape shape) {
        return Optional.ofNullable(component.getAnnotation(DefaultsTo.class))
                .map(DefaultsTo::value)
                .map(text ->
                        shape == Shape.Plain.TEXT || shape instanceof Choice
                                ? Json.tree(text)
                                : Json.parse(text));
    }

    @Override
    public ObjectNode schema() {
        return schema.deepCopy();
    }

    @Override
    public ObjectNode resultSchema() {
        return resultSchema.deepCopy();
    }

    boolean required() {
        return !optional && preset.isEmpty();
    }

    /// The value of this member within an object.
    Object read(JsonNode object) {
        var given =
                Optional.ofNullable(object.get(name))
                        .filter(node -> !node.isNull())
                        .or(() -> preset);
        if (optional) {
            return given.map(this::value);
        }
        return value(given.orElseThrow(() -> new IllegalArgumentException(name + " is required")));
    }

    private Object value(JsonNode node) {
        try {
            return shape.read(node);
        } catch (ArithmeticException | JsonNodeException _) {
            throw new IllegalArgumentException(name + " is too large, was " + Shown.value(node));
        }
    }

    /// The node of this member of a record; `null` for an empty `Optional`.
    JsonNode write(Object record) {
        try {
            var value = accessor.invoke(record);
            return value instanceof Optional<?> maybe
                    ? maybe.map(shape::write).orElseGet(NullNode::getInstance)
                    : shape.write(value);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("cannot read " + name, failure);
        }
    }
}
