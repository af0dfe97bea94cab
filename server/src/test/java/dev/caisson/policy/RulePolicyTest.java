package dev.caisson.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.broker.Broker;
import dev.caisson.broker.CallPolicy.Outlook;
import dev.caisson.broker.CallPolicy.Verdict;
import dev.caisson.broker.CallRules;
import dev.caisson.broker.Consent;
import dev.caisson.broker.RecordedCall;
import dev.caisson.broker.Recording;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolList;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolResult;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Judgement;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;
import dev.caisson.json.Json;
import dev.caisson.redact.Redaction;
import dev.caisson.store.StoreTestCase;
import dev.caisson.telemetry.Metrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/// Calls are made, denied and counted as the rules say, and the record says by which.
@Timeout(60)
final class RulePolicyTest extends StoreTestCase {
    private static final Caller ANNA = new Caller("key:a", "anna", Set.of(), Set.of());
    private static final Caller BERT = new Caller("key:b", "bert", Set.of(), Set.of());

    private final List<RecordedCall> recorded = new ArrayList<>();
    private final List<String> called = new ArrayList<>();
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-03-01T12:00:10Z"));
    private final Clock clock =
            new Clock() {
                @Override
                public ZoneOffset getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(java.time.ZoneId zone) {
                    return this;
                }

                @Override
                public Instant instant() {
                    return now.get();
                }
            };
    private Broker broker;

    @BeforeEach
    void open() throws Exception {
        start("");
    }

    /// As after a restart.
    private Rules start(String file) throws RuleMistakes {
        var rules = new Rules(store, clock, Decision.ASK);
        rules.take(PolicyFile.parse(file));
        var policy = new RulePolicy(rules, store, clock);
        broker =
                new Broker(
                        Broker.Sources.ofTools(
                                new ToolList(
                                        Arrays.stream(ToolEffect.values())
                                                .map(effect -> new Upstream(effect, called))
                                                .toList(),
                                        new Changes())),
                        new CallRules(policy, Consent.NOBODY),
                        new Changes(),
                        new Recording(
                                policy.counting(call -> {
                                    synchronized (recorded) {
                                        recorded.add(call);
                                    }
                                }),
                                new Metrics(),
                                InstantSource.system().withZone(ZoneOffset.UTC)),
                        Redaction.standard());
        return rules;
    }

    /// Tool of another server; its results have 100 bytes.
    private record Upstream(ToolEffect effect, List<String> called) implements Tool {
        @Override
        public ToolSpec spec() {
            var name = "do_" + effect.word();
            return ToolSpec.named("up__" + name, name, "Does.")
                    .from(new ToolOrigin("up", name, name, name, "0a", effect, false))
                    .taking(
                            (ObjectNode)
                                    Json.parse(
                                            """
                                            {"type":"object","properties":{"repo":{"type":"string"}}}
                                            """))
                    .in("up_up")
                    .build();
        }

        @Override
        public ToolResult call(Call call, ObjectNode arguments) {
            synchronized (called) {
                called.add(effect.word());
            }
            return ToolResult.text("r".repeat(100));
        }
    }

    private void call(Caller caller, String effect) throws InterruptedException {
        broker.call(FakeCall.by(caller), "up__do_" + effect, Json.object());
    }

    private Refusal refused(Caller caller, String effect, ObjectNode arguments) {
        return catchThrowableOfType(
                Refusal.class,
                () -> broker.call(FakeCall.by(caller), "up__do_" + effect, arguments));
    }

    private Refusal refused(Caller caller, String effect) {
        return refused(caller, effect, Json.object());
    }

    @Test
    void a_tool_that_changes_nothing_may_be_called() throws Exception {
        call(ANNA, "read");
        assertThat(called).containsExactly("read");
        assertThat(recorded.getFirst().tool()).isEqualTo("up/do_read");
        assertThat(recorded.getFirst().notes().judgement().map(Judgement::rule))
                .contains("default read");
    }

