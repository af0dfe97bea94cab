package dev.caisson.mcp;

import dev.caisson.broker.ClientFeature;
import dev.caisson.broker.LogLevel;
import dev.caisson.json.Json;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Everything a client can ask for, as checked values. Nothing behind it looks at JSON-RPC again.
sealed interface McpRequest {
    record Initialize(Revision revision, Set<ClientFeature> features) implements McpRequest {}

    record Ping() implements McpRequest {}

    record SetLevel(LogLevel level) implements McpRequest {}

    record Subscribe(String uri) implements McpRequest {}

    record Unsubscribe(String uri) implements McpRequest {}

    record Discover() implements McpRequest {}

    record Listen(ListenFilter filter) implements McpRequest {}

    record GetTask(String taskId) implements McpRequest {}

    record UpdateTask(String taskId, ObjectNode inputResponses) implements McpRequest {}

    record CancelTask(String taskId) implements McpRequest {}

    record ListTools(Optional<String> cursor) implements McpRequest {}

    record CallTool(String name, ObjectNode arguments, Continuation continuation)
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

    /// @throws dev.caisson.call.Refusal MALFORMED, naming the member
    static McpRequest read(Method method, ObjectNode node) {
        var params = Params.of(node);
        return switch (method) {
            case INITIALIZE -> initialize(params);
            case PING -> new Ping();
            case SET_LEVEL -> setLevel(params);
            case SUBSCRIBE -> new Subscribe(params.uri("uri"));
            case UNSUBSCRIBE -> new Unsubscribe(params.uri("uri"));
            case DISCOVER -> new Discover();
            case LISTEN -> new Listen(ListenFilter.read(params.object("notifications")));
            case GET_TASK -> new GetTask(params.string("taskId"));
            case UPDATE_TASK ->
                    new UpdateTask(params.string("taskId"), params.object("inputResponses").node());
            case CANCEL_TASK -> new CancelTask(params.string("taskId"));
            case LIST_TOOLS -> new ListTools(params.optionalString("cursor"));
            case CALL_TOOL -> callTool(params);
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
                Revision.negotiated(params.string("protocolVersion")), Features.read(capabilities));
    }

    private static McpRequest setLevel(Params params) {
        var word = params.string("level");
        return new SetLevel(
                LogLevel.of(word).orElseThrow(() -> params.wrong("level", "is no level: " + word)));
    }

    private static McpRequest callTool(Params params) {
        return new CallTool(
                params.string("name"),
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
