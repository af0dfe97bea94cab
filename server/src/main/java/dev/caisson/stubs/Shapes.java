package dev.caisson.stubs;

import dev.caisson.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Shape of the results of a tool, learned from those it gave: the types at each path and how often
/// they came, never a value.
///
/// Its form as JSON: `{"seen": 240, "root": NODE}`, see [ShapeNode].
///
/// @param seen results it was learned from
public record Shapes(long seen, ShapeNode root) {
    /// Nothing was seen yet.
    public static final Shapes NONE = new Shapes(0, ShapeNode.EMPTY);

    /// Results from which on it says something.
    static final int SEEN_MIN = 5;

    /// Results for which something must not have been there to be new.
    static final int DRIFT_WINDOW = 50;

    /// Changes that are named of one result.
    static final int DRIFT_NAMED_MAX = 10;

    /// Members of which the share of null is named.
    private static final int NULLS_NAMED_MAX = 5;

    private static final int PERCENT = 100;

    /// A result, and what it changed.
    ///
    /// @param drift paths and types that were not seen in the results before, such as `a.b: string`
    public record Learned(Shapes shape, List<String> drift) {
        public Learned {
            drift = List.copyOf(drift);
        }
    }

    /// The shape of one result more.
    public Learned with(JsonNode result) {
        var merging = new ShapeMerging(seen + 1, root.paths());
        var merged = merging.of(root, result, "", 0);
        var drift = seen < DRIFT_WINDOW ? List.<String>of() : merging.drift();
        return new Learned(new Shapes(seen + 1, merged), drift);
    }

    /// As a schema; empty while too few results were seen.
    public Optional<JsonNode> schema() {
        return seen < SEEN_MIN ? Optional.empty() : Optional.of(root.schema());
    }

    /// Such as `learned from 240 results; assignee null in 12 %`.
    public String sentence() {
        var parts = new ArrayList<String>();
        parts.add("learned from " + seen + " results");
        root.nulls("").stream()
                .limit(NULLS_NAMED_MAX)
                .map(each -> "%s null in %d %%".formatted(each.path(), percent(each)))
                .forEach(parts::add);
        return String.join("; ", parts);
    }

    /// What came at all is never told to be absent.
    private static long percent(ShapeNode.NullShare share) {
        return Math.max(1, share.nulls() * PERCENT / share.seen());
    }

    public ObjectNode json() {
        var json = Json.object().put("seen", seen);
        json.set("root", root.json());
        return json;
    }

    /// @throws IllegalArgumentException for what is no shape
    public static Shapes of(JsonNode json) {
        if (!json.path("seen").isIntegralNumber() || json.path("seen").longValue() < 0) {
            throw new IllegalArgumentException("a shape says how many results it was learned from");
        }
        return new Shapes(json.path("seen").longValue(), ShapeNode.of(json.path("root"), 0));
    }
}
