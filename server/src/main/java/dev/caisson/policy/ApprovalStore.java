package dev.caisson.policy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.policy.Approval.Bound;
import dev.caisson.policy.Approval.Scope;
import dev.caisson.policy.Approval.State;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import dev.caisson.workflow.Definition;
import dev.caisson.workflow.Effect;
import dev.caisson.workflow.StoredProcesses;
import dev.caisson.workflow.Transition;
import dev.caisson.workflow.WorkflowProcess;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Store of approvals. Each is decided on once: whoever comes second is told.
public final class ApprovalStore {
    /// How many of a caller may wait for a person.
    public static final int PENDING_MAX = 100;

    /// How long they are kept.
    private static final Duration KEEP = Duration.ofDays(60);

    private final Store store;
    private final StoredProcesses processes;
    private final Clock clock;
    private final Object looking = new Object();
    private Set<String> pending = Set.of();
    private OptionalLong lookedAt = OptionalLong.empty();
    private long looks;
    private long news;

    public ApprovalStore(Store store, StoredProcesses processes, Clock clock) {
        this.store = store;
        this.processes = processes;
        this.clock = clock;
    }

    /// A person's decision.
    ///
    /// @param scope of an approval
    /// @param arguments whether one for always is about these arguments alone
    /// @param by the name of whoever decides
    record Ruling(
            boolean approve, Scope scope, boolean arguments, Optional<String> reason, String by) {
        Transition transition() {
            var data = Json.object().put("by", by);
            reason.ifPresent(why -> data.put("reason", why));
            return new Transition(
                    (approve ? State.APPROVED : State.DENIED).word(),
                    data,
                    by,
                    reason.orElse(approve ? scope.word() : "denied"));
        }
    }

    /// Asks, unless it was asked or decided before.
    ///
    /// @throws Refusal NO_CAPACITY when too many of its caller wait
    Approval ask(ApprovalQuestion question, Instant expires) {
        return store.write(handle -> {
            var known = known(handle, question);
            if (known.isPresent()) {
                return known.get();
            }
            var bound = question.bound();
            if (ApprovalRows.pending(handle, bound.caller()) >= PENDING_MAX) {
                throw new Refusal(
                        Reason.NO_CAPACITY,
                        "%d calls of this key wait for a person already, the most there can be. Try again when some were decided."
                                .formatted(PENDING_MAX),
                        Map.of(Refusal.RETRYABLE, true));
            }
            var process = processes.start(handle, Definition.APPROVAL, bound.caller(), KEEP);
            ApprovalRows.insert(handle, process.id(), bound, question.details(), expires);
            return ApprovalRows.find(handle, process.id()).orElseThrow();
        });
    }

    private Optional<Approval> known(Transaction handle, ApprovalQuestion question) {
        return question.nested()
                ? ApprovalRows.ofRun(handle, question.bound())
                : ApprovalRows.ofEqual(
                                handle, question.bound(), clock.instant().minus(Approvals.KEPT))
                        .stream()
                        .findFirst();
    }

    /// Uses up a decision on a direct call.
    ///
    /// @return whether no other call has used it
    boolean use(String id) {
        return store.write(handle -> ApprovalRows.use(handle, id, clock.instant()));
    }

    Optional<Approval> find(String id) {
        return store.read(handle -> ApprovalRows.find(handle, id));
    }

    /// As it is now; one that was waited for long enough has expired.
    Approval settled(String id) {
        var now = find(id).orElseThrow(() -> new IllegalStateException("no approval " + id));
        if (now.state() == State.PENDING && !clock.instant().isBefore(now.expires())) {
            end(id, State.EXPIRED, "nobody decided in time");
            return find(id).orElseThrow();
        }
        return now;
    }

    /// The newest first.
    ///
    /// @param caller whose alone, if given
    List<Approval> list(Optional<String> caller, boolean pendingOnly, String before, int limit) {
        return store.read(handle -> ApprovalRows.list(handle, caller, pendingOnly, before, limit));
    }

    /// What was approved last of this key and tool.
    Optional<Approval> lastApproved(Bound bound) {
        return store.read(handle -> ApprovalRows.lastApproved(handle, bound));
    }

