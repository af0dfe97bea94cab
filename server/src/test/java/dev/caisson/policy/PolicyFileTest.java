package dev.caisson.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Every member of a rule is read, and every mistake is told at once, with its line.
@Timeout(60)
class PolicyFileTest {
    private static final String WHOLE =
            """
            - name: deletes need a person
              when:
                caller: "agent-*"
                server: github
                tool: "delete_*"
                effect: [write, destroy]
                trust: untrusted
                door: [sandbox, mcp]
                arguments: {properties: {repo: {const: prod}}, required: [repo]}
              decide: ask
              reason: Deletes in prod are seen by a person.
              expires: 1h
              rate: 30/m
              budget: {calls: 500/d, result_bytes: 1GiB/d}
            - {name: all else, decide: deny}
            """;

    private static RuleMistakes mistakes(String text) {
        return catchThrowableOfType(RuleMistakes.class, () -> PolicyFile.parse(text));
    }

    @Test
    void every_member_is_read() throws Exception {
        var rules = PolicyFile.parse(WHOLE);
        assertThat(rules)
                .extracting(Rule::name)
                .containsExactly("deletes need a person", "all else");
        var first = rules.getFirst();
        assertThat(first.when())
                .extracting(Condition::member)
                .containsExactly(
                        "caller", "server", "tool", "effect", "trust", "door", "arguments");
        assertThat(first.decide()).isEqualTo(Decision.ASK);
        assertThat(first.reason()).contains("Deletes in prod are seen by a person.");
        assertThat(first.expires()).contains(Duration.ofHours(1));
        assertThat(first.limits())
                .containsExactly(
                        new UseLimit(UseLimit.Kind.RATE, 30, Period.MINUTE, "30/m"),
                        new UseLimit(UseLimit.Kind.CALLS, 500, Period.DAY, "500/d"),
                        new UseLimit(UseLimit.Kind.RESULT_BYTES, 1L << 30, Period.DAY, "1GiB/d"));
        assertThat(rules.getLast().when()).isEmpty();
    }

    @Test
    void json_is_read_where_yaml_is() throws Exception {
        assertThat(PolicyFile.parse("[{\"name\": \"a\", \"decide\": \"deny\"}]")).hasSize(1);
        assertThat(PolicyFile.parse("")).isEmpty();
        assertThat(PolicyFile.parse("# nothing\n")).isEmpty();
    }

    @Test
    void all_mistakes_are_told_at_once_with_their_lines() {
        var wrong =
                mistakes(
                        """
                        - name: one
                          when:
                            effect: [wreck]
                          decide: allow
                        - name: two
                          decide: deny
                          rate: 30/m
                          expires: 1h
                        - name: two
                          when:
                            tool: "a b"
                            arguments: {type: wrong}
                          decide: allow
                          rate: 30 per minute
                          budget: {calls: 0/d, result_bytes: 1GB}
                        - name: default thing
                          decide: perhaps
                        - just text
                        - {decide: allow, unheard: 1, name: four}
                        - name: default five
                          decide: ask
                          expires: 99d
                        """);
        assertThat(wrong.each())
                .anyMatch(one -> one.startsWith("Line 3: one: when.effect"))
                .anyMatch(one -> one.startsWith("Line 5: two: rate and budget have no meaning"))
                .anyMatch(one -> one.startsWith("Line 8: two: expires has a meaning with ask"))
                .anyMatch(one -> one.startsWith("Line 11: two: when.tool is no pattern"))
                .anyMatch(
                        one -> one.startsWith("Line 12: two: when.arguments has \"wrong\", which"))
                .anyMatch(one -> one.startsWith("Line 14: two: rate is no amount"))
                .anyMatch(one -> one.startsWith("Line 15: two: budget.calls"))
                .anyMatch(one -> one.startsWith("Line 15: two: budget.result_bytes"))
                .anyMatch(one -> one.startsWith("Line 17: default thing: decide"))
                .anyMatch(one -> one.startsWith("Line 18: Rule 5: The rule"))
                .anyMatch(one -> one.startsWith("Line 19: four:"))
                .anyMatch(one -> one.startsWith("Line 20: default five: name begins with default"))
                .anyMatch(one -> one.startsWith("Line 22: default five: expires is no time"));
    }

