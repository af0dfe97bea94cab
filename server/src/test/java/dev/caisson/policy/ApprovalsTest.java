package dev.caisson.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.ApprovalNeed;
import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.call.Call;
import dev.caisson.call.CallNotes;
import dev.caisson.call.Caller;
import dev.caisson.call.ClientMessages;
import dev.caisson.call.Conversation;
import dev.caisson.call.Door;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.NestedIn;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ReplyMode;
import dev.caisson.call.Scope;
import dev.caisson.call.ToolErrorType;
import dev.caisson.call.TraceContext;
import dev.caisson.json.Json;
import dev.caisson.policy.Approval.State;
import dev.caisson.policy.ApprovalDesk.Decision;
import dev.caisson.store.StoreTestCase;
import dev.caisson.workflow.StoredProcesses;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/// Calls are approved, denied, given up and forgotten; each is decided on once.
@Timeout(60)
final class ApprovalsTest extends StoreTestCase {
    private static final Caller AGENT = new Caller("key:a", "agent", Set.of(), Set.of());
    private static final Caller OTHER = new Caller("key:b", "other", Set.of(), Set.of());
    private static final Caller ANNA = new Caller("key:c", "anna", Set.of(Scope.APPROVE), Set.of());
    private static final Caller ADMIN =
            new Caller("key:d", "eve", Set.of(Scope.APPROVE, Scope.ADMIN), Set.of());
    private static final ApprovalNeed NEED =
            new ApprovalNeed("rule", false, Optional.of("Why."), Optional.empty());
    private static final Decision ONCE = approving(Approval.Scope.ONCE);

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
    private final Clock clock =
            new Clock() {
                @Override
                public ZoneOffset getZone() {
                    return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    return this;
                }

                @Override
                public Instant instant() {
                    return now.get();
                }
            };
    private volatile String definition = "0a";
    private Rules rules;
    private ApprovalStore approvals;
    private Approvals consent;
    private ApprovalDesk desk;
    private int runs;

    @BeforeEach
    void open() {
        rules = new Rules(store, clock, dev.caisson.policy.Decision.ASK);
        approvals = new ApprovalStore(store, new StoredProcesses(store, clock), clock);
        consent = waiting(Duration.ZERO);
        desk = new ApprovalDesk(approvals, rules, bound -> bound.definition().equals(definition));
    }

    private Approvals waiting(Duration wait) {
        return new Approvals(
                approvals,
                new ApprovalSettings(wait, Duration.ofHours(24)),
                clock,
                new KeyedDigest("k".repeat(32).getBytes(StandardCharsets.UTF_8)),
                (_, _, arguments) -> arguments,
                bound -> bound.definition().equals(definition));
    }

    private static Decision approving(Approval.Scope scope) {
        return new Decision(true, scope, false, Optional.empty());
    }

    private static Decision denying(String why) {
        return new Decision(false, Approval.Scope.ONCE, false, Optional.of(why));
    }

    private static Call direct(Caller caller) {
        return Call.of(caller, Door.REST, TraceContext.fresh());
    }

    private static Call nested(String execution, long number) {
        return new Call(
                AGENT,
                Door.SANDBOX,
                TraceContext.fresh(),
                ReplyMode.INLINE,
                Set.of(),
                CallNotes.nestedIn(new NestedIn(execution, number)),
                ClientMessages.NONE,
                Conversation.NONE);
    }

    private ActionRequest create(String arguments) {
        return new ActionRequest(
                "github/create",
                (ObjectNode) Json.parse(arguments),
                true,
                Optional.of(
                        new ToolOrigin(
                                "github",
                                "create",
                                "create",
                                "create",
                                definition,
                                ToolEffect.WRITE,
                                false)));
    }

    private Refusal refused(Call call, String arguments) {
        return catchThrowableOfType(
                Refusal.class, () -> consent.obtain(call, create(arguments), NEED));
    }

    private Approval only() {
        var pending = desk.list(ANNA, true, "", 10);
        assertThat(pending).hasSize(1);
        return pending.getFirst();
    }

