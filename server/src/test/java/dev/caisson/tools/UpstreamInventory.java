package dev.caisson.tools;

import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.node.ObjectNode;

/// Inventory of tools of other servers, the same in every run: as many as wanted, with names,
/// descriptions and schemas of the usual lengths.
public final class UpstreamInventory {
    private static final List<String> SERVERS =
            List.of(
                    "tickets",
                    "drive",
                    "mail",
                    "calendar",
                    "chat",
                    "wiki",
                    "billing",
                    "crm",
                    "deploy",
                    "monitor",
                    "database",
                    "search_web",
                    "travel",
                    "payroll",
                    "forms",
                    "design");
    private static final List<String> VERBS =
            List.of("get", "list", "create", "update", "delete", "search", "export", "move");
    private static final List<String> NOUNS =
            List.of(
                    "document",
                    "invoice",
                    "folder",
                    "contact",
                    "meeting",
                    "channel",
                    "alert",
                    "branch",
                    "report",
                    "page",
                    "customer",
                    "shipment",
                    "approval",
                    "template",
                    "comment",
                    "dashboard");
    private static final List<String> MEMBERS =
            List.of(
                    "id",
                    "title",
                    "owner",
                    "limit",
                    "cursor",
                    "since",
                    "labels",
                    "status",
                    "body",
                    "parent_id",
                    "recursive",
                    "format");

    private UpstreamInventory() {}

    /// @param count of tools, at most 2,048
    public static List<Tool> of(int count) {
        var random = new Random(508);
        var tools = new ArrayList<Tool>();
        for (int number = 0; number < count; number++) {
            var server = SERVERS.get(number % SERVERS.size());
            var verb = VERBS.get(number / SERVERS.size() % VERBS.size());
            var noun =
                    NOUNS.get(
                            (number / (SERVERS.size() * VERBS.size()) + number * 4) % NOUNS.size());
            tools.add(new Upstream(spec(server, verb, noun, number, random)));
        }
        return tools;
    }

    private record Upstream(ToolSpec spec) implements Tool {
        @Override
        public ToolResult call(Call call, ObjectNode arguments) {
            return ToolResult.text("{\"done\": true}");
        }
    }

    private static ToolSpec spec(
            String server, String verb, String noun, int number, Random random) {
        var name = "%s_%s_%d".formatted(verb, noun, number);
        var effect =
                switch (verb) {
                    case "get", "list", "search", "export" -> ToolEffect.READ;
                    case "delete" -> ToolEffect.DESTROY;
                    default -> ToolEffect.WRITE;
                };
        return ToolSpec.named(
                        server + "__" + name,
                        verb + " " + noun,
                        ("Use this to %s a %s of %s. It needs the right to see the %s. Results come in"
                                        + " pages where there are many; give the cursor of the last one"
                                        + " to go on. Names are compared without regard to case.")
                                .formatted(verb, noun, server, noun))
                .taking(schema(random, noun))
                .from(new ToolOrigin(server, name, name, name, "0a1b2c3d", effect, false))
                .in(Toolset.upstream(server))
                .within(Scope.TOOLS)
                .build();
    }

    private static ObjectNode schema(Random random, String noun) {
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        int members = 3 + random.nextInt(7);
        for (int member = 0; member < members; member++) {
            var name = MEMBERS.get((member * 5 + random.nextInt(2)) % MEMBERS.size());
            if (properties.has(name)) {
                continue;
            }
            properties
                    .putObject(name)
                    .put("type", member % 3 == 2 ? "integer" : "string")
                    .put(
                            "description",
                            "The %s of the %s, as the list of them shows it."
                                    .formatted(name, noun));
        }
        schema.putArray("required").add(properties.propertyNames().iterator().next());
        return schema;
    }
}
