package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.share.ShareLimit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SandboxRemovalsTest {
    private static final int MOST = 4;

    @Test
    void who_has_its_share_waiting_does_the_next_itself_and_nobody_else_does() throws Exception {
        var dying = new CountDownLatch(1);
        try (var threads = Executors.newCachedThreadPool()) {
            var removals = new SandboxRemovals(threads, MOST, new ShareLimit(0.75));
            for (int each = 0; each < 3; each++) {
                removals.run("greedy", () -> awaitQuietly(dying));
            }
            assertThat(threadOf(removals, "greedy")).isSameAs(Thread.currentThread());
            assertThat(threadOf(removals, "modest")).isNotSameAs(Thread.currentThread());
            assertThat(removals.await(Duration.ofMillis(10))).isFalse();

            dying.countDown();
            assertThat(removals.await(Duration.ofMinutes(1))).isTrue();
            assertThat(threadOf(removals, "greedy")).isNotSameAs(Thread.currentThread());
        }
    }

    @Test
    void one_that_fails_gives_its_turn_back() throws Exception {
        try (var threads = Executors.newCachedThreadPool(SandboxRemovalsTest::silent)) {
            var removals = new SandboxRemovals(threads, 1, new ShareLimit(0.75));
            removals.run(
                    "a",
                    () -> {
                        throw new IllegalStateException("not removed");
                    });
            assertThat(removals.await(Duration.ofMinutes(1))).isTrue();
            assertThat(threadOf(removals, "b")).isNotSameAs(Thread.currentThread());
        }
    }

    private static Thread silent(Runnable work) {
        var thread = new Thread(work);
        thread.setUncaughtExceptionHandler((_, _) -> {});
        return thread;
    }

    private static Thread threadOf(SandboxRemovals removals, String caller) throws Exception {
        var used = new CompletableFuture<Thread>();
        removals.run(caller, () -> used.complete(Thread.currentThread()));
        return used.get(60, TimeUnit.SECONDS);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
