package dev.caisson.stubs;

import dev.caisson.stubs.StubType.Kind;
import dev.caisson.stubs.StubType.Literals;
import dev.caisson.stubs.StubType.Member;
import dev.caisson.stubs.StubType.Simple;
import dev.caisson.stubs.StubType.Struct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Table of the types that the schemas of a tool declare, and reader of those schemas. What is too
/// large or too deep to help becomes a value of any type: nothing here checks anything.
final class TypeTable {
    static final int ENUM_MAX = 24;
    static final int UNION_MAX = 8;
    static final int DEPTH_MAX = 6;

    /// Members of all types of one tool.
    static final int MEMBERS_MAX = 200;

    private static final String LOCAL = "#/";

    private final Set<String> taken;
    private final Map<String, Struct> declared = new LinkedHashMap<>();
    private final Map<String, String> references = new HashMap<>();
    private JsonNode root;
    private String prefix = "";
    private int members;

    /// @param taken names that no type may have; gets those of the types
    TypeTable(Set<String> taken, JsonNode root) {
        this.taken = taken;
        this.root = root;
    }

    /// Types that were declared, in the order in which they were met.
    List<Struct> declared() {
        return List.copyOf(declared.values());
    }

    /// @param name of the type, if it gets one
    StubType read(String name, JsonNode schema) {
        root = schema;
        prefix = name;
        references.clear();
        return read(name, schema, 0);
    }

    private StubType read(String name, JsonNode schema, int depth) {
        if (!schema.isObject() || depth > DEPTH_MAX) {
            return StubType.ANY;
        }
        if (schema.path("$ref").isString()) {
            return referred(schema.path("$ref").stringValue(), depth);
        }
        if (schema.has("const")) {
            return literals(List.of(schema.path("const"))).orElse(StubType.ANY);
        }
        if (schema.path("enum").isArray()) {
            return literals(schema.path("enum").valueStream().toList())
                    .orElseGet(() -> ofType(name, schema, depth));
        }
        for (var keyword : List.of("anyOf", "oneOf")) {
            if (schema.path(keyword).isArray()) {
                return union(name, schema.path(keyword).valueStream().toList(), depth);
            }
        }
        if (schema.path("allOf").size() == 1) {
            return read(name, schema.path("allOf").get(0), depth + 1);
        }
        return ofType(name, schema, depth);
    }

    private StubType ofType(String name, JsonNode schema, int depth) {
        var type = schema.path("type");
        if (type.isArray()) {
            var each =
                    type.valueStream()
                            .map(one -> simple(name, one.asString(""), schema, depth))
                            .distinct()
                            .toList();
            return each.size() > UNION_MAX ? StubType.ANY : joined(each);
        }
        var said = type.asString("");
        return simple(
                name, said.isEmpty() && schema.has("properties") ? "object" : said, schema, depth);
    }

    private StubType simple(String name, String type, JsonNode schema, int depth) {
        return switch (type) {
            case "string" -> new Simple(Kind.TEXT);
            case "integer" -> new Simple(Kind.WHOLE);
            case "number" -> new Simple(Kind.NUMBER);
            case "boolean" -> new Simple(Kind.BOOLEAN);
            case "null" -> new Simple(Kind.NULL);
            case "array" ->
                    new StubType.ListOf(read(name + "Item", schema.path("items"), depth + 1));
            case "object" -> object(name, schema, depth);
            default -> StubType.ANY;
        };
    }

    private StubType object(String name, JsonNode schema, int depth) {
        var properties = schema.path("properties");
        if (properties.isEmpty()) {
            return new StubType.MapOf(
                    read(name + "Value", schema.path("additionalProperties"), depth + 1));
        }
        if (members + properties.size() > MEMBERS_MAX) {
            return new StubType.MapOf(StubType.ANY);
        }
        var own = declare(name);
        fill(own, schema, depth);
        return new StubType.Named(own);
    }

    private String declare(String wanted) {
        var name = wanted;
        for (int number = 2; !taken.add(name); number++) {
            name = wanted + number;
        }
        declared.put(name, new Struct(name, List.of()));
        return name;
    }

    private void fill(String own, JsonNode schema, int depth) {
        var properties = schema.path("properties");
        members += properties.size();
        var required = new HashSet<String>();
        schema.path("required").valueStream().forEach(each -> required.add(each.asString("")));
        var read = new ArrayList<Member>();
        for (var each : properties.properties()) {
            read.add(
                    new Member(
                            each.getKey(),
                            read(
                                    own + Identifiers.typeName(each.getKey()),
                                    each.getValue(),
                                    depth + 1),
                            required.contains(each.getKey()),
                            each.getValue().path("description").asString("")));
        }
        declared.put(own, new Struct(own, List.copyOf(read)));
    }

    /// One that refers to itself is declared before it is read.
    private StubType referred(String reference, int depth) {
        var known = references.get(reference);
        if (known != null) {
            return new StubType.Named(known);
        }
        var target = reference.startsWith(LOCAL) ? root.at(reference.substring(1)) : root.path(0);
        if (!target.path("properties").isObject()
                || target.path("properties").isEmpty()
                || members + target.path("properties").size() > MEMBERS_MAX) {
            return target.isObject() && !target.has("$ref")
                    ? read(prefix + "Value", target, depth + 1)
                    : StubType.ANY;
        }
        var last = reference.substring(reference.lastIndexOf('/') + 1);
        var own = declare(prefix + Identifiers.typeName(last));
        references.put(reference, own);
        fill(own, target, depth + 1);
        return new StubType.Named(own);
    }

    private static Optional<StubType> literals(List<JsonNode> values) {
        boolean fit =
                !values.isEmpty()
                        && values.size() <= ENUM_MAX
                        && values.stream()
                                .allMatch(value ->
                                        value.isString()
                                                || value.isBoolean()
                                                || value.isNull()
                                                || value.isIntegralNumber());
        return fit ? Optional.of(new Literals(values)) : Optional.empty();
    }

    private StubType union(String name, List<JsonNode> schemas, int depth) {
        if (schemas.isEmpty() || schemas.size() > UNION_MAX) {
            return StubType.ANY;
        }
        return joined(
                schemas.stream().map(each -> read(name, each, depth + 1)).distinct().toList());
    }

    private static StubType joined(List<StubType> types) {
        if (types.isEmpty() || types.contains(StubType.ANY)) {
            return StubType.ANY;
        }
        return types.size() == 1 ? types.getFirst() : new StubType.Union(types);
    }
}
