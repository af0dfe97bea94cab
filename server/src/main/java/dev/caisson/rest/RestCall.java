package dev.caisson.rest;

import dev.caisson.broker.Call;
import dev.caisson.broker.ClientFeature;
import dev.caisson.broker.LogLevel;
import dev.caisson.broker.Question;
import dev.caisson.broker.RecordedCall;
import dev.caisson.call.Caller;
import dev.caisson.call.Delivery;
import dev.caisson.call.Door;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.TraceContext;
import dev.caisson.call.TraceId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// What a tool sees of a call that came over REST: somebody who cannot be asked, and is not told
/// how far it is.
///
/// @param begun is told which execution it has become
/// @param line takes words for the log line of the request
/// @param isFollowed whether somebody hears of it before it is over
record RestCall(
        Caller caller,
        TraceContext traceContext,
        Delivery delivery,
        boolean isFollowed,
        Consumer<String> begun,
        BiConsumer<String, String> line)
        implements Call {
    /// A call whose caller waits for the result.
    static RestCall inline(Ask ask) {
        return new RestCall(
                ask.caller(),
                ask.exchange().traceContext(),
                Delivery.INLINE,
                false,
                _ -> {},
                ask.exchange()::note);
    }

    @Override
    public TraceId trace() {
        return traceContext.id();
    }

    @Override
    public Door door() {
        return Door.REST;
    }

    @Override
    public void began(String id) {
        line.accept("execution_id", id);
        begun.accept(id);
    }

    @Override
    public void ended(RecordedCall recorded) {
        line.accept("tool", recorded.tool());
        line.accept("tool_status", recorded.status());
    }

    @Override
    public Set<ClientFeature> client() {
        return Set.of();
    }

    @Override
    public void progress(double done, OptionalDouble total, String message) {
        // Nobody reads it.
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {
        // Nobody reads it.
    }

    @Override
    public Map<String, JsonNode> ask(Map<String, Question> questions) {
        throw new Refusal(
                Reason.MISSING_CAPABILITY, "This needs a client that can be asked; use MCP.");
    }

    @Override
    public Optional<JsonNode> remembered() {
        return Optional.empty();
    }

    @Override
    public void remember(JsonNode state) {
        // Nothing is continued over REST.
    }

    @Override
    public boolean detach() {
        return false;
    }

    @Override
    public void releaseConnection(Duration retryAfter) {
        // The connection is the call.
    }
}
