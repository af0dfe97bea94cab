package dev.caisson.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PatientWaitTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(120);

    @Test
    void ends_with_what_is_waited_for() throws Exception {
        var end = new CompletableFuture<String>();
        var waiting = new CountDownLatch(1);
        var result = new CompletableFuture<Boolean>();
        Thread.ofVirtual()
                .start(() -> {
                    var wait = new PatientWait(end);
                    waiting.countDown();
                    result.complete(uninterrupted(wait, LONG));
                });
        waiting.await();
        end.completeExceptionally(new IllegalStateException("however it ends"));
        assertTrue(result.get());
    }

    @Test
    void keeps_its_limit_every_time() throws Exception {
        var wait = new PatientWait(new CompletableFuture<String>());
        for (int round = 0; round < 3; round++) {
            long begun = System.nanoTime();
            assertFalse(wait.await(SHORT));
            assertTrue(System.nanoTime() - begun >= SHORT.toNanos(), "too early");
        }
    }

    @Test
    void an_interrupt_ends_it() throws Exception {
        var wait = new CompletableFuture<Thread>();
        var result = new CompletableFuture<Boolean>();
        Thread.ofVirtual()
                .start(() -> {
                    wait.complete(Thread.currentThread());
                    result.complete(
                            uninterrupted(new PatientWait(new CompletableFuture<>()), LONG));
                });
        wait.get().interrupt();
        assertFalse(result.get());
        Thread.currentThread().interrupt();
        assertThrows(
                InterruptedException.class,
                () -> new PatientWait(new CompletableFuture<>()).await(LONG));
    }

    @Test
    void many_wait_at_once_and_each_has_its_own_limit() throws Exception {
        int count = 200;
        var all = new ArrayList<CompletableFuture<Boolean>>();
        for (int each = 0; each < count; each++) {
            var result = new CompletableFuture<Boolean>();
            var limit = SHORT.plusMillis(each);
            Thread.ofVirtual()
                    .start(() ->
                            result.complete(
                                    uninterrupted(
                                            new PatientWait(new CompletableFuture<>()), limit)));
            all.add(result);
        }
        for (var each : all) {
            assertFalse(each.get());
        }
    }

    @Test
    void a_glance_that_fails_does_not_end_the_others() throws Exception {
        var seen = new AtomicInteger();
        var enough = new CountDownLatch(3);
        try (var _ =
                        Glances.every(
                                Duration.ofMillis(1),
                                () -> {
                                    seen.incrementAndGet();
                                    throw new IllegalStateException("it fails");
                                });
                var _ = Glances.every(Duration.ofMillis(1), enough::countDown)) {
            enough.await();
        }
        assertEquals(0, enough.getCount());
        assertTrue(seen.get() > 0);
    }

    /// @return whether it ended; an interrupt counts as no
    private static boolean uninterrupted(PatientWait wait, Duration atMost) {
        try {
            return wait.await(atMost);
        } catch (InterruptedException interrupted) {
            return false;
        }
    }
}
