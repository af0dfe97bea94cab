package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.structured;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.runs.RunnerChoice;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Layer;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Sink.Stream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class OtherToolsTest extends ToolsTestCase {
    OtherToolsTest() {
        super(Language.PYTHON, Language.BASH);
    }

    private static String run(String conversation) {
        return "{\"conversationId\":\"%s\",\"language\":\"python\",\"code\":\"x\"}"
                .formatted(conversation);
    }

    @Test
    void run_code_answers_with_success_output_and_files() throws Exception {
        runs.does(run -> {
            Files.writeString(FakeRuns.workspace(run).resolve("result.csv"), "1");
            FakeRuns.print(run, Stream.STDOUT, "out");
            FakeRuns.print(run, Stream.STDERR, "err");
            return FakeRuns.SUCCESS;
        });

        var result = bench.call("sandbox.run_code", run("abc123"));

        assertThat(structured(result).get("success").booleanValue()).isTrue();
        assertThat(structured(result).get("output").stringValue()).isEqualTo("out\nerr");
        assertThat(structured(result).get("files").get(0).get("name").stringValue())
                .isEqualTo("result.csv");
        assertThat(text(result)).isEqualTo(Json.text(structured(result)));
    }

    @Test
    void run_code_puts_the_diagnosis_into_the_output() throws Exception {
        runs.prints("", "", new Outcome.TimedOut(FakeRuns.USAGE, Optional.empty()));

        var result = bench.call("run_code", run("abc123"));

        assertThat(result.failed()).isTrue();
        assertThat(structured(result).get("success").booleanValue()).isFalse();
        assertThat(structured(result).get("output").stringValue())
                .startsWith("The program was stopped after 30 s");
    }

    @Test
    void run_code_sets_the_environment() throws Exception {
        var seen = new AtomicReference<Map<String, String>>(Map.of());
        runs.does(run -> {
            seen.set(run.env());
            FakeRuns.print(run, Stream.STDOUT, "it is s3cret-value");
            return FakeRuns.SUCCESS;
        });
        var arguments = (ObjectNode) Json.parse(run("abc"));
        var variables = arguments.putObject("environment");
        variables.put("GREETING", "good day").put("API_TOKEN", "s3cret-value");

        var result = bench.call("run_code", Json.text(arguments));

        assertThat(seen.get()).containsEntry("GREETING", "good day");
        assertThat(structured(result).get("output").stringValue()).doesNotContain("s3cret-value");
        for (var name : List.of("lower", "PATH", "LD_PRELOAD", "A".repeat(129))) {
            arguments.putObject("environment").put(name, "x");
            assertThatThrownBy(() -> bench.call("run_code", Json.text(arguments)))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("environment")
                    .hasMessageNotContaining("env_vars");
        }
    }

    @Test
    void run_code_refuses_an_empty_conversation_and_an_unknown_language() {
        assertThatThrownBy(() -> bench.call("run_code", run(""))).isInstanceOf(Refusal.class);
        assertThatThrownBy(() -> bench.call("run_code", run("a").replace("python", "cobol")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("python");
    }

    @Test
    void a_language_that_is_not_there_is_named_with_what_to_do() {
        assertThatThrownBy(() -> RunnerChoice.of(runs, Language.TYPESCRIPT))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("node is too old")
                .hasMessageContaining("Install node 24.")
                .hasMessageEndingWith("Available: python, bash.");
        assertThatThrownBy(() -> RunnerChoice.of(new FakeRuns(), Language.PYTHON))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.UNAVAILABLE));
    }

    @Test
    void list_runners_tells_what_is_there_what_is_not_and_which_walls_stand() throws Exception {
        var runners = structured(bench.call("sandbox.list_runners", "{}"));

        assertThat(Json.text(runners.get("languages").get(0)))
                .isEqualTo(
                        "{\"language\":\"python\",\"image\":\"host\",\"name\":\"python\","
                                + "\"version\":\"1.2.3\"}");
        assertThat(runners.get("missing").get(0).get("remedy").stringValue())
                .isEqualTo("Install node 24.");
        assertThat(runners.get("tier").stringValue()).isEqualTo("reduced");
        assertThat(runners.get("layers")).hasSizeGreaterThan(5);
        assertThat(runners.get("missing_layers").get("cpu_limit").stringValue())
                .isEqualTo(Layer.CPU_LIMIT.promise());
    }

    @Test
    void output_read_reads_lines_chunks_and_pieces() throws Exception {
        runs.prints("one\ntwo\n", "err\n", FakeRuns.SUCCESS);
        var id = ToolBench.report(bench.execute("x")).get("execution_id").stringValue();
        var base = "{\"execution_id\":\"" + id + "\"";

        var lines = bench.call("output_read", base + ",\"grep\":\"tw\"}");
        var both = bench.call("output_read", base + ",\"stream\":\"both\"}");
        var piece = bench.call("output_read", base + ",\"limit\":3}");

        assertThat(text(lines)).isEqualTo("2: two\n");
        assertThat(structured(lines).get("end").stringValue()).isEqualTo("complete");
        assertThat(text(both)).isEqualTo("[stdout] one\ntwo\n[stderr] err\n");
        assertThat(text(piece)).isEqualTo("one\n[... more from offset 3 ...]");
        assertThat(structured(piece).get("stored_bytes").intValue()).isEqualTo(8);
        assertThatThrownBy(() ->
                        bench.call("output_read", base + ",\"stream\":\"both\",\"grep\":\"x\"}"))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void output_of_others_is_as_if_it_were_not_there() throws Exception {
        runs.prints("mine", "", FakeRuns.SUCCESS);
        var id = ToolBench.report(bench.execute("x")).get("execution_id").stringValue();
        var bob = FakeCall.by(new Caller("bob", "Bob", Set.of(Scope.RUN), Set.of()));
        var arguments = (ObjectNode) Json.parse("{\"execution_id\":\"" + id + "\"}");

        bench.call(FakeCall.by(Caller.LOCAL), "output_read", arguments);
        assertThatThrownBy(() -> bench.call(bob, "output_read", arguments))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.NOT_FOUND));
    }

    @Test
    void every_tool_has_a_name_all_clients_take_and_a_schema_of_its_result() {
        var specs = bench.broker.tools(Caller.LOCAL);

        assertThat(specs).hasSize(22);
        assertThat(specs).allMatch(spec -> spec.name().matches("[a-z0-9_]{1,64}"));
        // What another tool answers has that tool's schema.
        assertThat(specs)
                .allMatch(
                        spec -> spec.outputSchema().isPresent() || spec.name().equals("tool_call"));
    }
}
