package dev.caisson.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

@Timeout(120)
final class EvolutionTest extends EntityTestCase {
    private static String item(String slots) {
        return "{'name':'zoo/Item','slots':[%s]}".formatted(slots);
    }

    private PlanLine.Result planned(String definition) {
        return models.plan(zoo(), specs(definition)).plan().stream()
                .map(PlanLine::effect)
                .max(Enum::compareTo)
                .orElseThrow();
    }

    private String refused(String definition) {
        assertThat(planned(definition)).isEqualTo(PlanLine.Result.REFUSED);
        var revision = zoo().modelRevision();
        var sentence = refusal(() -> define(definition)).sentence();
        assertThat(zoo().modelRevision()).isEqualTo(revision);
        return sentence;
    }

    @Test
    void what_widens_is_done_at_once_and_writes_no_entity() {
        define(
                item(
                        "{'name':'x','type':'integer','min':5,'max':9},{'name':'e','type':'enum','values':['a']}"));
        var one = one(create("zoo/Item", "{'x':7,'e':'a'}"));
        define(
                item(
                        "{'name':'y','renamed_from':'x','type':'integer','min':1},{'name':'e','type':'enum','values':['a','b']},{'name':'new'}"));
        var now = get(one.id());
        assertThat(now.attributes()).isEqualTo(json("{'y':7,'e':'a'}"));
        assertThat(now.revision()).isEqualTo(1);
        assertThat(kinds(update(one.id(), "{'x':1}"))).containsExactly("unknown-slot x");
    }

    @Test
    void a_required_slot_needs_a_default_for_those_there_are() {
        define(item("{'name':'x'}"));
        var one = one(create("zoo/Item", "{'x':'a'}"));
        assertThat(refused(item("{'name':'x'},{'name':'n','type':'integer','required':true}")))
                .contains("n is required");
        var adding = item("{'name':'x'},{'name':'n','type':'integer','required':true,'default':3}");
        assertThat(planned(adding)).isEqualTo(PlanLine.Result.REWRITE);
        define(adding);
        assertThat(get(one.id()).attributes()).isEqualTo(json("{'x':'a','n':3}"));
        assertThat(get(one.id()).revision()).isEqualTo(2);
        assertThat(entities.history(zoo(), one.id(), Long.MAX_VALUE, 9)).hasSize(2);
    }

    @Test
    void values_of_a_removed_slot_go_only_when_that_is_said_and_stay_in_the_history() {
        define(item("{'name':'x'},{'name':'y'}"));
        var one = one(create("zoo/Item", "{'x':'a','y':'b'}"));
        assertThat(refused(item("{'name':'x'}"))).contains("drop_values");
        define("{'name':'zoo/Item','drop_values':true,'slots':[{'name':'x'}]}");
        assertThat(get(one.id()).attributes()).isEqualTo(json("{'x':'a'}"));
        assertThat(rows("entity_old")).isEqualTo(1);
        define(item("{'name':'x'},{'name':'y'}"));
        assertThat(get(one.id()).attributes()).isEqualTo(json("{'x':'a'}"));
    }

    @Test
    void a_tighter_rule_is_refused_or_applies_to_what_is_written_from_now_on() {
        define(item("{'name':'x','type':'integer'},{'name':'s'}"));
        var one = one(create("zoo/Item", "{'x':20}"));
        one(create("zoo/Item", "{'x':1}"));
        assertThat(refused(item("{'name':'x','type':'integer','max':9},{'name':'s'}")))
                .contains("1 of 2 entities", one.id());
        var lenient =
                "{'name':'zoo/Item','enforce':'new','slots':[{'name':'x','type':'integer','max':9},{'name':'s'}]}";
        assertThat(planned(lenient)).isEqualTo(PlanLine.Result.GRANDFATHERED);
        define(lenient);
        assertThat(get(one.id()).attributes().path("x").intValue()).isEqualTo(20);
        assertThat(kinds(update(one.id(), "{'s':'a'}"))).containsExactly("constraint x");
        assertThat(kinds(create("zoo/Item", "{'x':10}"))).containsExactly("constraint x");
    }

    @Test
    void a_type_changes_when_every_value_fits() {
        define(item("{'name':'x','type':'integer'},{'name':'s'}"));
        one(create("zoo/Item", "i", "{'x':1,'s':'a'}"));
        define(
                item(
                        "{'name':'x','type':'number','index':true},{'name':'s','type':'enum','values':['a','b']}"));
        one(update("i", "{'x':1.5}"));
        assertThat(refused(item("{'name':'x','type':'integer'},{'name':'s','type':'text'}")))
                .contains("x must be a whole number");
        assertThat(rows("entity_key")).isEqualTo(2);
        define(item("{'name':'x','type':'number'},{'name':'s','type':'text'}"));
        assertThat(rows("entity_key")).isZero();
    }

