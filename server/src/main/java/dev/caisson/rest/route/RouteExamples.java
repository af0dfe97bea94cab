package dev.caisson.rest.route;

import dev.caisson.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Examples in the OpenAPI document: for each operation a request that works, and the answer to it.
/// They are in the resource `examples.json`, by the id of the operation:
///
/// ```
/// "getExecution": {
///   "path": {"id": "exe_…"}, "query": {"all": true},  values of parameters
///   "request": {…},                                   body
///   "status": 200, "response": {…}                    answer; long lists are cut
/// }
/// ```
///
/// A test sends every request to a server and compares the members of the answers.
final class RouteExamples {
    private static final String RESOURCE = "examples.json";
    private static final JsonNode ALL = read();

    private RouteExamples() {}

    /// Of an operation; a missing node when it has none.
    static JsonNode of(Route route) {
        return ALL.path(route.id());
    }

    /// Adds a value as the example of a parameter or a body, if there is one.
    static void add(JsonNode example, ObjectNode to) {
        if (!example.isMissingNode()) {
            to.set("example", example);
        }
    }

    private static JsonNode read() {
        try (var resource = RouteExamples.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IllegalStateException("there is no " + RESOURCE + " in the class path");
            }
            return Json.parse(resource.readAllBytes());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
