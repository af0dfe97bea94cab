package dev.caisson.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.store.StoreTestCase;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.node.ObjectNode;

/// Base of tests of entities: a space `zoo` with classes, on each database.
abstract class EntityTestCase extends StoreTestCase {
    static final Caller ANA = new Caller("key:ana", "Ana", Set.of(), Set.of());
    static final Author AUTHOR =
            new Author("key:ana", "Ana", "mcp", "t", Optional.of("test"), Optional.empty());

    /// Moves on by a second each time somebody looks.
    static final class Ticking extends Clock {
        private Instant now = Instant.parse("2026-01-01T10:00:00Z");

        @Override
        public synchronized Instant instant() {
            now = now.plus(Duration.ofSeconds(1));
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    final Clock clock = new Ticking();
    Spaces spaces;
    Models models;
    Entities entities;

    @BeforeEach
    final void openModel() {
        openWith(ModelLimits.DEFAULT);
        spaces.create(ANA, "zoo", "");
        define(
                "{'name':'zoo/Animal','parents':['core/Thing'],'abstract':true,'slots':[{'name':'mass','type':'number','min':0,'index':true}]}",
                "{'name':'zoo/Swimmer','abstract':true,'slots':[{'name':'depth','type':'integer'}]}",
                "{'name':'zoo/Penguin','parents':['zoo/Animal','zoo/Swimmer'],'slots':["
                        + "{'name':'ring','regex':'^[A-Z]{2}[0-9]+$','unique':true},"
                        + "{'name':'sex','type':'enum','values':['f','m','unknown'],'default':'unknown'},"
                        + "{'name':'mother','type':'ref','class':'zoo/Penguin','inverse':'children','on_delete':'unlink'},"
                        + "{'name':'pool','type':'ref','class':'zoo/Pool','inverse':'penguins'},"
                        + "{'name':'born','type':'date'},{'name':'seen','type':'datetime','many':true},"
                        + "{'name':'notes','type':'text'}]}",
                "{'name':'zoo/Pool','slots':[{'name':'name','required':true},{'name':'sensors','type':'json'}]}",
                "{'name':'zoo/Egg','slots':[{'name':'of','type':'ref','class':'zoo/Penguin','required':true,'on_delete':'cascade'},{'name':'laid','type':'datetime','default':{'$':'now'}},{'name':'keeper','default':{'$':'caller'}}]}");
    }

    final void openWith(ModelLimits limits) {
        spaces = new Spaces(store, clock, limits);
        models = new Models(store, clock, limits);
        entities = new Entities(store, clock, limits, models);
    }

    final Space zoo() {
        return spaces.open(ANA, "zoo", SpaceAccess.DEFINE);
    }

    final Models.Definition define(String... definitions) {
        return models.define(zoo(), AUTHOR, specs(definitions));
    }

    static List<ClassSpec> specs(String... definitions) {
        return List.of(definitions).stream().map(text -> ClassSpec.read(json(text))).toList();
    }

    static ObjectNode json(String text) {
        return (ObjectNode) Json.parse(text.replace('\'', '"'));
    }

    static EntityChange create(String type, String attributes) {
        return new EntityChange.Create(
                type, json(attributes), Optional.empty(), EntityChange.OnConflict.REFUSE);
    }

    static EntityChange create(String type, String ident, String attributes) {
        return new EntityChange.Create(
                type, json(attributes), Optional.of(ident), EntityChange.OnConflict.REFUSE);
    }

    static EntityChange update(String handle, String attributes) {
        return new EntityChange.Update(handle, json(attributes), false, Optional.empty());
    }

    static EntityChange delete(String handle) {
        return new EntityChange.Delete(handle, EntityChange.Inbound.BY_SLOT, Optional.empty());
    }

    final AppliedChanges apply(EntityChange... changes) {
        return entities.apply(zoo(), AUTHOR, List.of(changes));
    }

    final Entity one(EntityChange change) {
        return apply(change).results().getFirst().entity();
    }

    final Entity get(String handle) {
        return entities.find(zoo(), handle).orElseThrow();
    }

    static Refusal refusal(ThrowingCallable call) {
        var refused = new Refusal[1];
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(Refusal.class, refusal -> refused[0] = refusal);
        return refused[0];
    }

    /// The kinds of what was wrong, each with its slot.
    final List<String> kinds(EntityChange... changes) {
        var errors = refusal(() -> apply(changes)).details().getOrDefault("errors", List.of());
        return ((List<?>) errors)
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .map(each ->
                                each.containsKey("slot")
                                        ? each.get("kind") + " " + each.get("slot")
                                        : String.valueOf(each.get("kind")))
                        .toList();
    }

    /// How many rows a table has.
    final long rows(String table) {
        return store.read(
                handle -> handle.query("SELECT COUNT(*) FROM " + table).mapTo(Long.class).one());
    }
}
