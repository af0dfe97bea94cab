package dev.caisson.mcp;

import dev.caisson.broker.Call;
import dev.caisson.broker.ClientFeature;
import dev.caisson.broker.LogLevel;
import dev.caisson.broker.Question;
import dev.caisson.broker.RecordedCall;
import dev.caisson.call.Caller;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceContext;
import dev.caisson.call.TraceId;
import dev.caisson.json.Json;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a tool sees of a call that came over MCP, in every era.
final class LiveCall implements Call {
    private final Context context;
    private final Rounds rounds;
    private final Duration answerTimeout;
    private final Optional<Supplier<TaskRun>> detaching;
    private final ProgressMeter meter = new ProgressMeter();
    private volatile @Nullable TaskRun task;
    private volatile boolean over;

    /// @param detaching makes a task of this call; empty when it cannot become one
    LiveCall(
            Context context,
            Rounds rounds,
            Duration answerTimeout,
            Optional<Supplier<TaskRun>> detaching) {
        this.context = context;
        this.rounds = rounds;
        this.answerTimeout = answerTimeout;
        this.detaching = detaching;
    }

    /// Nothing is sent for this call any more.
    void end() {
        over = true;
    }

    Optional<TaskRun> task() {
        return Optional.ofNullable(task);
    }

    @Override
    public void began(String id) {
        context.outlet().note("execution_id", id);
    }

    @Override
    public void ended(RecordedCall recorded) {
        context.outlet().note("tool_status", recorded.status());
    }

    @Override
    public Caller caller() {
        return context.caller();
    }

    @Override
    public TraceId trace() {
        return context.trace().id();
    }

    @Override
    public TraceContext traceContext() {
        return context.trace();
    }

    @Override
    public Door door() {
        return context.door();
    }

    @Override
    public Set<ClientFeature> client() {
        return context.features();
    }

    private boolean silent() {
        return over || task != null;
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
                "This needs a client that declares " + Json.text(Features.declaring(feature)),
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
        if (task == null && detaching.isPresent()) {
            task = detaching.get().get();
        }
        return task != null;
    }

    @Override
    public void releaseConnection(Duration retryAfter) {
        if (!silent()) {
            context.outlet().release(retryAfter);
        }
    }
}
