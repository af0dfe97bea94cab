package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.structured;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.runs.Profile;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Residents;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Workspace;
import dev.caisson.session.SessionKey;
import dev.caisson.session.SessionLimits;
import dev.caisson.session.Sessions;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FilePath;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sessions through the tool, with real sandboxes and workspaces that are file systems of their
/// own.
class SessionTest extends RealToolsTestCase {
    private static final SessionLimits LIMITS = new SessionLimits(3, 2, Duration.ofMinutes(10));

    private static final Caller OTHER = new Caller("other", "other", Set.of(Scope.RUN), Set.of());
    private static final Caller THIRD = new Caller("third", "third", Set.of(Scope.RUN), Set.of());

    private String thread = "";
    private int count;

    SessionTest() {
        super(Profile.DEFAULT, LIMITS);
    }

    /// No test finds what another has left.
    @BeforeEach
    void choose() {
        thread = "thread-" + ++count;
    }

    @AfterEach
    void reset() {
        for (var caller : Set.of(Caller.LOCAL, OTHER, THIRD)) {
            for (var each : Set.of(thread, thread + "u", thread + "v")) {
                bench.sessions.reset(caller, each, Optional.empty());
            }
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> bench.sessions.active() == 0);
    }

    private String thread() {
        return Json.text(Json.object().put("thread_id", thread));
    }

    private ObjectNode arguments(String language, String code) {
        return Json.object()
                .put("language", language)
                .put("code", code)
                .put("thread_id", thread)
                .put("session", true);
    }

    private ToolResult call(Caller caller, ObjectNode arguments) throws InterruptedException {
        return bench.call(FakeCall.by(caller), "sandbox_execute", arguments);
    }

    private JsonNode python(String code) throws InterruptedException {
        return report(call(Caller.LOCAL, arguments("python", code)));
    }

    private static String stdout(JsonNode report) {
        return report.get("stdout").stringValue();
    }

