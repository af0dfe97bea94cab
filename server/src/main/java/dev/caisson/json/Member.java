package dev.caisson.json;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.JsonNodeException;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/// Member of a JSON object that stands for a record component.
///
/// @param optional whether the component is an `Optional`
/// @param sparse whether it is left out where it has no value, see [Sparse]
/// @param schema the shape's, with what the annotations add
/// @param resultSchema the same for a value that we give
record Member(
        String name,
        Method accessor,
        JsonShape shape,
        boolean optional,
        boolean sparse,
        Optional<JsonNode> preset,
        ObjectNode schema,
        ObjectNode resultSchema)
        implements RecordPart {
    static Member of(RecordComponent component) {
        var optional = component.getType() == Optional.class;
        var sparse = optional && component.getDeclaringRecord().isAnnotationPresent(Sparse.class);
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
                sparse,
                preset,
                schema,
                optional && !sparse ? NullableSchema.of(given) : given);
    }

    private static JsonShape shape(RecordComponent component, boolean optional) {
        try {
            return JsonShape.of(
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

    private static Optional<JsonNode> preset(RecordComponent component, JsonShape shape) {
        return Optional.ofNullable(component.getAnnotation(DefaultsTo.class))
                .map(DefaultsTo::value)
                .map(text ->
                        shape == JsonShape.Plain.TEXT || shape instanceof Choice
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

    /// The same member in other words.
    Member describedBy(String description) {
        return new Member(
                name,
                accessor,
                shape,
                optional,
                sparse,
                preset,
                schema().put("description", description),
                resultSchema().put("description", description));
    }

    boolean required() {
        return !optional && preset.isEmpty();
    }

    @Override
    public Stream<Member> members() {
        return Stream.of(this);
    }

    @Override
    public Object read(JsonNode object) {
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
            throw new IllegalArgumentException(
                    name + " is too large, was " + ShortText.value(node));
        }
    }

    /// An empty `Optional` is `null`, or left out.
    @Override
    public void write(Object record, ObjectNode object) {
        try {
            var value = accessor.invoke(record);
            if (sparse && ((Optional<?>) value).isEmpty()) {
                return;
            }
            JsonNode node =
                    value instanceof Optional<?> maybe
                            ? maybe.map(shape::write).orElseGet(NullNode::getInstance)
                            : shape.write(value);
            object.set(name, node);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("cannot read " + name, failure);
        }
    }
}
