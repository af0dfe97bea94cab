package dev.caisson.cli;

import dev.caisson.json.Json;
import dev.caisson.json.Printable;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Text and JSON about upstreams and their tools. What an upstream says is a stranger's text, and
/// is printed so that it controls no terminal.
final class UpstreamText {
    private static final int DESCRIPTION_MAX = 80;

    private UpstreamText() {}

    static ObjectNode tree(UpstreamAdmin.Upstream upstream) {
        var tree =
                Json.object()
                        .put("id", upstream.id())
                        .put("title", upstream.title())
                        .put("origin", upstream.origin())
                        .put("kind", upstream.kind())
                        .put("state", upstream.state())
                        .put("last_error", upstream.lastError().orElse(null))
                        .put("remedy", upstream.remedy().orElse(null));
        var tools = tree.putObject("tools");
        for (var state : List.of("approved", "new", "changed", "removed", "refused")) {
            tools.put(state, upstream.tools(state));
        }
        return tree;
    }

    static ObjectNode tree(UpstreamAdmin.Tool tool) {
        var tree =
                Json.object()
                        .put("name", tool.name())
                        .put("state", tool.state())
                        .put("reason", tool.reason().orElse(null))
                        .put("effect", tool.effect())
                        .put("hash", tool.hash());
        tree.set("definition", tool.definition());
        tool.approved().ifPresent(approved -> tree.set("approved_definition", approved));
        return tree;
    }

    static String json(JsonNode tree) {
        return Printable.json(Json.pretty(tree));
    }

    static String table(List<UpstreamAdmin.Upstream> all) {
        var table =
                new TextTable(
                        "ID", "STATE", "KIND", "FROM", "APPROVED", "WAITING", "REFUSED", "ERROR");
        for (var one : all) {
            table.add(
                    one.id(),
                    one.state(),
                    one.kind(),
                    one.origin(),
                    String.valueOf(one.tools("approved")),
                    String.valueOf(one.waiting()),
                    String.valueOf(one.tools("refused")),
                    Printable.text(one.lastError().orElse("")));
        }
        return table.text();
    }

    static String tools(List<UpstreamAdmin.Tool> all) {
        var table = new TextTable("TOOL", "STATE", "EFFECT", "DESCRIPTION");
        for (var tool : all) {
            table.add(
                    Printable.text(tool.name()),
                    tool.state(),
                    tool.effect(),
                    Printable.text(firstLine(tool.reason().orElse(tool.description()))));
        }
        return table.text();
    }

    private static String firstLine(String description) {
        var line = description.lines().findFirst().orElse("");
        return line.codePointCount(0, line.length()) <= DESCRIPTION_MAX
                ? line
                : line.substring(0, line.offsetByCodePoints(0, DESCRIPTION_MAX - 1)) + "…";
    }

    /// The definition of a tool, against the one that was approved before.
    static String difference(UpstreamAdmin.Tool tool) {
        var now = lines(tool.definition());
        var before = tool.approved().map(UpstreamText::lines).orElse(List.of());
        var text = new ArrayList<String>();
        text.add("%s (%s)".formatted(Printable.text(tool.name()), tool.state()));
        text.addAll(LineDifference.of(before, now));
        return String.join(System.lineSeparator(), text);
    }

    private static List<String> lines(JsonNode definition) {
        return json(definition).lines().toList();
    }
}
