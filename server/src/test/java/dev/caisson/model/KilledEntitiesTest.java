package dev.caisson.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.Caller;
import dev.caisson.json.Json;
import dev.caisson.store.KilledChild;
import dev.caisson.store.Store;
import dev.caisson.store.Transaction;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// A program writes entities and says so once each transaction returned. It is killed in the
/// middle: all that it said is found, and every index says what the documents say.
@Timeout(120)
final class KilledEntitiesTest {
    private static final int ACKNOWLEDGED_ENOUGH = 200;
    private static final ModelLimits LIMITS = ModelLimits.DEFAULT;

    @TempDir Path directory;

    @Test
    void nothing_acknowledged_is_lost_and_nothing_is_half_done() throws Exception {
        var file = directory.resolve("caisson.db");
        var acknowledged =
                KilledChild.said(
                        ACKNOWLEDGED_ENOUGH, "ent_[0-9a-v]{26}", Child.class, file.toString());
        try (var store = Store.open(file)) {
            var models = new Models(store, Clock.systemUTC(), LIMITS);
            var entities = new Entities(store, Clock.systemUTC(), LIMITS, models);
            var space = home(store);
            assertThat(acknowledged)
                    .allSatisfy(id -> {
                        assertThat(entities.find(space, id)).isPresent();
                        assertThat(entities.history(space, id, Long.MAX_VALUE, 9)).hasSize(3);
                    });
            store.read(handle -> {
                checkIndexes(handle, space, models.graph(space));
                return space;
            });
        }
    }

    private static void checkIndexes(Transaction handle, Space space, ClassGraph graph) {
        var expected = new TreeSet<String>();
        var count = 0L;
        for (var type : graph.classes()) {
            for (var entity :
                    EntityRows.page(
                            handle, space.number(), type.number(), Long.MAX_VALUE, 100_000)) {
                count++;
                var entries = IndexEntries.of(type, entity);
                entries.keys()
                        .forEach(key ->
                                expected.add(
                                        "%d %s %d"
                                                .formatted(
                                                        key.slot(),
                                                        key.text(),
                                                        entity.sequence())));
                entries.references()
                        .forEach(each ->
                                expected.add(
                                        "%s %d %d"
                                                .formatted(
                                                        each.target(),
                                                        each.slot(),
                                                        entity.sequence())));
            }
        }
        assertThat(space.entities()).isEqualTo(count);
        var found =
                handle.query(
                                """
                                SELECT slot || ' ' || k || ' ' || sequence FROM entity_key
                                UNION ALL
                                SELECT target || ' ' || slot || ' ' || source FROM entity_ref
                                """)
                        .mapTo(String.class)
                        .list();
        assertThat(new TreeSet<>(found)).isEqualTo(expected).isNotEmpty();
    }

    private static Space home(Store store) {
        return new Spaces(store, Clock.systemUTC(), LIMITS)
                .open(
                        new Caller("key:child", "child", Set.of(), Set.of()),
                        "home",
                        SpaceAccess.DEFINE);
    }

    /// Writes until it is killed, or long enough for nobody to want more.
    static final class Child {
        private static final int CALLERS = 8;
        private static final int WRITES_EACH_MAX = 2000;
        private static final Author AUTHOR =
                new Author("key:child", "child", "mcp", "t", Optional.empty(), Optional.empty());

        private Child() {}

        static void main(String[] args) throws InterruptedException {
            try (var store = Store.open(Path.of(args[0]))) {
                var models = new Models(store, Clock.systemUTC(), LIMITS);
                var entities = new Entities(store, Clock.systemUTC(), LIMITS, models);
                var space = home(store);
                models.define(
                        space,
                        AUTHOR,
                        List.of(
                                ClassSpec.read(
                                        json(
                                                "{'name':'t/Item','slots':[{'name':'n','type':'integer','index':true},{'name':'next','type':'ref','class':'t/Item','on_delete':'unlink'}]}"))));
                var callers = new Thread[CALLERS];
                for (var i = 0; i < CALLERS; i++) {
                    callers[i] = Thread.ofVirtual().start(() -> writeMany(entities, space));
                }
                for (var caller : callers) {
                    caller.join();
                }
            }
        }

        private static ObjectNode json(String text) {
            return (ObjectNode) Json.parse(text.replace('\'', '"'));
        }

        private static void writeMany(Entities entities, Space space) {
            for (var i = 0; i < WRITES_EACH_MAX; i++) {
                var made =
                        entities.apply(
                                space,
                                AUTHOR,
                                List.of(
                                        item("{'n':%d,'next':'$2'}".formatted(i)),
                                        item("{'n':-1}")));
                var first = made.results().getFirst().entity().id();
                var second = made.results().getLast().entity().id();
                entities.apply(
                        space,
                        AUTHOR,
                        List.of(
                                new EntityChange.Update(
                                        first, json("{'n':-7}"), false, Optional.empty()),
                                new EntityChange.Delete(
                                        second, EntityChange.Inbound.BY_SLOT, Optional.empty())));
                System.out.println(first);
            }
        }

        private static EntityChange item(String attributes) {
            return new EntityChange.Create(
                    "t/Item", json(attributes), Optional.empty(), EntityChange.OnConflict.REFUSE);
        }
    }
}
