package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// How a run ended is the kernel's word, whatever the program says or does.
@Tag("root")
@Tag("slow")
@ExtendWith(Rig.Shared.class)
abstract class OutcomeContractTest {
    private static final Limits SMALL =
            new Limits(Duration.ofSeconds(30), 96L << 20, 1.0, 64, 256, 64L << 20, 32L << 20);
    private static final Limits SHORT = SMALL.withWall(Duration.ofMillis(1_500));

    /// Takes memory piece by piece and writes to each, until the limit ends it. A large piece at
    /// once would be refused by some hosts and never used by others, as `vm.overcommit_memory`
    /// says.
    private static final String ALL_MEMORY = "x = []\nwhile True: x.append(b\"1\" * (1 << 20))";

    /// What killing may take on a busy machine, beyond the limit.
    private static final long KILL_MILLIS_MAX = 3_000;

    private final Rig rig;

    OutcomeContractTest(Rig rig) {
        this.rig = rig;
    }

    private Outcome bash(String code) throws InterruptedException {
        return rig.run(Language.BASH, code, SMALL).outcome();
    }

    private Outcome python(String code) throws InterruptedException {
        return rig.run(Language.PYTHON, code, SMALL).outcome();
    }

    @Test
    void exit_codes_are_carried_as_they_are() throws Exception {
        for (int code : List.of(0, 1, 2, 125, 126, 127, 128, 137, 139, 143, 255)) {
            assertThat(bash("exit " + code))
                    .isInstanceOfSatisfying(
                            Outcome.Exited.class,
                            exited -> assertThat(exited.code()).isEqualTo(code));
        }
    }

    @Test
    void a_signal_is_not_an_exit_code() throws Exception {
        for (int signal : List.of(6, 9, 11, 15)) {
            assertThat(bash("kill -" + signal + " $$"))
                    .isInstanceOfSatisfying(
                            Outcome.Signalled.class,
                            signalled -> assertThat(signalled.signal()).isEqualTo(signal));
        }
        assertThat(python("import ctypes; ctypes.string_at(0)"))
                .isInstanceOfSatisfying(
                        Outcome.Signalled.class,
                        signalled -> assertThat(signalled.signal()).isEqualTo(11));
    }

    @Test
    void memory_beyond_the_limit_is_named() throws Exception {
        assertThat(python(ALL_MEMORY))
                .isInstanceOfSatisfying(
                        Outcome.OutOfMemory.class,
                        oom ->
                                assertThat(oom.usage().memoryPeakBytes())
                                        .isBetween(64L << 20, 100L << 20));
        var node = "const x = []; while (true) x.push(new Array(1e5).fill(Math.random()))";
        assertThat(rig.run(Language.NODE, node, SMALL).outcome())
                .isInstanceOf(Outcome.OutOfMemory.class);
    }

    @Test
    void a_limit_too_small_for_the_interpreter_is_named_too() throws Exception {
        var limits =
                new Limits(Duration.ofSeconds(30), 2L << 20, 1.0, 64, 256, 64L << 20, 32L << 20);
        assertThat(rig.run(Language.NODE, "1", limits).outcome())
                .isInstanceOf(Outcome.OutOfMemory.class);
    }

    @Test
    void files_in_memory_count_as_memory() throws Exception {
        var limits =
                new Limits(Duration.ofSeconds(30), 96L << 20, 1.0, 64, 256, 1L << 30, 1L << 30);
        var result = rig.run(Language.BASH, "head -c 200M /dev/zero > /tmp/x", limits);
        assertThat(result.outcome()).isInstanceOf(Outcome.OutOfMemory.class);
    }