    long pending() {
        return store.read(handle -> ApprovalRows.pending(handle));
    }

    /// Decides on it, and on those that the scope includes.
    ///
    /// @return whether it was still to be decided
    boolean decide(Approval approval, Ruling ruling) {
        var decided =
                store.write(handle -> {
                    if (move(handle, approval.id(), ruling).isEmpty()) {
                        return false;
                    }
                    for (var other : included(handle, approval, ruling)) {
                        move(handle, other.id(), ruling);
                    }
                    return true;
                });
        tell();
        return decided;
    }

    /// Those that wait already and that the decision lets through as well: a call that comes later
    /// would not wait.
    private static List<Approval> included(Transaction handle, Approval approval, Ruling ruling) {
        if (!ruling.approve()) {
            return List.of();
        }
        return switch (ruling.scope()) {
            case ONCE -> List.of();
            case RUN -> ApprovalRows.alike(handle, approval.bound(), true);
            case ALWAYS ->
                    ApprovalRows.alike(handle, approval.bound(), false).stream()
                            .filter(other -> !other.isFixed())
                            .filter(other -> !ruling.arguments() || approval.isEqual(other))
                            .toList();
        };
    }

    private Optional<WorkflowProcess> move(Transaction handle, String id, Ruling ruling) {
        return processes.move(
                handle,
                id,
                ruling.transition(),
                Instant.ofEpochMilli(clock.millis()),
                (inside, process) -> {
                    if (ruling.approve()) {
                        ApprovalRows.scoped(inside, process.id(), ruling.scope());
                    }
                });
    }

    void withdraw(String id, String why) {
        end(id, State.WITHDRAWN, why);
    }

    private boolean end(String id, State state, String why) {
        var data = Json.object().put("by", "server").put("reason", why);
        var moved =
                store.write(handle ->
                        processes.move(
                                handle,
                                id,
                                new Transition(state.word(), data, "server", why),
                                Instant.ofEpochMilli(clock.millis()),
                                Effect.NONE));
        tell();
        return moved.isPresent();
    }

    /// Whether it is not pending any more, or ought not to be. All who wait look together: one of
    /// them reads for all, once in that time.
    boolean mayBeDecided(Approval asked, Duration every) {
        if (!clock.instant().isBefore(asked.expires())) {
            return true;
        }
        synchronized (looking) {
            long now = System.nanoTime();
            if (lookedAt.isEmpty() || now - lookedAt.getAsLong() >= every.toNanos()) {
                pending = store.read(ApprovalRows::pendingIds);
                lookedAt = OptionalLong.of(now);
                looks++;
            }
            return !pending.contains(asked.id());
        }
    }

    /// How often was looked for all who wait.
    long looks() {
        synchronized (looking) {
            return looks;
        }
    }

    /// The executions whose programs wait for a person, as the database has it.
    public Set<String> waitingRuns() {
        return store.read(ApprovalRows::waitingRuns);
    }

    int expire() {
        int ended = 0;
        for (var late : store.read(handle -> ApprovalRows.pendingBefore(handle, clock.instant()))) {
            ended += end(late.id(), State.EXPIRED, "nobody decided in time") ? 1 : 0;
        }
        return ended;
    }

    /// Direct calls go on waiting: any server answers the next equal one.
    int withdrawAbandoned(String why) {
        int ended = 0;
        for (var process : processes.abandoned(Definition.APPROVAL)) {
            var approval = find(process.id());
            if (approval.flatMap(one -> one.bound().executionId()).isPresent()) {
                ended += end(process.id(), State.WITHDRAWN, why) ? 1 : 0;
            }
        }
        return ended;
    }

    private void tell() {
        synchronized (looking) {
            lookedAt = OptionalLong.empty();
        }
        synchronized (this) {
            news++;
            notifyAll();
        }
    }

    /// How much was decided here until now.
    synchronized long news() {
        return news;
    }

    /// Waits until more was decided here, or for this time.
    synchronized void awaitNews(long known, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (news == known) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }
}
