package dev.caisson.tools;

import static dev.caisson.tools.Bench.structured;
import static dev.caisson.tools.Bench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Revocations;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Residents;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.SandboxSettings;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.sandbox.Workspace;
import dev.caisson.session.SessionKey;
import dev.caisson.session.SessionLimits;
import dev.caisson.session.Sessions;
import dev.caisson.storage.ImageWorkspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sessions through the tool, with real sandboxes and workspaces that are file systems of their
/// own.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SessionTest {
    private static final SessionLimits LIMITS = new SessionLimits(3, 2, Duration.ofMinutes(10));

    private static final Caller OTHER = new Caller("other", "other", Set.of(Scope.RUN), Set.of());
    private static final Caller THIRD = new Caller("third", "third", Set.of(Scope.RUN), Set.of());

    private Sandboxes sandboxes;
    private Path data;
    private Bench bench;
    private String thread = "";
    private int count;

    @BeforeAll
    void open(@TempDir Path root) throws IOException {
        data = Files.createDirectory(root.resolve("data"));
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
        var guests = Path.of("target/guests").toAbsolutePath();
        sandboxes = Sandboxes.open(SandboxSettings.of(root.resolve("sandboxes"), guests));
        bench = bench(data, LIMITS);
    }

    private Bench bench(Path root, SessionLimits limits) {
        var disk = new HostDisk(root, 0);
        var maker = new ImageWorkspaces(new LoopImages(1000), disk, 64L << 20, 1000);
        return new Bench(root, sandboxes, maker, Profile.DEFAULT, limits);
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

    @AfterAll
    void close() {
        bench.sessions.close();
        sandboxes.close();
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
        return bench.call(new FakeCall(caller), "sandbox_execute", arguments);
    }

    private JsonNode python(String code) throws InterruptedException {
        return structured(call(Caller.LOCAL, arguments("python", code)));
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
        assertThat(state(structured(begun))).isEqualTo("new");

        var kept = call(Caller.LOCAL, arguments(language, then));

        assertThat(text(kept))
                .isEqualTo(
                        "## Execution Result\n\n**stdout:**\n```\n42\n```\n\n**Exit code:** 0\n\n"
                                + "**Session:** kept.");
        assertThat(state(structured(kept))).isEqualTo("kept");
        assertThat(structured(kept).get("session").get("alive").booleanValue()).isTrue();
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

        assertThat(stdout(structured(next))).isEqualTo("False\n");
        assertThat(state(structured(next))).isEqualTo("restarted");
        assertThat(structured(next).get("session").get("reason").stringValue())
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
        var report = python("x = []\nwhile True: x.append(bytearray(1 << 20))");
        assertThat(report.get("status").stringValue()).isEqualTo("oom");
        assertThat(report.get("session").get("alive").booleanValue()).isFalse();
        assertThat(python("1").get("session").get("reason").stringValue()).contains("memory");
    }

    @Test
    void out_of_time_keeps_the_session_when_the_program_heeds() throws Exception {
        python("x = 5");
        var late =
                structured(
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
        var call = new FakeCall(Caller.LOCAL);
        var answer = new CompletableFuture<JsonNode>();
        var sleeping = arguments("python", "print('in', flush=True); import time; time.sleep(600)");
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                var result = bench.call(call, "sandbox_execute", sleeping);
                                answer.complete(structured(result));
                            } catch (Throwable failed) {
                                answer.completeExceptionally(failed);
                            }
                        });
        await().atMost(Duration.ofSeconds(30)).until(() -> !call.logs.isEmpty());
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
        var report = structured(call(Caller.LOCAL, beside));
        assertThat(stdout(report)).contains("from_session");
        assertThat(report.hasNonNull("session")).isFalse();
        assertThat(stdout(python("print(open('beside').read())"))).isEqualTo("2\n");
        bench.call("session_reset", thread());
        assertThat(stdout(python("print(open('beside').read())"))).isEqualTo("2\n");
    }

    @Test
    void each_language_of_a_thread_has_its_own() throws Exception {
        python("x = 1");
        assertThat(state(structured(call(Caller.LOCAL, arguments("bash", "x=2")))))
                .isEqualTo("new");
        assertThat(stdout(python("print(x)"))).isEqualTo("1\n");
        var ended = structured(bench.call("session_reset", thread()));
        assertThat(Json.text(ended.get("ended"))).isEqualTo("[\"python\",\"bash\"]");
    }

    @Test
    void a_reset_begins_afresh() throws Exception {
        python("x = 1");
        var afresh = arguments("python", "print('x' in globals())").put("session_reset", true);
        var report = structured(call(Caller.LOCAL, afresh));
        assertThat(stdout(report)).isEqualTo("False\n");
        assertThat(report.get("session").get("reason").stringValue()).isEqualTo("it was reset");
        assertThat(text(bench.call("session_reset", "{\"thread_id\":\"absent\"}")))
                .isEqualTo("There was no session to end.");
    }

    @Test
    void a_reset_ends_what_runs_in_the_session() throws Exception {
        var call = new FakeCall(Caller.LOCAL);
        var answer = new CompletableFuture<JsonNode>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        var code = "print('in', flush=True)\nwhile True: pass";
                        var result = bench.call(call, "sandbox_execute", arguments("python", code));
                        answer.complete(structured(result));
                    } catch (Throwable failed) {
                        answer.completeExceptionally(failed);
                    }
                });
        await().atMost(Duration.ofSeconds(30)).until(() -> !call.logs.isEmpty());
        bench.call("session_reset", thread());
        assertThat(answer.join().get("session").get("ended").stringValue())
                .isEqualTo("it was reset");
    }

    @Test
    void another_key_does_not_reach_it() throws Exception {
        python("secret = 1");
        var theirs = structured(call(OTHER, arguments("python", "print('secret' in globals())")));
        assertThat(stdout(theirs)).isEqualTo("False\n");
        assertThat(state(theirs)).isEqualTo("new");
        var reset = Json.object().put("thread_id", thread);
        bench.call(new FakeCall(OTHER), "session_reset", reset);
        assertThat(stdout(python("print(secret)"))).isEqualTo("1\n");
    }

    @Test
    void there_are_so_many_of_a_key_and_in_all() throws Exception {
        python("1");
        call(Caller.LOCAL, arguments("python", "1").put("thread_id", thread + "u"));
        assertThatThrownBy(() ->
                        call(Caller.LOCAL, arguments("python", "1").put("thread_id", thread + "v")))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.NO_CAPACITY);
                            assertThat(refusal)
                                    .hasMessageContaining("You have 2 sessions")
                                    .hasMessageContaining("session_reset");
                        });
        call(OTHER, arguments("python", "1"));
        assertThatThrownBy(
                        () -> call(OTHER, arguments("python", "1").put("thread_id", thread + "u")))
                .as("nobody has more than it would have")
                .hasMessageContaining("There are 3 sessions");
        assertThat(state(python("1"))).isEqualTo("kept");
    }

    @Test
    void the_longest_idle_of_whoever_has_most_gives_way() throws Exception {
        var second = arguments("python", "1").put("thread_id", thread + "u");
        python("1");
        call(Caller.LOCAL, second);
        call(OTHER, arguments("python", "1"));

        assertThat(state(structured(call(THIRD, arguments("python", "1"))))).isEqualTo("new");
        assertThat(state(structured(call(Caller.LOCAL, second)))).isEqualTo("kept");
        assertThatThrownBy(() -> python("1"))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal).hasMessageContaining("There are 3 sessions");
                            assertThat(refusal.details()).containsEntry("share", "sessions");
                        });
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
        var call = new FakeCall(Caller.LOCAL);
        var answer = new CompletableFuture<JsonNode>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        var code = "print('in', flush=True)\nwhile True: pass";
                        var arguments = arguments("python", code);
                        answer.complete(
                                structured(stopping.call(call, "sandbox_execute", arguments)));
                    } catch (Throwable failed) {
                        answer.completeExceptionally(failed);
                    }
                });
        await().atMost(Duration.ofSeconds(30)).until(() -> !call.logs.isEmpty());
        stopping.sessions.close();
        assertThat(answer.join().get("session").get("ended").stringValue())
                .isEqualTo("the server stopped");
        assertThatThrownBy(() ->
                        stopping.call(
                                new FakeCall(Caller.LOCAL),
                                "sandbox_execute",
                                arguments("python", "1")))
                .hasMessageContaining("stopping");
    }

    @Test
    void one_that_is_not_used_ends_and_the_next_call_is_told(@TempDir Path root) throws Exception {
        var brief = bench(root, new SessionLimits(3, 2, Duration.ofSeconds(1)));
        try {
            brief.call(new FakeCall(Caller.LOCAL), "sandbox_execute", arguments("bash", "x=1"));
            await().atMost(Duration.ofSeconds(30)).until(() -> brief.sessions.active() == 0);
            var next =
                    brief.call(
                            new FakeCall(Caller.LOCAL),
                            "sandbox_execute",
                            arguments("bash", "echo $x"));
            assertThat(structured(next).get("session").get("reason").stringValue())
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
        small.call(new FakeCall(Caller.LOCAL), "sandbox_execute", arguments("python", "1"));
        var other =
                small.call(new FakeCall(OTHER), "sandbox_execute", arguments("python", "print(1)"));
        assertThat(state(structured(other))).isEqualTo("new");
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
