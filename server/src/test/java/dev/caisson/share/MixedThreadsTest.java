package dev.caisson.share;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MixedThreadsTest {
    private final MixedThreads threads = new MixedThreads("test-");

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void the_first_have_platform_threads_and_all_beyond_virtual_ones() throws Exception {
        var release = new CountDownLatch(1);
        var held = new CountDownLatch(MixedThreads.PLATFORM_MAX);
        for (int each = 0; each < MixedThreads.PLATFORM_MAX; each++) {
            threads.execute(() -> {
                if (!Thread.currentThread().isVirtual()) {
                    held.countDown();
                }
                hold(release);
            });
        }
        held.await();
        assertTrue(isVirtual().get());
        release.countDown();
    }

    @Test
    void an_interrupt_reaches_the_task_whenever_it_comes_and_nothing_after_it() throws Exception {
        for (int round = 0; round < 200; round++) {
            var interrupted = new CompletableFuture<Boolean>();
            var started = threads.start(() -> interrupted.complete(!hold(new CountDownLatch(1))));
            started.interrupt();
            assertTrue(interrupted.get());
            started.interrupt();
            var next = new CompletableFuture<Boolean>();
            threads.execute(() -> next.complete(Thread.currentThread().isInterrupted()));
            assertFalse(next.get());
        }
    }

    @Test
    void a_task_of_the_thread_that_calls_is_interrupted_alike() {
        var interrupted = new CompletableFuture<Boolean>();
        var early = MixedThreads.here(() -> interrupted.complete(Thread.interrupted()));
        early.interrupt();
        early.run();
        assertTrue(interrupted.join());
        var late = MixedThreads.here(() -> Thread.currentThread().interrupt());
        late.run();
        assertFalse(Thread.currentThread().isInterrupted());
        late.interrupt();
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void a_stop_interrupts_all_and_takes_no_more() throws Exception {
        var begun = new CountDownLatch(MixedThreads.PLATFORM_MAX + 1);
        for (int each = 0; each <= MixedThreads.PLATFORM_MAX; each++) {
            threads.execute(() -> {
                begun.countDown();
                hold(new CountDownLatch(1));
            });
        }
        begun.await();
        threads.shutdownNow();
        assertTrue(threads.awaitEnd(Duration.ofSeconds(30)));
        assertThrows(RejectedExecutionException.class, this::isVirtual);
    }

    private CompletableFuture<Boolean> isVirtual() {
        var virtual = new CompletableFuture<Boolean>();
        threads.execute(() -> virtual.complete(Thread.currentThread().isVirtual()));
        return virtual;
    }

    /// @return false when interrupted
    private static boolean hold(CountDownLatch until) {
        try {
            until.await();
            return true;
        } catch (InterruptedException interrupted) {
            return false;
        }
    }
}
