package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration HELD = Duration.ofMillis(10);

    private static void refuses(Admission admission) {
        assertThatThrownBy(() -> admission.enter("a"))
                .isInstanceOfSatisfying(Refusal.class, AdmissionTest::saysWhen);
    }

    private static void saysWhen(Refusal refusal) {
        assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
        assertThat(refusal.sentence()).contains("Try again in about");
        assertThat(refusal.details()).containsKey("retry_after_seconds");
    }

    /// One more who waits, after those that wait already.
    private static CompletableFuture<Boolean> waits(
            Admission admission, String caller, List<String> order) {
        int before = admission.waiting();
        var entered = comes(admission, caller, order);
        Awaitility.await().until(() -> admission.waiting() == before + 1 || entered.isDone());
        return entered;
    }

    private static CompletableFuture<Boolean> comes(
            Admission admission, String caller, List<String> order) {
        var entered = new CompletableFuture<Boolean>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        admission.enter(caller);
                        synchronized (order) {
                            order.add(caller);
                        }
                        entered.complete(true);
                    } catch (InterruptedException | RuntimeException failed) {
                        entered.completeExceptionally(failed);
                    }
                });
        return entered;
    }

    @Test
    void who_comes_when_nobody_may_wait_is_refused_with_the_wait_to_expect() throws Exception {
        var admission = new Admission(1, 0, LONG);
        admission.enter("a");
        refuses(admission);
        admission.leave("a", HELD);
        admission.enter("a");
        assertThat(admission.running()).isEqualTo(1);
    }

    @Test
    void who_waits_gets_the_place_that_comes_free() throws Exception {
        var admission = new Admission(1, 1, LONG);
        admission.enter("a");
        var entered = waits(admission, "a", new ArrayList<>());
        refuses(admission);
        admission.leave("a", Duration.ofSeconds(1));
        assertThat(entered.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(admission.waiting()).isZero();
        assertThat(admission.running()).isEqualTo(1);
    }

    @Test
    void nobody_waits_longer_than_the_limit() throws Exception {
        var admission = new Admission(1, 5, Duration.ofMillis(50));
        admission.enter("a");
        refuses(admission);
        assertThat(admission.waiting()).isZero();
    }

    @Test
    void callers_take_turns_however_much_one_asks_for() throws Exception {
        var admission = new Admission(1, 10, LONG);
        admission.enter("greedy");
        var order = new ArrayList<String>();
        for (var caller : List.of("greedy", "greedy", "greedy", "modest", "greedy", "late")) {
            assertThat(waits(admission, caller, order)).isNotDone();
        }
        var current = "greedy";
        for (int turn = 1; turn <= 6; turn++) {
            admission.leave(current, HELD);
            int had = turn;
            Awaitility.await().until(() -> order.size() == had);
            current = order.getLast();
        }
        assertThat(order).containsExactly("greedy", "modest", "late", "greedy", "greedy", "greedy");
    }

    @Test
    void none_has_all_places_unless_there_is_but_one() throws Exception {
        var admission = new Admission(4, 10, LONG);
        for (int place = 0; place < 3; place++) {
            admission.enter("greedy");
        }
        var waiting = waits(admission, "greedy", new ArrayList<>());
        assertThat(waiting).isNotDone();
        admission.enter("modest");
        assertThat(admission.running()).isEqualTo(4);
        admission.leave("modest", HELD);
        assertThat(waiting).isNotDone();
        admission.leave("greedy", HELD);
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_full_queue_refuses_the_last_of_whoever_waits_with_most() throws Exception {
        var admission = new Admission(1, 3, LONG);
        admission.enter("greedy");
        var order = new ArrayList<String>();
        var first = waits(admission, "greedy", order);
        var second = waits(admission, "greedy", order);
        var third = waits(admission, "greedy", order);
        var modest = comes(admission, "modest", order);
        assertThatThrownBy(() -> third.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(Refusal.class, AdmissionTest::saysWhen);
        assertThatThrownBy(() -> admission.enter("greedy")).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> admission.enter("modest")).isInstanceOf(Refusal.class);
        assertThat(List.of(first, second, modest)).noneMatch(CompletableFuture::isDone);
        assertThat(admission.waiting()).isEqualTo(3);
    }

    @Test
    void who_is_cancelled_while_waiting_takes_no_place() throws Exception {
        var admission = new Admission(1, 3, LONG);
        admission.enter("a");
        var cancelled = new CompletableFuture<Boolean>();
        var waiter =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                admission.enter("b");
                            } catch (InterruptedException interrupted) {
                                cancelled.complete(true);
                            }
                        });
        Awaitility.await().until(() -> admission.waiting() == 1);
        waiter.interrupt();
        assertThat(cancelled.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(admission.waiting()).isZero();
        admission.leave("a", HELD);
        assertThat(admission.running()).isZero();
    }

    @Test
    void who_waits_when_the_server_stops_is_told() throws Exception {
        var admission = new Admission(1, 3, LONG);
        admission.enter("a");
        var waiting = waits(admission, "b", new ArrayList<>());
        assertThat(admission.awaitIdle(Duration.ofMillis(50))).isFalse();
        assertThat(waiting).isCompletedExceptionally();
        assertThatThrownBy(() -> admission.enter("c")).isInstanceOf(Refusal.class);
        admission.leave("a", HELD);
        assertThat(admission.awaitIdle(LONG)).isTrue();
    }

    @Test
    void the_estimate_follows_what_runs_took() throws Exception {
        var admission = new Admission(1, 0, Duration.ofSeconds(1));
        for (int run = 0; run < 50; run++) {
            admission.enter("a");
            admission.leave("a", Duration.ofSeconds(20));
        }
        assertThat(admission.expectedWait())
                .isBetween(Duration.ofSeconds(15), Duration.ofSeconds(20));
    }
}
