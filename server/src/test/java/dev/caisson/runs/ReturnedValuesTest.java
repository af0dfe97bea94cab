package dev.caisson.runs;

import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import dev.caisson.tools.RealToolsTestCase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Values of programs through the tool, with real sandboxes: small and large, handed over and
/// printed, in every language, with and without a thread, and in sessions.
class ReturnedValuesTest extends RealToolsTestCase {
    private static ObjectNode program(String language, String code) {
        return Json.object().put("language", language).put("code", code);
    }

    /// A session ends with its first program: one key may have a few only.
    private JsonNode run(ObjectNode arguments) throws InterruptedException {
        var report = report(bench.call("sandbox_execute", Json.text(arguments)));
        if (arguments.has("session")) {
            var thread = Json.object().put("thread_id", arguments.get("thread_id").stringValue());
            bench.call("session_reset", Json.text(thread));
        }
        return report;
    }

    private String data(JsonNode report) throws InterruptedException {
        var whole = new StringBuilder();
        var more = true;
        for (var offset = 0L; more; ) {
            var piece =
                    report(
                            bench.call(
                                    "output_read",
                                    Json.text(
                                            Json.object()
                                                    .put(
                                                            "execution_id",
                                                            report.get("execution_id")
                                                                    .stringValue())
                                                    .put("stream", "data")
                                                    .put("offset", offset))));
            whole.append(piece.get("text").stringValue());
            offset = piece.get("next_offset").longValue();
            more = !piece.get("last").booleanValue();
        }
        return whole.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "python | result = 'x' * 200_000",
                "node | globalThis.result = 'x'.repeat(200_000)",
                "typescript | (globalThis as any).result = 'x'.repeat(200_000)",
            })
    void a_large_value_is_read_later_wherever_the_program_ran(String language, String code)
            throws Exception {
        var once = run(program(language, code));
        var inThread = run(program(language, code).put("thread_id", "t-" + language));
        var inSession =
                run(program(language, code).put("thread_id", "s-" + language).put("session", true));
        for (var report : new JsonNode[] {once, inThread, inSession}) {
            assertThat(report.get("success").booleanValue()).isTrue();
            var result = report.get("result");
            assertThat(result.get("data").isNull()).isTrue();
            assertThat(result.get("data_stored_bytes").intValue()).isEqualTo(200_002);
            assertThat(result.get("data_note").stringValue())
                    .startsWith("The value takes 200,002 bytes, too many for the answer.");
            assertThat(data(report)).isEqualTo("\"" + "x".repeat(200_000) + "\"");
        }
        assertThat(once.get("result").path("data_file").isObject()).isFalse();
        assertThat(inThread.get("result").get("data_file").get("path").stringValue())
                .isEqualTo("/workspace/result.json");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "python | print('log'); print('{\"a\": [1, 2.50]}')",
                "node | console.log('log'); console.log('{\"a\": [1, 2.50]}')",
                "typescript | console.log('log'); console.log('{\"a\": [1, 2.50]}' as string)",
                "bash | echo log; echo '{\"a\": [1, 2.50]}'",
            })
    void the_last_line_is_the_value_in_every_language(String language, String code)
            throws Exception {
        var asked = program(language, code).put("data_from_stdout", true);
        var inSession = asked.deepCopy().put("thread_id", "line-" + language).put("session", true);
        for (var arguments : new ObjectNode[] {asked, inSession}) {
            var result = run(arguments).get("result");
            assertThat(Json.text(result.get("data").get("a").get(0))).isEqualTo("1");
            assertThat(result.get("data").get("a").get(1).doubleValue()).isEqualTo(2.5);
            assertThat(result.path("data_note").asString("")).isEmpty();
        }
        assertThat(run(program(language, code)).get("result").get("data").isNull()).isTrue();
    }

    @Test
    void a_value_that_is_no_json_is_flagged_in_both_forms_of_the_answer() throws Exception {
        for (var arguments :
                new ObjectNode[] {
                    program("python", "result = {1, 2}"),
                    program("node", "globalThis.result = new Set([1])"),
                    program("python", "result = float('nan')"),
                    program("node", "globalThis.result = { a: NaN }"),
                    program("bash", "echo hello").put("data_from_stdout", true),
                }) {
            var answer = bench.call("sandbox_execute", Json.text(arguments));
            var result = report(answer).get("result");
            assertThat(result.get("ok").booleanValue()).isTrue();
            assertThat(result.get("data").isNull()).isTrue();
            assertThat(result.get("data_note").stringValue()).isNotEmpty();
            assertThat(text(answer)).contains(result.get("data_note").stringValue());
        }
    }

    @Test
    void an_exit_raw_writes_and_children_take_nothing_from_a_value() throws Exception {
        var code =
                """
                import os, subprocess, sys
                os.write(1, b'raw\\n')
                subprocess.run(['echo', 'child'])
                result = {'text': '''a
                  b'''}
                sys.exit(3)
                """;
        var report = run(program("python", code));
        assertThat(report.get("exit_code").intValue()).isEqualTo(3);
        assertThat(report.get("stdout").stringValue()).isEqualTo("raw\nchild\n");
        assertThat(report.get("result").get("ok").booleanValue()).isFalse();
        assertThat(report.get("result").get("data").get("text").stringValue()).isEqualTo("a\n  b");
    }
}
