package dev.caisson.rpc;

import dev.caisson.json.Json;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON-RPC message from the other side, read once.
public sealed interface IncomingMessage {
    record Request(RequestId id, String method, ObjectNode params) implements IncomingMessage {}

    record Notification(String method, ObjectNode params) implements IncomingMessage {
        /// The request that it cancels, when it is that kind of notification.
        public Optional<RequestId> cancelled() {
            return method.equals("notifications/cancelled")
                    ? Optional.ofNullable(params.get("requestId")).flatMap(RequestId::of)
                    : Optional.empty();
        }

        /// Whether its reason is that the client's own time was over, which is no wish to end the
        /// work. The protocol has no other place for that: SDKs write the code of their error, the
        /// name of the platform's, or that the request timed out.
        public boolean saysTimedOut() {
            return TIMED_OUT.matcher(params.path("reason").stringValue("")).find();
        }

        private static final Pattern TIMED_OUT =
                Pattern.compile(
                        "-32001\\b|^TimeoutError\\b|^Timeout$|\\b(?:request|operation|call) timed out\\b",
                        Pattern.CASE_INSENSITIVE);
    }

    /// @param result empty when the client answered with an error
    /// @param error empty when it answered with a result
    record Response(RequestId id, Optional<JsonNode> result, Optional<JsonNode> error)
            implements IncomingMessage {}

    /// @throws ProtocolError when it is not one JSON-RPC message; with its id when that could be
    ///   read
    static IncomingMessage read(byte[] bytes) {
        return read(bytes, Json::parseRequest);
    }

    /// The same for what a server sends, which may be larger.
    ///
    /// @throws ProtocolError when it is not one JSON-RPC message
    static IncomingMessage answer(byte[] bytes) {
        return read(bytes, Json::parseAnswer);
    }

    private static IncomingMessage read(byte[] bytes, Function<byte[], JsonNode> parser) {
        var tree = parse(bytes, parser);
        if (tree.isArray()) {
            throw invalid(
                    Optional.empty(), "Batches are not supported; send one message at a time");
        }
        if (!(tree instanceof ObjectNode message)) {
            throw invalid(Optional.empty(), "A message is a JSON object");
        }
        var id = Optional.ofNullable(message.get("id")).flatMap(node -> idOf(node, bytes));
        if (!"2.0".equals(message.path("jsonrpc").stringValue(""))) {
            throw invalid(id, "jsonrpc must be \"2.0\"");
        }
        if (message.has("id") && id.isEmpty()) {
            throw invalid(id, "id must be a string or a number");
        }
        return message.has("method") ? asked(message, id) : answered(message, id);
    }

    private static JsonNode parse(byte[] bytes, Function<byte[], JsonNode> parser) {
        try {
            var tree = parser.apply(bytes);
            if (!tree.isMissingNode()) {
                return tree;
            }
        } catch (JacksonException e) {
            // Answered below, like no value at all.
        }
        throw new ProtocolError(
                RpcError.PARSE_ERROR, "The body is not one JSON value within our limits", 400);
    }

    private static Optional<RequestId> idOf(JsonNode node, byte[] bytes) {
        return node.isFloatingPointNumber()
                ? Optional.of(new RequestId(RawId.of(bytes)))
                : RequestId.of(node);
    }

    private static IncomingMessage asked(ObjectNode message, Optional<RequestId> id) {
        var method = message.path("method");
        if (!method.isString()) {
            throw invalid(id, "method must be a string");
        }
        var name = method.stringValue();
        var params = paramsOf(message, id);
        return id.<IncomingMessage>map(known -> new Request(known, name, params))
                .orElseGet(() -> new Notification(name, params));
    }

    private static ObjectNode paramsOf(ObjectNode message, Optional<RequestId> id) {
        var params = message.get("params");
        if (params == null) {
            return Json.object();
        }
        if (params instanceof ObjectNode object) {
            return object;
        }
        throw new ProtocolError(
                RpcError.of(RpcError.INVALID_PARAMS, "params must be an object", 400), id);
    }

    private static IncomingMessage answered(ObjectNode message, Optional<RequestId> id) {
        var result = Optional.ofNullable(message.get("result"));
        var error = Optional.ofNullable(message.get("error"));
        if (result.isEmpty() && error.isEmpty()) {
            throw invalid(id, "method is missing");
        }
        return new Response(
                id.orElseThrow(() -> invalid(id, "A response needs the id of its request")),
                result,
                error);
    }

    private static ProtocolError invalid(Optional<RequestId> id, String message) {
        return new ProtocolError(RpcError.of(RpcError.INVALID_REQUEST, message, 400), id);
    }
}
