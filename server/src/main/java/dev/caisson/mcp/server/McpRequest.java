package dev.caisson.mcp.server;

import dev.caisson.broker.ToolLookup;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.LogLevel;
import dev.caisson.json.Json;
import dev.caisson.rpc.Params;
import dev.caisson.rpc.Revision;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/// Request of a client as checked values, one record for each method. Nothing behind it looks at
/// JSON-RPC again.
public sealed interface McpRequest {
    record Initialize(Revision revision, Set<ClientFeature> features) implements McpRequest {}

    record Ping() implements McpRequest {}

    record SetLevel(LogLevel level) implements McpRequest {}

    record Subscribe(String uri) implements McpRequest {}

    record Unsubscribe(String uri) implements McpRequest {}

    record Discover() implements McpRequest {}

    record Listen(SubscriptionFilter filter) implements McpRequest {}

    record GetTask(String taskId) implements McpRequest {}

    record UpdateTask(String taskId, ObjectNode inputResponses) implements McpRequest {}

    record CancelTask(String taskId) implements McpRequest {}

    record ListTools(Optional<String> cursor) implements McpRequest {}

    record CallTool(ToolLookup tool, ObjectNode arguments, Continuation continuation)
            implements McpRequest {}

    record ListResources(Optional<String> cursor) implements McpRequest {}

    record ListTemplates(Optional<String> cursor) implements McpRequest {}

    record ReadResource(String uri, Continuation continuation) implements McpRequest {}

    record ListPrompts(Optional<String> cursor) implements McpRequest {}

    record GetPrompt(String name, Map<String, String> arguments, Continuation continuation)
            implements McpRequest {}

    record Complete(Reference reference, String argument, String prefix) implements McpRequest {}

    /// What an argument to complete belongs to.
    sealed interface Reference {
        record ToPrompt(String name) implements Reference {}

        record ToTemplate(String uriTemplate) implements Reference {}
    }

    /// What a client brings when it asks again with answers.
    record Continuation(ObjectNode inputResponses, Optional<String> requestState) {
        static final Continuation NONE = new Continuation(Json.object(), Optional.empty());
    }

    /// @param tools looks up the tool of a name for the caller
    /// @throws dev.caisson.call.Refusal MALFORMED, naming the member
    static McpRequest read(Method method, ObjectNode node, Function<String, ToolLookup> tools) {
        var params = Params.of(node);
        return switch (method) {
            case INITIALIZE -> initialize(params);
            case PING -> new Ping();
            case SET_LEVEL -> setLevel(params);
            case SUBSCRIBE -> new Subscribe(params.uri("uri"));
            case UNSUBSCRIBE -> new Unsubscribe(params.uri("uri"));
            case DISCOVER -> new Discover();
            case LISTEN -> new Listen(SubscriptionFilter.read(params.object("notifications")));
            case GET_TASK -> new GetTask(params.string("taskId"));
            case UPDATE_TASK ->
                    new UpdateTask(params.string("taskId"), params.object("inputResponses").node());
            case CANCEL_TASK -> new CancelTask(params.string("taskId"));
            case LIST_TOOLS -> new ListTools(params.optionalString("cursor"));
            case CALL_TOOL -> callTool(params, tools);
            case LIST_RESOURCES -> new ListResources(params.optionalString("cursor"));
            case LIST_TEMPLATES -> new ListTemplates(params.optionalString("cursor"));
            case READ_RESOURCE -> new ReadResource(params.uri("uri"), continuation(params));
            case LIST_PROMPTS -> new ListPrompts(params.optionalString("cursor"));
            case GET_PROMPT ->
                    new GetPrompt(
                            params.string("name"),
                            params.stringMap("arguments"),
                            continuation(params));
            case COMPLETE -> complete(params);
        };
    }

    private static McpRequest initialize(Params params) {
        var capabilities = params.optionalObject("capabilities").orElse(Params.empty());
        params.optionalObject("clientInfo");
        return new Initialize(
                Revision.negotiated(params.string("protocolVersion")),
                ClientCapabilities.read(capabilities));
    }

    private static McpRequest setLevel(Params params) {
        var word = params.string("level");
        return new SetLevel(
                LogLevel.of(word).orElseThrow(() -> params.wrong("level", "is no level: " + word)));
    }

    private static McpRequest callTool(Params params, Function<String, ToolLookup> tools) {
        return new CallTool(
                tools.apply(params.string("name")),
                params.optionalObject("arguments").orElse(Params.empty()).node(),
                continuation(params));
    }

    private static Continuation continuation(Params params) {
        var responses = params.optionalObject("inputResponses");
        var state = params.optionalString("requestState");
        return responses.isEmpty() && state.isEmpty()
                ? Continuation.NONE
                : new Continuation(responses.orElse(Params.empty()).node(), state);
    }

    private static McpRequest complete(Params params) {
        var argument = params.object("argument");
        params.optionalObject("context").ifPresent(context -> context.stringMap("arguments"));
        return new Complete(
                reference(params.object("ref")), argument.string("name"), argument.string("value"));
    }

    private static Reference reference(Params ref) {
        return switch (ref.string("type")) {
            case "ref/prompt" -> new Reference.ToPrompt(ref.string("name"));
            case "ref/resource" -> new Reference.ToTemplate(ref.uri("uri"));
            default -> throw ref.wrong("type", "must be ref/prompt or ref/resource");
        };
    }
}
