package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.figures;
import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.structured;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolResult;
import dev.caisson.json.Json;
import dev.caisson.json.Schema;
import dev.caisson.runs.RunAnswer;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// What a model reads of a run is short, says everything it needs and nothing twice.
class LeanAnswerTest extends SandboxExecuteTestCase {
    private static final int STRUCTURED_LENGTH_MAX = 250;
    private static final int TEXT_LENGTH_MAX = 60;

    /// As Python's `json.dumps` prints it, with a space behind each comma and colon.
    private static String spaced(JsonNode node) {
        if (node.isObject()) {
            var members =
                    node.propertyStream()
                            .map(each -> "\"" + each.getKey() + "\": " + spaced(each.getValue()))
                            .toList();
            return "{" + String.join(", ", members) + "}";
        }
        return node.isArray()
                ? "[" + String.join(", ", node.valueStream().map(e -> spaced(e)).toList()) + "]"
                : Json.text(node);
    }

    private ToolResult runCode(String code) throws InterruptedException {
        var arguments =
                Json.object()
                        .put("conversationId", "talk")
                        .put("language", "python")
                        .put("code", code);
        return bench.call("run_code", Json.text(arguments));
    }

    @Test
    void a_program_that_prints_a_line_is_answered_with_little_more() throws Exception {
        runs.prints("1\n", "", FakeRuns.SUCCESS);

        var result = bench.execute("print(1)");

        assertThat(spaced(structured(result)))
                .isEqualTo("{\"status\": \"success\", \"exit_code\": 0, \"stdout\": \"1\\n\"}")
                .hasSizeLessThanOrEqualTo(STRUCTURED_LENGTH_MAX);
        assertThat(text(result))
                .isEqualTo("## Execution Result\n\n**stdout:**\n```\n1\n```\n\n**Exit code:** 0")
                .hasSizeLessThanOrEqualTo(TEXT_LENGTH_MAX);
        assertThat(result.content()).hasSize(1);
    }

    @Test
    void so_it_is_by_run_code() throws Exception {
        runs.prints("1\n", "", FakeRuns.SUCCESS);

        var result = runCode("print(1)");

        assertThat(spaced(structured(result)))
                .isEqualTo(
                        "{\"success\": true, \"output\": \"1\\n\", \"files\": [], \"exit_code\": 0}");
        assertThat(text(result))
                .isEqualTo(Json.text(structured(result)))
                .hasSizeLessThanOrEqualTo(TEXT_LENGTH_MAX);
    }

    @Test
    void what_programs_want_goes_beside_it_and_the_report_is_whole() throws Exception {
        runs.prints("1\n", "", FakeRuns.SUCCESS);

        var result = bench.execute("print(1)");

        assertThat(figures(result).propertyNames())
                .containsAll(ToolBench.ENVELOPE)
                .contains("execution_id", "result", "cpu_ms", "stdout_bytes", "runner")
                .doesNotContain("stdout", "stderr", "output", "files");
        assertThat(report(result).get("run_id")).isEqualTo(figures(result).get("execution_id"));
    }

    @Test
    void only_files_that_changed_are_named_and_without_links() throws Exception {
        bench.links.servedAt("http://127.0.0.1:1");
        runs.does(run -> {
            Files.writeString(FakeRuns.workspace(run).resolve(run.code()), "123");
            return FakeRuns.SUCCESS;
        });
        call(arguments("old.txt").put("thread_id", "t"));

        var result = call(arguments("new.txt").put("thread_id", "t"));

        assertThat(spaced(structured(result).get("files")))
                .isEqualTo("[{\"path\": \"new.txt\", \"size\": 3}]");
        assertThat(structured(result).has("files_kept")).isFalse();
        assertThat(report(result).get("files")).hasSize(2);
        assertThat(Json.text(report(result))).contains("http://127.0.0.1:1");
        assertThat(text(result)).contains("new.txt").doesNotContain("old.txt", "http:");
    }

    @Test
    void files_of_a_run_without_a_thread_are_said_to_be_erased() throws Exception {
        runs.does(run -> {
            Files.writeString(FakeRuns.workspace(run).resolve("t.csv"), "123");
            return FakeRuns.SUCCESS;
        });

        var result = bench.execute("x");

        assertThat(structured(result).get("files_kept").booleanValue()).isFalse();
        assertThat(text(result)).endsWith("`t.csv` (3 bytes) (erased: no thread_id)");
    }

