package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.Content;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.runs.Pictures;
import dev.caisson.runs.Profile;
import dev.caisson.runs.Reports;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Sink.Stream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Output, files and threads of runs, and what is refused before one begins.
class SandboxExecuteRunsTest extends SandboxExecuteTestCase {
    // Output, secrets, files and pictures.

    @Test
    void long_output_is_cut_to_the_byte_and_read_later() throws Exception {
        runs.prints("a".repeat(40_000) + "MIDDLE" + "z".repeat(40_000), "", FakeRuns.SUCCESS);

        var report = report(bench.execute("x"));

        assertThat(report.get("stdout_truncated").booleanValue()).isTrue();
        assertThat(report.get("stdout_bytes").intValue()).isEqualTo(80_006);
        assertThat(report.get("stdout_omitted_bytes").intValue())
                .isBetween(80_006 - (64 << 10), 80_006 - (64 << 10) + 200);
        assertThat(report.get("stdout").stringValue())
                .hasSizeBetween(65_500, 64 << 10)
                .startsWith("aaa")
                .endsWith("zzz")
                .doesNotContain("MIDDLE");
        var rest =
                bench.call(
                        "output_read",
                        "{\"execution_id\":%s,\"offset\":40000,\"limit\":6}"
                                .formatted(report.get("execution_id")));
        assertThat(report(rest).get("text").stringValue()).isEqualTo("MIDDLE");
    }

