package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.Delivery;
import dev.caisson.call.Door;
import dev.caisson.call.TraceContext;
import dev.caisson.call.TraceId;
import dev.caisson.redact.Redactor;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The call of a door, with notes for the record.
final class NotedCall implements Call {
    private final Call call;
    private final CallNotes notes = new CallNotes();
    private volatile boolean changing;
    private volatile Redactor redactor = new Redactor(Set.of(), false);

    NotedCall(Call call) {
        this.call = call;
    }

    /// The tool is about to be called.
    ///
    /// @param exit what its messages pass
    void reached(ToolSpec spec, Redactor exit) {
        redactor = exit;
        changing = !spec.hints().readOnly();
    }

    /// Whether a tool was called that may change something.
    boolean changing() {
        return changing;
    }

    @Override
    public void ended(RecordedCall recorded) {
        call.ended(recorded);
    }

    @Override
    public CallNotes notes() {
        return notes;
    }

    @Override
    public Map<String, JsonNode> ask(Map<String, Question> questions) throws InterruptedException {
        return call.ask(questions);
    }

    @Override
    public Caller caller() {
        return call.caller();
    }

    @Override
    public TraceId trace() {
        return call.trace();
    }

    @Override
    public TraceContext traceContext() {
        return call.traceContext();
    }

    @Override
    public Door door() {
        return call.door();
    }

    @Override
    public Delivery delivery() {
        return call.delivery();
    }

    @Override
    public boolean isFollowed() {
        return call.isFollowed();
    }

    @Override
    public void began(String id) {
        notes.became(id);
        call.began(id);
    }

    @Override
    public Set<ClientFeature> client() {
        return call.client();
    }

    @Override
    public void progress(double done, OptionalDouble total, String message) {
        call.progress(done, total, redactor.text(message));
    }

    @Override
    public void log(LogLevel level, String logger, JsonNode data) {
        call.log(level, logger, redactor.tree(data));
    }

    @Override
    public Optional<JsonNode> remembered() {
        return call.remembered();
    }

    @Override
    public void remember(JsonNode state) {
        call.remember(state);
    }

    @Override
    public boolean detach() {
        return call.detach();
    }

    @Override
    public void releaseConnection(Duration retryAfter) {
        call.releaseConnection(retryAfter);
    }
}
