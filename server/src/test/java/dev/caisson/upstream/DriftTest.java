package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolEffect;
import dev.caisson.json.Json;
import dev.caisson.upstream.Drift.Taking;
import dev.caisson.upstream.ReviewedTool.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class DriftTest {
    private static final Instant THEN = Instant.ofEpochSecond(1000);
    private static final Instant NOW = Instant.ofEpochSecond(2000);
    private static final Decision BY_ANN = new Decision(THEN, "ann");

    private static ObjectNode tool(String name, String description) {
        var tool = Json.object().put("name", name).put("description", description);
        tool.putObject("inputSchema").put("type", "object");
        return tool;
    }

    private static Map<String, ReviewedTool> first(ObjectNode... tools) {
        return Drift.of(Map.of(), List.of(tools), Taking.FIRST, THEN).tools();
    }

    private static ReviewedTool named(String name, Map<String, ReviewedTool> tools) {
        return Optional.ofNullable(tools.get(name)).orElseThrow();
    }

    private static ReviewedTool only(Drift drift) {
        assertThat(drift.tools()).hasSize(1);
        return drift.tools().values().iterator().next();
    }

    @Test
    void the_first_list_is_taken_only_where_the_settings_say_so() {
        var taken = only(Drift.of(Map.of(), List.of(tool("a", "x")), Taking.FIRST, NOW));
        assertThat(taken.state()).isEqualTo(ToolState.APPROVED);
        assertThat(taken.decision()).contains(new Decision(NOW, Drift.FIRST_LIST));
        assertThat(taken.approval().orElseThrow().hash()).isEqualTo(taken.hash());

        var waiting = Drift.of(Map.of(), List.of(tool("a", "x")), Taking.NOTHING, NOW);
        assertThat(only(waiting).state()).isEqualTo(ToolState.NEW);
        assertThat(waiting.waiting()).hasSize(1);
    }

    @Test
    void the_same_list_changes_nothing() {
        var before = first(tool("a", "x"), tool("b", "y"));
        var again = Drift.of(before, List.of(tool("b", "y"), tool("a", "x")), Taking.NOTHING, NOW);

        assertThat(again.changed()).isEmpty();
        assertThat(again.gone()).isEmpty();
        assertThat(again.tools()).isEqualTo(before);
    }

    @Test
    void order_meta_and_icons_are_no_change() {
        var before = first(tool("a", "x"));
        var listed = Json.object();
        listed.putObject("inputSchema").put("type", "object");
        listed.put("description", "x").put("name", "a");
        listed.putObject("_meta").put("trace", 7);
        listed.putArray("icons").addObject().put("src", "https://x.example/i.png");

        assertThat(Drift.of(before, List.of(listed), Taking.NOTHING, NOW).changed()).isEmpty();
    }

    @Test
    void a_changed_definition_waits_and_the_approved_one_is_kept() {
        var before = first(tool("a", "x"));
        var changed = only(Drift.of(before, List.of(tool("a", "evil")), Taking.NOTHING, NOW));

        assertThat(changed.state()).isEqualTo(ToolState.CHANGED);
        assertThat(changed.definition()).contains("evil");
        assertThat(changed.approval()).isEqualTo(named("a", before).approval());
        assertThat(changed.seen()).isEqualTo(NOW);

        var back =
                only(Drift.of(Map.of("a", changed), List.of(tool("a", "x")), Taking.NOTHING, NOW));
        assertThat(back.state()).isEqualTo(ToolState.APPROVED);
    }

    @Test
    void a_rename_is_a_new_name_that_waits() {
        var after = Drift.of(first(tool("a", "x")), List.of(tool("b", "x")), Taking.NOTHING, NOW);

        assertThat(named("b", after.tools()).state()).isEqualTo(ToolState.NEW);
        assertThat(named("a", after.tools()).state()).isEqualTo(ToolState.REMOVED);
    }

    @Test
    void what_was_removed_comes_back_as_it_was_and_not_otherwise() {
        var before = first(tool("a", "x"));
        var removed = Drift.of(before, List.of(), Taking.NOTHING, NOW).tools();
        assertThat(named("a", removed).state()).isEqualTo(ToolState.REMOVED);

        assertThat(only(Drift.of(removed, List.of(tool("a", "x")), Taking.NOTHING, NOW)).state())
                .isEqualTo(ToolState.APPROVED);
        assertThat(only(Drift.of(removed, List.of(tool("a", "y")), Taking.NOTHING, NOW)).state())
                .isEqualTo(ToolState.CHANGED);
    }

    @Test
    void what_nobody_approved_is_forgotten_when_it_goes() {
        var before = Drift.of(Map.of(), List.of(tool("a", "x")), Taking.NOTHING, THEN).tools();
        var after = Drift.of(before, List.of(), Taking.NOTHING, NOW);

        assertThat(after.tools()).isEmpty();
        assertThat(after.gone()).containsExactly("a");
    }

    @Test
    void automatic_review_takes_every_change() {
        var before = first(tool("a", "x"));
        var after = only(Drift.of(before, List.of(tool("a", "y")), Taking.ALL, NOW));

        assertThat(after.state()).isEqualTo(ToolState.APPROVED);
        assertThat(after.decision()).contains(new Decision(NOW, Drift.AUTOMATIC));
        assertThat(after.definition()).contains("\"y\"");
    }

    @Test
    void what_a_person_refused_stays_refused_until_it_is_another() {
        var refused = Map.of("a", named("a", first(tool("a", "x"))).refused(BY_ANN));

        assertThat(Drift.of(refused, List.of(tool("a", "x")), Taking.ALL, NOW).changed()).isEmpty();
        assertThat(only(Drift.of(refused, List.of(tool("a", "y")), Taking.NOTHING, NOW)).state())
                .isEqualTo(ToolState.NEW);
    }

    @Test
    void what_the_screen_refuses_is_refused_whatever_is_taken() {
        var bad = tool("a b", "x");
        var large = tool("big", "x".repeat(DefinitionScreen.DEFINITION_BYTES_MAX));
        var after = Drift.of(Map.of(), List.of(bad, large), Taking.ALL, NOW).tools();

        assertThat(named("(a b)", after).state()).isEqualTo(ToolState.REFUSED);
        assertThat(named("(a b)", after).reason()).isPresent();
        assertThat(named("big", after).definition()).isEqualTo(ReviewedTool.NOT_KEPT);
        assertThat(after.values()).allMatch(tool -> tool.approval().isEmpty());
    }

    @Test
    void a_name_that_stands_twice_is_refused() {
        var before = first(tool("a", "x"));
        var after =
                only(Drift.of(before, List.of(tool("a", "x"), tool("a", "y")), Taking.ALL, NOW));

        assertThat(after.state()).isEqualTo(ToolState.REFUSED);
        assertThat(after.reason()).contains("Its name stands in the list twice.");
    }

    @Test
    void an_upstream_that_renames_its_tools_for_ever_fills_nothing() {
        Map<String, ReviewedTool> tools = Map.of();
        for (var round = 0; round < 5; round++) {
            var list = new ArrayList<ObjectNode>();
            for (var i = 0; i < 1000; i++) {
                list.add(tool("t" + round + "_" + i, "x"));
            }
            tools = Drift.of(tools, list, Taking.ALL, NOW.plusSeconds(round)).tools();
        }

        assertThat(tools).hasSizeLessThanOrEqualTo(1000 + Drift.REMOVED_MAX);
        assertThat(tools).containsKey("t4_0");
    }

    @Test
    void what_is_remembered_of_removed_tools_has_a_size() {
        var list = new ArrayList<ObjectNode>();
        for (var i = 0; i < 100; i++) {
            list.add(tool("t" + i, "x".repeat(200 << 10)));
        }
        var tools = Drift.of(Map.of(), list, Taking.ALL, NOW).tools();
        assertThat(tools).hasSize(100);

        var after = Drift.of(tools, List.of(), Taking.ALL, NOW);

        assertThat(after.tools().values().stream().mapToInt(ReviewedTool::characters).sum())
                .isBetween(1, Drift.REMOVED_CHARACTERS_MAX);
        assertThat(after.tools().size() + after.gone().size()).isEqualTo(100);
    }

    @Test
    void a_person_approves_with_an_effect_that_stays() {
        var waiting = only(Drift.of(Map.of(), List.of(tool("a", "x")), Taking.NOTHING, NOW));
        var approved = waiting.approved(Optional.of(ToolEffect.READ), BY_ANN);
        var changed =
                only(Drift.of(Map.of("a", approved), List.of(tool("a", "y")), Taking.NOTHING, NOW));

        assertThat(changed.approved(Optional.empty(), BY_ANN).effect()).contains(ToolEffect.READ);
    }
}
