package dev.caisson.tools;

import static dev.caisson.tools.ToolBench.report;
import static dev.caisson.tools.ToolBench.structured;
import static dev.caisson.tools.ToolBench.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The answer about a run that ended badly says in one line what to do.
class RunAdviceTest extends SandboxExecuteTestCase {
    private String advice(String code, String stderr, Outcome outcome) throws Exception {
        runs.prints("", stderr, outcome);
        var result = call(arguments(code));
        var advice = structured(result).path("advice").asString("");
        assertThat(report(result).path("advice").asString("")).isEqualTo(advice);
        assertThat(text(result)).endsWith(advice);
        assertThat(advice).doesNotContain("\n");
        return advice;
    }

    @Test
    void what_is_not_installed_is_named() throws Exception {
        var errors =
                Map.of(
                        "Traceback\nModuleNotFoundError: No module named 'pandas'\n", "pandas",
                        "Error: Cannot find module 'lodash'\nRequire stack:\n", "lodash",
                        "Error: Cannot find package '@a/it' imported from /x\n", "@a/it");
        for (var error : errors.entrySet()) {
            assertThat(advice("x", error.getKey(), FakeRuns.exit(1)))
                    .startsWith("'" + error.getValue() + "' is not installed here")
                    .contains("no network", "list_runners", "operator");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "socket.gaierror: [Errno -3] Temporary failure in name resolution",
                "Error: getaddrinfo ENOTFOUND example.org",
                "Error: connect ENETUNREACH 1.1.1.1:443",
                "getaddrinfo EAI_AGAIN registry",
                "curl: (6) Could not resolve host: example.org",
            })
    void there_is_no_network(String stderr) throws Exception {
        assertThat(advice("x", stderr, FakeRuns.exit(1))).contains("There is no network");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OSError: [Errno 28] No space left on device",
                "Error: ENOSPC: no space left on device, write",
            })
    void a_full_workspace_is_named(String stderr) throws Exception {
        assertThat(advice("x", stderr, FakeRuns.exit(1)))
                .isEqualTo(
                        "No space is left in the workspace, or in /tmp, which holds 128 MiB. Delete files that are not needed.");
    }

    @Test
    void a_silent_curl_is_recognised_by_its_exit_code() throws Exception {
        for (var code : List.of(6, 7)) {
            assertThat(advice("curl -s http://x", "", FakeRuns.exit(code))).contains("no network");
            assertThat(advice("exit " + code, "", FakeRuns.exit(code))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"!ls", "x = 1\n%timeit x", "%%bash\nls"})
    void notebook_magics_are_named(String code) throws Exception {
        assertThat(advice(code, "SyntaxError: invalid syntax", FakeRuns.exit(1)))
                .startsWith("No notebook magics")
                .contains("subprocess", "bash");
        assertThat(advice(code, "NameError: no", FakeRuns.exit(1))).isEmpty();
    }

    @Test
    void memory_names_its_limit_and_a_remedy() throws Exception {
        assertThat(advice("x", "", new Outcome.OutOfMemory(FakeRuns.USAGE, NOTHING)))
                .contains("in parts", "operator");
        assertThat(text(call(arguments("x")))).contains("512 MiB");
    }

    private static Outcome timeout(long cpuMillis) {
        return new Outcome.TimedOut(new Outcome.Usage(0, 30_000, cpuMillis, 0), Optional.empty());
    }

    @Test
    void more_time_is_advised_only_to_who_used_what_there_was() throws Exception {
        assertThat(advice("x", "", timeout(29_000))).contains("up to 3600 s with timeout");
        assertThat(advice("x", "", timeout(100)))
                .contains("100 ms", "waited")
                .doesNotContain("with timeout");
    }

    @Test
    void nothing_is_advised_where_nothing_is_wrong_or_known() throws Exception {
        var words = "ModuleNotFoundError: No module named 'pandas'";
        assertThat(advice("x", words, FakeRuns.SUCCESS)).isEmpty();
        assertThat(advice("x", "ValueError: no", FakeRuns.exit(1))).isEmpty();
        assertThat(advice("x", "Error: Cannot find module './local'", FakeRuns.exit(1))).isEmpty();
    }

    @Test
    void a_program_that_prints_such_words_changes_no_status() throws Exception {
        runs.prints("", "ENOTFOUND", FakeRuns.exit(3));
        var answer = structured(call(arguments("x")));
        assertThat(answer.get("status").stringValue()).isEqualTo("failed");
        assertThat(answer.get("exit_code").intValue()).isEqualTo(3);
    }
}