    @Test
    void a_tool_that_may_change_something_is_not_called_where_nobody_can_be_asked() {
        for (var effect : List.of(ToolEffect.WRITE, ToolEffect.DESTROY, ToolEffect.UNKNOWN)) {
            var name = "do_" + effect.word();
            var refusal = refused(ANNA, effect.word());
            assertThat(refusal.reason()).isEqualTo(Reason.DENIED);
            assertThat(refusal.type()).isEqualTo(ToolErrorType.DENIED);
            assertThat(refusal.isRetryable()).isFalse();
            assertThat(refusal.sentence())
                    .startsWith("up/" + name + " may not be called")
                    .contains("by the rule default", "a person must approve it");
            assertThat(recorded.getLast().tool()).isEqualTo("up/" + name);
            assertThat(recorded.getLast().status()).isEqualTo("refused:denied");
        }
        assertThat(called).isEmpty();
    }

    @Test
    void a_rule_allows_and_another_denies_with_its_name_and_reason() throws Exception {
        var rules =
                start(
                        """
                        - name: no prod
                          when: {arguments: {properties: {repo: {const: prod}}, required: [repo]}}
                          decide: deny
                          reason: Prod is for people.
                        - {name: ask me, when: {tool: do_destroy}, decide: ask, expires: 1h}
                        - {name: may write, when: {caller: anna, effect: [write]}, decide: allow}
                        """);
        call(ANNA, "write");
        assertThat(recorded.getLast().notes().judgement())
                .contains(new Judgement(rules.now().version(), "may write"));
        assertThat(refused(BERT, "write").details()).containsEntry("rule", "default");
        var prod = refused(ANNA, "write", Json.object().put("repo", "prod"));
        assertThat(prod.sentence())
                .isEqualTo(
                        "up/do_write may not be called: the rule no prod of the policy denies it,"
                                + " because: Prod is for people. An operator can change the"
                                + " policy.");
        assertThat(recorded.getLast().notes().judgement().map(Judgement::rule)).contains("no prod");
        assertThat(refused(ANNA, "destroy").sentence())
                .contains(
                        "by the rule ask me", "a person must approve it, and nobody can be asked");
        assertThat(called).containsExactly("write");
    }

    @Test
    void a_tool_is_found_with_what_the_policy_says_of_it() throws Exception {
        for (var spec : broker.callable(ANNA)) {
            var read = spec.effectiveOrigin().effect() == ToolEffect.READ;
            assertThat(broker.outlook(ANNA, spec).verdict())
                    .isEqualTo(read ? Verdict.ALLOW : Verdict.ASK);
        }
        var own = ToolSpec.of("own", "Own", "Does.", ToolSpec.noArguments());
        assertThat(broker.outlook(ANNA, own).verdict()).isEqualTo(Verdict.ALLOW);
        start(
                """
                - {name: a, when: {tool: do_read, door: [sandbox]}, decide: deny}
                - {name: b, when: {tool: do_write, arguments: {required: [repo]}}, decide: allow}
                - {name: c, when: {tool: do_destroy}, decide: allow}
                """);
        var verdicts =
                broker.callable(ANNA).stream()
                        .map(spec ->
                                spec.effectiveOrigin().tool()
                                        + " "
                                        + broker.outlook(ANNA, spec).verdict());
        assertThat(verdicts)
                .containsExactlyInAnyOrder(
                        "do_read DEPENDS",
                        "do_write DEPENDS",
                        "do_destroy ALLOW",
                        "do_unknown ASK");
        var reading =
                broker.callable(ANNA).stream()
                        .filter(spec -> spec.effectiveOrigin().tool().equals("do_read"))
                        .findFirst()
                        .orElseThrow();
        assertThat(broker.outlook(ANNA, reading))
                .isEqualTo(
                        new Outlook(
                                Verdict.DEPENDS,
                                Optional.of("a or default read"),
                                Optional.of("the door")));
    }

    private static final String RATE =
            "- {name: slowly, when: {server: up}, decide: allow, rate: 3/m}";

