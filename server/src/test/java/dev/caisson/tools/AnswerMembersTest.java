package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.figures;
import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.structured;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.executions.Provenance;
import dev.caisson.json.DeclaredMembers;
import dev.caisson.json.Json;
import dev.caisson.json.Schema;
import dev.caisson.json.SchemaOf;
import dev.caisson.runs.ExecutionReport;
import dev.caisson.runs.Profile;
import dev.caisson.runs.RunFigures;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the two tools that run code say of a run, member by member: however it ended, and when it
/// was refused.
class AnswerMembersTest extends ToolsTestCase {
    private static final List<String> ENVELOPE =
            Stream.concat(ToolBench.ENVELOPE.stream(), Stream.of("result")).toList();
    private static final ObjectNode FIGURES = SchemaOf.result(RunFigures.class);
    private static final List<String> PROVENANCE =
            List.of("artifact_id", "artifact_path", "ssot_document_id", "ssot_commit");

    AnswerMembersTest() {
        super(Language.PYTHON, Language.BASH);
    }

    private static ObjectNode execute(String code) {
        return Json.object().put("code", code);
    }

    private static ObjectNode runCode(String code) {
        return Json.object()
                .put("conversationId", "talk")
                .put("language", "python")
                .put("code", code);
    }

    private ToolResult call(String tool, ObjectNode arguments) throws InterruptedException {
        return bench.call(FakeCall.by(Caller.LOCAL), tool, arguments);
    }

    private ToolResult refused(String tool, ObjectNode arguments) {
        var refusal =
                catchThrowableOfType(Refusal.class, () -> bench.call(tool, Json.text(arguments)));
        return bench.broker.refused(bench.broker.find(Caller.LOCAL, tool), refusal);
    }

