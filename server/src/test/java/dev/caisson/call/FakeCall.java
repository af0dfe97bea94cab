package dev.caisson.call;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/// A client that remembers what it was told, and makes calls.
public final class FakeCall implements ClientMessages, Conversation {
    public final List<String> progress = new CopyOnWriteArrayList<>();
    public final List<JsonNode> logs = new CopyOnWriteArrayList<>();
    public final AtomicInteger detached = new AtomicInteger();

    private final Call call;

    public FakeCall(Caller caller, ClientFeature... features) {
        call =
                new Call(
                        caller,
                        Door.INSIDE,
                        TraceContext.fresh(),
                        ReplyMode.INLINE,
                        Set.of(features),
                        new CallNotes(),
                        this,
                        this);
    }

    /// A call by somebody whose client can do so much.
    public static Call by(Caller caller, ClientFeature... features) {
        return new FakeCall(caller, features).call();
    }

    public Call call() {
        return call;
    }

    @Override
    public void progress(double done, OptionalDouble total, String message) {
        progress.add(message);
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {
        logs.add(data);
    }

    /// As on a client that must be called again: a question ends the call.
    @Override
    public Map<String, JsonNode> ask(Map<String, Question> questions) {
        throw new Later();
    }

    private static final class Later extends Suspended {
        private static final long serialVersionUID = 1L;

        Later() {
            super("answered later");
        }
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
}