    @Test
    void many_changed_files_are_counted() throws Exception {
        runs.does(run -> {
            for (var i = 0; i <= RunAnswer.FILES_MAX; i++) {
                Files.writeString(FakeRuns.workspace(run).resolve("f" + i), "");
            }
            return FakeRuns.SUCCESS;
        });

        var answer = structured(bench.execute("x"));

        assertThat(answer.get("files")).hasSize(RunAnswer.FILES_MAX);
        assertThat(answer.get("files_omitted").intValue()).isEqualTo(1);
    }

    @Test
    void long_output_is_cut_to_16_KiB_in_all_and_says_where_the_rest_is() throws Exception {
        var line = "0123456789abcde\n";
        runs.prints(line.repeat(4096), "e".repeat(40_000), FakeRuns.SUCCESS);

        var result = bench.execute("x");
        var answer = structured(result);

        var stdout = answer.get("stdout").stringValue();
        var stderr = answer.get("stderr").stringValue();
        assertThat(bytes(stdout) + bytes(stderr)).isBetween((16 << 10) - 300, 16 << 10);
        assertThat(stdout).startsWith(line).endsWith(line);
        var omitted = answer.get("stdout_omitted_bytes").longValue();
        assertThat(stdout)
                .containsPattern(
                        "\\[\\.\\.\\. "
                                + omitted
                                + " bytes of stdout omitted; output_read has them from offset");
        assertThat(bytes(stdout.replaceFirst("\\n\\[\\.\\.\\. .* \\.\\.\\.]\\n", "")) + omitted)
                .isEqualTo(line.length() * 4096L);
        assertThat(answer.get("execution_id")).isEqualTo(report(result).get("execution_id"));
        assertThat(text(result))
                .contains("**Execution:** " + answer.get("execution_id").stringValue())
                .hasSizeLessThan(17 << 10);
        assertThat(report(result).get("stdout").stringValue()).hasSize(line.length() * 4096);
        assertThat(report(result).get("stderr").stringValue()).hasSize(40_000);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void one_stream_may_have_all_of_it() throws Exception {
        for (var streams :
                List.of(List.of("o".repeat(16 << 10), ""), List.of("", "e".repeat(16 << 10)))) {
            runs.prints(streams.getFirst(), streams.getLast(), FakeRuns.SUCCESS);

            var answer = structured(bench.execute("x"));

            assertThat(answer.path("stdout").asString("")).isEqualTo(streams.getFirst());
            assertThat(answer.path("stderr").asString("")).isEqualTo(streams.getLast());
            assertThat(answer.has("execution_id")).isFalse();
        }
        runs.prints("o".repeat((16 << 10) - 9), "e".repeat(10), FakeRuns.SUCCESS);
        assertThat(structured(bench.execute("x")).has("stdout_omitted_bytes")).isTrue();
    }

    static List<Object[]> endings() {
        return SandboxExecuteTest.endings();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void every_answer_keeps_the_declared_form(Outcome outcome, String status, Integer exitCode)
            throws Exception {
        var form = Schema.of(bench.spec("sandbox_execute").outputSchema().orElseThrow());
        runs.prints("out", "err", outcome);

        var result = bench.execute("x");
        var answer = structured(result);

        assertThat(form.complaints(answer)).isEmpty();
        assertThat(answer.get("status").stringValue()).isEqualTo(status);
        assertThat(answer.has("exit_code")).isEqualTo(exitCode != null);
        assertThat(answer.has("execution_id")).isEqualTo(!status.equals("success"));
        assertThat(Json.text(answer)).doesNotContain("null");
    }

    @Test
    void what_the_caller_gave_is_handed_back() throws Exception {
        runs.prints("", "", FakeRuns.SUCCESS);
        var arguments = arguments("x").put("artifact_id", "a-1");
        arguments.putObject("metadata").put("mine", 1);

        var answer = structured(call(arguments));

        assertThat(answer.get("artifact_id").stringValue()).isEqualTo("a-1");
        assertThat(answer.get("metadata").get("mine").intValue()).isEqualTo(1);
        assertThat(answer.has("ssot_commit")).isFalse();
    }

    @Test
    void a_value_is_there_when_one_was_handed_over() throws Exception {
        runs.prints("[1,2]", "", FakeRuns.SUCCESS);

        var answer = structured(call(arguments("x").put("data_from_stdout", true)));

        assertThat(Json.text(answer.get("result"))).isEqualTo("{\"data\":[1,2]}");
        assertThat(structured(call(arguments("x"))).has("result")).isFalse();
    }
}
