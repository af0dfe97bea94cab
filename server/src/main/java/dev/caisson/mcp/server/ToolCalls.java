package dev.caisson.mcp.server;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.mcp.McpLimits;
import dev.caisson.telemetry.Faults;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Calls of tools over MCP: on the request's own thread, or, when the work can go on without the
/// request, on one that can outlive it.
public final class ToolCalls {
    private final Broker broker;
    private final Tasks tasks;
    private final RequestState states;
    private final Faults faults;
    private final McpLimits limits;
    private final DetachedWork detached = new DetachedWork();

    public ToolCalls(
            Broker broker, Tasks tasks, RequestState states, Faults faults, McpLimits limits) {
        this.broker = broker;
        this.tasks = tasks;
        this.states = states;
        this.faults = faults;
        this.limits = limits;
    }

    /// The framed result.
    ObjectNode call(McpRequest.CallTool request, RequestContext context)
            throws InterruptedException {
        var spec = request.tool().spec();
        // Some clients declare the extension in every era, but only the newest has its words.
        var followsTasks =
                context.features().contains(ClientFeature.TASKS)
                        && context.codec().revision().modern();
        // What is unknown goes to the broker too, which refuses it and sees to the record.
        return switch (spec.map(ToolSpec::tasks).orElse(ToolSpec.TaskUse.NEVER)) {
            case NEVER -> callHere(request, context);
            case OPTIONAL -> callDetachable(request, context, followsTasks);
            case REQUIRED -> {
                if (!followsTasks) {
                    throw McpConversation.missing(ClientFeature.TASKS);
                }
                yield callDetachable(request, context, true);
            }
        };
    }

    private ObjectNode callHere(McpRequest.CallTool request, RequestContext context)
            throws InterruptedException {
        var rounds = rounds(request, context);
        var conversation =
                new McpConversation(
                        context, rounds, limits.questions().answerTimeout(), EarlyReplies.NONE);
        try {
            return attempt(request, context, conversation);
        } catch (InputRequired required) {
            return rounds.framed(required, context.codec());
        } finally {
            conversation.end();
        }
    }

    private MultiRoundRequest rounds(McpRequest.CallTool request, RequestContext context) {
        var bound = Json.object().put("method", "tools/call").put("name", request.tool().given());
        bound.set("arguments", request.arguments());
        return new MultiRoundRequest(states, context.caller(), bound, request.continuation());
    }

    private ObjectNode attempt(
            McpRequest.CallTool request, RequestContext context, McpConversation conversation)
            throws InterruptedException {
        try {
            var result = broker.call(conversation.call(), request.tool(), request.arguments());
            return context.codec().complete(ToolJson.of(result));
        } catch (Refusal refusal) {
            if (breaksProtocol(refusal, context)) {
                throw MissingScope.of(broker, context.caller(), request.tool(), refusal);
            }
            return context.codec().complete(refused(request, refusal));
        }
    }

    private ObjectNode refused(McpRequest.CallTool request, Refusal refusal) {
        var result = broker.refused(request.tool(), refusal);
        var promised = request.tool().spec().flatMap(ToolSpec::outputSchema).isPresent();
        return ToolJson.refused(refusal, result, promised);
    }

    /// Whether a refusal is about the request and not about the work that was asked for. Only the
    /// latter is something a model can act on; so are arguments that are not valid, except for a
    /// caller who wants to be told of them by the protocol.
    private static boolean breaksProtocol(Refusal refusal, RequestContext context) {
        return switch (refusal.reason()) {
            case MALFORMED, UNKNOWN_TOOL, UNAUTHORIZED -> true;
            case MISSING_CAPABILITY -> context.codec().revision().modern();
            case INVALID_ARGUMENT -> context.caller().strictParams();
            case UNKNOWN_RESOURCE,
                    UNKNOWN_PROMPT,
                    NOT_FOUND,
                    FORBIDDEN,
                    DENIED,
                    HANDOFF_REQUIRED,
                    WAITING_APPROVAL,
                    TOO_LARGE,
                    CONFLICT,
                    CHANGED,
                    LEFT,
                    NO_CAPACITY,
                    QUOTA_EXCEEDED,
                    TOO_MANY_ATTEMPTS,
                    TIMED_OUT,
                    UNAVAILABLE,
                    UPSTREAM,
                    OUTCOME_UNKNOWN ->
                    false;
        };
    }

