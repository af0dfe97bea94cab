package dev.caisson.stubs;

import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Node of a shape: what was seen at one path.
///
/// Its form as JSON: `{"types": {"string": [240, 239]}, "members": {"a": NODE}, "items": NODE,
/// "map": true}`; of each type how often it came, and the number of the result in which it came
/// last. Of a map, the values of all members are one node under `items`.
///
/// @param members of the objects that were seen here
/// @param items of the lists that were seen here, or values of the objects if they are maps
/// @param map whether the names of the objects are data and not members
public record ShapeNode(
        Map<ValueType, Times> types,
        Map<String, ShapeNode> members,
        Optional<ShapeNode> items,
        boolean map) {
    static final ShapeNode EMPTY = new ShapeNode(Map.of(), Map.of(), Optional.empty(), false);

    /// Types of values.
    public enum ValueType {
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN,
        NULL,
        ARRAY,
        OBJECT;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static ValueType of(JsonNode value) {
            return switch (value.getNodeType()) {
                case ARRAY -> ARRAY;
                case OBJECT, POJO -> OBJECT;
                case BOOLEAN -> BOOLEAN;
                case NUMBER -> value.isIntegralNumber() ? INTEGER : NUMBER;
                case STRING, BINARY -> STRING;
                case NULL, MISSING -> NULL;
            };
        }
    }

    /// How often a type came.
    ///
    /// @param last the number of the result in which it came last
    public record Times(long seen, long last) {}

    /// How often a member was null.
    record NullShare(String path, long nulls, long seen) {}

    public ShapeNode {
        var ordered = new EnumMap<ValueType, Times>(ValueType.class);
        ordered.putAll(types);
        types = Collections.unmodifiableMap(ordered);
        members = Collections.unmodifiableMap(new TreeMap<>(members));
    }

    long seen() {
        return types.values().stream().mapToLong(Times::seen).sum();
    }

    /// How many paths there are, this one counted.
    int paths() {
        return 1
                + members.values().stream().mapToInt(ShapeNode::paths).sum()
                + items.map(ShapeNode::paths).orElse(0);
    }

    List<NullShare> nulls(String path) {
        var found = new ArrayList<NullShare>();
        var times = types.get(ValueType.NULL);
        if (times != null && types.size() > 1) {
            found.add(new NullShare(path.isEmpty() ? "result" : path, times.seen(), seen()));
        }
        var before = path.isEmpty() ? "" : path + ".";
        members.forEach((name, member) -> found.addAll(member.nulls(before + name)));
        items.ifPresent(each -> found.addAll(each.nulls(path + "[]")));
        return found;
    }

    ObjectNode schema() {
        var schema = Json.object();
        var words =
                types.keySet().stream()
                        .filter(type ->
                                type != ValueType.INTEGER || !types.containsKey(ValueType.NUMBER))
                        .map(ValueType::word)
                        .toList();
        if (words.size() == 1) {
            schema.put("type", words.getFirst());
        } else if (!words.isEmpty()) {
            var several = schema.putArray("type");
            words.forEach(several::add);
        }
        if (map) {
            items.ifPresent(each -> schema.set("additionalProperties", each.schema()));
            return schema;
        }
        items.ifPresent(each -> schema.set("items", each.schema()));
        if (!members.isEmpty()) {
            var properties = schema.putObject("properties");
            members.forEach((name, member) -> properties.set(name, member.schema()));
            required(schema);
        }
        return schema;
    }

    private void required(ObjectNode schema) {
        var objects = types.containsKey(ValueType.OBJECT) ? types.get(ValueType.OBJECT).seen() : 0;
        var required = schema.putArray("required");
        members.forEach((name, member) -> {
            if (member.seen() >= objects) {
                required.add(name);
            }
        });
    }

    ObjectNode json() {
        var json = Json.object();
        var kinds = json.putObject("types");
        types.forEach(
                (type, times) -> kinds.putArray(type.word()).add(times.seen()).add(times.last()));
        if (!members.isEmpty()) {
            var named = json.putObject("members");
            members.forEach((name, member) -> named.set(name, member.json()));
        }
        items.ifPresent(each -> json.set("items", each.json()));
        if (map) {
            json.put("map", true);
        }
        return json;
    }

    static ShapeNode of(JsonNode json, int depth) {
        if (!json.isObject() || depth > ShapeMerging.DEPTH_MAX + 1) {
            throw new IllegalArgumentException("this is no shape");
        }
        var types = new EnumMap<ValueType, Times>(ValueType.class);
        json.path("types")
                .properties()
                .forEach(each ->
                        types.put(
                                ValueType.valueOf(each.getKey().toUpperCase(Locale.ROOT)),
                                new Times(
                                        each.getValue().path(0).asLong(),
                                        each.getValue().path(1).asLong())));
        var members = new TreeMap<String, ShapeNode>();
        json.path("members")
                .properties()
                .forEach(each -> members.put(each.getKey(), of(each.getValue(), depth + 1)));
        var items =
                json.has("items")
                        ? Optional.of(of(json.path("items"), depth + 1))
                        : Optional.<ShapeNode>empty();
        return new ShapeNode(types, members, items, json.path("map").asBoolean(false));
    }
}
