package dev.caisson.mcp.server;

import dev.caisson.call.Call;
import dev.caisson.call.CallNotes;
import dev.caisson.call.ClientFeature;
import dev.caisson.call.ClientMessages;
import dev.caisson.call.Conversation;
import dev.caisson.call.EarlyAnswer;
import dev.caisson.call.LogLevel;
import dev.caisson.call.Question;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ReplyMode;
import dev.caisson.json.Json;
import dev.caisson.mcp.legacy.ServerRequests;
import dev.caisson.rpc.Rpc;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Conversation of a call over MCP, in every revision of the protocol: notifications, questions,
/// tasks.
final class McpConversation implements ClientMessages, Conversation {
    private final RequestContext context;
    private final MultiRoundRequest rounds;
    private final Duration answerTimeout;
    private final EarlyReplies early;
    private final ProgressLimiter meter = new ProgressLimiter();
    private volatile @Nullable TaskRun task;
    private volatile boolean answered;
    private volatile boolean over;
    private volatile BooleanSupplier adopted = () -> false;

    /// @param early how its client can be answered before the work is over
    McpConversation(
            RequestContext context,
            MultiRoundRequest rounds,
            Duration answerTimeout,
            EarlyReplies early) {
        this.context = context;
        this.rounds = rounds;
        this.answerTimeout = answerTimeout;
        this.early = early;
    }

    /// The call it belongs to.
    Call call() {
        return new Call(
                context.caller(),
                context.door(),
                context.trace(),
                ReplyMode.INLINE,
                context.features(),
                new CallNotes(),
                this,
                this);
    }

    /// Nothing is sent for this call any more.
    void end() {
        over = true;
    }

    Optional<TaskRun> task() {
        return Optional.ofNullable(task);
    }

    /// Whether its client has an answer, or has gone, while the work goes on.
    boolean isAnswered() {
        return answered;
    }

    /// The client has gone without asking for the end of the work.
    ///
    /// @return whether the work goes on
    boolean leave() {
        if (!answered && adopted.getAsBoolean()) {
            answered = true;
        }
        return answered;
    }

    @Override
    public void began(String id) {
        context.outlet().note("execution_id", id);
    }

    @Override
    public void ended(String tool, String status) {
        context.outlet().note("tool_status", status);
    }

    private boolean silent() {
        return over || answered || task != null;
    }

    @Override
    public void progress(double done, OptionalDouble total, String message) {
        if (silent() || context.progressToken().isEmpty() || !meter.admits(done)) {
            return;
        }
        var params = Json.object();
        params.set("progressToken", context.progressToken().get());
        params.put("progress", done);
        total.ifPresent(all -> params.put("total", all));
        if (!message.isEmpty()) {
            params.put("message", message);
        }
        context.outlet().send(Rpc.notification("notifications/progress", params));
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {
        if (silent() || context.level().filter(least -> level.compareTo(least) >= 0).isEmpty()) {
            return;
        }
        var params = Json.object().put("level", level.word()).put("logger", logger);
        params.set("data", data);
        context.outlet().send(Rpc.notification("notifications/message", params));
    }

    @Override
    public Map<String, JsonNode> ask(Map<String, Question> questions) throws InterruptedException {
        questions.values().forEach(this::requireDeclared);
        if (answered) {
            throw new Refusal(
                    Reason.MISSING_CAPABILITY,
                    "The program runs in the background, where nobody can be asked.");
        }
        var run = task;
        if (run != null) {
            return run.ask(questions);
        }
        return switch (context.codec()) {
            case ModernCodec _ -> rounds.ask(questions);
            case LegacyCodec _ -> ServerRequests.ask(context, questions, answerTimeout);
        };
    }

    private void requireDeclared(Question question) {
        if (!context.features().contains(question.needs())) {
            throw missing(question.needs());
        }
    }

    static Refusal missing(ClientFeature feature) {
        return new Refusal(
                Reason.MISSING_CAPABILITY,
                "This needs a client that declares "
                        + Json.text(ClientCapabilities.declaring(feature)),
                Map.of("feature", feature.name()));
    }

    @Override
    public Optional<JsonNode> remembered() {
        return rounds.remembered();
    }

    @Override
    public void remember(JsonNode state) {
        rounds.remember(state);
    }

    @Override
    public boolean detach() {
        if (task == null && !answered && early.task().isPresent()) {
            task = early.task().get().get();
        }
        return task != null;
    }

    @Override
    public OptionalLong answerBy() {
        return early.answerBy();
    }

    @Override
    public boolean answerNow(EarlyAnswer answer) {
        if (task == null && !answered) {
            answered = early.answer().test(answer);
        }
        return answered;
    }

    @Override
    public void mayOutlive(BooleanSupplier adopting) {
        adopted = adopting;
    }

    @Override
    public void releaseConnection(Duration retryAfter) {
        if (!silent()) {
            context.outlet().release(retryAfter);
        }
    }
}
