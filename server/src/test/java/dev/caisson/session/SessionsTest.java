package dev.caisson.session;

import static dev.caisson.session.FakeResident.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Residents;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.ShareLimit;
import dev.caisson.share.TestWorkers;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.Threads;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions over interpreters that are fakes: who gives way, who is told, what is listed.
class SessionsTest {
    private static final Instant NOW = Instant.parse("2026-11-18T04:00:00.5Z");
    private static final Runner PYTHON = new Runner("python", Language.PYTHON, "3.13", "host");
    private static final Caller ALICE = new Caller("alice", "alice", Set.of(), Set.of());
    private static final Caller BOB = new Caller("bob", "bob", Set.of(), Set.of());

    private static final String ENDED_AT = "it was ended at 2026-11-18T04:00:00Z to make room for ";

    @TempDir Path root;
    private Threads threads;
    private final Revocations revocations = new Revocations();
    private final List<FakeResident> residents = new ArrayList<>();
    private Sessions sessions;

    @BeforeEach
    void start() {
        threads = new Threads(root, new DirectoryWorkspaces(Optional.empty()), TestWorkers.WORKERS);
        sessions = sessions(200, 10, 3);
    }

    @AfterEach
    void close() {
        sessions.close();
    }

    private Sessions sessions(long mib, int total, int perCaller) {
        var limits =
                new SessionLimits(
                        mib * MIB, total, perCaller, Duration.ofMinutes(10), ShareLimit.DEFAULT);
        return new Sessions(this::settle, limits, revocations, Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private synchronized Residents.Settling settle(Run first) {
        var resident = new FakeResident();
        residents.add(resident);
        return new Residents.Settling.Settled(resident);
    }

    private SessionCallResult run(Caller caller, String thread) throws InterruptedException {
        return run(caller, thread, "1");
    }

    private SessionCallResult run(Caller caller, String thread, String code)
            throws InterruptedException {
        try (var lease = threads.acquire(caller, thread, "exe", Duration.ZERO)) {
            var run =
                    new Run(
                            "exe",
                            PYTHON,
                            code,
                            Limits.DEFAULT,
                            Map.of(),
                            new Workspace.OpenedLater(lease::workspace),
                            (_, _, _, _) -> {});
            var key = SessionKey.of(caller, thread, Language.PYTHON);
            return sessions.run(new Sessions.Step(key, run, Map.of(), Set.of(), false), lease);
        }
    }

    private List<String> threadsOf(Caller caller) {
        return sessions.list(Optional.of(caller.id())).stream()
                .map(SessionInfo::threadId)
                .sorted()
                .toList();
    }

    @Test
    void the_longest_idle_gives_way_and_its_owner_is_told_once() throws Exception {
        run(ALICE, "a");
        run(ALICE, "b");
        run(ALICE, "c");
        run(ALICE, "a");
        assertThat(run(ALICE, "d").state()).isEqualTo(SessionCallResult.State.NEW);

        assertThat(threadsOf(ALICE)).containsExactly("a", "c", "d");
        assertThat(residents.get(1).closed).isTrue();
        var told = run(ALICE, "b");
        assertThat(told.state()).isEqualTo(SessionCallResult.State.RESTARTED);
        assertThat(told.why()).contains(ENDED_AT + "another of your sessions");
        assertThat(run(ALICE, "b").state()).isEqualTo(SessionCallResult.State.KEPT);
        sessions.reset(ALICE, "b", Optional.empty());
        assertThat(run(ALICE, "b").why()).contains("it was reset");
    }

    @Test
    void what_other_callers_leave_unread_displaces_no_reason() throws Exception {
        run(ALICE, "first");
        sessions.reset(ALICE, "first", Optional.empty());
        var reasons = new EndReasons();
        var mine = new SessionKey("alice", "first", Language.PYTHON);
        reasons.note(mine, "why");
        for (int at = 0; at <= EndReasons.KEPT_MAX; at++) {
            reasons.note(new SessionKey("bob", "t" + at, Language.PYTHON), "because");
        }
        assertThat(reasons.tell(mine)).contains("why");
        assertThat(reasons.tell(mine)).isEmpty();
        assertThat(reasons.tell(new SessionKey("bob", "t0", Language.PYTHON))).isEmpty();
        assertThat(reasons.tell(new SessionKey("bob", "t1", Language.PYTHON))).contains("because");
        reasons.forget(Set.of("bob"));
        assertThat(reasons.tell(new SessionKey("bob", "t2", Language.PYTHON))).isEmpty();
    }

    @Test
    void a_session_in_use_stays_and_a_caller_with_nothing_else_is_refused() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var thread : List.of("a", "b", "c")) {
                callers.execute(() -> quietly(thread, "wait"));
                awaitBegun(thread);
            }
            assertThatThrownBy(() -> run(ALICE, "d"))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                                assertThat(refusal.sentence())
                                        .contains(
                                                "You have 3 sessions",
                                                "thread a in python, in use",
                                                "thread b in python, in use",
                                                "thread c in python, in use",
                                                "End one with session_reset");
                            });
            assertThat(run(BOB, "d").state()).isEqualTo(SessionCallResult.State.NEW);
            residents.forEach(each -> each.letGo.countDown());
        }
        assertThat(run(ALICE, "d").state()).isEqualTo(SessionCallResult.State.NEW);
    }

    private void awaitBegun(String thread) {
        Awaitility.await()
                .until(() ->
                        sessions.list(Optional.empty()).stream()
                                .anyMatch(each ->
                                        each.threadId().equals(thread)
                                                && each.busy()
                                                && each.memoryBytes().isPresent()));
    }

    @Test
    void a_list_says_what_there_is_and_others_are_unknown() throws Exception {
        run(ALICE, "a");
        run(BOB, "b");

        var own = sessions.list(Optional.of("alice"));

        assertThat(own).hasSize(1);
        var info = own.getFirst();
        assertThat(info.id()).startsWith("ses_");
        assertThat(info.begun()).isEqualTo(NOW);
        assertThat(info.lastUsed()).isEqualTo(NOW);
        assertThat(info.memoryBytes()).contains(10 * MIB);
        assertThat(info.busy()).isFalse();
        assertThat(sessions.list(Optional.empty())).hasSize(2);

        assertThat(sessions.end(Optional.of("bob"), info.id())).isEmpty();
        assertThat(threadsOf(ALICE)).containsExactly("a");
        assertThat(sessions.end(Optional.of("alice"), info.id())).isPresent();
        assertThat(threadsOf(ALICE)).isEmpty();
        assertThat(sessions.end(Optional.empty(), info.id())).isEmpty();
        assertThat(run(ALICE, "a").why()).contains("it was reset");
    }

    @Test
    void one_that_has_grown_too_large_ends_and_says_so_at_once() throws Exception {
        run(ALICE, "a");
        run(BOB, "b");
        residents.getFirst().resting.set(191 * MIB);
        var grown = run(ALICE, "a");
        assertThat(grown.state()).isEqualTo(SessionCallResult.State.KEPT);
        assertThat(grown.ended())
                .contains("it uses more memory than is left for sessions between calls");
        assertThat(residents.getFirst().closed).isTrue();
        assertThat(threadsOf(BOB)).containsExactly("b");
        run(ALICE, "a");
        residents.getLast().resting.set(190 * MIB);
        assertThat(run(ALICE, "a").ended()).isEmpty();
    }

    @Test
    void idle_ones_give_way_to_the_memory_a_program_of_the_same_key_needs() throws Exception {
        run(ALICE, "a");
        run(ALICE, "b");
        run(ALICE, "c");
        run(BOB, "d");
        residents.getFirst().shortUntil.set(20 * MIB);

        assertThat(run(ALICE, "a").state()).isEqualTo(SessionCallResult.State.KEPT);

        assertThat(threadsOf(ALICE)).containsExactly("a", "c");
        assertThat(threadsOf(BOB)).containsExactly("d");
        assertThat(run(ALICE, "b").why()).contains(ENDED_AT + "another of your sessions");
    }

    @Test
    void when_the_server_is_full_the_longest_idle_of_the_largest_key_goes() throws Exception {
        sessions.close();
        sessions = sessions(0, 4, 3);
        run(ALICE, "a");
        run(ALICE, "b");
        run(ALICE, "c");
        run(BOB, "d");
        assertThat(run(BOB, "e").state()).isEqualTo(SessionCallResult.State.NEW);
        assertThat(threadsOf(ALICE)).containsExactly("b", "c");
        assertThat(run(ALICE, "a").why()).contains(ENDED_AT + "another key");
        assertThat(threadsOf(ALICE)).as("two of four each").containsExactly("a", "c");
        assertThat(threadsOf(BOB)).containsExactly("d", "e");
    }

    @Test
    void a_session_that_is_used_while_it_would_give_way_is_used_or_gone_never_both()
            throws Exception {
        int rounds = 200;
        for (int round = 0; round < rounds; round++) {
            run(ALICE, "a");
            run(ALICE, "b");
            run(ALICE, "c");
            var used = CompletableFuture.supplyAsync(() -> quietly("a", "1"));
            var more = CompletableFuture.supplyAsync(() -> quietly("d", "1"));
            used.join();
            more.join();
            assertThat(threadsOf(ALICE)).hasSize(3).contains("a", "d");
        }
        assertThat(residents.stream().filter(each -> !each.closed.get())).hasSize(3);
    }

    private SessionCallResult quietly(String thread, String code) {
        try {
            return run(ALICE, thread, code);
        } catch (InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
