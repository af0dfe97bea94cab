package dev.caisson.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolEffect;
import dev.caisson.call.Door;
import dev.caisson.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/// The first rule that matches decides, and every member of a rule must match.
@Timeout(60)
class RuleSetTest {
    static RuleSet rules(String yaml) {
        return rules(yaml, Decision.ASK);
    }

    private static RuleSet rules(String yaml, Decision rest) {
        return new RuleSet(parsed(yaml), List.of(), rest);
    }

    private static List<Rule> parsed(String yaml) {
        try {
            return PolicyFile.parse(yaml);
        } catch (RuleMistakes wrong) {
            throw new AssertionError(wrong);
        }
    }

    private static Subject call(ToolEffect effect, String arguments) {
        return new Subject(
                "key:k1",
                Optional.of("agent-1"),
                "my_notes",
                "delete_issue",
                effect,
                Optional.of(false),
                Optional.of(Door.MCP),
                Optional.of((ObjectNode) Json.parse(arguments)));
    }

    private static final Subject CALL = call(ToolEffect.DESTROY, "{\"repo\":\"prod\"}");

    private static String decides(RuleSet rules, Subject subject) {
        return rules.evaluate(subject).deciding().orElseThrow().rule().name();
    }

    @Test
    void each_member_must_match() {
        var matching =
                Map.ofEntries(
                        Map.entry("caller: agent-1", true),
                        Map.entry("caller: \"agent-?\"", true),
                        Map.entry("caller: k1", true),
                        Map.entry("caller: \"key:k1\"", true),
                        Map.entry("caller: other", false),
                        Map.entry("server: my-notes", true),
                        Map.entry("server: \"my_*\"", true),
                        Map.entry("server: notes", false),
                        Map.entry("tool: \"delete_*\"", true),
                        Map.entry("tool: delete", false),
                        Map.entry("effect: [write, destroy]", true),
                        Map.entry("effect: [read]", false),
                        Map.entry("trust: untrusted", true),
                        Map.entry("trust: trusted", false),
                        Map.entry("door: [mcp]", true),
                        Map.entry("door: [sandbox, rest]", false),
                        Map.entry("arguments: {properties: {repo: {const: prod}}}", true),
                        Map.entry("arguments: {properties: {repo: {const: test}}}", false),
                        Map.entry("{caller: agent-1, tool: delete_issue}", true),
                        Map.entry("{caller: agent-1, tool: create_issue}", false));
        matching.forEach((when, matches) -> {
            var text = when.startsWith("{") ? when : "{" + when + "}";
            var rules = rules("- {name: it, when: " + text + ", decide: deny}");
            assertThat(decides(rules, CALL)).as(when).isEqualTo(matches ? "it" : "default");
        });
        assertThat(matching).hasSize(20);
    }

    @Test
    void a_server_that_begins_with_a_digit_is_named_as_in_its_file() {
        var call =
                new Subject(
                        "a",
                        Optional.empty(),
                        "t_1weather",
                        "forecast",
                        ToolEffect.READ,
                        Optional.of(true),
                        Optional.empty(),
                        Optional.empty());
        assertThat(decides(rules("- {name: it, when: {server: 1weather}, decide: deny}"), call))
                .isEqualTo("it");
    }

    @Test
    void the_first_that_matches_decides() {
        var text =
                """
                - {name: a, when: {tool: other}, decide: allow}
                - {name: b, when: {tool: "delete_*"}, decide: deny}
                - {name: c, decide: allow}
                """;
        assertThat(decides(rules(text), CALL)).isEqualTo("b");
        var both = new RuleSet(parsed(text), parsed("- {name: d, decide: allow}"), Decision.DENY);
        assertThat(both.rules())
                .extracting(one -> one.source().word() + " " + one.rule().name())
                .containsExactly(
                        "file a",
                        "file b",
                        "file c",
                        "database d",
                        "default default own",
                        "default default read",
                        "default default");
    }

    @Test
    void without_rules_own_tools_and_tools_that_read_are_allowed() {
        for (var rest : Decision.values()) {
            var rules = rules("", rest);
            for (var effect : ToolEffect.values()) {
                var decided = rules.evaluate(call(effect, "{}")).decision().orElseThrow();
                assertThat(decided).isEqualTo(effect == ToolEffect.READ ? Decision.ALLOW : rest);
                var own =
                        new Subject(
                                "a",
                                Optional.of("a"),
                                "caisson",
                                "sandbox_execute",
                                effect,
                                Optional.of(true),
                                Optional.of(Door.REST),
                                Optional.empty());
                assertThat(rules.evaluate(own).decision()).contains(Decision.ALLOW);
            }
        }
    }

