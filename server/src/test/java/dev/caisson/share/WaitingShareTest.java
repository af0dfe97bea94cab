package dev.caisson.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class WaitingShareTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<String> order = new ArrayList<>();

    private static WaitingShare of(long total, double part, int waitingMax, Duration waitMax) {
        return new WaitingShare(
                new Share("things", "things", total, new ShareLimit(part)), waitingMax, waitMax);
    }

    /// Somebody who waits in a thread of its own, after those who wait already.
    private final class Waiter {
        private final CompletableFuture<HeldShare> came = new CompletableFuture<>();
        private final Thread thread;

        Waiter(WaitingShare share, String caller) {
            this(share, caller, 1);
        }

        Waiter(WaitingShare share, String caller, long amount) {
            thread = Thread.ofVirtual().start(() -> take(share, caller, amount));
        }

        /// Returns when it waits, beside so many others.
        Waiter after(WaitingShare share, int others) {
            Awaitility.await().until(() -> share.waiting() == others + 1 || came.isDone());
            return this;
        }

        private void take(WaitingShare share, String caller, long amount) {
            try {
                var held = share.take(caller, amount);
                synchronized (order) {
                    order.add(caller);
                }
                came.complete(held);
            } catch (InterruptedException | RuntimeException failed) {
                came.completeExceptionally(failed);
            }
        }

        HeldShare get() throws Exception {
            return came.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void callers_take_turns() throws Exception {
        var share = of(1, 1, 10, LONG);
        var first = share.take("a", 1);
        var a2 = new Waiter(share, "a").after(share, 0);
        var a3 = new Waiter(share, "a").after(share, 1);
        var b1 = new Waiter(share, "b").after(share, 2);
        first.close();
        a2.get().close();
        b1.get().close();
        a3.get().close();
        assertThat(order).containsExactly("a", "b", "a");
        assertThat(share.inUse()).isZero();
    }

    @Test
    void who_has_its_part_waits_while_something_is_free() throws Exception {
        var share = of(4, 0.5, 10, LONG);
        var first = share.take("a", 1);
        share.take("a", 1);
        var third = new Waiter(share, "a").after(share, 0);
        assertThat(third.came).isNotDone();
        share.take("b", 1).close();
        assertThat(third.came).isNotDone();
        first.close();
        assertThat(third.get()).isNotNull();
    }

    @Test
    void a_full_queue_loses_the_last_of_whoever_waits_with_most() throws Exception {
        var share = of(1, 1, 3, LONG);
        var first = share.take("a", 1);
        var a1 = new Waiter(share, "a").after(share, 0);
        new Waiter(share, "a").after(share, 1);
        var a3 = new Waiter(share, "a").after(share, 2);
        var b1 = new Waiter(share, "b");
        assertThatThrownBy(a3::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(Refusal.class);
        assertThatThrownBy(() -> share.take("a", 1)).isInstanceOf(Refusal.class);
        first.close();
        a1.get().close();
        assertThat(b1.get()).isNotNull();
    }

    @Test
    void who_waits_too_long_is_refused_and_who_leaves_holds_nothing() throws Exception {
        var share = of(1, 1, 10, Duration.ofMillis(20));
        var first = share.take("a", 1);
        assertThatThrownBy(() -> share.take("b", 1))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal ->
                                assertThat(refusal.details()).containsKey("retry_after_seconds"));
        first.close();

        var patient = of(1, 1, 10, LONG);
        var held = patient.take("a", 1);
        var gone = new Waiter(patient, "b").after(patient, 0);
        gone.thread.interrupt();
        gone.thread.join();
        assertThat(patient.waiting()).isZero();
        held.close();
        assertThat(patient.inUse()).isZero();
    }

    @Test
    void closing_refuses_those_who_wait_and_waits_for_those_who_hold() throws Exception {
        var share = of(1, 1, 10, LONG);
        var held = share.take("a", 1);
        var waiter = new Waiter(share, "b").after(share, 0);
        assertThat(share.awaitIdle(Duration.ofMillis(1))).isFalse();
        assertThatThrownBy(waiter::get).hasMessageContaining("stopping");
        held.close();
        assertThat(share.awaitIdle(LONG)).isTrue();
        assertThatThrownBy(() -> share.take("a", 1)).hasMessageContaining("stopping");
    }

    @Test
    void a_large_wish_is_not_passed_over_for_small_ones() throws Exception {
        var share = of(4, 1, 10, LONG);
        var first = share.take("a", 2);
        var large = new Waiter(share, "b", 4).after(share, 0);
        var small = new Waiter(share, "c").after(share, 1);
        assertThat(small.came).as("two are free, and kept for the one before it").isNotDone();
        first.close();
        var had = large.get();
        assertThat(small.came).isNotDone();
        had.close();
        small.get().close();
        assertThat(order).containsExactly("b", "c");
    }

    @Test
    void what_was_kept_for_one_who_leaves_goes_to_the_others() throws Exception {
        var share = of(4, 1, 10, LONG);
        share.take("a", 2);
        var large = new Waiter(share, "b", 4).after(share, 0);
        var small = new Waiter(share, "c").after(share, 1);
        large.thread.interrupt();
        small.get().close();
    }

    @Test
    void more_than_there_is_keeps_nothing_from_the_others() throws Exception {
        var share = of(4, 1, 10, LONG);
        share.take("a", 2);
        var impossible = new Waiter(share, "b", 5).after(share, 0);
        share.take("c", 1).close();
        impossible.thread.interrupt();
    }

    @Test
    void who_comes_back_is_served_before_all_who_are_new() throws Exception {
        var share = of(2, 1.0, 10, LONG);
        var held = share.take("a", 1);
        var other = share.take("b", 1);
        var first = new Waiter(share, "new").after(share, 0);
        var back = CompletableFuture.supplyAsync(() -> takenBack(share, "c", 2));
        Awaitility.await().until(() -> share.waiting() == 2);
        held.close();
        // One would do for the new one, and is kept.
        assertThat(first.came).isNotDone();
        assertThat(back).isNotDone();
        assertThat(share.hasNow("d", 1)).isFalse();
        other.close();
        var came = back.get(60, TimeUnit.SECONDS);
        assertThat(first.came).isNotDone();
        came.close();
        first.get().close();
    }

    @Test
    void who_comes_back_waits_beyond_all_limits_until_nobody_gets_anything() throws Exception {
        var share = of(1, 1.0, 0, Duration.ofMillis(1));
        var held = share.take("a", 1);
        var back = CompletableFuture.supplyAsync(() -> takenBack(share, "b", 1));
        Awaitility.await().until(() -> share.waiting() == 1);
        assertThatThrownBy(() -> share.take("c", 1)).isInstanceOf(Refusal.class);
        assertThat(back).isNotDone();
        share.close();
        assertThatThrownBy(() -> back.get(60, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(Refusal.class);
        held.close();
    }

    /// Its others hold it up, and nobody else.
    @Test
    void who_comes_back_and_holds_too_much_itself_holds_up_nobody() throws Exception {
        var share = of(8, 0.5, 10, LONG);
        var own = share.take("a", 3);
        var other = share.take("b", 3);
        var back = CompletableFuture.supplyAsync(() -> takenBack(share, "a", 4));
        Awaitility.await().until(() -> share.waiting() == 1);

        var newcomer = share.take("c", 1);

        assertThat(back).isNotDone();
        newcomer.close();
        other.close();
        assertThat(back).isNotDone();
        own.close();
        back.get(60, TimeUnit.SECONDS).close();
    }

    /// What a caller who held nothing else was given beyond its part, it is given again.
    @Test
    void who_comes_back_to_more_than_its_part_has_it_again() throws Exception {
        var share = of(8, 0.5, 10, LONG);
        var held = ResizableShare.take(share, "a", 7);
        held.shrink(1);
        var other = share.take("b", 2);
        var back =
                CompletableFuture.runAsync(() -> {
                    try {
                        held.growBack(7);
                    } catch (InterruptedException interrupted) {
                        throw new IllegalStateException(interrupted);
                    }
                });
        Awaitility.await().until(() -> share.waiting() == 1);
        other.close();
        back.get(60, TimeUnit.SECONDS);
        assertThat(held.amount()).isEqualTo(7);
        held.close();
    }

    private static HeldShare takenBack(WaitingShare share, String caller, long amount) {
        try {
            return share.takeBack(caller, amount, 0);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
