package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.sandbox.Language;
import dev.caisson.tools.ToolsTestCase;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/// Text with a NUL is refused with the name of its member and the place, and never cut there.
class NulCheckTest extends ToolsTestCase {
    private static final String CODE = "print(1)\nöx = '\0'\nprint(2)";

    NulCheckTest() {
        super(Language.values());
    }

    private Refusal refusal(String tool, ObjectNode arguments) {
        var refusals = new Refusal[1];
        assertThatThrownBy(() -> bench.call(tool, Json.text(arguments)))
                .isInstanceOfSatisfying(Refusal.class, each -> refusals[0] = each);
        assertThat(runs.seen).isEmpty();
        assertThat(refusals[0].reason()).isEqualTo(Reason.INVALID_ARGUMENT);
        return refusals[0];
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void a_program_in_any_language_by_every_tool(Language language) {
        var program = Json.object().put("code", CODE).put("language", language.word());
        var inSession = program.deepCopy().put("session", true).put("thread_id", "t");
        var inConversation = program.deepCopy().put("conversationId", "c");
        for (var refusal :
                new Refusal[] {
                    refusal("sandbox_execute", program),
                    refusal("sandbox_execute", inSession),
                    refusal("run_code", inConversation)
                }) {
            assertThat(refusal.sentence())
                    .startsWith("code has a NUL character at line 2, column 7.");
            assertThat(refusal.details())
                    .isEqualTo(Map.of("parameter", "code", "line", 2L, "column", 7));
        }
    }

    @ParameterizedTest
    @CsvSource({"sandbox_execute, thread_id", "run_code, conversationId"})
    void a_thread_id_by_every_tool(String tool, String member) {
        var arguments = Json.object().put("code", "x").put(member, "a\0b");
        if (tool.equals("run_code")) {
            arguments.put("language", "python");
        }
        assertThat(refusal(tool, arguments).sentence()).startsWith(member + " has a NUL character");
    }

    @Test
    void values_and_names_of_variables() {
        var value = Json.object().put("code", "x");
        value.putObject("env_vars").put("GREETING", "hello\0world");
        assertThat(refusal("sandbox_execute", value).sentence())
                .startsWith("env_vars.GREETING has a NUL character at line 1, column 6.");
        var name = Json.object().put("code", "x");
        name.putObject("env_vars").put("A\0B", "x");
        assertThat(refusal("sandbox_execute", name).sentence()).contains("env_vars");
        var secret = Json.object().put("code", "x");
        secret.putArray("secret_env_vars").add("A\0B");
        assertThat(refusal("sandbox_execute", secret).sentence()).startsWith("secret_env_vars has");
    }

    @ParameterizedTest
    @CsvSource({"files_upload, path", "files_download, path", "files_delete, path"})
    void names_of_files(String tool, String member) {
        for (var path : new String[] {"a\0b", "a%00b"}) {
            var arguments = Json.object().put("source", "thread").put("id", "t").put(member, path);
            if (tool.equals("files_upload")) {
                arguments.put("content", "x");
            }
            assertThat(refusal(tool, arguments).sentence()).contains(member, "zero byte");
        }
    }

    @ParameterizedTest
    @CsvSource({"files_upload", "session_reset"})
    void the_thread_of_other_tools(String tool) {
        var arguments = Json.object();
        if (tool.equals("files_upload")) {
            arguments.put("source", "thread").put("id", "a\0b");
            arguments.put("path", "f").put("content", "x");
        } else {
            arguments.put("thread_id", "a\0b");
        }
        assertThat(refusal(tool, arguments).sentence()).contains("NUL");
    }
}
