package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.structured;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.sandbox.FakeRuns;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Arguments as language models write them are understood where there is no doubt.
class UnderstoodArgumentsTest extends SandboxExecuteTestCase {
    @BeforeEach
    void succeed() {
        runs.prints("", "", FakeRuns.SUCCESS);
    }

    @ParameterizedTest
    @CsvSource({
        "py, python",
        "Python, python",
        "PYTHON3, python",
        "sh, bash",
        "Shell, bash",
        "bash, bash"
    })
    void languages_have_other_words(String given, String meant) throws Exception {
        call(arguments("x").put("language", given));

        assertThat(runs.seen.getLast().runner().language().word()).isEqualTo(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"js", "javascript", "node", "JavaScript", "ts", "cobol"})
    void a_language_that_is_not_here_is_refused_as_before(String given) {
        var refusal =
                catchThrowableOfType(
                        Refusal.class, () -> call(arguments("x").put("language", given)));

        assertThat(refusal.sentence()).contains("language", "\"python\"", "\"bash\"");
    }

    @Test
    void numbers_and_booleans_may_come_as_text() throws Exception {
        call(arguments("x").put("timeout", "7").put("thread_id", "12"));
        assertThat(runs.seen.getLast().limits().wall().toSeconds()).isEqualTo(7);

        runs.prints("[1]", "", FakeRuns.SUCCESS);
        var result = call(arguments("x").put("data_from_stdout", "true"));
        assertThat(Json.text(structured(result).get("result"))).isEqualTo("{\"data\":[1]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "", "7s", "0x7", "99999", "-1", "7.5"})
    void other_texts_are_no_numbers(String given) {
        var refusal =
                catchThrowableOfType(
                        Refusal.class, () -> call(arguments("x").put("timeout", given)));

        assertThat(refusal.sentence()).contains("timeout");
    }

    @Test
    void a_fence_around_the_whole_program_is_no_part_of_it() throws Exception {
        for (var fenced : List.of("```python\nprint(1)\n```", "\n~~~\nprint(1)\n~~~\n")) {
            call(arguments(fenced));
            assertThat(runs.seen.getLast().code()).isEqualTo("print(1)\n");
        }
        for (var other : List.of("s = 1\n```\nx\n```", "```", "```\n```")) {
            call(arguments(other));
            assertThat(runs.seen.getLast().code()).isEqualTo(other);
        }
    }

    @Test
    void the_rule_for_names_of_variables_is_told_in_words() {
        var arguments = arguments("x");
        arguments.putObject("env_vars").put("lower", "1");

        var refusal = catchThrowableOfType(Refusal.class, () -> call(arguments));

        assertThat(refusal.sentence()).contains("capital letters").doesNotContain("[A-Z]");
    }
}
