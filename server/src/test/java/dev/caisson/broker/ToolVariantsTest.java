package dev.caisson.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.call.Changes;
import dev.caisson.call.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The tools of each group are made once, and again when they change.
class ToolVariantsTest {
    private final List<String> made = new ArrayList<>();
    private final ToolVariants<String> tools =
            new ToolVariants<>(Caller::name, this::make, new Changes());

    private List<Tool> make(String group) {
        made.add(group);
        return List.of();
    }

    private void ask(String group) {
        tools.tools(new Caller("key:" + group, group, Set.of(Scope.RUN), Set.of()));
    }

    @Test
    void a_group_is_made_once_until_it_changes() {
        ask("a");
        ask("b");
        ask("a");
        tools.renew("a"::equals, Optional.empty());
        ask("a");
        ask("b");
        assertThat(made).containsExactly("a", "b", "a");
        tools.renew();
        ask("b");
        assertThat(made).containsExactly("a", "b", "a", "b");
    }

    @Test
    void so_many_groups_are_kept_and_no_more() {
        for (int group = 0; group < ToolVariants.GROUPS_MAX; group++) {
            ask("g" + group);
        }
        ask("g0");
        assertThat(made).hasSize(ToolVariants.GROUPS_MAX);
        ask("one more");
        ask("g0");
        assertThat(made).hasSize(ToolVariants.GROUPS_MAX + 2).endsWith("one more", "g0");
    }
}
