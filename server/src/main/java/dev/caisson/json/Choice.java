package dev.caisson.json;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON shape of an enum: one string for each constant.
record Choice(Map<String, Object> constants) implements JsonShape {
    static Choice of(Class<?> type) {
        var constants = new LinkedHashMap<String, Object>();
        for (var constant : type.getEnumConstants()) {
            constants.put(word((Enum<?>) constant), constant);
        }
        return new Choice(constants);
    }

    private static String word(Enum<?> constant) {
        try {
            var method = constant.getDeclaringClass().getMethod("word");
            method.setAccessible(true);
            return (String) method.invoke(constant);
        } catch (NoSuchMethodException _) {
            return constant.name().toLowerCase(Locale.ROOT);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalArgumentException("cannot get the word of " + constant, failure);
        }
    }

    @Override
    public ObjectNode schema() {
        var schema = Json.object().put("type", "string");
        var words = schema.putArray("enum");
        constants.keySet().forEach(words::add);
        return schema;
    }

    @Override
    public Object read(JsonNode node) {
        return Objects.requireNonNull(constants.get(node.stringValue()));
    }

    @Override
    public JsonNode write(Object value) {
        return Json.tree(word((Enum<?>) value));
    }
}
