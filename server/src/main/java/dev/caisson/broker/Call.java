package dev.caisson.broker;

import dev.caisson.call.Caller;
import dev.caisson.call.Delivery;
import dev.caisson.call.Door;
import dev.caisson.call.TraceContext;
import dev.caisson.call.TraceId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// All a tool sees of whoever called it, whatever the door and the protocol's era.
///
/// Cancellation is an interrupt of the thread the tool runs on.
public interface Call {
    Caller caller();

    TraceId trace();

    /// Where it stands in its trace.
    default TraceContext traceContext() {
        return TraceContext.beginning(trace());
    }

    /// Where it came in.
    default Door door() {
        return Door.INSIDE;
    }

    /// How the caller wants to have the result.
    default Delivery delivery() {
        return Delivery.INLINE;
    }

    /// Whether somebody hears of the execution it becomes before that is over.
    default boolean isFollowed() {
        return delivery() != Delivery.INLINE;
    }

    /// The call has become an execution, whose record is durable if the call is followed.
    ///
    /// @param id by which it can be found from now on
    default void began(String id) {}

    /// The call is over, and this is its record. A door may note how it ended; it sends nothing.
    default void ended(RecordedCall recorded) {}

    /// For what only the tool knows and the record of the call should say.
    default CallNotes notes() {
        return new CallNotes();
    }

    /// What the client can do for this call.
    Set<ClientFeature> client();

    /// How far the work is. Ignored when the client did not ask, and when it does not go up.
    void progress(double done, OptionalDouble total, String message);

    /// A message beside the result. Ignored when the client did not ask for this level.
    void log(LogLevel level, String logger, JsonNode data);

    /// Asks the client and waits for every answer, by key. Each answer is the client's result as it
    /// came.
    ///
    /// On a client without server requests the tool is called again from its start once the answers
    /// are there, so a tool asks before it does anything that must not be done twice.
    ///
    /// @throws dev.caisson.call.Refusal MISSING_CAPABILITY when the client did not declare what a
    ///   question needs
    Map<String, JsonNode> ask(Map<String, Question> questions) throws InterruptedException;

    /// What the tool remembered in the round before, when it was called again to continue.
    Optional<JsonNode> remembered();

    /// Something to remember until the tool is called again to continue. It travels through the
    /// client, protected against change and bound to caller and request, but not secret.
    void remember(JsonNode state);

    /// Lets the call go on as a task: the client gets a handle now and the result later. The tool
    /// simply continues.
    ///
    /// @return whether it does; false when the client cannot follow tasks
    boolean detach();

    /// Closes the connection but not the call: a client that can resume asks again after this time.
    /// Others ignore it.
    void releaseConnection(Duration retryAfter);
}
