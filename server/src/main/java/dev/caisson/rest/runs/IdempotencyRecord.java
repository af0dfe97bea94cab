package dev.caisson.rest.runs;

import dev.caisson.rest.route.Response;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A request that was made with an `Idempotency-Key`, and what became of it.
///
/// @param digest of its body
/// @param traceId of the call it was
/// @param executionId once it has become one
/// @param answer once it is there
public record IdempotencyRecord(
        String digest, String traceId, Optional<String> executionId, Optional<Answer> answer) {
    /// What is said to everybody who asks the same.
    public record Answer(int status, JsonNode body) {
        boolean failed() {
            return status >= 400;
        }

        Response.Whole response() {
            return Response.json(status, body);
        }
    }
}