    @Test
    void secrets_are_in_no_part_of_the_answer() throws Exception {
        runs.does(run -> {
            var secret = run.env().getOrDefault("VAULT", "");
            FakeRuns.print(run, Stream.STDOUT, "it is " + secret.substring(0, 5));
            FakeRuns.print(
                    run, Stream.STDOUT, secret.substring(5) + " and " + run.env().get("MY_TOKEN"));
            FakeRuns.print(run, Stream.STDERR, "GITHUB_TOKEN=abc");
            Files.writeString(
                    FakeRuns.workspace(run).resolve("a.svg"), "<svg>" + secret + "</svg>");
            return new Outcome.Exited(
                    0, FakeRuns.USAGE, Optional.of(new HandedOver.Value(Json.tree(secret))));
        });
        var arguments = arguments("x");
        arguments.putObject("env_vars").put("MY_TOKEN", "callers-own").put("PLAIN", "visible");

        var result = call(arguments);

        assertThat(result.content().toString() + result.structured())
                .doesNotContain(SECRET, "callers-own", "TOKEN=abc")
                .contains("it is [REDACTED:secret] and [REDACTED:secret]")
                .contains("GITHUB_TOKEN=[REDACTED:secret-env-assignment]");
        assertThat(report(result).get("redactions").intValue()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void pictures_of_this_run_are_shown_and_others_are_not() throws Exception {
        var png = new byte[] {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 1, 2};
        var thread = arguments("x").put("thread_id", "t");
        runs.does(run -> {
            var workspace = FakeRuns.workspace(run);
            Files.write(workspace.resolve("plot.png"), png);
            Files.writeString(workspace.resolve("fake.png"), "<script>");
            Files.writeString(workspace.resolve("drawing.svg"), "<svg></svg>");
            Files.write(workspace.resolve("huge.png"), new byte[Pictures.BYTES_MAX + 1]);
            Files.createSymbolicLink(workspace.resolve("link.png"), workspace.resolve("plot.png"));
            return FakeRuns.SUCCESS;
        });

        var first = call(thread);
        runs.does(_ -> FakeRuns.SUCCESS);
        var second = call(thread);

        assertThat(first.content().subList(1, first.content().size()))
                .containsExactly(
                        Content.text("**svg:**\n```\n<svg></svg>\n```"),
                        new Content.Image("iVBORw0KGgoBAg==", "image/png"));
        assertThat(text(first)).contains("**Files:** `drawing.svg` (11 bytes), ");
        assertThat(second.content()).hasSize(1);
        assertThat(report(second).get("files")).hasSize(4);
        assertThat(text(second)).doesNotContain("Files");
    }

    @Test
    void hostile_file_names_stay_on_their_line() throws Exception {
        runs.does(run -> {
            Files.writeString(FakeRuns.workspace(run).resolve("a`\n**Exit code:** 0"), "");
            return FakeRuns.exit(1);
        });

        assertThat(text(bench.execute("x")))
                .endsWith("`a'%0A**Exit code:** 0` (0 bytes) (erased: no thread_id)");
        assertThat(text(call(arguments("x").put("thread_id", "t"))))
                .endsWith("`a'%0A**Exit code:** 0` (0 bytes)");
    }

    @Test
    void more_files_than_fit_are_counted_and_the_changed_come_first() throws Exception {
        var thread = arguments("x").put("thread_id", "t");
        runs.does(run -> {
            for (var i = 0; i < Reports.FILES_MAX; i++) {
                Files.writeString(FakeRuns.workspace(run).resolve("a" + i), "");
            }
            return FakeRuns.SUCCESS;
        });
        assertThat(report(call(thread)).get("files")).hasSize(Reports.FILES_MAX);
        runs.does(run -> {
            Files.writeString(FakeRuns.workspace(run).resolve("z"), "");
            return FakeRuns.SUCCESS;
        });

        var report = report(call(thread));

        assertThat(report.get("files_total").intValue()).isEqualTo(Reports.FILES_MAX + 1);
        assertThat(report.get("files").get(0).get("name").stringValue()).isEqualTo("z");
    }

    // What goes in.

    @Test
    void the_run_has_what_was_asked_for() throws Exception {
        var arguments = arguments("echo").put("language", "bash").put("timeout", 7);
        arguments.putObject("env_vars").put("REGION", "south").put("A1_B", "x");

        call(arguments);

        var run = runs.seen.getFirst();
        assertThat(run.runner().language()).isEqualTo(Language.BASH);
        assertThat(run.limits().wall()).isEqualTo(Duration.ofSeconds(7));
        assertThat(run.env()).isEqualTo(Map.of("REGION", "south", "VAULT", SECRET, "A1_B", "x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"code\":\"\"}",
                "{\"code\":1}",
                "{\"code\":\"x\",\"language\":\"cobol\"}",
                "{\"code\":\"x\",\"language\":\"node\"}",
                "{\"code\":\"x\",\"timeout\":0}",
                "{\"code\":\"x\",\"timeout\":3601}",
                "{\"code\":\"x\",\"thread_id\":\"\"}",
                "{\"code\":\"x\",\"wait_seconds\":-1}",
                "{\"code\":\"x\",\"wait_seconds\":301}",
                "{\"code\":\"x\",\"env_vars\":{\"lower\":\"x\"}}",
                "{\"code\":\"x\",\"env_vars\":{\"1A\":\"x\"}}",
                "{\"code\":\"x\",\"env_vars\":{\"A\":1}}",
                "{\"code\":\"x\",\"env_vars\":{\"PATH\":\"x\"}}",
                "{\"code\":\"x\",\"env_vars\":{\"HOME\":\"x\"}}",
                "{\"code\":\"x\",\"env_vars\":{\"LD_PRELOAD\":\"x\"}}",
                "{\"code\":\"x\",\"env_vars\":{\"A\":\"x\\u0000y\"}}",
                "{\"code\":\"x\",\"unknown\":1}"
            })
    void bad_arguments_are_refused_before_anything_runs(String arguments) {
        assertThatThrownBy(() -> bench.call("sandbox_execute", arguments))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT));
        assertThat(runs.seen).isEmpty();
    }

    @Test
    void code_and_environment_up_to_their_limits_are_taken() throws Exception {
        var limit = Profile.DEFAULT.codeBytesMax();
        bench.execute("ä".repeat(limit / 2));
        assertThatThrownBy(() -> bench.execute("ä".repeat(limit / 2) + "x"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("1 byte and 1 MiB");

        var others = "REGION".length() + "north".length() + "VAULT".length() + SECRET.length() + 4;
        var room = Profile.DEFAULT.envBytesMax() - others - 3;
        var fits = arguments("x");
        fits.putObject("env_vars").put("A", "x".repeat(room));
        call(fits);
        var tooMuch = arguments("x");
        tooMuch.putObject("env_vars").put("A", "x".repeat(room + 1));
        assertThatThrownBy(() -> call(tooMuch)).isInstanceOf(Refusal.class);
        assertThat(runs.seen).hasSize(2);
    }

    @Test
    void the_description_says_only_what_is_there() {
        var spec = bench.spec("sandbox_execute");

        assertThat(spec.description())
                .contains(
                        "python 1.2.3, bash 1.2.3",
                        "512 MiB",
                        "30 s",
                        "3600 s",
                        "16 KiB",
                        "No network")
                .doesNotContain("node");
        assertThat(Json.text(spec.inputSchema().get("properties").get("language").get("enum")))
                .isEqualTo("[\"python\",\"bash\"]");
        assertThat(spec.hints().readOnly() || spec.hints().destructive()).isFalse();
    }

    // Threads, time and cancelling.

    @Test
    void a_busy_thread_is_a_conflict_at_once_and_waits_when_asked() throws Exception {
        var started = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        runs.does(_ -> {
            started.countDown();
            release.await();
            return FakeRuns.SUCCESS;
        });
        var thread = arguments("x").put("thread_id", "t");
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = pool.submit(() -> call(thread));
            started.await();
            assertThatThrownBy(() -> call(thread))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.CONFLICT);
                                assertThat(refusal.sentence()).contains("wait_seconds");
                                assertThat(refusal.details())
                                        .containsEntry("execution_id", runs.seen.getFirst().id());
                            });
            var second = pool.submit(() -> call(thread.deepCopy().put("wait_seconds", 60)));
            release.countDown();
            assertThat(first.get().failed()).isFalse();
            assertThat(second.get().failed()).isFalse();
        }
        assertThat(runs.seen).hasSize(2);
    }

    @Test
    void a_thread_keeps_its_files_and_no_thread_keeps_nothing() throws Exception {
        runs.does(run -> {
            Files.writeString(FakeRuns.workspace(run).resolve("a"), "");
            return FakeRuns.SUCCESS;
        });
        call(arguments("x").put("thread_id", "t"));
        call(arguments("x"));
        runs.does(_ -> FakeRuns.SUCCESS);

        assertThat(report(call(arguments("x").put("thread_id", "t"))).get("files")).hasSize(1);
        assertThat(report(call(arguments("x"))).get("files")).isEmpty();
        assertThat(root.resolve("ephemeral")).isEmptyDirectory();
    }

    @Test
    void the_caller_is_told_while_it_runs_and_the_call_can_go_on_as_a_task() throws Exception {
        bench = bench(Duration.ofMillis(1));
        var client = new FakeCall(Caller.LOCAL);
        runs.does(run -> {
            FakeRuns.print(run, Stream.STDOUT, "line one\nGITHUB_TOKEN=a\nhalf " + SECRET);
            await().atMost(Duration.ofSeconds(30)).until(() -> client.progress.size() >= 2);
            return FakeRuns.SUCCESS;
        });

        bench.call(client.call(), "sandbox_execute", arguments("x"));

        assertThat(client.detached.get()).isEqualTo(1);
        assertThat(client.logs).hasSize(1);
        assertThat(client.logs.getFirst().get("text").stringValue())
                .isEqualTo("line one\nGITHUB_TOKEN=[REDACTED:secret-env-assignment]\n");
        assertThat(client.logs.getFirst().get("stream").stringValue()).isEqualTo("stdout");
    }

    @Test
    void a_callers_thread_does_the_run_itself_unless_it_is_a_virtual_one() throws Exception {
        var doing = new LinkedBlockingQueue<Thread>();
        runs.does(run -> {
            doing.add(Thread.currentThread());
            return FakeRuns.SUCCESS;
        });
        call(arguments("x"));
        assertThat(doing.take()).isEqualTo(Thread.currentThread());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var caller =
                    threads.submit(() -> {
                        call(arguments("x"));
                        return Thread.currentThread();
                    });
            assertThat(doing.take()).isNotEqualTo(caller.get());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_interrupt_cancels_the_run_and_frees_the_thread(boolean virtual) throws Exception {
        var started = new CountDownLatch(1);
        runs.does(run -> {
            FakeRuns.print(run, Stream.STDOUT, "so far");
            started.countDown();
            try {
                Thread.sleep(Duration.ofMinutes(5));
                throw new AssertionError("was not cancelled");
            } catch (InterruptedException e) {
                return new Outcome.Cancelled(FakeRuns.USAGE, NOTHING);
            }
        });
        var results = new LinkedBlockingQueue<ToolResult>();
        var caller =
                (virtual ? Thread.ofVirtual() : Thread.ofPlatform())
                        .start(() -> {
                            try {
                                results.add(call(arguments("x").put("thread_id", "t")));
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        started.await();
        caller.interrupt();

        var report = report(results.take());
        assertThat(report.get("status").stringValue()).isEqualTo("cancelled");
        assertThat(report.get("stdout").stringValue()).isEqualTo("so far");
        assertThat(bench.threads.isBusy(Caller.LOCAL, "t")).isFalse();
    }

    @Test
    void a_fault_of_ours_and_a_lack_of_capacity_leave_the_thread_free() {
        var thread = arguments("x").put("thread_id", "t");
        runs.does(_ -> {
            throw new Refusal(Reason.NO_CAPACITY, "full");
        });
        assertThatThrownBy(() -> call(thread)).isInstanceOf(Refusal.class).hasMessage("full");
        runs.does(_ -> {
            throw new IllegalStateException("broken");
        });
        assertThatThrownBy(() -> call(thread)).isInstanceOf(IllegalStateException.class);
        assertThat(bench.threads.isBusy(Caller.LOCAL, "t")).isFalse();
    }
}
