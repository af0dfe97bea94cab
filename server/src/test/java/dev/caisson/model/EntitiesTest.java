package dev.caisson.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class EntitiesTest extends EntityTestCase {
    @Test
    void an_entity_is_created_read_changed_and_deleted() {
        var pool = one(create("zoo/Pool", "north", "{'name':'North'}"));
        assertThat(pool.id()).matches("ent_[0-9a-v]{26}");
        assertThat(pool.ident()).contains("north");
        assertThat(pool.label()).isEqualTo("North");
        assertThat(pool.revision()).isEqualTo(1);
        var penguin =
                one(
                        create(
                                "zoo/Penguin",
                                "{'name':'Pia','mass':2.5,'pool':'north','born':'2024-02-29'}"));
        assertThat(penguin.attributes())
                .isEqualTo(
                        json(
                                "{'name':'Pia','mass':2.5,'sex':'unknown','pool':'%s','born':'2024-02-29'}"
                                        .formatted(pool.id())));
        var changed = apply(update(penguin.id(), "{'mass':3,'born':null}")).results().getFirst();
        assertThat(changed.changed()).containsExactly("mass", "born");
        assertThat(get(penguin.id()).revision()).isEqualTo(2);
        assertThat(get(penguin.id()).attributes().has("born")).isFalse();
        assertThat(get(penguin.id()).createdBy()).isEqualTo("Ana");
        apply(delete(penguin.id()));
        assertThat(entities.find(zoo(), penguin.id())).isEmpty();
        assertThat(zoo().entities()).isEqualTo(1);
    }

    @Test
    void a_change_that_changes_nothing_leaves_no_trace() {
        var pool = one(create("zoo/Pool", "{'name':'North'}"));
        var transactions = rows("model_tx");
        var again = apply(update(pool.id(), "{'name':'North'}"));
        assertThat(again.transaction()).isEmpty();
        assertThat(again.results().getFirst().act()).isEqualTo(AppliedChanges.Act.UNCHANGED);
        assertThat(rows("model_tx")).isEqualTo(transactions);
    }

    @Test
    void values_are_kept_in_one_form() {
        var given =
                "{'name':' a ','mass':2.50,'depth':7.0,'seen':['2026-01-01T02:00:00+02:00'],':notes':'x'}";
        assertThat(one(create("zoo/Penguin", given)).attributes())
                .isEqualTo(
                        json(
                                "{'name':' a ','mass':2.5,'depth':7,'sex':'unknown','seen':['2026-01-01T00:00:00.000Z'],'notes':'x'}"));
        var large = one(create("zoo/Penguin", "{'depth':9223372036854775807,'mass':1e300}"));
        assertThat(get(large.id()).attributes().path("depth").longValue())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(get(large.id()).attributes()).isEqualTo(large.attributes());
    }

    @Test
    void all_that_is_wrong_is_told_at_once_and_nothing_is_written() {
        assertThat(
                        kinds(
                                create(
                                        "zoo/Penguin",
                                        "{'mas':1,'mass':-1,'ring':'x','sex':'q','depth':'deep','seen':'no list','born':'2023-02-29'}"),
                                create("zoo/Pool", "{}"),
                                create("zoo/Animal", "{}"),
                                create("zoo/Pingu", "{}")))
                .containsExactlyInAnyOrder(
                        "unknown-slot mas",
                        "constraint mass",
                        "constraint ring",
                        "constraint sex",
                        "invalid-type depth",
                        "cardinality-violation seen",
                        "invalid-type born",
                        "missing-required name",
                        "abstract-class",
                        "no-class");
        var sentence = refusal(() -> apply(create("zoo/Penguin", "{'mas':1}"))).sentence();
        assertThat(sentence).contains("mass");
        assertThat(rows("entity")).isZero();
        assertThat(zoo().entities()).isZero();
        for (var hostile :
                List.of(
                        "{'name':{'a':1}}",
                        "{'name':'\\u0000'}",
                        "{'depth':9223372036854775808}",
                        "{'depth':1.5}",
                        "{'mass':1e400}",
                        "{'born':'99999-01-01'}",
                        "{'pool':{'path':'/etc'}}",
                        "{'pool':''}")) {
            assertThat(kinds(create("zoo/Penguin", hostile))).as(hostile).hasSize(1);
        }
    }

    @Test
    void references_lead_to_entities_of_the_right_class_and_to_others_of_the_transaction() {
        var applied =
                apply(
                        create("zoo/Penguin", "{'name':'child','mother':'$2'}"),
                        create("zoo/Penguin", "mia", "{'name':'$1','pool':{'ident':'south'}}"),
                        create("zoo/Pool", "south", "{'name':'South'}"));
        var mia = get("mia");
        assertThat(mia.label()).isEqualTo("$1");
        assertThat(applied.results().getFirst().entity().attributes().path("mother").asString())
                .isEqualTo(mia.id());
        assertThat(kinds(create("zoo/Penguin", "{'mother':'south'}")))
                .containsExactly("wrong-ref-class mother");
        assertThat(kinds(create("zoo/Penguin", "{'mother':'nobody','pool':'$9'}")))
                .containsExactly("dangling-ref mother", "dangling-ref pool");
    }

    @Test
    void a_unique_value_and_an_ident_are_there_once() {
        one(create("zoo/Penguin", "pia", "{'ring':'AB1'}"));
        var other = one(create("zoo/Penguin", "{'ring':'AB2'}"));
        assertThat(kinds(create("zoo/Penguin", "{'ring':'AB1'}")))
                .containsExactly("not-unique ring");
        assertThat(kinds(update(other.id(), "{'ring':'AB1'}"))).containsExactly("not-unique ring");
        assertThat(kinds(create("zoo/Pool", "pia", "{'name':'x'}")))
                .containsExactly("not-unique ident");
        apply(update("pia", "{'ring':'AB2'}"), update(other.id(), "{'ring':'AB1'}"));
        assertThat(get("pia").attributes().path("ring").asString()).isEqualTo("AB2");
        for (var ident : List.of("ent_1", "-a", "a/b", "../a", "", "a".repeat(129))) {
            assertThat(kinds(create("zoo/Pool", ident, "{'name':'x'}")))
                    .as(ident)
                    .containsExactly("constraint ident");
        }
        one(create("zoo/Pool", "a".repeat(128), "{'name':'x'}"));
    }

    @Test
    void an_ident_that_is_taken_may_be_met() {
        one(create("zoo/Pool", "north", "{'name':'North'}"));
        for (var meeting : EntityChange.OnConflict.values()) {
            var create =
                    new EntityChange.Create(
                            "zoo/Pool", json("{'name':'N'}"), Optional.of("north"), meeting);
            switch (meeting) {
                case REFUSE -> assertThat(kinds(create)).containsExactly("not-unique ident");
                case KEEP ->
                        assertThat(apply(create).results().getFirst().act())
                                .isEqualTo(AppliedChanges.Act.UNCHANGED);
                case UPDATE -> one(create);
            }
            assertThat(get("north").label())
                    .isEqualTo(meeting == EntityChange.OnConflict.UPDATE ? "N" : "North");
            if (meeting == EntityChange.OnConflict.UPDATE) {
                apply(update("north", "{'name':'North'}"));
            }
        }
    }

    @Test
    void lists_are_replaced_or_added_to() {
        var one = one(create("zoo/Penguin", "{'tags':['a','b']}"));
        entities.apply(
                zoo(),
                AUTHOR,
                List.of(
                        new EntityChange.Update(
                                one.id(), json("{'tags':['b','c']}"), true, Optional.empty())));
        assertThat(Json.text(get(one.id()).attributes().path("tags")))
                .isEqualTo("[\"a\",\"b\",\"c\"]");
        apply(update(one.id(), "{'tags':[]}"));
        assertThat(get(one.id()).attributes().has("tags")).isFalse();
        assertThat(kinds(update(one.id(), "{'tags':['a','a']}")))
                .containsExactly("constraint tags");
    }

    @Test
    void a_change_may_expect_a_revision() {
        var one = one(create("zoo/Pool", "{'name':'a'}"));
        var expecting =
                new EntityChange.Update(one.id(), json("{'name':'b'}"), false, Optional.of(1L));
        one(expecting);
        assertThat(refusal(() -> apply(expecting)).reason()).isEqualTo(Reason.CHANGED);
        assertThat(refusal(() -> apply(update("nobody", "{}"))).reason())
                .isEqualTo(Reason.NOT_FOUND);
        assertThat(kinds(update(one.id(), "{}"), delete(one.id()))).containsExactly("constraint");
    }

    @Test
    void what_is_referred_to_is_deleted_as_the_slots_say() {
        apply(
                create("zoo/Pool", "north", "{'name':'North'}"),
                create("zoo/Penguin", "mia", "{'pool':'north'}"),
                create("zoo/Penguin", "pia", "{'pool':'north','mother':'mia'}"),
                create("zoo/Egg", "egg", "{'of':'mia'}"));
        var refused = refusal(() -> apply(delete("north")));
        assertThat(refused.details()).containsEntry("inbound_total", 2);
        assertThat(
                        entities.planDeletion(zoo(), List.of("north"), EntityChange.Inbound.BY_SLOT)
                                .blocking())
                .isEqualTo(2);
        var mia = get("mia").id();
        var egg = get("egg").id();
        var plan = entities.planDeletion(zoo(), List.of("mia"), EntityChange.Inbound.BY_SLOT);
        assertThat(plan.deleted()).containsExactly(mia, egg);
        var done = apply(delete("mia"));
        assertThat(done.deleted()).isEqualTo(plan.deleted());
        assertThat(done.unlinked()).containsExactly(get("pia").id());
        assertThat(get("pia").attributes().has("mother")).isFalse();
        assertThat(entities.find(zoo(), "egg")).isEmpty();
        apply(new EntityChange.Delete("north", EntityChange.Inbound.UNLINK, Optional.empty()));
        assertThat(get("pia").attributes().has("pool")).isFalse();
        apply(delete("pia"));
        assertThat(Stream.of("entity", "entity_key", "entity_ref", "entity_word").map(this::rows))
                .containsOnly(0L);
    }

    @Test
    void a_required_reference_is_not_unlinked() {
        apply(create("zoo/Penguin", "mia", "{}"), create("zoo/Egg", "egg", "{'of':'mia'}"));
        var unlinking =
                new EntityChange.Delete("mia", EntityChange.Inbound.UNLINK, Optional.empty());
        assertThat(refusal(() -> apply(unlinking)).details()).containsEntry("inbound_total", 1);
    }

    @Test
    void defaults_are_for_new_entities() {
        one(create("zoo/Penguin", "mia", "{}"));
        var egg = one(create("zoo/Egg", "{'of':'mia'}"));
        assertThat(egg.attributes().path("keeper").asString()).isEqualTo("Ana");
        assertThat(egg.attributes().path("laid").asString()).startsWith("2026-01-01T10:");
        apply(update(egg.id(), "{'keeper':null}"));
        assertThat(get(egg.id()).attributes().has("keeper")).isFalse();
    }

    @Test
    void an_entity_is_read_as_it_was_and_its_history_says_who_and_why() {
        var pool = one(create("zoo/Pool", "north", "{'name':'first'}"));
        var first = clock.instant();
        apply(update("north", "{'name':'second'}"));
        var second = clock.instant();
        apply(delete("north"));
        var versions = entities.history(zoo(), pool.id(), Long.MAX_VALUE, 10);
        assertThat(versions).extracting(EntityVersion::revision).containsExactly(2L, 1L);
        assertThat(versions).extracting(EntityVersion::label).containsExactly("second", "first");
        assertThat(versions.getFirst().deletedBy()).isPresent();
        assertThat(versions.getLast().by().reason()).contains("test");
        assertThat(entities.history(zoo(), pool.id(), 2, 10)).hasSize(1);
        define(
                "{'name':'zoo/Pool','slots':[{'name':'title','renamed_from':'name','required':true},{'name':'sensors','type':'json'}]}");
        var at = entities.transactionAt(zoo(), first);
        for (var name : List.of("north", pool.id())) {
            assertThat(entities.findAt(zoo(), name, at).orElseThrow().attributes())
                    .isEqualTo(json("{'title':'first'}"));
        }
        assertThat(
                        entities.findAt(zoo(), "north", entities.transactionAt(zoo(), second))
                                .orElseThrow()
                                .revision())
                .isEqualTo(2);
        assertThat(entities.findAt(zoo(), "north", Long.MAX_VALUE)).isEmpty();
        assertThat(entities.findAt(zoo(), "north", 0)).isEmpty();
    }

    @Test
    void nothing_leads_from_one_space_to_another() {
        var other = new Caller("key:ben", "Ben", Set.of(), Set.of());
        var home = spaces.open(other, "home", SpaceAccess.WRITE);
        var note = one(create("core/Note", "secret", "{'title':'Secret'}"));
        var foreign =
                Stream.<EntityChange>of(
                        update(note.id(), "{'title':'x'}"),
                        update("secret", "{'title':'x'}"),
                        delete(note.id()));
        foreign.forEach(change ->
                assertThat(refusal(() -> entities.apply(home, AUTHOR, List.of(change))).reason())
                        .isEqualTo(Reason.NOT_FOUND));
        for (var name : List.of(note.id(), "secret")) {
            assertThat(entities.find(home, name)).isEmpty();
            assertThat(entities.findAt(home, name, Long.MAX_VALUE)).isEmpty();
            assertThat(entities.history(home, name, Long.MAX_VALUE, 10)).isEmpty();
            var referring =
                    List.of(create("core/Note", "{'title':'x','about':['%s']}".formatted(name)));
            assertThat(refusal(() -> entities.apply(home, AUTHOR, referring)).details().toString())
                    .contains("dangling-ref");
        }
        entities.apply(home, AUTHOR, List.of(create("core/Note", "secret", "{'title':'Mine'}")));
        assertThat(get("secret").label()).isEqualTo("Secret");
        spaces.grant(ANA, "zoo", "key:ben", SpaceAccess.READ);
        var reading = spaces.open(other, "zoo", SpaceAccess.READ);
        assertThat(
                        refusal(() -> entities.apply(reading, AUTHOR, List.of(delete("secret"))))
                                .reason())
                .isEqualTo(Reason.FORBIDDEN);
    }

    @Test
    void a_class_may_ask_for_a_reason_or_take_no_new_entities() {
        define("{'name':'zoo/Log','requires_reason':true,'slots':[{'name':'what'}]}");
        var silent = new Author("key:ana", "Ana", "mcp", "t", Optional.empty(), Optional.empty());
        var changes = List.of(create("zoo/Log", "log", "{}"));
        assertThat(refusal(() -> entities.apply(zoo(), silent, changes)).details().toString())
                .contains("reason-required");
        entities.apply(zoo(), AUTHOR, changes);
        define("{'name':'zoo/Log','retired':true,'slots':[{'name':'what'}]}");
        assertThat(kinds(create("zoo/Log", "{}"))).containsExactly("abstract-class");
        one(update("log", "{'what':'still'}"));
    }

    @Test
    void bytes_items_changes_entities_and_cascades_have_limits() {
        var d = ModelLimits.DEFAULT;
        openWith(
                new ModelLimits(
                        d.spacesPerCaller(),
                        d.grantsMax(),
                        d.classesMax(),
                        d.slotsMax(),
                        5,
                        300,
                        3,
                        4,
                        3,
                        d.rewriteMax(),
                        d.scanMax()));
        one(
                create(
                        "zoo/Penguin",
                        "{'notes':'%s','tags':['a','b','c']}".formatted("n".repeat(200))));
        assertThat(kinds(create("zoo/Penguin", "{'notes':'%s'}".formatted("n".repeat(300)))))
                .containsExactly("constraint");
        assertThat(kinds(create("zoo/Penguin", "{'tags':['a','b','c','d']}")))
                .containsExactly("cardinality-violation tags");
        var four = IntStream.range(0, 4).mapToObj(_ -> create("zoo/Penguin", "{}")).toList();
        var five = Stream.concat(four.stream(), four.stream()).limit(5).toList();
        assertThat(refusal(() -> entities.apply(zoo(), AUTHOR, five)).sentence())
                .contains("1 to 4");
        entities.apply(zoo(), AUTHOR, four);
        assertThat(refusal(() -> apply(create("zoo/Penguin", "{}"))).reason())
                .isEqualTo(Reason.NO_CAPACITY);
        assertThat(zoo().entities()).isEqualTo(5);
    }

    @Test
    void a_deletion_touches_so_many_and_no_more() {
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
                        3,
                        d.rewriteMax(),
                        d.scanMax()));
        apply(
                create("zoo/Penguin", "mia", "{}"),
                create("zoo/Egg", "{'of':'mia'}"),
                create("zoo/Egg", "last", "{'of':'mia'}"),
                create("zoo/Egg", "more", "{'of':'mia'}"));
        assertThat(refusal(() -> apply(delete("mia"))).sentence()).contains("more than 3");
        apply(delete("more"));
        assertThat(apply(delete("mia")).deleted()).hasSize(3);
    }

    @Test
    void a_space_with_entities_is_not_deleted_and_an_empty_one_leaves_nothing() {
        var one = one(create("zoo/Pool", "{'name':'a'}"));
        assertThat(refusal(() -> spaces.delete(ANA, "zoo")).reason())
                .isEqualTo(Reason.INVALID_ARGUMENT);
        apply(delete(one.id()));
        spaces.delete(ANA, "zoo");
        assertThat(
                        Stream.of("entity_old", "model_tx", "model_class", "model_version", "space")
                                .map(this::rows))
                .containsOnly(0L);
    }
}