    static List<Object[]> endings() {
        return SandboxExecuteTest.endings();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void every_declared_member_is_there_however_a_run_ends(
            Outcome outcome, String status, Integer exitCode) throws Exception {
        runs.does(run -> {
            var deep = Files.createDirectories(FakeRuns.workspace(run).resolve("deep"));
            Files.writeString(deep.resolve("a.txt"), "1");
            Files.writeString(FakeRuns.workspace(run).resolve("a.txt"), "1");
            return outcome;
        });
        var report = SchemaOf.result(ExecutionReport.class);

        for (var thread : List.of(Optional.<String>empty(), Optional.of("t"))) {
            var arguments = execute("x");
            thread.ifPresent(id -> arguments.put("thread_id", id));
            var result = call("sandbox_execute", arguments);
            var answer = report(result);
            assertThat(DeclaredMembers.assertAllThere(report, answer)).isGreaterThan(60);
            assertThat(DeclaredMembers.assertAllThere(FIGURES, figures(result))).isGreaterThan(30);
            assertThat(answer.get("exit_code").isNull()).isEqualTo(exitCode == null);
            assertThat(answer.get("thread_id").isNull()).isEqualTo(thread.isEmpty());
            assertThat(answer.get("files_kept").booleanValue()).isEqualTo(thread.isPresent());
        }
        var code = call("run_code", runCode("x"));
        assertThat(DeclaredMembers.assertAllThere(FIGURES, figures(code))).isGreaterThan(30);
        assertThat(structured(code).path("status").asString("success")).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sandbox_execute", "run_code"})
    void the_envelope_is_the_same_from_both_tools(String tool) throws Exception {
        runs.prints("", "", FakeRuns.SUCCESS);
        var arguments = tool.equals("run_code") ? runCode("prünt(1)") : execute("prünt(1)");
        arguments.put("artifact_id", "a-1").put("ssot_commit", "c0ffee");

        var report = figures(call(tool, arguments));

        assertThat(report.propertyNames()).containsAll(ENVELOPE).containsAll(PROVENANCE);
        assertThat(report.get("tool_name").stringValue()).isEqualTo(tool);
        assertThat(report.get("tool_version").stringValue()).isEqualTo("9.9.9");
        assertThat(report.get("approval_state").stringValue()).isEqualTo("NOT_REQUIRED");
        assertThat(report.get("input_digest").stringValue()).isEqualTo(sha256("prünt(1)"));
        assertThat(report.get("arguments_digest").stringValue())
                .isEqualTo(ToolBench.DIGEST.of(Caller.LOCAL.id(), Json.bytes(arguments)));
        assertThat(report.get("artifact_id").stringValue()).isEqualTo("a-1");
        assertThat(report.get("artifact_path").isNull()).isTrue();
        assertThat(report.get("ssot_document_id").isNull()).isTrue();
        assertThat(report.get("ssot_commit").stringValue()).isEqualTo("c0ffee");
    }

    private static String sha256(String text) throws Exception {
        var bytes =
                MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return "sha256:" + HexFormat.of().formatHex(bytes);
    }

    @Test
    void what_a_program_belongs_to_has_a_limit() throws Exception {
        runs.prints("", "", FakeRuns.SUCCESS);
        for (var member : PROVENANCE) {
            for (var arguments : List.of(execute("x"), runCode("x"))) {
                var tool = arguments.has("conversationId") ? "run_code" : "sandbox_execute";
                var longest = "x".repeat(Provenance.LENGTH_MAX);
                assertThat(structured(call(tool, arguments.put(member, longest))).get(member))
                        .isEqualTo(Json.tree(longest));
                for (var wrong : List.of("", longest + "x")) {
                    var refused = refused(tool, arguments.put(member, wrong));
                    assertThat(text(refused)).contains(member);
                }
            }
        }
    }

    @Test
    void a_busy_thread_is_a_conflict_that_names_the_running_execution() throws Exception {
        var begun = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var running = new ArrayList<String>();
        runs.does(run -> {
            running.add(run.id());
            begun.countDown();
            end.await();
            return FakeRuns.SUCCESS;
        });
        var first =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                call("run_code", runCode("x"));
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
        begun.await();
        try {
            var execute = refused("sandbox_execute", execute("x").put("thread_id", "talk"));
            assertConflict(structured(execute), running.getFirst());
            assertThat(text(execute))
                    .isEqualTo(structured(execute).get("message").stringValue())
                    .contains(running.getFirst());
            var code = refused("run_code", runCode("x"));
            assertConflict(structured(code), running.getFirst());
            assertThat(text(code)).isEqualTo(Json.text(structured(code)));
        } finally {
            end.countDown();
            first.join();
        }
    }

    private static void assertConflict(JsonNode refused, String running) {
        assertThat(refused.get("status").stringValue()).isEqualTo("conflict");
        assertThat(refused.get("retryable").booleanValue()).isTrue();
        assertThat(refused.get("execution_id").stringValue()).isEqualTo(running);
    }

    /// Every reason, for whatever it is that refuses.
    @Test
    void a_refusal_of_a_run_is_of_its_declared_form_whatever_the_reason() {
        for (var reason : Reason.values()) {
            var refusal = new Refusal(reason, "No.", Map.of("why", List.of("a", "b")));
            for (var tool : List.of("sandbox_execute", "run_code")) {
                var refused = bench.broker.refused(bench.broker.find(Caller.LOCAL, tool), refusal);
                assertThat(refused.failed()).isTrue();
                var members = structured(refused);
                assertThat(promise(tool).complaints(members)).as(tool + " " + reason).isEmpty();
                assertThat(members.get("status").stringValue()).isEqualTo(reason.word());
                assertThat(members.get("retryable").booleanValue()).isEqualTo(reason.retryable());
                assertThat(members.has("execution_id")).isFalse();
            }
        }
        assertThat(Reason.values()).hasSizeGreaterThanOrEqualTo(15);
    }

    private Schema promise(String tool) {
        return Schema.of(bench.spec(tool).outputSchema().orElseThrow());
    }

    @Test
    void the_declared_form_is_that_of_a_report_or_of_a_refusal() throws Exception {
        runs.prints("", "", FakeRuns.SUCCESS);
        var report = (ObjectNode) structured(call("sandbox_execute", execute("x")));
        var promise = promise("sandbox_execute");
        assertThat(promise.complaints(report)).isEmpty();
        assertThat(promise.complaints(report.deepCopy().put("status", "conflict"))).isEmpty();
        assertThat(promise.complaints(report.deepCopy().put("status", "other"))).isNotEmpty();
        assertThat(promise.complaints(report.deepCopy().put("more", 1))).isNotEmpty();
        report.remove("status");
        assertThat(promise.complaints(report)).isNotEmpty();
    }

    @Test
    void a_refusal_of_run_code_has_the_members_of_all_its_answers() {
        var refused = structured(refused("run_code", runCode("x").put("language", "cobol")));

        assertThat(refused.get("success").booleanValue()).isFalse();
        assertThat(refused.get("output").stringValue()).contains("cobol");
        assertThat(refused.get("files")).isEmpty();
        assertThat(refused.get("status").stringValue()).isEqualTo("invalid_argument");
        assertThat(refused.get("retryable").booleanValue()).isFalse();
        assertThat(refused.has("retry_after_ms")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sandbox_execute", "run_code"})
    void a_refusal_for_want_of_a_place_says_when_to_try_again(String tool) {
        runs.does(_ -> {
            throw new Refusal(Reason.NO_CAPACITY, "Full.", Map.of("retry_after_seconds", 4));
        });

        var refused =
                structured(refused(tool, tool.equals("run_code") ? runCode("x") : execute("x")));

        assertThat(refused.get("status").stringValue()).isEqualTo("no_capacity");
        assertThat(refused.get("retryable").booleanValue()).isTrue();
        assertThat(refused.get("retry_after_ms").intValue()).isEqualTo(4000);
    }

    @Test
    void run_code_lists_the_top_directory_and_nested_files_by_their_paths() throws Exception {
        bench.links.servedAt("http://127.0.0.1:1");
        runs.does(run -> {
            var top = FakeRuns.workspace(run);
            for (var directory : List.of("", "a", "a/b", "c")) {
                var place = Files.createDirectories(top.resolve(directory));
                Files.writeString(place.resolve("same.txt"), directory);
            }
            Files.createDirectories(top.resolve("empty"));
            return FakeRuns.SUCCESS;
        });

        var report = structured(call("run_code", runCode("x")));

        assertThat(report.get("files").findValuesAsString("name")).containsExactly("same.txt");
        assertThat(report.get("files").get(0).get("url").stringValue()).contains("/same.txt?");
        assertThat(report.get("nested_files").findValuesAsString("path"))
                .containsExactlyInAnyOrder("a/same.txt", "a/b/same.txt", "c/same.txt");
        for (var nested : report.get("nested_files")) {
            assertThat(nested.has("name")).isFalse();
            assertThat(nested.get("url").stringValue())
                    .contains("/" + nested.get("path").stringValue() + "?");
        }
    }

    @Test
    void run_code_names_no_file_twice() throws Exception {
        var secret = "ghp_" + "a".repeat(36);
        var another = "ghp_" + "b".repeat(36);
        runs.does(run -> {
            for (var name : List.of(secret, another, "plain")) {
                Files.writeString(FakeRuns.workspace(run).resolve(name), "");
            }
            return FakeRuns.SUCCESS;
        });

        var names =
                structured(call("run_code", runCode("x"))).get("files").findValuesAsString("name");

        assertThat(names).hasSize(2).contains("plain").doesNotHaveDuplicates();
    }

    @Test
    void run_code_takes_the_time_its_description_promises() throws Exception {
        var walls = new HashSet<Long>();
        runs.does(run -> {
            walls.add(run.limits().wall().toSeconds());
            return FakeRuns.SUCCESS;
        });
        var max = Profile.DEFAULT.wallMax().toSeconds();

        call("run_code", runCode("x").put("timeout", 7));
        call("run_code", runCode("x").put("timeout", max));
        call("run_code", runCode("x"));

        assertThat(walls)
                .containsExactlyInAnyOrder(7L, max, Profile.DEFAULT.limits().wall().toSeconds());
        for (var wrong : List.of(0L, max + 1)) {
            assertThat(
                            structured(refused("run_code", runCode("x").put("timeout", wrong)))
                                    .get("output")
                                    .stringValue())
                    .contains("timeout");
        }
    }
}
