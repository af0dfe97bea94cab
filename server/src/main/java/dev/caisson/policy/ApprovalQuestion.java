package dev.caisson.policy;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.ApprovalNeed;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.call.Call;
import dev.caisson.call.Judgement;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.NestedIn;
import dev.caisson.json.Json;
import dev.caisson.policy.Approval.Bound;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Question to a person: what a call is bound to, and what is shown of it.
record ApprovalQuestion(Bound bound, ObjectNode details, boolean nested) {
    /// How much of the arguments a person is shown, as compact JSON.
    static final int SHOWN_BYTES_MAX = 16 << 10;

    /// @param digest of all arguments, whatever the order of their members
    static ApprovalQuestion of(
            Call call,
            ActionRequest action,
            ApprovalNeed need,
            KeyedDigest digest,
            Approvals.Cleaning cleaning) {
        var origin = action.origin();
        var place = call.notes().nestedIn();
        var caller = call.caller();
        var bound =
                new Bound(
                        place.map(NestedIn::executionId),
                        call.notes().id(),
                        caller.id(),
                        origin.map(ToolOrigin::server).orElse(ToolOrigin.OWN_SERVER),
                        origin.map(ToolOrigin::tool).orElse(action.name()),
                        origin.map(ToolOrigin::definitionHash).orElse(""),
                        digest.of(caller.id(), Json.bytes(ordered(action.arguments()))));
        var details =
                Json.object()
                        .put("caller_name", caller.name())
                        .put("door", call.door().word())
                        .put(
                                "effect",
                                origin.map(ToolOrigin::effect).orElse(ToolEffect.UNKNOWN).word())
                        .put("rule", need.rule())
                        .put("fixed", need.fixed())
                        .put("policy", call.notes().judgement().map(Judgement::policy).orElse(""));
        need.reason().ifPresent(why -> details.put("reason", why));
        place.ifPresent(nested -> details.put("number", nested.number()));
        place.flatMap(NestedIn::at)
                .ifPresent(at ->
                        details.putObject("at").put("file", at.file()).put("line", at.line()));
        show(details, cleaning.of(action.name(), caller.id(), action.arguments()));
        return new ApprovalQuestion(bound, details, place.isPresent());
    }

    private static void show(ObjectNode details, JsonNode arguments) {
        var text = Json.text(arguments);
        if (Json.bytes(arguments).length <= SHOWN_BYTES_MAX) {
            details.set("arguments", arguments);
        } else {
            var most = Math.min(text.length(), SHOWN_BYTES_MAX / 4);
            var end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
            details.put("arguments_start", text.substring(0, end));
        }
    }

    /// With the members of all objects in the order of their names.
    private static JsonNode ordered(JsonNode tree) {
        return switch (tree) {
            case ObjectNode object -> {
                var sorted = new TreeMap<String, JsonNode>();
                object.properties().forEach(each -> sorted.put(each.getKey(), each.getValue()));
                var copy = Json.object();
                sorted.forEach((name, value) -> copy.set(name, ordered(value)));
                yield copy;
            }
            case ArrayNode array -> {
                var copy = Json.array();
                array.forEach(value -> copy.add(ordered(value)));
                yield copy;
            }
            default -> tree;
        };
    }
}
