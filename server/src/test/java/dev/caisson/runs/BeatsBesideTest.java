package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.share.MixedThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BeatsBesideTest {
    private static final Duration OFTEN = Duration.ofMillis(1);

    private final MixedThreads threads = new MixedThreads("beats-");

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void they_go_on_beside_whatever_the_thread_does_until_they_are_closed() throws Exception {
        var beats = new Semaphore(0);
        var strange = new AtomicBoolean(true);
        var mine = Thread.currentThread();
        try (var _ =
                BeatsBeside.every(
                        OFTEN,
                        threads,
                        () -> {
                            strange.compareAndSet(true, !Thread.currentThread().equals(mine));
                            beats.release();
                        },
                        () -> {})) {
            beats.acquire(3);
        }
        assertThat(strange).isTrue();
        int then = beats.availablePermits();
        var later = new Semaphore(0);
        try (var _ = BeatsBeside.every(OFTEN, threads, later::release, () -> {})) {
            later.acquire(3);
        }
        assertThat(beats.availablePermits()).isEqualTo(then);
    }

    @Test
    void one_that_takes_long_is_the_only_one_and_is_waited_for() throws Exception {
        var entered = new CountDownLatch(1);
        var free = new CountDownLatch(1);
        var count = new AtomicInteger();
        var ended = new AtomicBoolean();
        var beats =
                BeatsBeside.every(
                        OFTEN,
                        threads,
                        () -> {
                            count.incrementAndGet();
                            entered.countDown();
                            awaited(free);
                            ended.set(true);
                        },
                        () -> {});
        entered.await();
        var closing = Thread.ofPlatform().start(beats::close);
        Awaitility.await().until(() -> closing.getState() == Thread.State.WAITING);
        assertThat(ended).isFalse();
        free.countDown();
        closing.join();
        assertThat(ended).isTrue();
        assertThat(count).hasValue(1);
    }

    @Test
    void one_that_fails_is_the_last_and_says_why() {
        var told = new CountDownLatch(1);
        var count = new AtomicInteger();
        var beats =
                BeatsBeside.every(
                        OFTEN,
                        threads,
                        () -> {
                            count.incrementAndGet();
                            throw new IllegalStateException("gone");
                        },
                        told::countDown);
        awaited(told);
        beats.close();
        assertThat(beats.failure()).get().extracting(Throwable::getMessage).isEqualTo("gone");
        assertThat(count).hasValue(1);
    }

    @Test
    void who_waits_for_one_and_is_interrupted_interrupts_it_and_stays_interrupted()
            throws Exception {
        var entered = new CountDownLatch(1);
        var hanging = new CountDownLatch(1);
        var beats =
                BeatsBeside.every(
                        OFTEN,
                        threads,
                        () -> {
                            entered.countDown();
                            try {
                                hanging.await();
                            } catch (InterruptedException ended) {
                                throw new IllegalStateException("interrupted", ended);
                            }
                        },
                        () -> {});
        entered.await();
        Thread.currentThread().interrupt();
        beats.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(beats.failure()).isPresent();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }
}
