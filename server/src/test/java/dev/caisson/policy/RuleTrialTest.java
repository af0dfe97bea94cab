package dev.caisson.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolEffect;
import dev.caisson.call.Door;
import dev.caisson.call.Judgement;
import dev.caisson.json.Json;
import dev.caisson.json.Records;
import dev.caisson.policy.RuleTrial.Group;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/// Recorded calls are judged by other rules, and rules are made of them.
@Timeout(60)
final class RuleTrialTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final List<PastCall> calls = new ArrayList<>();
    private Optional<Judgement> judgement = Optional.empty();

    private void call(String caller, String tool, ToolEffect effect, String arguments) {
        call(caller, tool, effect, arguments, true);
    }

    /// @param arguments empty where they were not kept
    private void call(
            String caller, String tool, ToolEffect effect, String arguments, boolean made) {
        calls.add(
                new PastCall(
                        "call_" + calls.size(),
                        Optional.empty(),
                        NOW.minusSeconds(calls.size()),
                        new Subject(
                                "key:" + caller,
                                Optional.of(caller),
                                "github",
                                tool,
                                effect,
                                Optional.of(false),
                                Optional.of(Door.MCP),
                                arguments.isEmpty()
                                        ? Optional.empty()
                                        : Optional.of((ObjectNode) Json.parse(arguments))),
                        judgement,
                        made));
    }

    /// In pages of two.
    private CallHistory.Pages history() {
        Iterator<PastCall> all = calls.iterator();
        return () ->
                IntStream.range(0, 2)
                        .boxed()
                        .filter(_ -> all.hasNext())
                        .map(_ -> all.next())
                        .toList();
    }

    private RuleTrial.Report report(String now, String other) {
        var trial = new RuleTrial(RuleSetTest.rules(now), RuleSetTest.rules(other), history());
        while (trial.next()) {
            // One call after the other.
        }
        return trial.report();
    }

    private static String told(Group group) {
        return "%s %s %s -> %s %d %s"
                .formatted(
                        group.last().subject().tool(),
                        group.before().decision().map(Decision::word).orElse("?"),
                        String.join("|", group.before().rules()),
                        group.after().decision().map(Decision::word).orElse("?")
                                + " "
                                + String.join("|", group.after().rules()),
                        group.calls(),
                        group.last().id());
    }

    @Test
    void what_would_change_is_told_by_key_and_tool() {
        call("a", "create", ToolEffect.WRITE, "{}");
        call("a", "create", ToolEffect.WRITE, "{}");
        call("b", "create", ToolEffect.WRITE, "{}");
        call("a", "list", ToolEffect.READ, "{}");
        var report =
                report("", "- {name: a creates, when: {caller: a, tool: create}, decide: allow}");
        assertThat(report.changes())
                .extracting(RuleTrialTest::told)
                .containsExactly("create ask default -> allow a creates 2 call_0");
        assertThat(report.changed()).isEqualTo(2);
        assertThat(report.undecided()).isEmpty();
        assertThat(report.reach().calls()).isEqualTo(4);
        assertThat(report.reach().complete()).isTrue();
        assertThat(report.reach().oldest()).contains(NOW.minusSeconds(3));
    }

    @Test
    void what_needs_arguments_that_were_not_kept_is_undecidable() {
        var other = "- {name: prod, when: {arguments: {required: [prod]}}, decide: deny}";
        call("a", "list", ToolEffect.READ, "");
        call("a", "list", ToolEffect.READ, "{\"prod\":1}");
        var report = report("", other);
        assertThat(report.undecidable()).isEqualTo(1);
        assertThat(report.undecided())
                .extracting(RuleTrialTest::told)
                .containsExactly("list allow default read -> ? prod|default read 1 call_0");
        assertThat(report.changes())
                .extracting(RuleTrialTest::told)
                .containsExactly("list allow default read -> deny prod 1 call_1");
        assertThat(report(other, other).undecidable()).isZero();
        var opposite = "- {name: prod, when: {arguments: {required: [test]}}, decide: deny}";
        assertThat(report(other, opposite).undecidable()).isEqualTo(1);
    }

    @Test
    void rules_in_force_decide_as_they_did() {
        var now = "- {name: prod, when: {arguments: {required: [prod]}}, decide: deny}";
        judgement = Optional.of(new Judgement(RuleSetTest.rules(now).version(), "prod"));
        call("a", "list", ToolEffect.READ, "", false);
        assertThat(report(now, "").changes())
                .extracting(RuleTrialTest::told)
                .containsExactly("list deny prod -> allow default read 1 call_0");
    }

    @Test
    void a_trial_has_an_end() {
        call("a", "create", ToolEffect.WRITE, "{}");
        var one = calls.getFirst();
        var trial =
                new RuleTrial(
                        RuleSetTest.rules(""), RuleSetTest.rules(""), () -> List.of(one, one));
        int steps = 0;
        while (trial.next()) {
            steps++;
        }
        assertThat(steps).isEqualTo(HistoryWalk.CALLS_MAX);
        assertThat(trial.report().reach().calls()).isEqualTo(HistoryWalk.CALLS_MAX);
        assertThat(trial.report().reach().complete()).isFalse();
    }

    @Test
    void only_so_many_kinds_of_changes_are_told_and_all_are_counted() {
        for (int i = 0; i <= RuleTrial.GROUPS_MAX; i++) {
            call("a", "create" + i, ToolEffect.WRITE, "{}");
        }
        var report = report("", "- {name: all, decide: deny}");
        assertThat(report.changes()).hasSize(RuleTrial.GROUPS_MAX);
        assertThat(report.changed()).isEqualTo(RuleTrial.GROUPS_MAX + 1);
        assertThat(report.cut()).isTrue();
        calls.removeLast();
        assertThat(report("", "- {name: all, decide: deny}").cut()).isFalse();
    }

    private AllowList.Suggestion suggestion(boolean refused) {
        var list = new AllowList(history(), refused);
        while (list.next()) {
            // One call after the other.
        }
        return list.suggestion();
    }

    @Test
    void what_was_used_needs_a_rule_for_each_key_and_tool() throws Exception {
        call("a", "create", ToolEffect.WRITE, "{}");
        call("b", "resources/read", ToolEffect.UNKNOWN, "{}");
        call("b", "x".repeat(128), ToolEffect.UNKNOWN, "{}");
        call("a", "create", ToolEffect.WRITE, "{}");
        call("a", "list", ToolEffect.READ, "{}");
        call("a", "drop", ToolEffect.DESTROY, "{}", false);
        var suggested = suggestion(false).rules();
        var text = Json.array();
        suggested.forEach(rule -> text.add(Records.tree(rule)));
        var read = PolicyFile.parse(Json.text(text));
        assertThat(read)
                .extracting(Rule::name)
                .startsWith("used 1: github create", "used 2: github resources read");
        var allowed = new RuleSet(read, List.of(), Decision.ASK);
        var all = calls.stream().filter(PastCall::made).map(PastCall::subject).toList();
        assertThat(all)
                .allMatch(subject ->
                        allowed.evaluate(subject).decision().equals(Optional.of(Decision.ALLOW)));
        assertThat(allowed.evaluate(calls.getLast().subject()).decision()).contains(Decision.ASK);
        assertThat(suggestion(true).rules()).hasSize(4);
    }
}
