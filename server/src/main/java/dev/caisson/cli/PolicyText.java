package dev.caisson.cli;

import dev.caisson.json.Json;
import dev.caisson.json.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Text and JSON about the policy. Arguments and names of tools are strangers' text, and are
/// printed so that they control no terminal.
final class PolicyText {
    private PolicyText() {}

    static String json(JsonNode tree) {
        return Printable.json(Json.pretty(tree));
    }

    private static String text(JsonNode node, String member) {
        return Printable.text(node.path(member).asString(""));
    }

    static String rules(JsonNode answer) {
        var table = new TextTable("RULE", "FROM", "DECIDES", "WHEN", "BY", "STATE");
        for (var one : answer.path("rules")) {
            var rule = one.path("rule");
            table.add(
                    text(one, "name"),
                    text(one, "source"),
                    text(rule, "decide"),
                    when(rule.path("when")),
                    text(one, "made_by"),
                    one.path("usable").asBoolean(true) ? "" : "cannot be read");
        }
        return table.text() + System.lineSeparator() + "Version " + text(answer, "version") + ".";
    }

    /// In one line, such as `server=github effect=write,destroy`.
    private static String when(JsonNode when) {
        return when.properties().stream()
                .map(member ->
                        member.getKey()
                                + "="
                                + (member.getValue().isArray()
                                        ? member.getValue()
                                                .valueStream()
                                                .map(JsonNode::asString)
                                                .collect(Collectors.joining(","))
                                        : member.getValue().isString()
                                                ? member.getValue().stringValue()
                                                : Json.text(member.getValue())))
                .map(Printable::text)
                .collect(Collectors.joining(" "));
    }

    private static String decision(JsonNode answer) {
        var word = text(answer, "decision");
        return word.equals("ask") ? "ask, so a person is asked" : word;
    }

    static String explained(JsonNode answer) {
        var lines = new ArrayList<String>();
        lines.add(
                answer.path("decision").isNull()
                        ? "It depends: see the rules marked unknown."
                        : "The call is decided: %s%s."
                                .formatted(
                                        decision(answer),
                                        answer.path("rule").isNull()
                                                ? ""
                                                : ", by the rule " + text(answer, "rule")));
        if (!answer.path("reason").isNull()) {
            lines.add("Reason: " + text(answer, "reason"));
        }
        var table = new TextTable("RULE", "FROM", "DECIDES", "MATCHES", "BECAUSE");
        for (var rule : answer.path("rules")) {
            table.add(
                    (rule.path("decides").asBoolean(false) ? "> " : "  ") + text(rule, "name"),
                    text(rule, "source"),
                    text(rule, "decide"),
                    text(rule, "matches"),
                    Printable.text(joined(rule.path("because"), "; ")));
        }
        lines.add(table.text());
        return String.join(System.lineSeparator(), lines);
    }

    private static String joined(JsonNode list, String between) {
        return list.valueStream().map(JsonNode::asString).collect(Collectors.joining(between));
    }

    static String tested(JsonNode answer) {
        var lines = new ArrayList<String>();
        lines.add(
                "%s%d would be decided otherwise; of %d too little was kept to say."
                        .formatted(
                                reach(answer.path("looked_at")),
                                answer.path("changed").asInt(0),
                                answer.path("undecidable").asInt(0)));
        lines.addAll(judged(answer.path("changes"), "Changes:"));
        lines.addAll(judged(answer.path("undecided"), "Not to say:"));
        if (answer.path("more").asBoolean(false)) {
            lines.add("There are more than are shown.");
        }
        return String.join(System.lineSeparator(), lines);
    }

    private static String reach(JsonNode reach) {
        return "%d recorded calls were looked at%s. "
                .formatted(
                        reach.path("calls").asInt(0),
                        reach.path("complete").asBoolean(false)
                                ? ""
                                : ", back to " + text(reach, "oldest_at") + "; there are more");
    }

    private static List<String> judged(JsonNode groups, String title) {
        if (groups.isEmpty()) {
            return List.of();
        }
        var table = new TextTable("CALLER", "TOOL", "EFFECT", "CALLS", "NOW", "THEN", "LAST CALL");
        for (var group : groups) {
            table.add(
                    Printable.text(group.path("caller_name").asString(text(group, "caller"))),
                    text(group, "tool"),
                    text(group, "effect"),
                    String.valueOf(group.path("calls").asInt(0)),
                    judgement(group.path("now")),
                    judgement(group.path("then")),
                    text(group, "call_id"));
        }
        return List.of(title, table.text());
    }

    private static String judgement(JsonNode judged) {
        return "%s (%s)"
                .formatted(
                        judged.path("decision").asString("it depends"),
                        Printable.text(joined(judged.path("rules"), ", ")));
    }

    /// A file of rules.
    static String suggested(JsonNode answer) {
        var lines = new ArrayList<String>();
        lines.add("# " + reach(answer.path("looked_at")).strip());
        for (var rule : answer.path("rules")) {
            lines.add("- " + Printable.json(Json.text(rule)));
        }
        if (answer.path("rules").isEmpty()) {
            lines.add("# Nothing was used that needs a rule.");
        }
        if (answer.path("more").asBoolean(false)) {
            lines.add("# More rules would be needed than there may be.");
        }
        return String.join(System.lineSeparator(), lines);
    }
}
