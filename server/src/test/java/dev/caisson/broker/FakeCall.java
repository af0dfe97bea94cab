package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.TraceId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// A call by somebody whose client can do so much and who listens to nothing.
public record FakeCall(Caller caller, Set<ClientFeature> client, boolean later) implements Call {
    public FakeCall(Caller caller, Set<ClientFeature> client) {
        this(caller, client, false);
    }

    /// As on a client that must be called again: a question ends the call.
    public FakeCall whoseClientAnswersLater() {
        return new FakeCall(caller, client, true);
    }

    public static FakeCall by(Caller caller) {
        return new FakeCall(caller, Set.of());
    }

    @Override
    public TraceId trace() {
        return new TraceId("0123456789abcdef0123456789abcdef");
    }

    @Override
    public void progress(double done, OptionalDouble total, String message) {}

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {}

    @Override
    public Map<String, JsonNode> ask(Map<String, Question> questions) {
        if (later) {
            throw new Later();
        }
        return Map.of();
    }

    private static final class Later extends Suspended {
        private static final long serialVersionUID = 1L;

        Later() {
            super("answered later");
        }
    }

    @Override
    public Optional<JsonNode> remembered() {
        return Optional.empty();
    }

    @Override
    public void remember(JsonNode state) {}

    @Override
    public boolean detach() {
        return false;
    }

    @Override
    public void releaseConnection(Duration retryAfter) {}
}