    /// A schema with a slip of the pen would match everything, or nothing.
    @Test
    void conditions_on_arguments_assert_what_they_say() throws Exception {
        for (var wrong :
                new String[] {
                    "{propertes: {a: {}}}",
                    "{properties: {a: {enums: [1]}}}",
                    "{anyOf: [{requires: [a]}]}",
                    "{type: [string, text]}",
                    "{format: email}",
                    "{$ref: \"https://example.org/x\"}"
                }) {
            assertThat(mistakes("- {name: a, when: {arguments: " + wrong + "}, decide: deny}"))
                    .as(wrong)
                    .isNotNull();
        }
        var right = "{type: object, properties: {enums: {not: {enum: [x]}}}, minProperties: 1}";
        assertThat(PolicyFile.parse("- {name: a, when: {arguments: " + right + "}, decide: deny}"))
                .hasSize(1);
    }

    @Test
    void a_name_stands_once() {
        assertThat(mistakes("- {name: a, decide: deny}\n- {name: a, decide: allow}\n").sentences())
                .isEqualTo(
                        "Line 2: a: name is that of another rule. Write one that no other rule has.");
    }

    @Test
    void what_is_no_list_of_rules_is_told() {
        assertThat(mistakes("a: {decide: deny}").sentences()).contains("not a list of rules");
        assertThat(mistakes("- {name: a\n- b: [").sentences()).contains("not valid YAML in line");
        assertThat(mistakes("- {name: a, name: b, decide: deny}").sentences())
                .contains("may stand once");
    }

    @Test
    void there_are_so_many_rules_and_no_more() throws Exception {
        assertThat(PolicyFile.parse(many(PolicyFile.RULES_MAX))).hasSize(PolicyFile.RULES_MAX);
        assertThat(mistakes(many(PolicyFile.RULES_MAX + 1)).sentences())
                .contains("more than 500 rules");
    }

    private static String many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "- {name: r" + i + ", decide: deny}\n")
                .collect(Collectors.joining());
    }

    @Test
    void a_rule_is_so_large_and_no_larger() throws Exception {
        assertThat(PolicyFile.parse(sized(0))).hasSize(1);
        assertThat(mistakes(sized(1)).sentences()).contains("larger than 16384 bytes");
    }

    /// A rule of the greatest size and so many bytes.
    private static String sized(int more) {
        var frame =
                "{\"name\":\"a\",\"when\":{\"arguments\":{\"const\":\"\"}},\"decide\":\"deny\"}"
                        .length();
        return "[{\"name\":\"a\",\"when\":{\"arguments\":{\"const\":\"%s\"}},\"decide\":\"deny\"}]"
                .formatted("x".repeat(RuleReader.RULE_BYTES_MAX - frame + more));
    }

    @Test
    void names_are_short_and_plain() throws Exception {
        assertThat(PolicyFile.parse("- {name: " + "n".repeat(80) + ", decide: deny}")).hasSize(1);
        for (var name : new String[] {"n".repeat(81), "\"\"", "\"a\\tb\"", "a/b", "é"}) {
            assertThat(mistakes("- {name: " + name + ", decide: deny}")).as(name).isNotNull();
        }
    }

    @Test
    void a_file_is_so_large_and_no_larger(@TempDir Path directory) throws Exception {
        var file = directory.resolve("policy.yaml");
        var rule = "- {name: a, decide: deny}\n#";
        Files.writeString(file, rule + "x".repeat(PolicyFile.BYTES_MAX - rule.length()));
        assertThat(PolicyFile.read(file)).hasSize(1);
        Files.writeString(file, rule + "x".repeat(PolicyFile.BYTES_MAX - rule.length() + 1));
        assertThatThrownBy(() -> PolicyFile.read(file)).hasMessageContaining("is larger than");
        assertThatThrownBy(() -> PolicyFile.read(directory.resolve("none")))
                .hasMessageContaining("cannot be read");
    }

    /// Anchors are not written out, so that a short file stays short.
    @Test
    void a_file_does_not_grow_by_its_anchors() {
        var text = new StringBuilder("- &a0 {name: a, decide: deny}\n");
        for (int i = 1; i < 40; i++) {
            text.append("- &a%d [*a%d, *a%d]\n".formatted(i, i - 1, i - 1));
        }
        assertThat(mistakes(text.toString()).each()).hasSizeGreaterThan(10);
    }
}