    @Test
    void a_rate_is_of_each_key_and_over_when_its_minute_is() throws Exception {
        start(RATE);
        for (int i = 0; i < 3; i++) {
            call(ANNA, "write");
        }
        var refusal = refused(ANNA, "write");
        assertThat(refusal.type()).isEqualTo(ToolErrorType.RATE_LIMIT);
        assertThat(refusal.isRetryable()).isTrue();
        assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(50));
        assertThat(refusal.sentence()).contains("the rule slowly", "(3/m)", "in 50 s");
        call(BERT, "write");
        now.set(Instant.parse("2026-03-01T12:01:00Z"));
        call(ANNA, "write");
    }

    @Test
    void what_was_counted_outlives_the_server() throws Exception {
        start(RATE);
        call(ANNA, "write");
        call(ANNA, "write");
        start(RATE);
        call(ANNA, "write");
        assertThat(refused(ANNA, "write").type()).isEqualTo(ToolErrorType.RATE_LIMIT);
        start(RATE);
        assertThat(refused(ANNA, "write").type()).isEqualTo(ToolErrorType.RATE_LIMIT);
        now.set(Instant.parse("2026-03-01T12:01:00Z"));
        start(RATE);
        call(ANNA, "write");
    }

    @Test
    void a_budget_of_calls_is_of_a_day() throws Exception {
        start("- {name: few, when: {server: up}, decide: allow, budget: {calls: 2/d}}");
        call(ANNA, "write");
        now.set(Instant.parse("2026-03-01T23:59:59Z"));
        call(ANNA, "write");
        var refusal = refused(ANNA, "write");
        assertThat(refusal.type()).isEqualTo(ToolErrorType.BUDGET);
        assertThat(refusal.isRetryable()).isFalse();
        assertThat(refusal.sentence())
                .contains("budget of calls", "the rule few", "2026-03-02T00:00:00Z");
        now.set(Instant.parse("2026-03-02T00:00:00Z"));
        call(ANNA, "write");
    }

    @Test
    void a_budget_of_bytes_counts_results() throws Exception {
        var file =
                "- {name: short, when: {server: up}, decide: allow, budget: {result_bytes: 150B/h}}";
        start(file);
        call(ANNA, "write");
        start(file);
        call(ANNA, "write");
        assertThat(refused(ANNA, "write").sentence()).contains("budget of result bytes");
        assertThat(called).hasSize(2);
    }

    /// Not one call more, however many come at once.
    @Test
    void a_rate_is_exact() throws Exception {
        start(
                "- {name: few, when: {server: up}, decide: allow, rate: 20/m, budget: {calls: 90/d}}");
        var refusals = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 60; i++) {
                threads.execute(() -> {
                    try {
                        call(ANNA, "write");
                    } catch (Refusal _) {
                        refusals.incrementAndGet();
                    } catch (InterruptedException failure) {
                        throw new AssertionError(failure);
                    }
                });
            }
        }
        assertThat(called).hasSize(20);
        assertThat(refusals).hasValue(40);
        start(
                "- {name: few, when: {server: up}, decide: allow, rate: 21/m, budget: {calls: 90/d}}");
        call(ANNA, "write");
        assertThat(refused(ANNA, "write").type()).isEqualTo(ToolErrorType.RATE_LIMIT);
    }

    @Test
    void a_call_that_is_denied_is_not_counted() throws Exception {
        start(RATE + "\n- {name: other, decide: deny}");
        for (int i = 0; i < 5; i++) {
            assertThat(refused(ANNA, "write", Json.object().put("repo", 1)).reason())
                    .isEqualTo(Reason.INVALID_ARGUMENT);
        }
        call(ANNA, "write");
    }

    @Test
    void arguments_that_take_too_much_effort_pass_no_rule() throws Exception {
        start(
                """
                - name: slow
                  when: {arguments: {properties: {repo: {pattern: "^(a+)+$"}}, required: [repo]}}
                  decide: deny
                - {name: rest, decide: allow}
                """);
        var refusal = refused(ANNA, "write", Json.object().put("repo", "a".repeat(5_000) + "b"));
        assertThat(refusal.reason()).isEqualTo(Reason.DENIED);
        assertThat(refusal.sentence()).contains("too much effort to judge by the rule slow");
        assertThat(called).isEmpty();
    }

    @Test
    void old_counters_go() throws Exception {
        start(RATE);
        call(ANNA, "write");
        var policy = new RulePolicy(new Rules(store, clock, Decision.ASK), store, clock);
        assertThat(policy.sweep()).isZero();
        now.set(Instant.parse("2026-03-04T12:00:00Z"));
        assertThat(policy.sweep()).isEqualTo(1);
    }
}
