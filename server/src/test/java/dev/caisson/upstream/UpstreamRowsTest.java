package dev.caisson.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolEffect;
import dev.caisson.json.Json;
import dev.caisson.store.DatabaseTestCase;
import dev.caisson.store.Store;
import dev.caisson.upstream.StoredUpstream.Origin;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/// Rows of upstreams and their tools on both databases.
@Timeout(120)
final class UpstreamRowsTest extends DatabaseTestCase {
    private static final Instant NOW = Instant.ofEpochMilli(5000);

    private Store store;

    @BeforeEach
    void open() {
        store = database.open();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void put(String id, String entry, Instant now) {
        store.write(handle -> {
            UpstreamRows.put(
                    handle, id, Origin.DATABASE, (ObjectNode) Json.parse(entry), true, now);
            return id;
        });
    }

    private StoredUpstream find(String id) {
        return store.read(handle -> UpstreamRows.find(handle, id)).orElseThrow();
    }

    private List<StoredUpstream> upstreams() {
        return store.read(UpstreamRows::all);
    }

    private boolean delete(String id) {
        return store.write(handle -> UpstreamRows.delete(handle, id));
    }

    private Map<String, ReviewedTool> tools(String upstream) {
        return store.read(handle -> ToolRows.all(handle, upstream));
    }

    @Test
    void an_upstream_is_kept_as_it_was_written() throws UpstreamMistakes {
        put("a", "{\"url\": \"https://a.example/\", \"tools\": {\"include\": [\"x\"]}}", NOW);

        var stored = find("a");
        assertThat(stored.settings().tools().takes("x")).isTrue();
        assertThat(stored.settings().tools().takes("y")).isFalse();
        assertThat(stored.origin()).isEqualTo(Origin.DATABASE);
        assertThat(stored.takesFirst()).isTrue();
        assertThat(stored.created()).isEqualTo(NOW);

        store.write(handle -> {
            UpstreamRows.firstTaken(handle, "a");
            return "";
        });
        assertThat(find("a").takesFirst()).isFalse();
        assertThat(upstreams()).hasSize(1);
        assertThat(delete("a")).isTrue();
        assertThat(delete("a")).isFalse();
    }

    @Test
    void every_change_and_every_wish_is_seen_by_other_servers() {
        put("a", "{\"url\": \"https://a.example/\"}", NOW);
        var marks = store.read(UpstreamRows::marks);
        for (var change :
                List.<Runnable>of(
                        () -> put("a", "{\"url\": \"https://b.example/\"}", NOW.minusMillis(9)),
                        () ->
                                store.write(handle -> {
                                    UpstreamRows.touch(handle, "a");
                                    return "";
                                }),
                        () ->
                                store.write(handle -> {
                                    UpstreamRows.wantRefresh(handle, "a", NOW);
                                    return "";
                                }),
                        () ->
                                store.write(handle -> {
                                    UpstreamRows.wantRefresh(handle, "a", NOW.minusMillis(9));
                                    return "";
                                }),
                        () ->
                                store.write(handle -> {
                                    UpstreamRows.wantRestart(handle, "a", NOW);
                                    return "";
                                }))) {
            change.run();
            var after = store.read(UpstreamRows::marks);
            assertThat(after).isNotEqualTo(marks);
            marks = after;
        }
    }

    @Test
    void tools_are_kept_with_all_that_was_decided() {
        var definition = "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}";
        var waiting =
                new ReviewedTool(
                        "a",
                        ToolState.NEW,
                        Optional.empty(),
                        "h1",
                        definition,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        NOW,
                        Optional.empty());
        var approved =
                waiting.called("a_", "a")
                        .approved(
                                Optional.of(ToolEffect.DESTROY),
                                new ReviewedTool.Decision(NOW, "key:1"));
        for (var tool :
                List.of(
                        waiting,
                        approved,
                        approved.in(ToolState.REMOVED, Optional.empty()),
                        approved.refused(new ReviewedTool.Decision(NOW, "key:2")))) {
            store.write(handle -> {
                ToolRows.put(handle, "up", tool);
                return "";
            });
            assertThat(tools("up")).isEqualTo(Map.of("a", tool));
        }
        assertThat(tools("other")).isEmpty();
        store.write(handle -> {
            ToolRows.put(handle, "up", approved);
            ToolRows.delete(handle, "up", "b");
            ToolRows.deleteAll(handle, "other");
            return "";
        });
        assertThat(tools("up")).hasSize(1);
        store.write(handle -> {
            ToolRows.deleteAll(handle, "up");
            return "";
        });
        assertThat(tools("up")).isEmpty();
    }
}
