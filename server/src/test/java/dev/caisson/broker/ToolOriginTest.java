package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.ToolSpec.Hints;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToolOriginTest {
    private static ToolOrigin origin(String server, String function, String tool, String hash) {
        return new ToolOrigin(server, function, function, tool, hash, ToolEffect.READ, false);
    }

    @Test
    void programs_and_records_name_a_tool_each_in_their_way() {
        var origin = origin("git_hub", "create_issue", "create-issue", "0a");
        assertThat(origin.qualifiedName()).isEqualTo("git_hub.create_issue");
        assertThat(origin.ledgerName()).isEqualTo("git_hub/create-issue");
        assertThat(origin.isOwn()).isFalse();
    }

    @Test
    void names_outside_their_alphabets_are_refused() {
        for (var wrong : List.of("", "a.b", "A", "a\n", "a".repeat(41))) {
            assertThatThrownBy(() -> origin(wrong, "f", "t", ""))
                    .hasMessageContaining("must match");
        }
        for (var wrong : List.of("", "a.b", "a b", "a".repeat(261))) {
            assertThatThrownBy(() -> origin("a", wrong, "t", ""))
                    .hasMessageContaining("must match");
        }
        for (var wrong : List.of("", "a/b", "a".repeat(129))) {
            assertThatThrownBy(() -> origin("a", "f", wrong, ""))
                    .hasMessageContaining("must match");
        }
        for (var wrong : List.of("g", "A", "0".repeat(65))) {
            assertThatThrownBy(() -> origin("a", "f", "t", wrong))
                    .hasMessageContaining("must match");
        }
    }

    @Test
    void our_own_tools_have_an_origin_too() {
        var spec = ToolSpec.named("files_list", "List", "Lists.").hinted(Hints.READS).build();
        var own = spec.effectiveOrigin();
        assertThat(own.isOwn()).isTrue();
        assertThat(own.qualifiedName()).isEqualTo("caisson.files_list");
        assertThat(own.ledgerName()).isEqualTo("caisson/files_list");
        assertThat(own.jsFunction()).isEqualTo("filesList");
        assertThat(own.effect()).isEqualTo(ToolEffect.READ);
    }

    @Test
    void an_effect_follows_from_what_a_tool_says_and_has_its_word() {
        assertThat(ToolEffect.of(Hints.READS)).isEqualTo(ToolEffect.READ);
        assertThat(ToolEffect.of(Hints.NONE)).isEqualTo(ToolEffect.WRITE);
        assertThat(ToolEffect.of(Hints.REPLACES)).isEqualTo(ToolEffect.DESTROY);
        for (var effect : ToolEffect.values()) {
            assertThat(ToolEffect.of(effect.word())).contains(effect);
        }
        assertThat(ToolEffect.of("READ")).isEmpty();
    }
}
