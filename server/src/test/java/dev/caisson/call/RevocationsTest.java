package dev.caisson.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RevocationsTest {
    private final Revocations revocations = new Revocations();
    private final AtomicInteger ended = new AtomicInteger();

    @Test
    void what_is_there_ends_and_so_does_what_comes_later() {
        revocations.register("a", ended::incrementAndGet);
        revocations.register("b", () -> ended.addAndGet(100));

        revocations.revoke(List.of("a"));
        revocations.register("a", ended::incrementAndGet);

        await().until(() -> ended.get() == 2);
    }

    @Test
    void what_is_over_is_not_ended_and_not_remembered() {
        revocations.register("a", ended::incrementAndGet).close();
        assertThat(revocations.registered()).isZero();

        revocations.revoke(List.of("a"));

        assertThat(ended).hasValue(0);
    }

    @Test
    void one_end_that_hangs_does_not_hold_up_another() {
        revocations.register("a", RevocationsTest::hang);
        revocations.register("a", ended::incrementAndGet);

        revocations.revoke(List.of("a"));

        await().until(() -> ended.get() == 1);
    }

    private static void hang() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void each_revocation_is_told_once() {
        var told = new ArrayList<Set<String>>();
        revocations.listen(told::add);

        revocations.revoke(List.of("a", "b"));
        revocations.revoke(List.of("b"));
        revocations.revoke(List.of("b", "c"));

        assertThat(told).containsExactly(Set.of("a", "b"), Set.of("c"));
    }
}