    private static String state(JsonNode report) {
        return report.get("session").get("state").stringValue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    python     | x = 41              | print(x + 1)
                    node       | const x = 41        | console.log(x + 1)
                    typescript | const x: number = 41 | console.log(x + 1)
                    bash       | x=41                | echo $((x + 1))
                    """)
    void a_session_keeps_its_state_and_says_so(String language, String first, String then)
            throws Exception {
        var begun = call(Caller.LOCAL, arguments(language, first));
        assertThat(text(begun)).endsWith("**Exit code:** 0\n\n**Session:** new.");
        assertThat(state(report(begun))).isEqualTo("new");

        var kept = call(Caller.LOCAL, arguments(language, then));

        assertThat(text(kept))
                .isEqualTo(
                        "## Execution Result\n\n**stdout:**\n```\n42\n```\n\n**Exit code:** 0\n\n"
                                + "**Session:** kept.");
        assertThat(state(report(kept))).isEqualTo("kept");
        assertThat(report(kept).get("session").get("alive").booleanValue()).isTrue();
    }

    /// Those of the program in between belong to the next call, and those of the server to none.
    @Test
    void each_call_tells_the_files_that_are_new_since_the_last() throws Exception {
        python("open('a','w').write('1')");
        assertThat(changed(python("1"))).isEmpty();
        assertThat(changed(python("open('b','w').write('1')"))).containsExactly("b");
        python(
                "import threading, time\ndef later():\n  time.sleep(0.3); open('c','w').close()\n"
                        + "threading.Thread(target=later).start()");
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> isThere("c"));
        assertThat(changed(python("open('d','w').close()"))).containsExactly("c", "d");
        try (var files = bench.threads.files(Caller.LOCAL, thread);
                var upload = files.upload(FilePath.parse("e", "/workspace"), Expected.anything())) {
            upload.write(ByteBuffer.wrap(new byte[1]));
            upload.commit();
        }
        assertThat(changed(python("import os; print(os.path.exists('e'))"))).isEmpty();
        python("import os; os.remove('e')");
        assertThat(changed(python("1"))).isEmpty();
    }

    private boolean isThere(String file) {
        try (var files = bench.threads.files(Caller.LOCAL, thread)) {
            return files.look(FilePath.parse(file, "/workspace")).path().name().equals(file);
        }
    }

    private static List<String> changed(JsonNode report) {
        return report.get("files")
                .valueStream()
                .filter(file -> file.get("changed").booleanValue())
                .map(file -> file.get("path").stringValue())
                .toList();
    }

    @Test
    void a_session_needs_a_thread() {
        var arguments = Json.object().put("code", "1").put("session", true);
        assertThatThrownBy(() -> call(Caller.LOCAL, arguments))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            assertThat(refusal).hasMessageContaining("thread_id");
                        });
    }

    @Test
    void a_dead_interpreter_is_told_at_once_and_in_the_next_answer() throws Exception {
        python("x = 1");
        var last = python("exit(3)");
        assertThat(last.get("exit_code").intValue()).isEqualTo(3);
        assertThat(last.get("session").get("alive").booleanValue()).isFalse();

        var next = call(Caller.LOCAL, arguments("python", "print('x' in globals())"));

        assertThat(stdout(report(next))).isEqualTo("False\n");
        assertThat(state(report(next))).isEqualTo("restarted");
        assertThat(report(next).get("session").get("reason").stringValue())
                .isEqualTo("its interpreter exited with code 3");
        assertThat(text(next))
                .endsWith(
                        "**Session:** restarted, and nothing of the one before is left, because its"
                                + " interpreter exited with code 3.");
        assertThat(state(python("1"))).isEqualTo("kept");
    }

    @Test
    void one_that_dies_between_calls_is_told_too() throws Exception {
        python("import os, subprocess; subprocess.Popen(['sh', '-c', 'sleep 0.2; kill -9 $PPID'])");
        await().atMost(Duration.ofSeconds(30)).until(() -> state(python("1")).equals("restarted"));
    }

    @Test
    void memory_is_the_sessions_and_running_out_of_it_ends_it() throws Exception {
        var report = python("x = []\nwhile True: x.append(b'1' * (1 << 20))");
        assertThat(report.get("status").stringValue()).isEqualTo("oom");
        assertThat(report.get("session").get("alive").booleanValue()).isFalse();
        assertThat(python("1").get("session").get("reason").stringValue()).contains("memory");
    }

    @Test
    void out_of_time_keeps_the_session_when_the_program_heeds() throws Exception {
        python("x = 5");
        var late =
                report(
                        call(
                                Caller.LOCAL,
                                arguments("python", "import time; time.sleep(600)")
                                        .put("timeout", 1)));
        assertThat(late.get("status").stringValue()).isEqualTo("timeout");
        assertThat(late.get("session").get("alive").booleanValue()).isTrue();
        assertThat(stdout(python("print(x)"))).isEqualTo("5\n");
    }

    @Test
    void a_cancelled_call_leaves_the_session() throws Exception {
        python("x = 5");
        var client = new FakeCall(Caller.LOCAL);
        var answer = new CompletableFuture<JsonNode>();
        var sleeping = arguments("python", "print('in', flush=True); import time; time.sleep(600)");
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                var result = bench.call(client.call(), "sandbox_execute", sleeping);
                                answer.complete(report(result));
                            } catch (Throwable failed) {
                                answer.completeExceptionally(failed);
                            }
                        });
        await().atMost(Duration.ofSeconds(30)).until(() -> !client.logs.isEmpty());
        caller.interrupt();
        assertThat(answer.join().get("status").stringValue()).isEqualTo("cancelled");
        assertThat(stdout(python("print(x)"))).isEqualTo("5\n");
    }

    @Test
    void files_are_shared_with_runs_beside_the_session() throws Exception {
        python("open('from_session', 'w').write('1')");
        var beside =
                Json.object()
                        .put(
                                "code",
                                "import os; print(os.listdir('.')); open('beside','w').write('2')")
                        .put("thread_id", thread);
        var report = report(call(Caller.LOCAL, beside));
        assertThat(stdout(report)).contains("from_session");
        assertThat(report.hasNonNull("session")).isFalse();
        assertThat(stdout(python("print(open('beside').read())"))).isEqualTo("2\n");
        bench.call("session_reset", thread());
        assertThat(stdout(python("print(open('beside').read())"))).isEqualTo("2\n");
    }

    @Test
    void each_language_of_a_thread_has_its_own() throws Exception {
        python("x = 1");
        assertThat(state(report(call(Caller.LOCAL, arguments("bash", "x=2"))))).isEqualTo("new");
        assertThat(stdout(python("print(x)"))).isEqualTo("1\n");
        var ended = report(bench.call("session_reset", thread()));
        assertThat(Json.text(ended.get("ended"))).isEqualTo("[\"python\",\"bash\"]");
    }

    @Test
    void a_reset_begins_afresh() throws Exception {
        python("x = 1");
        var afresh = arguments("python", "print('x' in globals())").put("session_reset", true);
        var report = report(call(Caller.LOCAL, afresh));
        assertThat(stdout(report)).isEqualTo("False\n");
        assertThat(report.get("session").get("reason").stringValue()).isEqualTo("it was reset");
        assertThat(text(bench.call("session_reset", "{\"thread_id\":\"absent\"}")))
                .isEqualTo("There was no session to end.");
    }

    @Test
    void a_reset_ends_what_runs_in_the_session() throws Exception {
        var client = new FakeCall(Caller.LOCAL);
        var answer = new CompletableFuture<JsonNode>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        var code = "print('in', flush=True)\nwhile True: pass";
                        var result =
                                bench.call(
                                        client.call(),
                                        "sandbox_execute",
                                        arguments("python", code));
                        answer.complete(report(result));
                    } catch (Throwable failed) {
                        answer.completeExceptionally(failed);
                    }
                });
        await().atMost(Duration.ofSeconds(30)).until(() -> !client.logs.isEmpty());
        bench.call("session_reset", thread());
        assertThat(answer.join().get("session").get("ended").stringValue())
                .isEqualTo("it was reset");
    }

    @Test
    void another_key_does_not_reach_it() throws Exception {
        python("secret = 1");
        var theirs = report(call(OTHER, arguments("python", "print('secret' in globals())")));
        assertThat(stdout(theirs)).isEqualTo("False\n");
        assertThat(state(theirs)).isEqualTo("new");
        var reset = Json.object().put("thread_id", thread);
        bench.call(FakeCall.by(OTHER), "session_reset", reset);
        assertThat(stdout(python("print(secret)"))).isEqualTo("1\n");
    }

    private ToolResult call(Caller caller, String suffix) throws InterruptedException {
        return call(caller, arguments("python", "1").put("thread_id", thread + suffix));
    }

    private static String reason(ToolResult result) {
        return report(result).get("session").get("reason").stringValue();
    }

    @Test
    void the_longest_idle_of_a_key_gives_way_to_its_next_and_that_is_told_once() throws Exception {
        call(Caller.LOCAL, "");
        call(Caller.LOCAL, "u");

        assertThat(state(report(call(Caller.LOCAL, "v")))).isEqualTo("new");
        assertThat(state(report(call(Caller.LOCAL, "u")))).isEqualTo("kept");
        var told = call(Caller.LOCAL, "");
        assertThat(reason(told))
                .matches("it was ended at \\S+Z to make room for another of your sessions");
        assertThat(text(told)).contains("restarted, and nothing of the one before is left");
        assertThat(state(report(call(Caller.LOCAL, "")))).isEqualTo("kept");
    }

    @Test
    void a_refusal_names_the_sessions_and_how_to_end_one_and_makes_no_thread() throws Exception {
        try (var _ = busy("");
                var _ = busy("u")) {
            assertThatThrownBy(() -> call(Caller.LOCAL, "v"))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                                assertThat(refusal.details()).containsEntry("share", "sessions");
                                assertThat(refusal)
                                        .hasMessageContaining("You have 2 sessions")
                                        .hasMessageContaining("thread " + thread + " in python")
                                        .hasMessageContaining("thread " + thread + "u in python")
                                        .hasMessageContaining("session_reset");
                            });
        }
        assertThat(bench.threads.ids(Caller.LOCAL))
                .contains(thread, thread + "u")
                .doesNotContain(thread + "v");
    }

    /// A session in which a program runs until this is closed.
    private Busy busy(String suffix) {
        var client = new FakeCall(Caller.LOCAL);
        var code = "print('in', flush=True); import time; time.sleep(600)";
        var arguments = arguments("python", code).put("thread_id", thread + suffix);
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                bench.call(client.call(), "sandbox_execute", arguments);
                            } catch (InterruptedException _) {
                                Thread.currentThread().interrupt();
                            }
                        });
        await().atMost(Duration.ofSeconds(30)).until(() -> !client.logs.isEmpty());
        return () -> {
            caller.interrupt();
            await().atMost(Duration.ofSeconds(30)).until(() -> !caller.isAlive());
        };
    }

    private interface Busy extends AutoCloseable {
        @Override
        void close();
    }

    @Test
    void the_longest_idle_of_whoever_has_most_gives_way() throws Exception {
        call(Caller.LOCAL, "");
        call(Caller.LOCAL, "u");
        call(OTHER, "");

        assertThat(state(report(call(THIRD, "")))).isEqualTo("new");
        assertThat(state(report(call(Caller.LOCAL, "u")))).isEqualTo("kept");
        assertThat(reason(call(Caller.LOCAL, ""))).endsWith("to make room for another key");
        assertThat(reason(call(Caller.LOCAL, "u")))
                .as("each key has one: only its own gives way")
                .endsWith("to make room for another of your sessions");
        assertThat(state(report(call(OTHER, "")))).isEqualTo("kept");
        assertThat(state(report(call(THIRD, "")))).isEqualTo("kept");
    }

    @Test
    void a_list_has_the_callers_own_sessions_and_what_they_use() throws Exception {
        call(Caller.LOCAL, "");
        call(OTHER, "u");

        var listed = bench.call("sessions_list", "{}");

        var sessions = structured(listed).get("sessions");
        assertThat(sessions).hasSize(1);
        var session = sessions.get(0);
        assertThat(session.get("thread_id").stringValue()).isEqualTo(thread);
        assertThat(session.get("language").stringValue()).isEqualTo("python");
        assertThat(session.get("busy").booleanValue()).isFalse();
        assertThat(session.get("memory_bytes").longValue()).isBetween(1L << 20, 128L << 20);
        assertThat(text(listed)).startsWith(thread + " in python: idle for ");
        try (var _ = busy("v")) {
            assertThat(text(bench.call("sessions_list", "{}"))).contains("v in python: in use");
        }
        bench.call("session_reset", Json.text(Json.object().put("thread_id", thread)));
        bench.call("session_reset", Json.text(Json.object().put("thread_id", thread + "v")));
        assertThat(text(bench.call("sessions_list", "{}"))).isEqualTo("You have no sessions.");
    }

    @Test
    void every_call_has_the_whole_memory_of_the_session() throws Exception {
        python("x = b'1' * (8 << 20)");
        var inUse = python("y = b'2' * (300 << 20); del y; print(len(x))");
        assertThat(stdout(inUse)).isEqualTo((8 << 20) + "\n");
    }

    @Test
    void a_secret_of_an_earlier_call_is_struck_from_a_later_ones_output() throws Exception {
        var telling = arguments("python", "import os; kept = os.environ['API_TOKEN']");
        telling.putObject("env_vars").put("API_TOKEN", "opensesame-42");
        call(Caller.LOCAL, telling);
        assertThat(stdout(python("print(kept)"))).doesNotContain("opensesame-42");
    }

    @Test
    void a_server_that_stops_ends_what_runs_in_a_session(@TempDir Path root) throws Exception {
        var stopping = bench(root, LIMITS);
        var client = new FakeCall(Caller.LOCAL);
        var answer = new CompletableFuture<JsonNode>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        var code = "print('in', flush=True)\nwhile True: pass";
                        var arguments = arguments("python", code);
                        answer.complete(
                                report(stopping.call(client.call(), "sandbox_execute", arguments)));
                    } catch (Throwable failed) {
                        answer.completeExceptionally(failed);
                    }
                });
        await().atMost(Duration.ofSeconds(30)).until(() -> !client.logs.isEmpty());
        stopping.sessions.close();
        assertThat(answer.join().get("session").get("ended").stringValue())
                .isEqualTo("the server stopped");
        assertThatThrownBy(() ->
                        stopping.call(
                                FakeCall.by(Caller.LOCAL),
                                "sandbox_execute",
                                arguments("python", "1")))
                .hasMessageContaining("stopping");
    }

    @Test
    void one_that_is_not_used_ends_and_the_next_call_is_told(@TempDir Path root) throws Exception {
        var brief = bench(root, new SessionLimits(3, 2, Duration.ofSeconds(1)));
        try {
            brief.call(FakeCall.by(Caller.LOCAL), "sandbox_execute", arguments("bash", "x=1"));
            await().atMost(Duration.ofSeconds(30)).until(() -> brief.sessions.active() == 0);
            var next =
                    brief.call(
                            FakeCall.by(Caller.LOCAL),
                            "sandbox_execute",
                            arguments("bash", "echo $x"));
            assertThat(report(next).get("session").get("reason").stringValue())
                    .isEqualTo("it was not used for 1 s");
        } finally {
            brief.sessions.close();
        }
        assertThat(brief.sessions.active()).isZero();
    }

    @Test
    void the_only_session_goes_to_the_next_key_when_it_is_idle(@TempDir Path root)
            throws Exception {
        var small = bench(root, new SessionLimits(1, 1, Duration.ofMinutes(10)));
        small.call(FakeCall.by(Caller.LOCAL), "sandbox_execute", arguments("python", "1"));
        var other =
                small.call(FakeCall.by(OTHER), "sandbox_execute", arguments("python", "print(1)"));
        assertThat(state(report(other))).isEqualTo("new");
        small.sessions.close();
    }

    @Test
    void a_new_session_takes_nothing_of_the_disk_before_it_has_a_place() throws Exception {
        var runner = sandboxes.runners().available().getFirst();
        var key = SessionKey.of(Caller.LOCAL, thread, runner.language());
        var open = new AtomicReference<Boolean>();
        try (var lease = bench.threads.acquire(Caller.LOCAL, thread, "exe", Duration.ZERO);
                var waiting =
                        new Sessions(
                                _ -> {
                                    open.set(lease.isOpen());
                                    return new Residents.Settling.Failed(
                                            new Outcome.Blocked("no", Outcome.Usage.NONE));
                                },
                                LIMITS,
                                new Revocations())) {
            var run =
                    new Run(
                            "exe",
                            runner,
                            "1",
                            Profile.DEFAULT.limits(),
                            Map.of(),
                            new Workspace.OpenedLater(lease::workspace),
                            (_, _, _, _) -> {});
            waiting.run(new Sessions.Step(key, run, Map.of(), Set.of(), false), lease);
        }
        assertThat(open).hasValue(false);
    }
}
