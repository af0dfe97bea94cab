package dev.caisson.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.SettingsForTests;
import dev.caisson.sandbox.Sharing;
import dev.caisson.share.ShareLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private static final Limits LIMITS = Limits.DEFAULT;

    /// Four places of which nobody waits, and memory for so many sandboxes.
    private static Places places(int sandboxes) {
        return places(sandboxes, 0, Duration.ZERO);
    }

    private static Places places(int sandboxes, int waitingMax, Duration waitMax) {
        var part = new ShareLimit(0.75);
        return places(new Sharing(part, sandboxes * LIMITS.memoryBytes()), waitingMax, waitMax);
    }

    private static Places places(Sharing sharing, int waitingMax, Duration waitMax) {
        return new Places(
                new SettingsForTests(Path.of("/none"), Path.of("/none"))
                        .places(4)
                        .waiting(waitingMax, waitMax)
                        .sharing(sharing)
                        .build());
    }

    private static void refuses(Places places, String caller, String share) {
        assertThatThrownBy(() -> places.enter(caller, LIMITS))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                            assertThat(refusal.sentence()).contains("Try again in about");
                            assertThat(refusal.details())
                                    .containsEntry("share", share)
                                    .containsKey("retry_after_seconds");
                        });
    }

    @Test
    void none_has_all_places() throws Exception {
        var places = places(100);
        for (int place = 0; place < 3; place++) {
            places.enter("greedy", LIMITS);
        }
        assertThat(places.hasOthers("greedy")).isTrue();
        refuses(places, "greedy", "places");
        places.enter("modest", LIMITS);
        assertThat(places.hasOthers("modest")).isFalse();
        assertThat(places.inUse()).isEqualTo(4);
    }

    @Test
    void none_has_all_memory_and_who_is_refused_has_no_place() throws Exception {
        var places = places(3);
        var first = places.enter("greedy", LIMITS);
        places.enter("greedy", LIMITS);
        refuses(places, "greedy", "memory");
        assertThat(places.inUse()).isEqualTo(2);
        places.enter("modest", LIMITS).close();
        first.close();
        first.close();
        places.enter("greedy", LIMITS).close();
        assertThat(places.inUse()).isEqualTo(1);
    }

    @Test
    void none_has_all_processes_and_who_is_refused_has_neither_place_nor_memory() throws Exception {
        var two =
                new Sharing(new ShareLimit(0.75), 2 * LIMITS.memoryBytes(), 3 * LIMITS.processes());
        var places = places(two, 0, Duration.ZERO);
        places.enter("greedy", small()).close();
        var first = places.enter("greedy", small());
        var second = places.enter("greedy", small());
        assertThatThrownBy(() -> places.enter("greedy", small()))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal ->
                                assertThat(refusal.details()).containsEntry("share", "processes"));
        assertThat(places.inUse()).isEqualTo(2);
        places.enter("modest", small()).close();
        first.close();
        second.close();
        var all = places.enter("other", LIMITS);
        all.close();
        assertThat(places.inUse()).isZero();
    }

    /// Processes as usual, and little memory.
    private static Limits small() {
        return new Limits(
                LIMITS.wall(),
                1 << 20,
                LIMITS.cpus(),
                LIMITS.processes(),
                LIMITS.openFiles(),
                LIMITS.fileBytes(),
                LIMITS.tmpBytes());
    }

    @Test
    void a_run_that_may_have_more_than_there_is_has_it_all() throws Exception {
        var places = places(1);
        var huge =
                new Limits(
                        LIMITS.wall(),
                        4 * LIMITS.memoryBytes(),
                        LIMITS.cpus(),
                        LIMITS.processes(),
                        LIMITS.openFiles(),
                        LIMITS.fileBytes(),
                        LIMITS.tmpBytes());
        places.enter("a", huge);
        refuses(places, "b", "memory");
    }

    @Test
    void a_run_that_waits_for_memory_has_no_place_and_is_refused_when_the_server_stops()
            throws Exception {
        var places = places(1, 4, Duration.ofMinutes(1));
        var session = places.reserve("session", LIMITS);
        var refused = new CompletableFuture<Throwable>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        places.enter("waiting", LIMITS).close();
                    } catch (InterruptedException | RuntimeException failed) {
                        refused.complete(failed);
                    }
                });
        Awaitility.await().until(() -> places.waiting() == 1);
        assertThat(places.inUse()).isZero();
        assertThat(places.awaitIdle(Duration.ofMinutes(1))).isTrue();
        assertThat(refused.get(1, TimeUnit.MINUTES)).hasMessageContaining("stopping");
        session.close();
    }
}
