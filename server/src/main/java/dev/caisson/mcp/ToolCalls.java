package dev.caisson.mcp;

import dev.caisson.broker.Broker;
import dev.caisson.broker.ClientFeature;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.telemetry.Faults;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Calls tools: on the request's own thread, or, when the call may become a task, on one that can
/// outlive it.
final class ToolCalls {
    private final Broker broker;
    private final Tasks tasks;
    private final RequestState states;
    private final Faults faults;
    private final McpLimits limits;

    ToolCalls(Broker broker, Tasks tasks, RequestState states, Faults faults, McpLimits limits) {
        this.broker = broker;
        this.tasks = tasks;
        this.states = states;
        this.faults = faults;
        this.limits = limits;
    }

    /// The framed result.
    ObjectNode call(McpRequest.CallTool request, Context context) throws InterruptedException {
        var spec = broker.tool(context.caller(), request.name());
        var followsTasks = context.features().contains(ClientFeature.TASKS);
        // What is unknown goes to the broker too, which refuses it and sees to the record.
        return switch (spec.map(ToolSpec::tasks).orElse(ToolSpec.TaskUse.NEVER)) {
            case NEVER -> callHere(request, context);
            case OPTIONAL ->
                    followsTasks ? callDetachable(request, context) : callHere(request, context);
            case REQUIRED -> {
                if (!followsTasks) {
                    throw LiveCall.missing(ClientFeature.TASKS);
                }
                yield callDetachable(request, context);
            }
        };
    }

    private ObjectNode callHere(McpRequest.CallTool request, Context context)
            throws InterruptedException {
        var rounds = rounds(request, context);
        var call = new LiveCall(context, rounds, limits.answerTimeout(), Optional.empty());
        try {
            return attempt(request, context, call);
        } catch (InputRequired required) {
            return rounds.framed(required, context.codec());
        } finally {
            call.end();
        }
    }

    private Rounds rounds(McpRequest.CallTool request, Context context) {
        var bound = Json.object().put("method", "tools/call").put("name", request.name());
        bound.set("arguments", request.arguments());
        return new Rounds(states, context.caller(), bound, request.continuation());
    }

    private ObjectNode attempt(McpRequest.CallTool request, Context context, LiveCall call)
            throws InterruptedException {
        try {
            var result = broker.call(call, request.name(), request.arguments());
            return context.codec().complete(ToolJson.of(result));
        } catch (Refusal refusal) {
            if (breaksProtocol(refusal, context)) {
                throw refusal;
            }
            return context.codec().complete(refused(request, context, refusal));
        }
    }

    private ObjectNode refused(McpRequest.CallTool request, Context context, Refusal refusal) {
        var result = broker.refused(context.caller(), request.name(), refusal);
        var promised =
                broker.tool(context.caller(), request.name())
                        .flatMap(ToolSpec::outputSchema)
                        .isPresent();
        return ToolJson.refused(refusal, result, promised);
    }

    /// Whether a refusal is about the request and not about the work that was asked for. Only the
    /// latter is something a model can act on; so are arguments that are not valid, except for a
    /// caller who wants to be told of them by the protocol.
    private static boolean breaksProtocol(Refusal refusal, Context context) {
        return switch (refusal.reason()) {
            case MALFORMED, UNKNOWN_TOOL, UNAUTHORIZED -> true;
            case MISSING_CAPABILITY -> context.codec().revision().modern();
            case INVALID_ARGUMENT -> context.caller().strictParams();
            case UNKNOWN_RESOURCE,
                    UNKNOWN_PROMPT,
                    NOT_FOUND,
                    FORBIDDEN,
                    TOO_LARGE,
                    CONFLICT,
                    CHANGED,
                    LEFT,
                    NO_CAPACITY,
                    TOO_MANY_ATTEMPTS,
                    TIMED_OUT,
                    UNAVAILABLE ->
                    false;
        };
    }

    private ObjectNode callDetachable(McpRequest.CallTool request, Context context)
            throws InterruptedException {
        var rounds = rounds(request, context);
        var answer = new CompletableFuture<ObjectNode>();
        var work = new Cancellation();
        Supplier<TaskRun> detaching =
                () -> {
                    var run = tasks.start(context.caller(), work);
                    answer.complete(created(context, run));
                    return run;
                };
        var call = new LiveCall(context, rounds, limits.answerTimeout(), Optional.of(detaching));
        var body = context.outlet().keepBody();
        Thread.ofVirtual()
                .name("task-" + context.trace().id())
                .start(() -> {
                    try (body) {
                        work(request, context, call, rounds, work, answer);
                    }
                });
        try {
            return answer.get();
        } catch (InterruptedException e) {
            work.cancel();
            throw e;
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    private ObjectNode created(Context context, TaskRun run) {
        return switch (context.codec()) {
            case ModernCodec modern -> modern.typed("task", tasks.get(context.caller(), run.id()));
            case LegacyCodec _ -> throw new IllegalStateException("legacy clients have no tasks");
        };
    }

    @SuppressWarnings("CatchingUnchecked") // The one who waits for the answer gets all there is.
    private void work(
            McpRequest.CallTool request,
            Context context,
            LiveCall call,
            Rounds rounds,
            Cancellation work,
            CompletableFuture<ObjectNode> answer) {
        work.enter();
        try {
            var result = attempt(request, context, call);
            call.task().ifPresent(run -> tasks.complete(run, result));
            answer.complete(result);
        } catch (InputRequired required) {
            answer.complete(rounds.framed(required, context.codec()));
        } catch (InterruptedException | RuntimeException | Error e) {
            call.task().ifPresent(run -> broken(run, context, e));
            answer.completeExceptionally(e);
        } finally {
            call.end();
            work.leave();
        }
    }

    private void broken(TaskRun run, Context context, Throwable cause) {
        switch (cause) {
            case InterruptedException _ -> tasks.cancelled(run);
            case Refusal refusal -> tasks.fail(run, context.codec().error(refusal));
            default -> tasks.fail(run, context.codec().fault(faults.report(cause)));
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
