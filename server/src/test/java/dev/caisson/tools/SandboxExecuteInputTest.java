package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.json.Json;
import dev.caisson.runs.RunInput;
import dev.caisson.sandbox.DisplayForm;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.HandedOver;
import dev.caisson.sandbox.Outcome;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What a run is given beside its program, and the forms of its last expression.
class SandboxExecuteInputTest extends SandboxExecuteTestCase {
    private static ObjectNode with(ObjectNode arguments, String files) {
        arguments.set("files", Json.parse(files.getBytes(StandardCharsets.UTF_8)));
        return arguments;
    }

    private AtomicReference<String> read(String name) {
        var seen = new AtomicReference<>("");
        runs.does(run -> {
            seen.set(Files.readString(FakeRuns.workspace(run).resolve(name)));
            return new Outcome.Exited(0, Outcome.Usage.NONE, NOTHING);
        });
        return seen;
    }

    @Test
    void files_are_there_before_the_program_starts_and_are_none_of_its_changes() throws Exception {
        var seen = read("in/data.csv");
        var files = "[{\"path\":\"in/data.csv\",\"content\":\"a,b\"}]";
        var once = report(call(with(arguments("x"), files)));
        assertThat(seen.get()).isEqualTo("a,b");
        assertThat(once.get("files").get(0).get("changed").booleanValue()).isFalse();

        var base64 = "[{\"path\":\"/workspace/in/data.csv\",\"content_base64\":\"Yzs=\"}]";
        call(with(arguments("x").put("thread_id", "t"), base64));
        assertThat(seen.get()).isEqualTo("c;");
    }

    @Test
    void a_file_is_copied_from_a_thread_that_the_caller_may_read() throws Exception {
        call(
                with(
                        arguments("x").put("thread_id", "source"),
                        "[{\"path\":\"a\",\"content\":\"kept\"}]"));
        var seen = read("b");
        var from =
                "[{\"path\":\"b\",\"from\":{\"source\":\"thread\",\"id\":\"source\",\"path\":\"a\"}}]";
        call(with(arguments("x"), from));
        assertThat(seen.get()).isEqualTo("kept");

        refused(
                Reason.NOT_FOUND,
                with(arguments("x"), from.replace("\"source\",\"path\"", "\"other\",\"path\"")));
        refused(Reason.NOT_FOUND, with(arguments("x"), from.replace("\"a\"", "\"missing\"")));
        var runner = new Caller("r", "r", Set.of(Scope.RUN), Set.of());
        assertThatThrownBy(() ->
                        bench.call(
                                FakeCall.by(runner), "sandbox_execute", with(arguments("x"), from)))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN));
    }

    private void refused(Reason reason, ObjectNode arguments) {
        assertThatThrownBy(() -> call(arguments))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    @Test
    void what_cannot_be_put_there_is_refused() throws Exception {
        for (var file :
                List.of(
                        "{\"path\":\"../x\",\"content\":\"\"}",
                        "{\"path\":\"/etc/passwd\",\"content\":\"\"}",
                        "{\"path\":\"x\"}",
                        "{\"path\":\"x\",\"content\":\"\",\"content_base64\":\"\"}",
                        "{\"path\":\"x\",\"content_base64\":\"%%\"}")) {
            refused(Reason.INVALID_ARGUMENT, with(arguments("x"), "[" + file + "]"));
        }
        runs.does(run -> {
            Files.createSymbolicLink(FakeRuns.workspace(run).resolve("out"), root.toAbsolutePath());
            return new Outcome.Exited(0, Outcome.Usage.NONE, NOTHING);
        });
        call(arguments("x").put("thread_id", "linked"));
        refused(
                Reason.NOT_FOUND,
                with(
                        arguments("x").put("thread_id", "linked"),
                        "[{\"path\":\"out/stolen\",\"content\":\"x\"}]"));
        assertThat(root.resolve("stolen")).doesNotExist();
    }

    @Test
    void there_are_as_many_files_and_as_much_input_as_may_be() {
        var one = "{\"path\":\"x\",\"content\":\"\"}";
        var most = String.join(",", Collections.nCopies(RunInput.FILES_MAX, one));
        assertThat(
                        new RunInput(
                                Optional.of("x".repeat(RunInput.STDIN_BYTES_MAX)),
                                List.of(),
                                false))
                .isNotNull();
        assertThatThrownBy(() ->
                        new RunInput(
                                Optional.of("é".repeat(RunInput.STDIN_BYTES_MAX / 2 + 1)),
                                List.of(),
                                false))
                .isInstanceOf(Refusal.class);
        refused(Reason.INVALID_ARGUMENT, with(arguments("x"), "[" + most + "," + one + "]"));
    }

    @Test
    void files_take_as_much_together_as_may_be() throws Exception {
        for (int over = 0; over <= 1; over++) {
            long bytes = RunInput.FILES_BYTES_MAX - 1L + over;
            runs.does(run -> {
                try (var large =
                        new RandomAccessFile(
                                FakeRuns.workspace(run).resolve("large").toFile(), "rw")) {
                    large.setLength(bytes);
                }
                return new Outcome.Exited(0, Outcome.Usage.NONE, NOTHING);
            });
            call(arguments("x").put("thread_id", "large"));
            var from =
                    "[{\"path\":\"one\",\"content\":\"1\"},{\"path\":\"b\",\"from\":{\"source\":\"thread\",\"id\":\"large\",\"path\":\"large\"}}]";
            var copied = with(arguments("x").put("thread_id", "copy"), from);
            if (over == 0) {
                call(copied);
            } else {
                refused(Reason.TOO_LARGE, copied);
            }
        }
    }

    @Test
    void input_and_display_reach_the_guest() throws Exception {
        var order = new AtomicReference<>("");
        runs.does(run -> {
            order.set(run.order().input().orElse("") + run.order().display());
            return new Outcome.Exited(0, Outcome.Usage.NONE, NOTHING);
        });
        call(arguments("x").put("stdin", "line").put("display", true));
        assertThat(order.get()).isEqualTo("linetrue");
    }

    @Test
    void the_last_expression_is_in_the_answer_without_secrets() throws Exception {
        runs.does(_ -> {
            var forms =
                    List.of(
                            new DisplayForm("text/plain", "a " + SECRET),
                            new DisplayForm("text/html", "<b>" + SECRET + "</b>"));
            var handed = new HandedOver.Displayed(forms, NOTHING);
            return new Outcome.Exited(0, Outcome.Usage.NONE, Optional.of(handed));
        });
        var result = call(arguments("x").put("display", true));
        assertThat(text(result)).contains("**last expression:**").doesNotContain(SECRET);
        var display = report(result).get("display");
        assertThat(display.get(0).get("media_type").stringValue()).isEqualTo("text/plain");
        assertThat(display.get(0).get("text").stringValue()).startsWith("a ");
        assertThat(display.toString()).doesNotContain(SECRET).doesNotContain("<b>" + SECRET);
    }
}