    @Test
    void a_slot_becomes_unique_when_its_values_are() {
        define(item("{'name':'x'}"));
        apply(create("zoo/Item", "a", "{'x':'1'}"), create("zoo/Item", "b", "{'x':'1'}"));
        assertThat(refused(item("{'name':'x','unique':true}"))).contains("same value of x");
        one(update("b", "{'x':'2'}"));
        define(item("{'name':'x','unique':true}"));
        assertThat(kinds(update("b", "{'x':'1'}"))).containsExactly("not-unique x");
    }

    @Test
    void a_class_with_entities_is_neither_deleted_nor_abstract() {
        define(item("{'name':'x'}"));
        one(create("zoo/Item", "i", "{}"));
        assertThat(refused("{'name':'zoo/Item','delete':true}")).contains("1 entities");
        assertThat(refused("{'name':'zoo/Item','abstract':true,'slots':[{'name':'x'}]}"))
                .contains("abstract");
        define("{'name':'zoo/Thing','renamed_from':'zoo/Item','slots':[{'name':'x'}]}");
        assertThat(get("i").type()).isEqualTo("zoo/Thing");
        apply(delete("i"));
        define("{'name':'zoo/Thing','delete':true}");
    }

    @Test
    void a_parent_that_goes_takes_its_slots_along() {
        define(
                "{'name':'zoo/Base','slots':[{'name':'b'}]}",
                "{'name':'zoo/Sub','parents':['zoo/Base']}");
        one(create("zoo/Sub", "{'b':'1'}"));
        assertThat(refused("{'name':'zoo/Sub'}")).contains("drop_values");
        assertThat(refused("{'name':'zoo/Base'}")).contains("drop_values");
    }

    @Test
    void a_change_looks_at_so_many_entities_and_at_no_more() {
        var d = ModelLimits.DEFAULT;
        openWith(
                new ModelLimits(
                        d.spacesPerCaller(),
                        d.grantsMax(),
                        d.classesMax(),
                        d.slotsMax(),
                        d.entitiesMax(),
                        d.entityBytesMax(),
                        d.itemsMax(),
                        d.changesMax(),
                        d.cascadeMax(),
                        3,
                        d.scanMax()));
        define(item("{'name':'x'}"));
        IntStream.range(0, 3).forEach(_ -> one(create("zoo/Item", "{'x':'a'}")));
        define(item("{'name':'x','index':true}"));
        one(create("zoo/Item", "{'x':'a'}"));
        assertThat(refused(item("{'name':'x'}"))).contains("at most 3");
        define(item("{'name':'x','index':true},{'name':'free'}"));
    }

    /// Random changes of a class with values: a change is refused, or every value of every slot
    /// that is still there is what it was.
    @Test
    void random_changes_keep_every_value_or_are_refused() {
        var random = new Random(11);
        var types = List.of("string", "text", "integer", "number", "boolean", "date");
        define(item("{'name':'a','type':'string'},{'name':'b','type':'integer'}"));
        var ids = new ArrayList<String>();
        IntStream.range(0, 5)
                .forEach(i ->
                        ids.add(
                                one(create("zoo/Item", "{'a':'v%d','b':%d}".formatted(i, i)))
                                        .id()));
        var made = 0;
        for (var round = 0; round < 60; round++) {
            var before = new TreeMap<String, JsonNode>();
            ids.forEach(id -> before.put(id, get(id).attributes()));
            var name = random.nextBoolean() ? "a" : "c";
            var rename = name.equals("c") && random.nextBoolean() ? ",'renamed_from':'a'" : "";
            var definition =
                    "{'name':'zoo/Item','drop_values':%s,'slots':[{'name':'%s'%s,'type':'%s'},{'name':'b','type':'%s'}]}"
                            .formatted(
                                    random.nextInt(4) == 0,
                                    name,
                                    rename,
                                    types.get(random.nextInt(types.size())),
                                    types.get(random.nextInt(types.size())));
            try {
                define(definition);
                made++;
            } catch (Refusal refused) {
                ids.forEach(id -> assertThat(get(id).attributes()).isEqualTo(before.get(id)));
                continue;
            }
            for (var each : before.entrySet()) {
                var now = get(each.getKey()).attributes();
                assertThat(now.path("b").asString(""))
                        .isEqualTo(each.getValue().path("b").asString(""));
                var old = each.getValue().path(rename.isEmpty() ? name : "a").asString("");
                assertThat(now.path(name).asString("")).isEqualTo(old);
            }
        }
        assertThat(made).as("changes that were made").isGreaterThan(3);
    }
}
