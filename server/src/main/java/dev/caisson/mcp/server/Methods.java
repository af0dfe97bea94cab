package dev.caisson.mcp.server;

import dev.caisson.broker.ActionRequest;
import dev.caisson.broker.Broker;
import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.mcp.McpLimits;
import dev.caisson.mcp.legacy.ConnectedClient;
import dev.caisson.share.Share;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Methods of the protocol: the work of each request.
public final class Methods {
    /// More values than this complete nothing.
    static final int COMPLETIONS_MAX = 100;

    private final Broker broker;
    private final ToolCalls calls;
    private final Tasks tasks;
    private final RequestState states;
    private final ServerCapabilities greeting;
    private final Share subscriptions;
    private final McpLimits limits;

    public Methods(
            Broker broker,
            ToolCalls calls,
            Tasks tasks,
            RequestState states,
            ServerCapabilities greeting,
            Share subscriptions,
            McpLimits limits) {
        this.subscriptions = subscriptions;
        this.broker = broker;
        this.calls = calls;
        this.tasks = tasks;
        this.states = states;
        this.greeting = greeting;
        this.limits = limits;
    }

    /// The framed result.
    ObjectNode result(McpRequest request, RequestContext context) throws InterruptedException {
        return switch (request) {
            case McpRequest.Initialize handshake ->
                    greeting.initialized(handshake.revision(), context.caller());
            case McpRequest.Discover _ -> greeting.discovered(context.codec(), context.caller());
            case McpRequest.Ping _ -> context.codec().complete(Json.object());
            case McpRequest.SetLevel change -> {
                peer(context).setLevel(change.level());
                yield context.codec().complete(Json.object());
            }
            case McpRequest.Subscribe subscription -> {
                peer(context)
                        .watch(
                                subscription.uri(),
                                () ->
                                        subscriptions.take(
                                                context.caller().id(),
                                                SubscriptionFilter.bytes(subscription.uri())));
                yield context.codec().complete(Json.object());
            }
            case McpRequest.Unsubscribe subscription -> {
                peer(context).unwatch(subscription.uri());
                yield context.codec().complete(Json.object());
            }
            case McpRequest.Listen _ ->
                    throw new IllegalStateException("a listener is served by its door");
            case McpRequest.ListTools list -> tools(list, context);
            case McpRequest.CallTool call -> calls.call(call, context);
            case McpRequest.ListResources list -> resources(list, context);
            case McpRequest.ListTemplates list -> templates(list, context);
            case McpRequest.ReadResource read -> read(read, context);
            case McpRequest.ListPrompts list -> prompts(list, context);
            case McpRequest.GetPrompt get -> prompt(get, context);
            case McpRequest.Complete complete -> completions(complete, context);
            case McpRequest.GetTask get -> {
                requireTasks(context);
                yield context.codec().complete(tasks.get(context.caller(), get.taskId()));
            }
            case McpRequest.UpdateTask update -> {
                requireTasks(context);
                yield ofTask(
                        "task_update",
                        update.taskId(),
                        context,
                        caller -> tasks.update(caller, update.taskId(), update.inputResponses()));
            }
            case McpRequest.CancelTask cancel -> {
                requireTasks(context);
                yield ofTask(
                        "task_cancel",
                        cancel.taskId(),
                        context,
                        caller -> tasks.cancel(caller, cancel.taskId()));
            }
        };
    }

    /// A change of a task, recorded without what the client answers to questions.
    private ObjectNode ofTask(
            String action, String taskId, RequestContext context, Consumer<Caller> change)
            throws InterruptedException {
        return inRounds(
                context,
                Json.object().put("method", action),
                McpRequest.Continuation.NONE,
                call ->
                        broker.act(
                                call,
                                ActionRequest.change(action, Json.object().put("task_id", taskId)),
                                noted -> {
                                    change.accept(noted.caller());
                                    return context.codec().complete(Json.object());
                                }));
    }

    private static ConnectedClient peer(RequestContext context) {
        return context.peer()
                .orElseThrow(() -> new IllegalStateException("a legacy client is a peer"));
    }

