package dev.caisson.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ResizableShareTest {
    private final WaitingShare share =
            new WaitingShare(
                    new Share("memory", "bytes", 100, new ShareLimit(1)), 10, Duration.ZERO);

    @Test
    void what_is_given_back_is_there_for_others_and_is_taken_again() throws Exception {
        var resting = ResizableShare.take(share, "a", 80);
        assertThatThrownBy(() -> share.take("b", 30)).isInstanceOf(Refusal.class);
        resting.shrink(70);
        var other = share.take("b", 30);
        assertThatThrownBy(() -> resting.grow(80)).isInstanceOf(Refusal.class);
        assertThat(resting.amount()).isEqualTo(70);
        other.close();
        resting.grow(80);
        assertThat(share.free()).isEqualTo(20);
        resting.close();
        resting.close();
        resting.shrink(0);
        assertThat(share.free()).isEqualTo(100);
    }

    @Test
    void to_grow_is_to_wait_in_turn() throws Exception {
        var patient =
                new WaitingShare(
                        new Share("memory", "bytes", 100, new ShareLimit(1)),
                        10,
                        Duration.ofMinutes(1));
        var resting = ResizableShare.take(patient, "a", 80);
        resting.shrink(10);
        var other = patient.take("b", 50);
        assertThat(patient.hasNow("a", 40)).isTrue();
        assertThat(patient.hasNow("a", 41)).isFalse();
        var grown = CompletableFuture.runAsync(() -> grow(resting, 80));
        Awaitility.await().until(() -> patient.waiting() == 1);
        other.close();
        grown.join();
        assertThat(resting.amount()).isEqualTo(80);
        assertThat(patient.free()).isEqualTo(20);
    }

    private static void grow(ResizableShare share, long to) {
        try {
            share.grow(to);
        } catch (InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
