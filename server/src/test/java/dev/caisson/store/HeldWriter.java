package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/// Keeps the writer of a store busy with one unit, so that a test decides what waits behind it.
final class HeldWriter implements AutoCloseable {
    private final Store store;
    private final CountDownLatch leave = new CountDownLatch(1);

    HeldWriter(Store store) throws InterruptedException {
        this.store = store;
        var inside = new CountDownLatch(1);
        Thread.ofVirtual()
                .start(() ->
                        store.write(_ -> {
                            inside.countDown();
                            return awaited();
                        }));
        assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private boolean awaited() {
        try {
            return leave.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            return false;
        }
    }

    void awaitWaiting(int units) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> store.waiting() == units);
    }

    void release() {
        leave.countDown();
    }

    @Override
    public void close() {
        release();
    }
}