    @Test
    void an_approval_that_comes_later_is_used_up_by_the_next_equal_call() throws Exception {
        var waits = refused(direct(AGENT), "{\"a\":1,\"b\":2}");
        assertThat(waits.reason()).isEqualTo(Reason.WAITING_APPROVAL);
        assertThat(waits.isRetryable()).isTrue();
        assertThat(waits.details()).containsEntry("approval_id", only().id());
        assertThat(refused(direct(AGENT), "{\"b\":2,\"a\":1}").details())
                .containsEntry("approval_id", only().id());

        desk.decide(ANNA, only().id(), ONCE);
        assertThat(refused(direct(OTHER), "{\"a\":1,\"b\":2}").reason())
                .isEqualTo(Reason.WAITING_APPROVAL);
        assertThat(refused(direct(AGENT), "{\"a\":1,\"b\":3}").reason())
                .isEqualTo(Reason.WAITING_APPROVAL);
        var call = direct(AGENT);
        consent.obtain(call, create("{\"b\":2,\"a\":1}"), NEED);
        assertThat(call.notes().approval()).contains("approved");
        assertThat(refused(direct(AGENT), "{\"a\":1,\"b\":2}").reason())
                .isEqualTo(Reason.WAITING_APPROVAL);
    }

    @Test
    void of_equal_calls_one_is_made_by_an_approval() throws Exception {
        refused(direct(AGENT), "{}");
        desk.decide(ANNA, only().id(), ONCE);
        var made = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                threads.execute(() -> {
                    try {
                        consent.obtain(direct(AGENT), create("{}"), NEED);
                        made.incrementAndGet();
                    } catch (Refusal waits) {
                        assertThat(waits.reason()).isEqualTo(Reason.WAITING_APPROVAL);
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
        }
        assertThat(made).hasValue(1);
    }

    @Test
    void a_decision_is_kept_for_ten_minutes() throws Exception {
        refused(direct(AGENT), "{}");
        var id = only().id();
        desk.decide(ANNA, id, ONCE);
        now.set(now.get().plus(Approvals.KEPT));
        consent.obtain(direct(AGENT), create("{}"), NEED);
        refused(direct(AGENT), "{}");
        desk.decide(ANNA, only().id(), ONCE);
        now.set(now.get().plus(Approvals.KEPT).plusMillis(1));
        assertThat(refused(direct(AGENT), "{}").reason()).isEqualTo(Reason.WAITING_APPROVAL);
    }

    @Test
    void a_denial_is_told_once_with_its_reason() {
        refused(direct(AGENT), "{}");
        desk.decide(ANNA, only().id(), denying("Not today."));
        var denied = refused(direct(AGENT), "{}");
        assertThat(denied.type()).isEqualTo(ToolErrorType.APPROVAL_DENIED);
        assertThat(denied.sentence()).contains("because: Not today.");
        assertThat(refused(direct(AGENT), "{}").reason()).isEqualTo(Reason.WAITING_APPROVAL);
    }

    @Test
    void each_is_decided_on_once_whoever_comes_first() throws Exception {
        refused(direct(AGENT), "{}");
        var id = only().id();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    threads.invokeAll(
                            Collections.nCopies(
                                    8,
                                    () -> {
                                        try {
                                            return desk.decide(ANNA, id, ONCE).state();
                                        } catch (Refusal late) {
                                            assertThat(late.reason()).isEqualTo(Reason.CONFLICT);
                                            return State.PENDING;
                                        }
                                    }));
            long first = 0;
            for (var one : all) {
                first += one.get() == State.APPROVED ? 1 : 0;
            }
            assertThat(first).isEqualTo(1);
        }
        assertThatThrownBy(() -> desk.decide(ANNA, id, denying("x")))
                .hasMessageContaining("approved already, by anna");
    }

    @Test
    void a_caller_without_the_scope_sees_its_own_alone() {
        refused(direct(AGENT), "{}");
        var id = only().id();
        assertThat(desk.list(AGENT, true, "", 10)).hasSize(1);
        assertThat(desk.list(OTHER, true, "", 10)).isEmpty();
        assertThat(desk.find(AGENT, id).details().path("reason").stringValue()).isEqualTo("Why.");
        assertThatThrownBy(() -> desk.find(OTHER, id)).isInstanceOf(Refusal.class);
    }

    @Test
    void a_key_decides_only_with_the_scope_and_then_also_on_its_own_calls() throws Exception {
        refused(direct(AGENT), "{}");
        var id = only().id();
        for (var decision : List.of(ONCE, denying("x"))) {
            var forbidden =
                    catchThrowableOfType(Refusal.class, () -> desk.decide(AGENT, id, decision));
            assertThat(forbidden.reason()).isEqualTo(Reason.FORBIDDEN);
            assertThat(forbidden.sentence()).contains("its own included", "scope approve");
        }
        assertThat(only().state()).isEqualTo(State.PENDING);
        desk.decide(ANNA, id, ONCE);

        refused(direct(ANNA), "{}");
        desk.decide(ANNA, only().id(), ONCE);
        consent.obtain(direct(ANNA), create("{}"), NEED);
    }

    @Test
    void always_is_a_rule_and_takes_the_scope_admin() {
        refused(direct(AGENT), "{}");
        var id = only().id();
        var before = rules.now().version();
        var forbidden =
                catchThrowableOfType(
                        Refusal.class,
                        () -> desk.decide(ANNA, id, approving(Approval.Scope.ALWAYS)));
        assertThat(forbidden.reason()).isEqualTo(Reason.FORBIDDEN);
        assertThat(forbidden.sentence()).contains("scope admin", "once");
        assertThat(rules.now().version()).isEqualTo(before);
        assertThat(only().state()).isEqualTo(State.PENDING);
        assertThat(desk.decide(ADMIN, id, approving(Approval.Scope.ALWAYS)).state())
                .isEqualTo(State.APPROVED);
        assertThat(rules.now().version()).isNotEqualTo(before);
    }

    @Test
    void always_lets_go_what_waits_already_and_nothing_else() throws Exception {
        var one = program("exe_1", "{\"n\":1}");
        var same = program("exe_2", "{\"n\":1}");
        var differs = program("exe_2", "{\"n\":2}");
        awaitPending(3);
        refused(direct(OTHER), "{\"n\":1}");
        var fixed = new ApprovalNeed("f", true, Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> consent.obtain(direct(AGENT), create("{\"n\":1}"), fixed))
                .isInstanceOf(Refusal.class);
        var first =
                awaitPending(5).stream()
                        .filter(each -> each.bound().executionId().equals(Optional.of("exe_1")))
                        .findFirst()
                        .orElseThrow();
        desk.decide(
                ADMIN,
                first.id(),
                new Decision(true, Approval.Scope.ALWAYS, true, Optional.empty()));
        one.await();
        same.await();
        assertThat(awaitPending(3)).noneMatch(each -> each.bound().arguments().isEmpty());
        assertThat(differs.over()).isNotDone();

        var last =
                awaitPending(3).stream()
                        .filter(each -> each.bound().executionId().equals(Optional.of("exe_2")))
                        .findFirst()
                        .orElseThrow();
        desk.decide(ADMIN, last.id(), approving(Approval.Scope.ALWAYS));
        differs.await();
        assertThat(awaitPending(2))
                .allMatch(each -> each.bound().caller().equals("key:b") || each.isFixed());
    }

    @Test
    void a_definition_that_changed_is_not_called_whoever_approved_it() {
        var byAnybody =
                new ApprovalDesk(
                        new ApprovalStore(store, new StoredProcesses(store, clock), clock),
                        rules,
                        _ -> true);
        var call = program("exe_1", "{}");
        var id = awaitPending(1).getFirst().id();
        // Reviewed and approved within the second in which nobody looks.
        definition = "0b";
        try {
            byAnybody.decide(ANNA, id, ONCE);
        } catch (Refusal withdrawn) {
            assertThat(withdrawn.sentence()).contains("withdrawn");
        }
        assertThatThrownBy(call::await)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("the definition of the tool has changed");
    }

    @Test
    void a_call_that_waits_hears_that_its_definition_changed() {
        var call = program("exe_1", "{}");
        var id = awaitPending(1).getFirst().id();
        definition = "0b";
        assertThatThrownBy(call::await).hasMessageContaining("withdrawn");
        assertThat(desk.find(ANNA, id).state()).isEqualTo(State.WITHDRAWN);
    }

    @Test
    void nobody_waits_longer_than_the_rule_says() {
        refused(direct(AGENT), "{}");
        var id = only().id();
        now.set(now.get().plus(Duration.ofHours(24)));
        assertThatThrownBy(() -> desk.decide(ANNA, id, ONCE)).hasMessageContaining("expired");
        assertThat(desk.list(ANNA, true, "", 10)).isEmpty();
        assertThat(refused(direct(AGENT), "{}").details()).doesNotContainEntry("approval_id", id);
        var brief =
                new ApprovalNeed(
                        "rule", false, Optional.empty(), Optional.of(Duration.ofSeconds(1)));
        assertThatThrownBy(() -> consent.obtain(direct(OTHER), create("{}"), brief))
                .isInstanceOf(Refusal.class);
        now.set(now.get().plusSeconds(1));
        assertThat(consent.sweep()).isEqualTo(1);
    }

    @Test
    void another_definition_withdraws_it() {
        refused(direct(AGENT), "{}");
        var id = only().id();
        definition = "0b";
        assertThatThrownBy(() -> desk.decide(ANNA, id, ONCE)).hasMessageContaining("withdrawn");
        assertThat(refused(direct(AGENT), "{}").details()).doesNotContainEntry("approval_id", id);
    }

    @Test
    void a_caller_may_have_so_many_pending_and_no_more() {
        for (int i = 0; i < ApprovalStore.PENDING_MAX; i++) {
            assertThat(refused(direct(AGENT), "{\"i\":" + i + "}").reason())
                    .isEqualTo(Reason.WAITING_APPROVAL);
        }
        assertThat(refused(direct(AGENT), "{}").reason()).isEqualTo(Reason.NO_CAPACITY);
        assertThat(refused(direct(OTHER), "{}").reason()).isEqualTo(Reason.WAITING_APPROVAL);
    }

    @Test
    void always_makes_a_rule_before_all_stored_ones() throws Exception {
        refused(direct(AGENT), "{\"repo\":\"x\"}");
        var always = new Decision(true, Approval.Scope.ALWAYS, true, Optional.empty());
        rules.put(
                "ask",
                Json.object().put("name", "ask").put("decide", "ask"),
                OptionalInt.empty(),
                "anna");
        desk.decide(ADMIN, only().id(), always);
        var first = rules.now().rules().getFirst().rule();
        assertThat(first.name()).startsWith("approved ").endsWith(": github create");
        assertThat(first.body().when().orElseThrow().caller()).contains("key:a");
        assertThat(first.body().when().orElseThrow().arguments().orElseThrow().toString())
                .isEqualTo("{\"const\":{\"repo\":\"x\"}}");

        refused(direct(AGENT), "{}");
        assertThatThrownBy(() -> desk.decide(ANNA, only().id(), approving(Approval.Scope.RUN)))
                .hasMessageContaining("No run makes this call");
        var fixed = new ApprovalNeed("f", true, Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> consent.obtain(direct(OTHER), create("{}"), fixed))
                .isInstanceOf(Refusal.class);
        var id =
                desk.list(ANNA, true, "", 10).stream()
                        .filter(one -> one.bound().caller().equals("key:b"))
                        .findFirst()
                        .orElseThrow()
                        .id();
        assertThatThrownBy(() -> desk.decide(ADMIN, id, approving(Approval.Scope.ALWAYS)))
                .hasMessageContaining("The rule f of the policy's file asks");
    }

    /// A call of a program under way.
    private record Running(Thread thread, CompletableFuture<Call> over) {
        Call await() throws Exception {
            return over.get(30, TimeUnit.SECONDS);
        }
    }

    private Running program(String execution, String arguments) {
        var call = nested(execution, ++runs);
        var over = new CompletableFuture<Call>();
        var thread =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                consent.obtain(call, create(arguments), NEED);
                                over.complete(call);
                            } catch (InterruptedException | RuntimeException failed) {
                                over.completeExceptionally(failed);
                            }
                        });
        return new Running(thread, over);
    }

    private List<Approval> awaitPending(int count) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> desk.list(ANNA, true, "", 50).size() == count);
        return desk.list(ANNA, true, "", 50);
    }

    @Test
    void a_call_of_a_program_waits_and_goes_on_at_once() throws Exception {
        var call = program("exe_1", "{}");
        desk.decide(ANNA, awaitPending(1).getFirst().id(), ONCE);
        assertThat(call.await().notes().approval()).contains("approved");

        var denied = program("exe_1", "{}");
        desk.decide(ANNA, awaitPending(1).getFirst().id(), denying("No."));
        assertThatThrownBy(() -> denied.await())
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("because: No");
    }

    @Test
    void one_decision_is_for_the_rest_of_the_run_and_for_no_other() throws Exception {
        var one = program("exe_1", "{\"n\":1}");
        var two = program("exe_1", "{\"n\":2}");
        var other = program("exe_2", "{\"n\":1}");
        var first =
                awaitPending(3).stream()
                        .filter(each -> each.bound().executionId().equals(Optional.of("exe_1")))
                        .findFirst()
                        .orElseThrow();
        desk.decide(ANNA, first.id(), approving(Approval.Scope.RUN));
        one.await();
        two.await();
        consent.obtain(nested("exe_1", 9), create("{\"n\":3}"), NEED);
        assertThat(awaitPending(1).getFirst().bound().executionId()).contains("exe_2");
        assertThat(other.over()).isNotDone();
        other.thread().interrupt();
        awaitPending(0);
    }

    @Test
    void a_decision_elsewhere_is_heard_of() throws Exception {
        var call = program("exe_1", "{}");
        var id = awaitPending(1).getFirst().id();
        var elsewhere =
                new ApprovalDesk(
                        new ApprovalStore(store, new StoredProcesses(store, clock), clock),
                        rules,
                        _ -> true);
        elsewhere.decide(ANNA, id, ONCE);
        call.await();
    }

    @Test
    void it_is_known_which_runs_wait() throws Exception {
        refused(direct(AGENT), "{}");
        var call = program("exe_1", "{}");
        awaitPending(2);
        assertThat(approvals.waitingRuns()).containsExactly("exe_1");
        desk.decide(
                ANNA,
                awaitPending(2).stream()
                        .filter(each -> each.bound().executionId().isPresent())
                        .findFirst()
                        .orElseThrow()
                        .id(),
                ONCE);
        call.await();
        assertThat(approvals.waitingRuns()).isEmpty();
    }

    @Test
    void all_who_wait_look_together() throws Exception {
        var calls = new ArrayList<Running>();
        for (int i = 0; i < 20; i++) {
            calls.add(program("exe_1", "{\"n\":" + i + "}"));
        }
        awaitPending(20);
        long before = approvals.looks();
        long began = System.nanoTime();
        await().atMost(Duration.ofSeconds(30)).until(() -> approvals.looks() >= before + 3);
        var took = Duration.ofNanos(System.nanoTime() - began);
        // One look too many where one begins with the measurement.
        assertThat(approvals.looks() - before).isLessThanOrEqualTo(took.toSeconds() + 2);
        desk.decide(ANNA, awaitPending(20).getFirst().id(), approving(Approval.Scope.RUN));
        for (var call : calls) {
            call.await();
        }
    }

    @Test
    void what_a_person_is_shown_of_the_arguments_is_bounded() {
        var fits = "{\"a\":\"%s\"}".formatted("x".repeat(ApprovalQuestion.SHOWN_BYTES_MAX - 8));
        refused(direct(AGENT), fits);
        assertThat(only().details().path("arguments").isObject()).isTrue();
        desk.decide(ANNA, only().id(), denying("x"));
        refused(direct(AGENT), fits.replace("xx\"", "xxx\""));
        assertThat(only().details().has("arguments")).isFalse();
        assertThat(only().details().path("arguments_start").stringValue())
                .startsWith("{\"a\":\"xx");
    }
}
