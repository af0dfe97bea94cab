package dev.caisson.rest.route;

import dev.caisson.http.ErrorBody;
import dev.caisson.http.KeyError;
import dev.caisson.json.Json;
import dev.caisson.json.SchemaOf;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Error replies in the OpenAPI document: which a route can answer with, and how they look.
record ErrorReplies(int status) {
    private static final Map<Integer, String> MEANINGS =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry(
                                    202,
                                    "waiting_approval: a person is asked; make the same call again"
                                            + " later."),
                            Map.entry(400, "validation_error: what was sent is not valid."),
                            Map.entry(401, "unauthorized: no valid key."),
                            Map.entry(403, "forbidden: the key may not do this."),
                            Map.entry(404, "not_found: it is not there, or not this key's."),
                            Map.entry(408, "timeout: it took too long."),
                            Map.entry(409, "conflict: its state does not allow this now."),
                            Map.entry(410, "gone: the answer is not kept any more."),
                            Map.entry(413, "payload_too_large."),
                            Map.entry(415, "unsupported_media_type: the body must be JSON."),
                            Map.entry(
                                    422,
                                    "idempotency_mismatch: the key was used with another body."),
                            Map.entry(
                                    429, "rate_limited: where it is retryable, after Retry-After."),
                            Map.entry(500, "internal: our fault; the message has its number."),
                            Map.entry(
                                    502,
                                    "upstream_error: another server cannot be reached, or nobody"
                                            + " knows what it did; error has the type."),
                            Map.entry(
                                    503,
                                    "unavailable: where it is retryable, after Retry-After.")));

    static Stream<ErrorReplies> of(Route route) {
        return statuses(route).stream().map(ErrorReplies::new);
    }

    private static SortedSet<Integer> statuses(Route route) {
        var statuses = new TreeSet<>(route.refusals());
        statuses.add(500);
        statuses.add(503);
        if (route.access().key()) {
            statuses.add(401);
            statuses.add(429);
        }
        if (!route.access().oneOf().isEmpty()) {
            statuses.add(403);
        }
        if (!route.path().names().isEmpty()) {
            statuses.add(404);
        }
        if (route.body().isPresent() || !route.parameters().isEmpty()) {
            statuses.add(400);
        }
        if (route.body().isPresent()) {
            statuses.add(413);
            statuses.add(415);
        }
        return statuses;
    }

    String key() {
        return String.valueOf(status);
    }

    String reference() {
        return "#/components/responses/" + name(status);
    }

    /// @param schemas gets the one shape of all errors, and that of a key that is refused
    static ObjectNode components(ObjectNode schemas) {
        schemas.set("Error", SchemaOf.result(ErrorBody.class));
        schemas.set("KeyError", SchemaOf.result(KeyError.class));
        var responses = Json.object();
        MEANINGS.forEach((status, meaning) -> {
            var response = responses.putObject(name(status)).put("description", meaning);
            response.putObject("content")
                    .putObject(Reply.JSON)
                    .putObject("schema")
                    .put("$ref", "#/components/schemas/" + (status == 401 ? "KeyError" : "Error"));
        });
        return responses;
    }

    private static String name(int status) {
        return "Error" + status;
    }
}
