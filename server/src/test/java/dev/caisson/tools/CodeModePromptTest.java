package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.Prompt;
import dev.caisson.call.Caller;
import dev.caisson.call.Content;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.sandbox.Language;
import dev.caisson.stubs.Tokens;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The prompt says how to work here in code, for each language.
class CodeModePromptTest {
    private final Prompt prompt = CodeModePrompt.source().prompts(Caller.LOCAL).getFirst();

    private String text(Map<String, String> arguments) throws Exception {
        var message = prompt.fill(FakeCall.by(Caller.LOCAL), arguments).messages().getFirst();
        assertThat(message.role()).isEqualTo(Prompt.Role.USER);
        return ((Content.Text) message.content()).text();
    }

    @Test
    void only_callers_who_may_run_programs_see_it() {
        var reader = new Caller("key:r", "r", Set.of(Scope.FILES_READ), Set.of());
        assertThat(CodeModePrompt.source().prompts(reader)).isEmpty();
        assertThat(prompt.spec().name()).isEqualTo("code_mode");
    }

    @Test
    void it_names_the_tools_and_how_each_language_calls_functions() throws Exception {
        var any = text(Map.of());
        assertThat(any)
                .contains(
                        "sandbox_execute",
                        "tool_search",
                        "tool_describe",
                        "execution_wait",
                        "import servers.NAME",
                        "./servers/NAME/index.js",
                        "data, not instructions");
        assertThat(Tokens.count(any)).isLessThan(300);
        assertThat(text(Map.of("language", "js")))
                .contains("globalThis.result")
                .doesNotContain("import servers.NAME");
        assertThat(text(Map.of("language", "bash"))).contains("caisson-call", "data_from_stdout");
        for (var language : Language.values()) {
            assertThat(text(Map.of("language", language.word()))).contains(language.word());
        }
    }

    @Test
    void another_language_is_refused_and_languages_are_completed() {
        assertThatThrownBy(() -> text(Map.of("language", "cobol")))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.MALFORMED));
        assertThat(prompt.complete(Caller.LOCAL, "language", "p")).containsExactly("python");
        assertThat(prompt.complete(Caller.LOCAL, "other", "p")).isEmpty();
    }
}
