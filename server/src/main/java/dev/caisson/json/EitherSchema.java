package dev.caisson.json;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Object schema that joins the schemas of several results.
final class EitherSchema {
    private static final String PROPERTIES = "properties";

    private final List<ObjectNode> all;

    private EitherSchema(List<ObjectNode> all) {
        this.all = all;
    }

    static ObjectNode of(List<ObjectNode> all) {
        if (all.size() == 1) {
            return all.getFirst();
        }
        var joined = merged(all);
        var either = new EitherSchema(all);
        var branches = joined.putArray("anyOf");
        all.forEach(one -> branches.add(either.branch(one)));
        return joined;
    }

    /// Without saying which members are there together.
    static ObjectNode merged(List<ObjectNode> all) {
        return new EitherSchema(all).joined();
    }

    private ObjectNode joined() {
        var joined = Json.object().put("type", "object");
        var properties = joined.putObject(PROPERTIES);
        names().forEach(name -> properties.set(name, member(name)));
        var required = joined.putArray("required");
        names().stream().filter(this::isRequired).forEach(required::add);
        return joined.put("additionalProperties", false);
    }

    private boolean isRequired(String name) {
        return all.stream()
                .allMatch(one ->
                        one.path("required")
                                .valueStream()
                                .anyMatch(each -> name.equals(each.asString())));
    }

    private SequencedSet<String> names() {
        var names = new LinkedHashSet<String>();
        all.forEach(one -> properties(one).properties().forEach(each -> names.add(each.getKey())));
        return names;
    }

    private Stream<ObjectNode> having(String name) {
        return all.stream()
                .filter(one -> properties(one).has(name))
                .map(one -> property(one, name));
    }

    /// A member that several have: of the types and the words of all. What else they say is in
    /// their branches.
    private ObjectNode member(String name) {
        var forms = having(name).distinct().toList();
        var first = forms.getFirst();
        if (forms.size() == 1) {
            return first;
        }
        var member = Json.object();
        if (first.has("description")) {
            member.set("description", Objects.requireNonNull(first.get("description")));
        }
        for (var keyword : List.of("type", "enum")) {
            if (forms.stream().allMatch(form -> form.has(keyword))) {
                member.set(keyword, union(forms, keyword));
            }
        }
        return member;
    }

    private static JsonNode union(List<ObjectNode> forms, String keyword) {
        var words = new LinkedHashSet<JsonNode>();
        forms.stream()
                .map(form -> form.path(keyword))
                .flatMap(EitherSchema::items)
                .forEach(words::add);
        return words.size() == 1 ? words.getFirst() : Json.array().addAll(words);
    }

    private static Stream<JsonNode> items(JsonNode node) {
        return node.isArray() ? node.valueStream() : Stream.of(node);
    }

    /// One of them, within the whole.
    private ObjectNode branch(ObjectNode one) {
        var branch = Json.object();
        var properties = branch.putObject(PROPERTIES);
        names().stream()
                .filter(name -> properties(one).has(name) && having(name).count() > 1)
                .forEach(name -> properties.set(name, property(one, name)));
        branch.set("required", Objects.requireNonNull(one.get("required")));
        return branch;
    }

    private static ObjectNode property(ObjectNode schema, String name) {
        return (ObjectNode) Objects.requireNonNull(properties(schema).get(name));
    }

    private static ObjectNode properties(ObjectNode schema) {
        return (ObjectNode) Objects.requireNonNull(schema.get(PROPERTIES));
    }
}
