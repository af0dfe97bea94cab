package dev.caisson.upstream.connection;

import dev.caisson.json.Json;
import dev.caisson.rpc.RequestId;
import dev.caisson.rpc.Rpc;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Request to an upstream, with an id that nobody can guess: an answer to it comes from someone who
/// got it.
///
/// @param name what it is about, for those who route by headers; empty where nothing is named
/// @param arguments that stand in headers too, by the header's name
record ClientRequest(
        String id,
        String method,
        ObjectNode params,
        Optional<String> name,
        Map<String, String> arguments) {
    private static final SecureRandom RANDOM = new SecureRandom();

    ClientRequest {
        arguments = Map.copyOf(arguments);
    }

    static ClientRequest of(String method, ObjectNode params) {
        return new ClientRequest(freshId(), method, params, Optional.empty(), Map.of());
    }

    static ClientRequest call(String tool, ObjectNode params, Map<String, String> arguments) {
        return new ClientRequest(freshId(), "tools/call", params, Optional.of(tool), arguments);
    }

    static ClientRequest ofTask(String method, String task, ObjectNode params) {
        return new ClientRequest(freshId(), method, params, Optional.of(task), Map.of());
    }

    static ClientRequest read(String uri, ObjectNode params) {
        return new ClientRequest(freshId(), "resources/read", params, Optional.of(uri), Map.of());
    }

    private static String freshId() {
        return HexFormat.of().toHexDigits(RANDOM.nextLong());
    }

    ObjectNode message() {
        return Rpc.request(id, method, params);
    }

    boolean isAnsweredBy(RequestId answer) {
        return answer.key().equals(Json.text(Json.tree(id)));
    }

    /// What tells the server that nobody waits for the answer any more.
    ObjectNode cancellation(String reason) {
        return Rpc.notification(
                "notifications/cancelled",
                Json.object().put("requestId", id).put("reason", reason));
    }
}
