package dev.caisson.rest.route;

import dev.caisson.http.ErrorBody;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Response of a route.
public sealed interface Response {
    /// At once, as JSON or without a body.
    record Whole(int status, Map<String, String> headers, Optional<JsonNode> body)
            implements Response {
        public Whole {
            headers = Map.copyOf(headers);
        }

        public Whole with(String name, String value) {
            var more = new HashMap<>(headers);
            more.put(name, value);
            return new Whole(status, more, body);
        }
    }

    /// The route has begun its answer on the exchange by itself.
    record Begun() implements Response {}

    static Whole json(int status, JsonNode body) {
        return new Whole(status, Map.of(), Optional.of(body));
    }

    static Whole ok(JsonNode body) {
        return json(200, body);
    }

    static Whole empty(int status) {
        return new Whole(status, Map.of(), Optional.empty());
    }

    /// In the shape every error has.
    static Whole error(int status, String word, String message) {
        return json(status, ErrorBody.of(word, message).tree());
    }
}
