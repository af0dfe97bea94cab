package dev.caisson.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DefinitionTest {
    private static Definition of(
            Map<String, Set<String>> transitions, Map<String, Definition.Kind> terminal) {
        return new Definition("order", 2, "open", transitions, terminal);
    }

    @Test
    void every_definition_of_the_product_is_found_by_its_stored_name() {
        assertThat(Definition.PRODUCT).hasSizeGreaterThan(1);
        for (var definition : Definition.PRODUCT) {
            assertThat(Definition.named(definition.name(), definition.initial()))
                    .isEqualTo(definition);
        }
        assertThat(Definition.PRODUCT).extracting(Definition::name).doesNotHaveDuplicates();
    }

    @Test
    void a_later_version_has_another_stored_name() {
        var second = of(Map.of(), Map.of());

        assertThat(second.name()).isEqualTo("order@2");
        assertThat(Definition.named("order@2", "open").name()).isEqualTo("order@2");
    }

    @Test
    void whatever_a_stored_name_is_a_definition_has_it() {
        for (var name : new String[] {"order", "order@0", "order@1", "order@x", "@", "", "a@b@7"}) {
            var unknown = Definition.named(name, "open");
            assertThat(unknown.name()).isEqualTo(name);
            assertThat(unknown.allows("open", "closed")).isFalse();
        }
    }

    @Test
    void a_transition_to_a_state_that_is_neither_left_nor_terminal_is_refused() {
        assertThatThrownBy(() -> of(Map.of("open", Set.of("lost")), Map.of()))
                .hasMessageContaining("lost");
    }

    @Test
    void a_terminal_state_is_the_last() {
        assertThatThrownBy(() ->
                        of(Map.of("open", Set.of("open")), Map.of("open", Definition.Kind.SUCCESS)))
                .hasMessageContaining("open");
    }
}
