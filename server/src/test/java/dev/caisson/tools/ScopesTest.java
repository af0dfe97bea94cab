package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.Toolset;
import dev.caisson.json.Json;
import dev.caisson.sandbox.Language;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Which scope each tool needs. Whoever lacks it is told what it would be told of a tool that does
/// not exist.
class ScopesTest extends ToolsTestCase {
    /// Tools for any caller: what they say is the same for everybody.
    private static final Set<String> FOR_ALL =
            Set.of("list_runners", "tool_call", "tool_describe", "tool_search");

    private static final Map<Scope, List<String>> NEEDED =
            Map.of(
                    Scope.RUN,
                    List.of(
                            "execution_cancel",
                            "execution_wait",
                            "executions_list",
                            "output_read",
                            "run_code",
                            "sandbox_execute",
                            "session_reset",
                            "sessions_list"),
                    Scope.FILES_READ,
                    List.of("files_download", "files_list", "glob", "grep", "read"),
                    Scope.FILES_WRITE,
                    List.of("edit", "files_delete", "files_upload", "patch", "write"));

    ScopesTest() {
        super(Language.PYTHON);
    }

    private static Caller with(Scope... scopes) {
        return new Caller("key:k", "k", Set.of(scopes), Set.of());
    }

    private List<String> seenBy(Caller caller) {
        return bench.broker.tools(caller).stream().map(ToolSpec::name).toList();
    }

    @Test
    void every_tool_is_in_a_toolset_that_exists_and_none_is_empty() {
        var used =
                bench.broker.tools(Caller.LOCAL).stream()
                        .map(ToolSpec::toolset)
                        .collect(Collectors.toSet());
        assertThat(used).containsExactlyInAnyOrderElementsOf(Toolset.words());
    }

    @Test
    void a_caller_sees_what_its_scopes_are_for_and_nothing_else() {
        var all = new TreeSet<>(FOR_ALL);
        for (var scope : Scope.values()) {
            var needing = NEEDED.getOrDefault(scope, List.of());
            var seen = new TreeSet<String>(FOR_ALL);
            seen.addAll(needing);
            assertThat(seenBy(with(scope))).as(scope.word()).containsExactlyElementsOf(seen);
            all.addAll(needing);
        }
        assertThat(seenBy(with())).containsExactlyInAnyOrderElementsOf(FOR_ALL);
        assertThat(seenBy(Caller.LOCAL)).hasSize(22).containsExactlyElementsOf(all);
    }

    @Test
    void a_call_without_the_scope_is_a_call_of_an_unknown_tool_and_runs_nothing() {
        runs.does(run -> {
            throw new AssertionError(run + " must not run");
        });
        var reader = FakeCall.by(with(Scope.FILES_READ, Scope.AUDIT, Scope.ADMIN));
        for (var tool :
                List.of("sandbox_execute", "run_code", "sandbox.run_code", "files_upload")) {
            assertThatThrownBy(
                            () -> bench.call(reader, tool, Json.object().put("code", "print(1)")))
                    .isInstanceOfSatisfying(
                            Refusal.class,
                            refusal -> {
                                assertThat(refusal.reason()).isEqualTo(Reason.UNKNOWN_TOOL);
                                assertThat(refusal.sentence()).startsWith("Unknown tool: " + tool);
                            });
        }
    }
}
