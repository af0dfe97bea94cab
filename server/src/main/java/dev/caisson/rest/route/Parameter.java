package dev.caisson.rest.route;

import dev.caisson.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Query parameter or header of a route, always optional.
public record Parameter(Place place, String name, String summary, ObjectNode schema) {
    enum Place {
        QUERY,
        HEADER
    }

    public static Parameter query(String name, String summary) {
        return new Parameter(Place.QUERY, name, summary, Json.object().put("type", "string"));
    }

    public static Parameter number(String name, String summary, Bounds bounds) {
        var schema =
                Json.object()
                        .put("type", "integer")
                        .put("minimum", bounds.min())
                        .put("maximum", bounds.max())
                        .put("default", bounds.preset());
        return new Parameter(Place.QUERY, name, summary, schema);
    }

    public static Parameter flag(String name, String summary) {
        var schema = Json.object().put("type", "boolean").put("default", false);
        return new Parameter(Place.QUERY, name, summary, schema);
    }

    public static Parameter header(String name, String summary) {
        return new Parameter(Place.HEADER, name, summary, Json.object().put("type", "string"));
    }

    /// What a number may be.
    public record Bounds(long min, long max, long preset) {}
}
