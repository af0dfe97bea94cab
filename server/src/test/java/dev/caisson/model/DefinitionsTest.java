package dev.caisson.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.store.StoreTestCase;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DefinitionsTest extends StoreTestCase {
    private static final Caller ANA = new Caller("key:ana", "Ana", Set.of(), Set.of());
    private static final Author AUTHOR =
            new Author("key:ana", "Ana", "mcp", "t", Optional.of("test"), Optional.empty());

    private Spaces spaces;
    private Models models;

    @BeforeEach
    void open() {
        spaces = new Spaces(store, Clock.systemUTC(), ModelLimits.DEFAULT);
        models = new Models(store, Clock.systemUTC(), ModelLimits.DEFAULT);
        spaces.create(ANA, "zoo", "");
    }

    private static List<ClassSpec> specs(String... definitions) {
        return List.of(definitions).stream()
                .map(text -> ClassSpec.read(Json.parse(text.replace('\'', '"'))))
                .toList();
    }

    private Space zoo() {
        return spaces.open(ANA, "zoo", SpaceAccess.DEFINE);
    }

    private Models.Definition define(String... definitions) {
        return models.define(zoo(), AUTHOR, specs(definitions));
    }

    private String complaint(String... definitions) {
        var told = new String[1];
        var before = models.graph(zoo()).revision();
        assertThatThrownBy(() -> define(definitions))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.INVALID_ARGUMENT);
                            assertThat(refusal.details()).containsKey("errors");
                            told[0] = refusal.sentence();
                        });
        assertThat(models.graph(zoo()).revision()).isEqualTo(before);
        return told[0];
    }

    private EntityClass found(String name) {
        return models.graph(zoo()).get(name);
    }

    @Test
    void every_space_has_the_base_classes_and_an_unmade_home_too() {
        assertThat(models.graph(spaces.open(ANA, "home", SpaceAccess.READ)).classes())
                .extracting(EntityClass::name)
                .containsExactly("core/Note", "core/Thing");
        assertThat(found("core/Thing").isAbstract()).isTrue();
        assertThat(found("core/Note").slots())
                .containsOnlyKeys("title", "text", "about", "expires_at");
        var numbers =
                BaseClasses.ALL.stream()
                        .flatMap(each -> each.slotNumbers().values().stream())
                        .toList();
        assertThat(numbers).doesNotHaveDuplicates().allMatch(each -> each < ModelNumbers.RESERVED);
    }

    @Test
    void a_class_inherits_and_narrows() {
        define(
                "{'name':'zoo/Animal','parents':['core/Thing'],'abstract':true,'slots':[{'name':'mass','type':'number','min':0}]}",
                "{'name':'zoo/Swimmer','abstract':true,'slots':[{'name':'depth','type':'integer'}]}",
                "{'name':'zoo/Penguin','parents':['zoo/Animal','zoo/Swimmer'],'slots':[{'name':'mass','type':'number','required':true,'max':50}]}");
        var penguin = found("zoo/Penguin");
        assertThat(penguin.ancestors()).containsExactly("zoo/Animal", "core/Thing", "zoo/Swimmer");
        assertThat(penguin.slots().sequencedKeySet())
                .containsExactly("name", "tags", "mass", "depth");
        var mass = penguin.slot("mass").orElseThrow();
        assertThat(mass.required()).isTrue();
        assertThat(mass.number())
                .isEqualTo(found("zoo/Animal").slot("mass").orElseThrow().number());
        for (var wrong : List.of("-1", "51")) {
            assertThat(mass.rules())
                    .anyMatch(rule -> rule.complaint(Json.parse(wrong)).isPresent());
        }
        assertThat(penguin.titleSlot().orElseThrow().name()).isEqualTo("name");
        assertThat(models.graph(zoo()).within("zoo/Animal")).hasSize(2);
    }

    @Test
    void a_slot_by_two_ways_is_one_with_the_rules_of_both() {
        define(
                "{'name':'zoo/A','slots':[{'name':'x','type':'integer'}]}",
                "{'name':'zoo/B','parents':['zoo/A'],'slots':[{'name':'x','type':'integer','min':1,'required':true}]}",
                "{'name':'zoo/C','parents':['zoo/A'],'slots':[{'name':'x','type':'integer','max':9,'unique':true}]}",
                "{'name':'zoo/D','parents':['zoo/B','zoo/C']}");
        var slot = found("zoo/D").slot("x").orElseThrow();
        assertThat(slot.rules()).hasSize(2);
        assertThat(slot.required()).isTrue();
        assertThat(slot.isUnique()).isTrue();
    }

    @Test
    void effective_slots_do_not_depend_on_the_order_of_definition() {
        var random = new Random(7);
        var texts =
                new ArrayList<>(
                        List.of(
                                "{'name':'z/A','slots':[{'name':'x','type':'integer'}]}",
                                "{'name':'z/B','parents':['z/A'],'slots':[{'name':'y','type':'ref','class':'z/D'}]}",
                                "{'name':'z/C','parents':['z/A','core/Thing'],'slots':[{'name':'x','type':'integer','min':3}]}",
                                "{'name':'z/D','parents':['z/C','z/B']}"));
        var seen =
                IntStream.range(0, 12)
                        .mapToObj(round -> {
                            Collections.shuffle(texts, random);
                            var planned = models.plan(zoo(), specs(texts.toArray(String[]::new)));
                            return planned.graph().classes().stream()
                                    .map(each ->
                                            each.name()
                                                    + each.ancestors()
                                                    + each.slots().values().stream()
                                                            .map(slot ->
                                                                    slot.name()
                                                                            + slot.from()
                                                                            + slot.rules())
                                                            .toList())
                                    .collect(Collectors.joining());
                        })
                        .distinct()
                        .toList();
        assertThat(seen).hasSize(1);
    }

    @Test
    void what_is_wrong_is_named_and_nothing_is_changed() {
        assertThat(complaint("{'name':'zoo/a'}")).contains("lab/Sample");
        assertThat(complaint("{'name':'core/Mine'}")).contains("belong to the product");
        assertThat(complaint("{'name':'zoo/A','parents':['core/Thin']}")).contains("core/Thing");
        assertThat(
                        complaint(
                                "{'name':'zoo/A','parents':['zoo/B']}",
                                "{'name':'zoo/B','parents':['zoo/A']}"))
                .contains("its own ancestor");
        assertThat(
                        complaint(
                                "{'name':'zoo/A','slots':[{'name':'x'}]}",
                                "{'name':'zoo/B','slots':[{'name':'x'}]}",
                                "{'name':'zoo/C','parents':['zoo/A','zoo/B']}"))
                .contains("rename one");
        for (var slot :
                List.of(
                        "{'name':'rev'}",
                        "{'name':'X'}",
                        "{'name':'x','type':'enum'}",
                        "{'name':'x','values':['a']}",
                        "{'name':'x','type':'enum','values':['a','a']}",
                        "{'name':'x','min':1}",
                        "{'name':'x','type':'integer','min':1.5}",
                        "{'name':'x','type':'integer','regex':'a'}",
                        "{'name':'x','regex':'('}",
                        "{'name':'x','class':'core/Note'}",
                        "{'name':'x','type':'ref','class':'zoo/None'}",
                        "{'name':'x','type':'ref','inverse':'y'}",
                        "{'name':'x','many':true,'unique':true}",
                        "{'name':'x','max_items':2}",
                        "{'name':'x','type':'text','index':true}",
                        "{'name':'x','type':'integer','default':'a'}",
                        "{'name':'x','type':'integer','min':3,'default':2}",
                        "{'name':'x','default':{'$':'now'}}",
                        "{'name':'x','type':'json','search':true}",
                        "{'name':'x'},{'name':'x'}")) {
            assertThat(complaint("{'name':'zoo/A','slots':[%s]}".formatted(slot)))
                    .as(slot)
                    .contains("zoo/A");
        }
        assertThatThrownBy(() -> specs("{'name':'zoo/A','slots':[{'name':'x','colour':1}]}"))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("colour");
    }

    @Test
    void redeclaring_may_only_narrow() {
        define(
                "{'name':'zoo/A','slots':[{'name':'x','type':'enum','values':['a','b']},{'name':'y'},{'name':'r','type':'ref','class':'core/Note'}]}");
        for (var slot :
                List.of(
                        "{'name':'x','type':'enum','values':['a','c']}",
                        "{'name':'y','type':'integer'}",
                        "{'name':'y','many':true}",
                        "{'name':'r','type':'ref','class':'zoo/A'}")) {
            assertThat(
                            complaint(
                                    "{'name':'zoo/B','parents':['zoo/A'],'slots':[%s]}"
                                            .formatted(slot)))
                    .as(slot)
                    .contains("zoo/B");
        }
    }

    @Test
    void depth_slots_and_classes_have_limits() {
        define(chain(GraphBuilder.DEPTH_MAX));
        assertThat(complaint(chain(GraphBuilder.DEPTH_MAX + 1))).contains("generations");
        assertThat(models.plan(zoo(), specs(wide(100))).plan()).isNotEmpty();
        assertThat(
                        complaint(
                                wide(100),
                                "{'name':'zoo/Wider','parents':['zoo/Wide'],'slots':[{'name':'more'}]}"))
                .contains("at most 100");
        var many =
                IntStream.range(0, 500)
                        .mapToObj("{'name':'many/C%d'}"::formatted)
                        .toArray(String[]::new);
        assertThat(complaint(many)).contains("at most 500 classes");
    }

    private static String[] chain(int length) {
        return IntStream.range(0, length)
                .mapToObj(i ->
                        "{'name':'deep/C%d'%s}"
                                .formatted(i, i == 0 ? "" : ",'parents':['deep/C" + (i - 1) + "']"))
                .toArray(String[]::new);
    }

    private static String wide(int slots) {
        return "{'name':'zoo/Wide','slots':[%s]}"
                .formatted(
                        IntStream.range(0, slots)
                                .mapToObj("{'name':'s%d'}"::formatted)
                                .collect(Collectors.joining(",")));
    }

    @Test
    void a_plan_names_each_change_and_changes_nothing() {
        define("{'name':'zoo/A','slots':[{'name':'x'},{'name':'y'},{'name':'z'}]}");
        var next =
                new String[] {
                    "{'name':'zoo/Alpha','renamed_from':'zoo/A','slots':[{'name':'x','required':true},{'name':'why','renamed_from':'y'},{'name':'new'}]}",
                    "{'name':'zoo/B','parents':['zoo/Alpha']}"
                };
        var planned = models.plan(zoo(), specs(next)).plan();
        assertThat(planned)
                .extracting(line -> line.change() + " " + line.type() + line.slot().orElse(""))
                .containsExactly(
                        "RENAME_CLASS zoo/Alpha",
                        "CHANGE_SLOT zoo/Alphax",
                        "RENAME_SLOT zoo/Alphawhy",
                        "ADD_SLOT zoo/Alphanew",
                        "REMOVE_SLOT zoo/Alphaz",
                        "ADD_CLASS zoo/B");
        assertThat(models.graph(zoo()).find("zoo/B")).isEmpty();
        assertThat(define(next).plan()).isEqualTo(planned);
    }

    @Test
    void a_class_and_a_slot_keep_their_numbers_when_they_are_renamed() {
        define(
                "{'name':'zoo/A','slots':[{'name':'x'}]}",
                "{'name':'zoo/B','parents':['zoo/A'],'slots':[{'name':'r','type':'ref','class':'zoo/A'}]}");
        var before = found("zoo/A");
        define(
                "{'name':'zoo/New','renamed_from':'zoo/A','slots':[{'name':'y','renamed_from':'x'}]}");
        var after = found("zoo/New");
        assertThat(after.number()).isEqualTo(before.number());
        assertThat(after.slot("y").orElseThrow().number())
                .isEqualTo(before.slot("x").orElseThrow().number());
        assertThat(found("zoo/B").is("zoo/New")).isTrue();
        assertThat(found("zoo/B").slot("r").orElseThrow().target()).contains("zoo/New");
        assertThat(complaint("{'name':'zoo/X','renamed_from':'zoo/Nwe'}")).contains("zoo/New");
    }

    @Test
    void a_class_is_deleted_and_what_needs_it_refuses_that() {
        define("{'name':'zoo/A'}", "{'name':'zoo/B','parents':['zoo/A']}");
        assertThat(complaint("{'name':'zoo/A','delete':true}")).contains("zoo/B");
        define("{'name':'zoo/A','delete':true}", "{'name':'zoo/B'}");
        assertThat(models.graph(zoo()).find("zoo/A")).isEmpty();
    }

    @Test
    void another_process_sees_a_change_at_once_and_another_space_never() {
        spaces.create(ANA, "other", "");
        var elsewhere = new Models(store, Clock.systemUTC(), ModelLimits.DEFAULT);
        assertThat(elsewhere.graph(zoo()).find("zoo/A")).isEmpty();
        define("{'name':'zoo/A'}");
        assertThat(elsewhere.graph(zoo()).find("zoo/A")).isPresent();
        assertThat(models.graph(spaces.open(ANA, "other", SpaceAccess.READ)).find("zoo/A"))
                .isEmpty();
    }

    @Test
    void only_who_may_define_defines() {
        spaces.grant(ANA, "zoo", "key:ben", SpaceAccess.WRITE);
        var ben = new Caller("key:ben", "Ben", Set.of(), Set.of());
        var entered = spaces.open(ben, "zoo", SpaceAccess.WRITE);
        assertThatThrownBy(() -> models.define(entered, AUTHOR, specs("{'name':'zoo/A'}")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("not yours");
    }
}