    @Test
    void a_childs_death_for_memory_counts_if_the_program_fails() throws Exception {
        var child = "python3 -c '%s'".formatted(ALL_MEMORY);
        assertThat(bash(child + "; exit 3")).isInstanceOf(Outcome.OutOfMemory.class);
        assertThat(bash(child + "; exit 0"))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isZero());
    }

    @Test
    void time_is_up_for_everyone() throws Exception {
        var hangs =
                List.of(
                        "while :; do :; done",
                        "trap '' TERM INT HUP QUIT; while :; do sleep 1; done",
                        "kill -STOP $$",
                        "setsid sleep 1000 & setsid bash -c 'trap \"\" TERM; sleep 1000' & wait",
                        "exec 0<&- 1>&- 2>&-; sleep 1000");
        for (var hang : hangs) {
            long begun = System.nanoTime();
            var result = rig.run(Language.BASH, "echo before\n" + hang, SHORT);
            long millis = (System.nanoTime() - begun) / 1_000_000;
            assertThat(result.outcome()).as(hang).isInstanceOf(Outcome.TimedOut.class);
            assertThat(result.stdout()).as(hang).isEqualTo("before\n");
            assertThat(millis).as(hang).isBetween(1_500L, 1_500 + KILL_MILLIS_MAX);
            var killing = result.outcome().usage().stages().of(Stage.TEARDOWN);
            assertThat(killing).as(hang).isBetween(Duration.ofNanos(1), Duration.ofSeconds(2));
        }
    }

    @Test
    void a_grandchild_that_holds_the_pipes_delays_nothing() throws Exception {
        long begun = System.nanoTime();
        var result = rig.run(Language.BASH, "(setsid sleep 1000 &) ; echo done", SMALL);
        assertThat(result.code()).isZero();
        assertThat(result.stdout()).isEqualTo("done\n");
        assertThat((System.nanoTime() - begun) / 1_000_000).isLessThan(10_000);
    }

    /// An answer does not wait for the sandbox to be taken apart, but for everything that was
    /// started in it: also for what let go of its parent and of every stream.
    @Test
    void what_hides_from_everybody_is_dead_when_the_answer_comes() throws Exception {
        var marker = "hidden-" + System.nanoTime();
        for (int time = 0; time < 5; time++) {
            var result =
                    rig.run(
                            Language.PYTHON,
                            """
                            import os, time
                            if os.fork() == 0:
                                os.setsid()
                                if os.fork() == 0:
                                    os.closerange(0, 256)
                                    os.execv('/bin/sh', ['sh', '-c', 'sleep 1000; :', '%s'])
                                os._exit(0)
                            time.sleep(0.05)
                            print('gone')
                            """
                                    .formatted(marker));
            assertThat(Marked.count(marker)).isZero();
            assertThat(result.code()).isZero();
            assertThat(result.stdout()).isEqualTo("gone\n");
        }
    }

    @Test
    void a_program_without_its_permit_does_not_begin() throws Exception {
        var workspace = rig.workspace();
        var runner = rig.sandboxes().runners().of(Language.BASH).orElseThrow();
        var run =
                new Run(
                        "unpermitted",
                        runner,
                        "echo > /workspace/began",
                        Rig.LIMITS,
                        Map.of(),
                        new Workspace.Directory(workspace),
                        new Rig.Output());
        Permit refused =
                () -> {
                    throw new IllegalStateException("no disk");
                };
        assertThatThrownBy(() -> rig.sandboxes().run(run.when(refused))).hasMessage("no disk");
        assertThat(workspace).isEmptyDirectory();

        rig.sandboxes().run(run);
        assertThat(workspace.resolve("began")).exists();
    }

    /// The way of a job into its sandbox is closed by an interrupt, in one that waits and in a new
    /// one.
    @Test
    void a_run_cancelled_as_its_job_is_handed_over_is_cancelled() throws Exception {
        var runner = rig.sandboxes().runners().of(Language.BASH).orElseThrow();
        var run =
                new Run(
                        "cancelled-early",
                        runner,
                        "sleep 1000",
                        Rig.LIMITS,
                        Map.of(),
                        new Workspace.Directory(rig.workspace()),
                        new Rig.Output());

        var outcome = rig.sandboxes().run(run.when(Thread.currentThread()::interrupt));

        assertThat(Thread.interrupted()).as("the interrupt is used up").isFalse();
        assertThat(outcome).isInstanceOf(Outcome.Cancelled.class);
    }

    /// A process whose first thread has ended runs on; so does the run.
    @Test
    void a_program_is_over_when_its_last_thread_is() throws Exception {
        var result =
                rig.run(
                        Language.PYTHON,
                        """
                        import ctypes, os, threading, time
                        def late():
                            time.sleep(0.3)
                            os.write(1, b'late')
                            os._exit(4)
                        threading.Thread(target=late).start()
                        ctypes.CDLL(None).pthread_exit(None)
                        """);
        assertThat(result.stdout()).isEqualTo("late");
        assertThat(result.code()).isEqualTo(4);
    }

    @Test
    void a_cancelled_run_says_so_with_what_was_written() throws Exception {
        var done = new CompletableFuture<Rig.Result>();
        var output = new java.util.concurrent.CountDownLatch(1);
        var runner = rig.sandboxes().runners().of(Language.BASH).orElseThrow();
        var kept = new Rig.Output();
        Sink sink =
                (stream, bytes, offset, length) -> {
                    kept.write(stream, bytes, offset, length);
                    output.countDown();
                };
        var run =
                new Run(
                        "c",
                        runner,
                        "echo before; sleep 1000",
                        SMALL,
                        java.util.Map.of(),
                        new Workspace.Directory(rig.workspace()),
                        sink);
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                var outcome = rig.sandboxes().run(run);
                                done.complete(
                                        new Rig.Result(
                                                outcome,
                                                kept.text(kept.stdout),
                                                "" + Thread.interrupted()));
                            } catch (InterruptedException | RuntimeException failed) {
                                done.completeExceptionally(failed);
                            }
                        });
        assertThat(output.await(30, TimeUnit.SECONDS)).isTrue();
        long begun = System.nanoTime();
        caller.interrupt();
        var result = done.get(30, TimeUnit.SECONDS);
        assertThat(result.outcome()).isInstanceOf(Outcome.Cancelled.class);
        assertThat(result.stdout()).isEqualTo("before\n");
        assertThat(result.stderr()).as("the interrupt is used up").isEqualTo("false");
        assertThat((System.nanoTime() - begun) / 1_000_000).isLessThan(KILL_MILLIS_MAX);
    }

    @Test
    void a_sink_that_fails_is_our_fault_and_leaves_nothing() throws Exception {
        var runner = rig.sandboxes().runners().of(Language.BASH).orElseThrow();
        Sink sink =
                (_, _, _, _) -> {
                    throw new IllegalArgumentException("the disk is full");
                };
        var run =
                new Run(
                        "s",
                        runner,
                        "yes | head -c 300000",
                        SMALL,
                        java.util.Map.of(),
                        new Workspace.Directory(rig.workspace()),
                        sink);
        int before = rig.sandboxes().boxes();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> rig.sandboxes().run(run))
                .hasMessage("the disk is full");
        assertThat(rig.sandboxes().load().running()).isZero();
        rig.awaitTidy();
        assertThat(rig.sandboxes().boxes()).as("sandboxes there").isLessThan(before + 10);
        assertThat(bash("exit 4")).isInstanceOf(Outcome.Exited.class);
    }

    @Test
    void bombs_are_contained_and_named() throws Exception {
        var fork = rig.run(Language.BASH, "f() { f | f & }; f; sleep 1000", SHORT);
        assertThat(fork.outcome()).isInstanceOfAny(Outcome.TimedOut.class, Outcome.Exited.class);
        var flood = rig.run(Language.BASH, "exec yes", SHORT);
        assertThat(flood.outcome()).isInstanceOf(Outcome.TimedOut.class);
        assertThat(flood.stdout()).startsWith("y\ny\n");
        var after = rig.run(Language.BASH, "echo well", SMALL);
        assertThat(after.stdout()).isEqualTo("well\n");
    }

    @Test
    void a_program_that_kills_all_it_can_reach_harms_only_itself() throws Exception {
        assertThat(bash("kill -9 -1; kill -9 $PPID; kill -9 1; exit 6"))
                .isInstanceOfAny(Outcome.Exited.class, Outcome.Signalled.class);
        assertThat(
                        python(
                                "import os, signal\nfor process in (os.getppid(), 1):\n    try:\n        os.kill(process, signal.SIGKILL)\n    except PermissionError:\n        pass\nos._exit(8)"))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isEqualTo(8));
    }

    @Test
    void limits_of_files_and_processes_hold_on_both_sides() throws Exception {
        var files =
                "import os\nfds = []\ntry:\n    while True: fds.append(os.open('/dev/null', 0))\nexcept OSError as e:\n    print(max(fds) + 1, e.errno)";
        assertThat(rig.run(Language.PYTHON, files, SMALL).stdout()).isEqualTo("256 24\n");
        var size =
                "import os\nf = open('/workspace/x', 'wb')\nf.truncate(64 << 20)\nprint('fits')\ntry:\n    f.truncate((64 << 20) + 1)\nexcept OSError as e:\n    print(e.errno)";
        assertThat(rig.run(Language.PYTHON, size, SMALL).stdout()).isEqualTo("fits\n27\n");
        var tmp =
                "import os\ndef fill(n):\n    with open('/tmp/x', 'wb') as f:\n        for _ in range(n): f.write(bytes(1 << 20))\nfill(31); print('fits')\ntry:\n    fill(33)\nexcept OSError as e:\n    print(e.errno)";
        assertThat(rig.run(Language.PYTHON, tmp, SMALL).stdout()).isEqualTo("fits\n28\n");
        var inodes =
                "n = 0\ntry:\n    while True:\n        open(f'/tmp/{n}', 'w').close(); n += 1\nexcept OSError as e:\n    print(8000 < n < 8300, e.errno)";
        assertThat(rig.run(Language.PYTHON, inodes, SMALL).stdout()).isEqualTo("True 28\n");
        var processes =
                "import os, time\nn = 0\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(100); os._exit(0)\n        n += 1\nexcept OSError as e:\n    print(50 < n < 64, e.errno)";
        assertThat(rig.run(Language.PYTHON, processes, SMALL).stdout()).isEqualTo("True 11\n");
    }

    @Test
    void processor_time_is_limited_and_counted() throws Exception {
        var limits =
                new Limits(Duration.ofSeconds(30), 96L << 20, 0.2, 64, 256, 64L << 20, 32L << 20);
        var spin =
                "import time\nend = time.monotonic() + 2\nwhile time.monotonic() < end: pass\nprint(time.process_time() < 1.0)";
        var result = rig.run(Language.PYTHON, spin, limits);
        assertThat(result.stdout()).isEqualTo("True\n");
        assertThat(result.outcome().usage().cpuMillis()).isBetween(50L, 1_500L);
        assertThat(result.outcome().usage().wallMillis()).isGreaterThanOrEqualTo(2_000);
    }
}
