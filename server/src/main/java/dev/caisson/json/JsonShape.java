package dev.caisson.json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON form of the values of a Java type. Schema, reading and writing are derived from the same
/// shape, so they cannot disagree.
sealed interface JsonShape
        permits JsonShape.Plain,
                JsonShape.Anything,
                JsonShape.Items,
                JsonShape.Entries,
                Choice,
                RecordShape {
    ObjectNode schema();

    /// The schema of a value that we give: every member is there.
    default ObjectNode resultSchema() {
        return schema();
    }

    /// @param node valid against the schema
    Object read(JsonNode node);

    JsonNode write(Object value);

    static JsonShape of(Type type) {
        if (type instanceof ParameterizedType generic) {
            return generic(generic);
        }
        return switch (type) {
            case Class<?> one when one == JsonNode.class -> new Anything(Json.object());
            case Class<?> one when one == ObjectNode.class ->
                    new Anything(Json.object().put("type", "object"));
            case Class<?> one when one.isEnum() -> Choice.of(one);
            case Class<?> one when one.isRecord() -> RecordShape.of(one.asSubclass(Record.class));
            default -> Plain.of(type);
        };
    }

    private static JsonShape generic(ParameterizedType type) {
        var arguments = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            return new Items(of(arguments[0]));
        }
        if (type.getRawType() == Map.class && arguments[0] == String.class) {
            return new Entries(of(arguments[1]));
        }
        throw unsupported(type);
    }

    static IllegalArgumentException unsupported(Type type) {
        return new IllegalArgumentException(type.getTypeName() + " has no shape in JSON");
    }

    /// Texts, numbers and booleans.
    enum Plain implements JsonShape {
        TEXT("string") {
            // A number gets here where the schema allows one, by OrWhole.
            @Override
            public Object read(JsonNode node) {
                return node.isNumber() ? Long.toString(whole(node)) : node.stringValue();
            }
        },
        INT("integer") {
            @Override
            public Object read(JsonNode node) {
                return Math.toIntExact(whole(node));
            }
        },
        LONG("integer") {
            @Override
            public Object read(JsonNode node) {
                return whole(node);
            }
        },
        DOUBLE("number") {
            @Override
            public Object read(JsonNode node) {
                return node.decimalValue().doubleValue();
            }
        },
        BOOLEAN("boolean") {
            @Override
            public Object read(JsonNode node) {
                return node.booleanValue();
            }
        };

        private final String type;

        Plain(String type) {
            this.type = type;
        }

        private static Plain of(Type type) {
            if (type == String.class) {
                return TEXT;
            }
            if (type == int.class || type == Integer.class) {
                return INT;
            }
            if (type == long.class || type == Long.class) {
                return LONG;
            }
            if (type == double.class || type == Double.class) {
                return DOUBLE;
            }
            if (type == boolean.class || type == Boolean.class) {
                return BOOLEAN;
            }
            throw unsupported(type);
        }

        /// To JSON Schema `2.0` is an integer too.
        private static long whole(JsonNode node) {
            return node.decimalValue().longValueExact();
        }

        @Override
        public ObjectNode schema() {
            return Json.object().put("type", type);
        }

        @Override
        public JsonNode write(Object value) {
            return Json.tree(value);
        }
    }

    /// JSON as it is.
    record Anything(ObjectNode schema) implements JsonShape {
        @Override
        public ObjectNode schema() {
            return schema.deepCopy();
        }

        @Override
        public Object read(JsonNode node) {
            return node;
        }

        @Override
        public JsonNode write(Object value) {
            return (JsonNode) value;
        }
    }

    record Items(JsonShape item) implements JsonShape {
        @Override
        public ObjectNode schema() {
            var schema = Json.object().put("type", "array");
            schema.set("items", item.schema());
            return schema;
        }

        @Override
        public ObjectNode resultSchema() {
            var schema = Json.object().put("type", "array");
            schema.set("items", item.resultSchema());
            return schema;
        }

        @Override
        public Object read(JsonNode node) {
            var items = new ArrayList<Object>();
            node.forEach(one -> items.add(item.read(one)));
            return List.copyOf(items);
        }

        @Override
        public JsonNode write(Object value) {
            var array = Json.array();
            ((List<?>) value).forEach(one -> array.add(item.write(one)));
            return array;
        }
    }

    record Entries(JsonShape value) implements JsonShape {
        @Override
        public ObjectNode schema() {
            var schema = Json.object().put("type", "object");
            schema.set("additionalProperties", value.schema());
            return schema;
        }

        @Override
        public ObjectNode resultSchema() {
            var schema = Json.object().put("type", "object");
            schema.set("additionalProperties", value.resultSchema());
            return schema;
        }

        @Override
        public Object read(JsonNode node) {
            var entries = new LinkedHashMap<String, Object>();
            node.properties()
                    .forEach(entry -> entries.put(entry.getKey(), value.read(entry.getValue())));
            return Collections.unmodifiableMap(entries);
        }

        @Override
        public JsonNode write(Object map) {
            var object = Json.object();
            ((Map<?, ?>) map).forEach((name, one) -> object.set((String) name, value.write(one)));
            return object;
        }
    }
}
