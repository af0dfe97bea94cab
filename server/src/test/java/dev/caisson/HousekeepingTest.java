package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HousekeepingTest {
    private static final Duration SOON = Duration.ofMillis(5);

    @Test
    void every_chore_is_done_again_and_again_also_after_one_that_fails() {
        var done = new AtomicInteger();
        var chores =
                List.of(
                        new Housekeeping.Chore(
                                "first",
                                () -> {
                                    throw new IllegalStateException("not today");
                                }),
                        new Housekeeping.Chore("second", done::incrementAndGet));
        try (var _ = new Housekeeping(chores, SOON, SOON)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> done.get() >= 3);
        }
        var atEnd = done.get();
        await().during(Duration.ofMillis(50)).until(() -> done.get() == atEnd);
    }

    @Test
    void closing_ends_a_chore_that_waits() throws Exception {
        var inside = new CountDownLatch(1);
        var chore =
                new Housekeeping.Chore(
                        "waiting",
                        () -> {
                            inside.countDown();
                            Thread.sleep(Duration.ofMinutes(5));
                            return 0;
                        });
        try (var _ = new Housekeeping(List.of(chore), SOON, SOON)) {
            inside.await();
        }
        assertThat(inside.getCount()).isZero();
    }
}
