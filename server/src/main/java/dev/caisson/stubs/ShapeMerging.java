package dev.caisson.stubs;

import dev.caisson.stubs.ShapeNode.Times;
import dev.caisson.stubs.ShapeNode.ValueType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Merging of one result into a shape. What is too deep, or too much, counts as seen and is not
/// looked into.
final class ShapeMerging {
    static final int DEPTH_MAX = 6;
    static final int PATHS_MAX = 200;

    /// Members of an object, beyond which its names are data.
    static final int MEMBERS_MAX = 64;

    /// Items of a list that are looked at.
    static final int ITEMS_MAX = 100;

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

    private final long number;
    private final List<String> drift = new ArrayList<>();
    private int paths;

    /// @param number of the result, from 1
    /// @param paths there are already
    ShapeMerging(long number, int paths) {
        this.number = number;
        this.paths = paths;
    }

    List<String> drift() {
        return drift.stream().distinct().limit(Shapes.DRIFT_NAMED_MAX).toList();
    }

    ShapeNode of(ShapeNode node, JsonNode value, String path, int depth) {
        var type = ValueType.of(value);
        var types = new EnumMap<ValueType, Times>(ValueType.class);
        types.putAll(node.types());
        var before = types.get(type);
        if (before == null || number - before.last() > Shapes.DRIFT_WINDOW) {
            drift.add((path.isEmpty() ? "result" : path) + ": " + type.word());
        }
        types.put(type, new Times(before == null ? 1 : before.seen() + 1, number));
        var counted = new ShapeNode(types, node.members(), node.items(), node.map());
        if (depth >= DEPTH_MAX) {
            return counted;
        }
        return switch (type) {
            case ARRAY -> list(counted, value, path, depth);
            case OBJECT -> object(counted, value, path, depth);
            case STRING, INTEGER, NUMBER, BOOLEAN, NULL -> counted;
        };
    }

    private ShapeNode list(ShapeNode node, JsonNode value, String path, int depth) {
        var items = node.items();
        for (int index = 0; index < Math.min(value.size(), ITEMS_MAX); index++) {
            items = merged(items, value.get(index), path + "[]", depth);
        }
        return new ShapeNode(node.types(), node.members(), items, node.map());
    }

    private Optional<ShapeNode> merged(
            Optional<ShapeNode> known, JsonNode value, String path, int depth) {
        if (known.isEmpty() && paths >= PATHS_MAX) {
            return known;
        }
        if (known.isEmpty()) {
            paths++;
        }
        return Optional.of(of(known.orElse(ShapeNode.EMPTY), value, path, depth + 1));
    }

    private ShapeNode object(ShapeNode node, JsonNode value, String path, int depth) {
        if (node.map() || namesAreData(node, value)) {
            return map(node, value, path, depth);
        }
        Map<String, ShapeNode> members = new HashMap<>(node.members());
        var before = path.isEmpty() ? "" : path + ".";
        for (var each : value.properties()) {
            var name = each.getKey();
            merged(Optional.ofNullable(members.get(name)), each.getValue(), before + name, depth)
                    .ifPresent(member -> members.put(name, member));
        }
        return new ShapeNode(node.types(), members, node.items(), false);
    }

    private static boolean namesAreData(ShapeNode node, JsonNode value) {
        long added =
                value.properties().stream()
                        .filter(each -> !node.members().containsKey(each.getKey()))
                        .count();
        return node.members().size() + added > MEMBERS_MAX
                || value.properties().stream()
                        .anyMatch(each -> !IDENTIFIER.matcher(each.getKey()).matches());
    }

    /// What was known of single members is forgotten: their names may be data too.
    private ShapeNode map(ShapeNode node, JsonNode value, String path, int depth) {
        var values = node.map() ? node.items() : Optional.<ShapeNode>empty();
        int looked = 0;
        for (var each : value.properties()) {
            if (looked++ >= ITEMS_MAX) {
                break;
            }
            values = merged(values, each.getValue(), path + "{}", depth);
        }
        return new ShapeNode(node.types(), Map.of(), values, true);
    }
}
