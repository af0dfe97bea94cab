package dev.caisson.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WorkersTest {
    @AutoClose
    private final Workers workers =
            new Workers(
                    2,
                    ShareLimit.DEFAULT,
                    Thread.ofPlatform().daemon().name("worker-", 0).factory());

    @Test
    void work_runs_on_a_platform_thread_and_its_result_comes_back() throws Exception {
        boolean virtual = workers.run("a", () -> Thread.currentThread().isVirtual());
        assertThat(virtual).isFalse();
    }

    @Test
    void what_the_work_throws_is_thrown() {
        assertThatThrownBy(() ->
                        workers.run(
                                "a",
                                () -> {
                                    throw new IOException("broken");
                                }))
                .isInstanceOf(IOException.class)
                .hasMessage("broken");
    }

    @Test
    void one_caller_leaves_a_thread_to_others() throws Exception {
        var release = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var busy = new CompletableFuture<String>();
        for (int i = 0; i < 5; i++) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            busy.complete(
                                    workers.run(
                                            "a",
                                            () -> {
                                                begun.countDown();
                                                release.await();
                                                return "a";
                                            }));
                        } catch (Exception failed) {
                            busy.completeExceptionally(failed);
                        }
                    });
        }
        begun.await();
        assertThat(workers.run("b", () -> "b")).isEqualTo("b");
        release.countDown();
        assertThat(busy.join()).isEqualTo("a");
    }

    @Test
    void who_is_interrupted_ends_its_work_and_no_other() throws Exception {
        var begun = new CountDownLatch(1);
        var interrupted = new AtomicBoolean();
        var waiting =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                workers.run(
                                        "a",
                                        () -> {
                                            begun.countDown();
                                            try {
                                                Thread.sleep(60_000);
                                            } catch (InterruptedException ended) {
                                                interrupted.set(true);
                                            }
                                            return "";
                                        });
                            } catch (Exception expected) {
                                Thread.currentThread().interrupt();
                            }
                        });
        begun.await();
        waiting.interrupt();
        waiting.join();
        assertThat(interrupted).isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(workers.run("a", () -> Thread.currentThread().isInterrupted())).isFalse();
        }
    }
}
