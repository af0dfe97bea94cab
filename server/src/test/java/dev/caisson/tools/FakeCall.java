package dev.caisson.tools;

import dev.caisson.broker.Call;
import dev.caisson.broker.ClientFeature;
import dev.caisson.broker.LogLevel;
import dev.caisson.broker.Question;
import dev.caisson.call.Caller;
import dev.caisson.call.TraceId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// A call that remembers what it was told.
final class FakeCall implements Call {
    final List<String> progress = new CopyOnWriteArrayList<>();
    final List<JsonNode> logs = new CopyOnWriteArrayList<>();
    final AtomicInteger detached = new AtomicInteger();
    private final Caller caller;
    private final TraceId trace = TraceId.fresh();

    FakeCall(Caller caller) {
        this.caller = caller;
    }

    @Override
    public Caller caller() {
        return caller;
    }

    @Override
    public TraceId trace() {
        return trace;
    }

    @Override
    public Set<ClientFeature> client() {
        return Set.of();
    }

    @Override
    public void progress(double done, OptionalDouble total, String message) {
        progress.add(message);
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {
        logs.add(data);
    }

    @Override
    public Map<String, JsonNode> ask(Map<String, Question> questions) {
        throw new AssertionError("nothing is asked");
    }

    @Override
    public Optional<JsonNode> remembered() {
        return Optional.empty();
    }

    @Override
    public void remember(JsonNode state) {
        throw new AssertionError("nothing is remembered");
    }

    @Override
    public boolean detach() {
        detached.incrementAndGet();
        return true;
    }

    @Override
    public void releaseConnection(Duration retryAfter) {}
}
