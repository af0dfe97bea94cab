package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Which thread hears what a program writes: that of its run, while nothing of it has to wait, and
/// one of its own from then on, so that limits are kept and cancelling works either way.
@Tag("root")
@InNests
@Timeout(120)
@ExtendWith(Rig.Shared.class)
final class RunThreadTest {
    private static final long PATIENCE_SECONDS = 60;

    private final Rig rig;

    RunThreadTest(Rig rig) {
        this.rig = rig;
    }

    /// Takes so many pieces without waiting.
    private static class Counting implements Sink {
        final Set<Thread> writers = ConcurrentHashMap.newKeySet();
        final Rig.Output kept = new Rig.Output();
        final CountDownLatch first = new CountDownLatch(1);
        private final AtomicInteger left;

        Counting(int atOnce) {
            this.left = new AtomicInteger(atOnce);
        }

        @Override
        public boolean takesAtOnce(int bytes) {
            return left.get() > 0;
        }

        @Override
        public void write(Stream stream, byte[] bytes, int offset, int length) {
            left.decrementAndGet();
            writers.add(Thread.currentThread());
            kept.write(stream, bytes, offset, length);
            first.countDown();
        }

        String text() {
            return kept.text(kept.stdout);
        }
    }

    private Outcome run(String code, Duration wall, Sink sink) throws InterruptedException {
        var runner = rig.sandboxes().runners().of(Language.BASH).orElseThrow();
        return rig.sandboxes()
                .run(
                        new Run(
                                "run-thread",
                                runner,
                                code,
                                Rig.LIMITS.withWall(wall),
                                Map.of(),
                                new Workspace.Directory(rig.workspace()),
                                sink));
    }

    private static void exited(int code, Outcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isEqualTo(code));
    }

    @Test
    void what_is_taken_at_once_is_heard_by_the_thread_of_the_run() throws Exception {
        var sink = new Counting(Integer.MAX_VALUE);
        exited(3, run("echo one; sleep 0.1; echo two; exit 3", Duration.ofSeconds(30), sink));
        assertThat(sink.text()).isEqualTo("one\ntwo\n");
        assertThat(sink.writers).containsExactly(Thread.currentThread());
    }

    @Test
    void what_may_wait_is_heard_by_another_in_its_order() throws Exception {
        var sink = new Counting(1);
        exited(
                0,
                run(
                        "echo one; sleep 0.2; echo two; sleep 0.2; echo three",
                        Duration.ofSeconds(30),
                        sink));
        assertThat(sink.text()).isEqualTo("one\ntwo\nthree\n");
        assertThat(sink.writers).hasSize(2).contains(Thread.currentThread());
    }

    @Test
    void much_output_is_whole() throws Exception {
        var sink = new Counting(2);
        exited(0, run("seq 1 200000 | head -c 900000", Duration.ofSeconds(30), sink));
        assertThat(sink.text()).hasSize(900_000).startsWith("1\n2\n");
    }

    @Test
    void a_run_whose_thread_listens_is_cancelled_by_its_interrupt() throws Exception {
        var sink = new Counting(Integer.MAX_VALUE);
        var done = new CompletableFuture<Outcome>();
        var caller =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                done.complete(run("echo 1; sleep 1000", minute(), sink));
                            } catch (InterruptedException | RuntimeException failed) {
                                done.completeExceptionally(failed);
                            }
                        });
        assertThat(sink.first.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        assertThat(done.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(Outcome.Cancelled.class);
        assertThat(sink.text()).isEqualTo("1\n");
    }

    @Test
    void a_limit_is_kept_by_the_thread_that_listens() throws Exception {
        var sink = new Counting(Integer.MAX_VALUE);
        var outcome = run("echo 1; sleep 1000", Duration.ofSeconds(1), sink);
        assertThat(outcome).isInstanceOf(Outcome.TimedOut.class);
        assertThat(sink.text()).isEqualTo("1\n");
    }

    @Test
    void a_limit_is_kept_while_the_sink_waits() throws Exception {
        var word = "31415926";
        var free = new CountDownLatch(1);
        var sink =
                new Counting(1) {
                    @Override
                    public void write(Stream stream, byte[] bytes, int offset, int length) {
                        super.write(stream, bytes, offset, length);
                        if (text().contains("two")) {
                            awaitQuietly(free);
                        }
                    }
                };
        var done = new CompletableFuture<Outcome>();
        Thread.ofPlatform()
                .start(() -> {
                    try {
                        var code = "sleep %s & echo one; sleep 0.2; echo two; wait".formatted(word);
                        done.complete(run(code, Duration.ofSeconds(2), sink));
                    } catch (InterruptedException | RuntimeException failed) {
                        done.completeExceptionally(failed);
                    }
                });
        Awaitility.await().atMost(minute()).until(() -> sink.text().contains("two"));
        Awaitility.await().atMost(minute()).until(() -> find(word).isEmpty());
        free.countDown();
        assertThat(done.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(Outcome.TimedOut.class);
        assertThat(sink.text()).isEqualTo("one\ntwo\n");
    }

    private static Duration minute() {
        return Duration.ofMinutes(1);
    }

    private static Optional<ProcessHandle> find(String word) {
        return ProcessHandle.allProcesses()
                .filter(each ->
                        each.info().commandLine().filter(line -> line.contains(word)).isPresent())
                .findFirst();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }
}