    /// Work on a thread of its own. Its client gets the result, or a task, or an early answer of
    /// the tool while the work goes on.
    private ObjectNode callDetachable(
            McpRequest.CallTool request, RequestContext context, boolean asTask)
            throws InterruptedException {
        var rounds = rounds(request, context);
        var answer = new CompletableFuture<ObjectNode>();
        var work = new Cancellation();
        var conversation =
                new McpConversation(
                        context,
                        rounds,
                        limits.questions().answerTimeout(),
                        early(request, context, asTask, work, answer));
        var body = context.outlet().keepBody();
        detached.start(
                "call-" + context.trace().id(),
                work,
                () -> {
                    try (body) {
                        work(request, context, conversation, rounds, work, answer);
                    }
                });
        try {
            return answer.get();
        } catch (InterruptedException e) {
            if (context.work().isLeft() && conversation.leave()) {
                throw e;
            }
            work.cancel();
            if (asTask) {
                throw e;
            }
            return settled(answer, work);
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    private EarlyReplies early(
            McpRequest.CallTool request,
            RequestContext context,
            boolean asTask,
            Cancellation work,
            CompletableFuture<ObjectNode> answer) {
        Supplier<TaskRun> task =
                () -> {
                    var run = tasks.start(context.caller(), work);
                    answer.complete(created(context, run));
                    return run;
                };
        var within = limits.replies().answerWithin();
        return new EarlyReplies(
                asTask ? Optional.of(task) : Optional.empty(),
                given ->
                        answer.complete(
                                context.codec()
                                        .complete(
                                                ToolJson.of(broker.early(request.tool(), given)))),
                asTask || within.isZero()
                        ? OptionalLong.empty()
                        : OptionalLong.of(System.nanoTime() + within.toNanos()));
    }

    /// The result of work that was told to end.
    private static ObjectNode settled(CompletableFuture<ObjectNode> answer, Cancellation work)
            throws InterruptedException {
        while (true) {
            try {
                return answer.get();
            } catch (InterruptedException again) {
                work.cancel();
            } catch (ExecutionException e) {
                throw unwrapped(e);
            }
        }
    }

    /// Ends the work that goes on without its request.
    public void endDetached(Duration atMost) {
        detached.close(atMost);
    }

    private ObjectNode created(RequestContext context, TaskRun run) {
        return switch (context.codec()) {
            case ModernCodec modern -> modern.typed("task", tasks.get(context.caller(), run.id()));
            case LegacyCodec _ -> throw new IllegalStateException("legacy clients have no tasks");
        };
    }

    @SuppressWarnings("CatchingUnchecked") // The one who waits for the answer gets all there is.
    private void work(
            McpRequest.CallTool request,
            RequestContext context,
            McpConversation conversation,
            MultiRoundRequest rounds,
            Cancellation work,
            CompletableFuture<ObjectNode> answer) {
        work.enter();
        try {
            var result = attempt(request, context, conversation);
            conversation.task().ifPresent(run -> tasks.complete(run, result));
            answer.complete(result);
        } catch (InputRequired required) {
            answer.complete(rounds.framed(required, context.codec()));
        } catch (InterruptedException | RuntimeException | Error e) {
            conversation.task().ifPresent(run -> broken(run, context, e));
            if (conversation.isAnswered()) {
                unheard(e);
            }
            answer.completeExceptionally(e);
        } finally {
            conversation.end();
            work.leave();
        }
    }

    private void broken(TaskRun run, RequestContext context, Throwable cause) {
        switch (cause) {
            case InterruptedException _ -> tasks.cancelled(run);
            case Refusal refusal -> tasks.fail(run, context.codec().error(refusal));
            default -> tasks.fail(run, context.codec().fault(faults.report(cause)));
        }
    }

    /// Nobody waits for the answer of work that was answered before; a fault is reported all the
    /// same.
    private void unheard(Throwable cause) {
        if (!(cause instanceof InterruptedException) && !(cause instanceof Refusal)) {
            faults.report(cause);
        }
    }

    private static RuntimeException unwrapped(ExecutionException wrapped)
            throws InterruptedException {
        switch (wrapped.getCause()) {
            case InterruptedException e -> throw e;
            case RuntimeException e -> throw e;
            case null, default -> throw new IllegalStateException(wrapped.getCause());
        }
    }
}