    @Test
    void what_is_not_known_is_not_guessed() {
        var rules =
                rules(
                        """
                        - name: prod
                          when: {arguments: {properties: {repo: {const: prod}}, required: [repo]}}
                          decide: deny
                        - {name: programs, when: {door: [sandbox]}, decide: deny}
                        - {name: rest, decide: allow}
                        """);
        var early =
                new Subject(
                        "key:k1",
                        Optional.of("agent-1"),
                        "my_notes",
                        "delete_issue",
                        ToolEffect.DESTROY,
                        Optional.of(false),
                        Optional.empty(),
                        Optional.empty());
        assertThat(rules.evaluate(early).possible())
                .extracting(one -> one.rule().name())
                .containsExactly("prod", "programs", "rest");
        assertThat(rules.evaluate(early).decision()).isEmpty();
        assertThat(decides(rules, CALL)).isEqualTo("prod");
        assertThat(decides(rules, call(ToolEffect.WRITE, "{}"))).isEqualTo("rest");
    }

    @Test
    void every_rule_is_explained() {
        var rules =
                rules(
                        """
                        - {name: a, when: {tool: other, door: [rest]}, decide: allow}
                        - {name: b, when: {tool: "delete_*"}, decide: deny}
                        - {name: c, when: {arguments: {required: [x]}}, decide: allow}
                        """);
        var explained = rules.explain(CALL).rules();
        assertThat(explained)
                .extracting(ExplainedRule::match)
                .startsWith(Match.NO, Match.YES, Match.NO)
                .hasSize(6);
        assertThat(explained.getFirst().because())
                .containsExactly("tool is not other", "door is not rest");
        assertThat(explained.get(2).because())
                .containsExactly("arguments do not conform to the schema");
        assertThat(explained.stream().filter(ExplainedRule::decides))
                .extracting(one -> one.placed().rule().name())
                .containsExactly("b");
    }

    @Test
    void the_version_tells_other_rules_apart_and_equal_ones_not() {
        var text = "- {name: a, when: {tool: x}, decide: deny}";
        assertThat(rules(text).version())
                .isEqualTo(
                        rules(
                                        "[{\"name\": \"a\", \"decide\": \"deny\", \"when\": {\"tool\": \"x\"}}]")
                                .version())
                .matches("[0-9a-f]{16}")
                .isNotEqualTo(rules(text, Decision.DENY).version())
                .isNotEqualTo(rules(text.replace("x", "y")).version());
    }

    /// An expression that needs more time than there is denies what it was to judge: who writes the
    /// arguments must not choose the rule.
    @Test
    void explosive_arguments_are_not_judged_for_long_and_pass_no_rule() {
        var rules =
                rules(
                        """
                        - name: slow
                          when: {arguments: {properties: {text: {pattern: "^(a+)+$"}}, required: [text]}}
                          decide: deny
                        - {name: rest, decide: allow}
                        """);
        assertThat(decides(rules, call(ToolEffect.WRITE, "{\"text\":\"b\"}"))).isEqualTo("rest");
        var hostile = call(ToolEffect.WRITE, "{\"text\":\"" + "a".repeat(5_000) + "b\"}");
        assertThat(rules.evaluate(hostile).deciding()).isEmpty();
        assertThat(rules.evaluate(hostile).possible().getFirst().rule().name()).isEqualTo("slow");
    }

    /// The greatest number of rules whose patterns just stay within their own effort.
    @Test
    void many_slow_rules_together_are_bounded() {
        var text =
                IntStream.range(0, PolicyFile.RULES_MAX)
                        .mapToObj(i ->
                                """
                                - name: r%d
                                  when: {arguments: {properties: {text: {pattern: "(?:a?){60}c%d$"}}, required: [text]}}
                                  decide: allow
                                """
                                        .formatted(i, i))
                        .collect(Collectors.joining());
        var rules = rules(text);
        var hostile = call(ToolEffect.WRITE, "{\"text\":\"" + "a".repeat(1 << 20) + "\"}");
        assertThat(rules.evaluate(hostile).possible()).hasSize(PolicyFile.RULES_MAX + 1);
    }

    @Test
    void globs_are_linear() {
        var rules = rules("- {name: g, when: {tool: \"" + "*a".repeat(100) + "\"}, decide: deny}");
        var tool = "a".repeat(128);
        var call =
                new Subject(
                        "k",
                        Optional.of("n".repeat(100)),
                        "s",
                        tool + "b",
                        ToolEffect.WRITE,
                        Optional.of(false),
                        Optional.of(Door.MCP),
                        Optional.empty());
        for (int i = 0; i < 10_000; i++) {
            assertThat(decides(rules, call)).isEqualTo("default");
        }
    }
}