    private static void requireTasks(RequestContext context) {
        if (!context.features().contains(ClientFeature.TASKS)) {
            throw McpConversation.missing(ClientFeature.TASKS);
        }
    }

    private ObjectNode tools(McpRequest.ListTools list, RequestContext context) {
        var all = broker.tools(context.caller());
        return listed(
                context,
                CursorPage.of("tools", all, list.cursor(), limits.pageSize(), ToolJson::of));
    }

    private ObjectNode resources(McpRequest.ListResources list, RequestContext context) {
        return listed(
                context,
                CursorPage.of(
                        "resources",
                        list.cursor(),
                        after -> broker.resources(context.caller(), after, limits.pageSize()),
                        ListJson::of));
    }

    private ObjectNode templates(McpRequest.ListTemplates list, RequestContext context) {
        var all = broker.templates(context.caller());
        return listed(
                context,
                CursorPage.of(
                        "resourceTemplates", all, list.cursor(), limits.pageSize(), ListJson::of));
    }

    private ObjectNode prompts(McpRequest.ListPrompts list, RequestContext context) {
        var all = broker.prompts(context.caller());
        return listed(
                context,
                CursorPage.of("prompts", all, list.cursor(), limits.pageSize(), ListJson::of));
    }

    private static ObjectNode listed(RequestContext context, ObjectNode page) {
        return context.codec().cacheable(page, CacheHint.LIST);
    }

    private ObjectNode read(McpRequest.ReadResource read, RequestContext context)
            throws InterruptedException {
        var bound = Json.object().put("method", "resources/read").put("uri", read.uri());
        return inRounds(
                context,
                bound,
                read.continuation(),
                call -> {
                    var result = Json.object();
                    var contents = result.putArray("contents");
                    broker.read(call, read.uri())
                            .forEach(item -> contents.add(ContentJson.of(item)));
                    return context.codec().cacheable(result, CacheHint.CONTENTS);
                });
    }

    private ObjectNode prompt(McpRequest.GetPrompt get, RequestContext context)
            throws InterruptedException {
        var prompt = broker.prompt(context.caller(), get.name());
        for (var argument : prompt.spec().arguments()) {
            if (argument.required() && !get.arguments().containsKey(argument.name())) {
                throw new Refusal(
                        Reason.MALFORMED, "params.arguments." + argument.name() + " is missing");
            }
        }
        var bound = Json.object().put("method", "prompts/get").put("name", get.name());
        bound.set("arguments", Json.tree(get.arguments()));
        return inRounds(
                context,
                bound,
                get.continuation(),
                call -> context.codec().complete(ListJson.of(prompt.fill(call, get.arguments()))));
    }

    private interface Work {
        ObjectNode with(Call call) throws InterruptedException;
    }

    private ObjectNode inRounds(
            RequestContext context, JsonNode bound, McpRequest.Continuation continuation, Work work)
            throws InterruptedException {
        var rounds = new MultiRoundRequest(states, context.caller(), bound, continuation);
        var conversation =
                new McpConversation(
                        context, rounds, limits.questions().answerTimeout(), EarlyReplies.NONE);
        try {
            return work.with(conversation.call());
        } catch (InputRequired required) {
            return rounds.framed(required, context.codec());
        } finally {
            conversation.end();
        }
    }

    private ObjectNode completions(McpRequest.Complete complete, RequestContext context) {
        var values = values(complete, context);
        var completion = Json.object();
        var array = completion.putArray("values");
        values.stream().limit(COMPLETIONS_MAX).forEach(array::add);
        completion.put("total", values.size()).put("hasMore", values.size() > COMPLETIONS_MAX);
        var result = Json.object();
        result.set("completion", completion);
        return context.codec().complete(result);
    }

    private List<String> values(McpRequest.Complete complete, RequestContext context) {
        return switch (complete.reference()) {
            case McpRequest.Reference.ToPrompt prompt ->
                    broker.prompt(context.caller(), prompt.name())
                            .complete(context.caller(), complete.argument(), complete.prefix());
            case McpRequest.Reference.ToTemplate template ->
                    broker.completeTemplate(
                            context.caller(),
                            template.uriTemplate(),
                            complete.argument(),
                            complete.prefix());
        };
    }
}
