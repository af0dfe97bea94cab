package dev.caisson.call;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/// Conversation of a call with its client and its door: questions, state between rounds, tasks. A
/// door overrides what its clients can do.
public interface Conversation {
    /// With a client that can do nothing but wait for the result.
    Conversation NONE = new Conversation() {};

    /// Whether somebody hears of the execution the call becomes before that is over.
    default boolean isFollowed() {
        return false;
    }

    /// The call has become an execution.
    default void began(String id) {}

    /// The call is over and recorded. A door may note how it ended; it sends nothing.
    ///
    /// @param tool as the record names it
    /// @param status how it ended, in a word
    default void ended(String tool, String status) {}

    /// Asks the client and waits for every answer, by key. Each answer is the client's result as it
    /// came.
    ///
    /// On a client without server requests the tool is called again from its start once the answers
    /// are there, so a tool asks before it does anything that must not be done twice.
    ///
    /// @throws Refusal MISSING_CAPABILITY when the client did not declare what a question needs
    default Map<String, JsonNode> ask(Map<String, Question> questions) throws InterruptedException {
        throw new Refusal(
                Reason.MISSING_CAPABILITY, "This needs a client that can be asked; use MCP.");
    }

    /// The state a tool remembered in the round before, when it was called again to continue.
    default Optional<JsonNode> remembered() {
        return Optional.empty();
    }

    /// Something to remember until the tool is called again to continue. It travels through the
    /// client, protected against change and bound to caller and request, but not secret.
    default void remember(JsonNode state) {}

    /// Lets the call go on as a task: the client gets a handle now and the result later. The tool
    /// simply continues.
    ///
    /// @return whether it does; false when the client cannot follow tasks
    default boolean detach() {
        return false;
    }

    /// When the client needs an answer, as [System#nanoTime] counts; empty when it waits for the
    /// result.
    default OptionalLong answerBy() {
        return OptionalLong.empty();
    }

    /// Answers the client now, though the work goes on. Nothing is sent for the call any more, and
    /// neither the end of its connection nor a cancellation of its request ends the work.
    ///
    /// @return whether the client was answered; false when it waits for the result
    default boolean answerNow(EarlyAnswer answer) {
        return false;
    }

    /// Says that the work can go on without its client from now on: the client can find it again.
    ///
    /// @param adopted is asked when the client has gone without asking for the end of the work, and
    ///   says whether the work goes on
    default void mayOutlive(BooleanSupplier adopted) {}

    /// The call waits for the decision of a person from now on, for as long as it takes.
    ///
    /// @param approval by which that is found
    default PersonWait waitsForPerson(String approval) throws InterruptedException {
        return PersonWait.NONE;
    }

    /// Closes the connection but not the call: a client that can resume asks again after this time.
    /// Others ignore it.
    default void releaseConnection(Duration retryAfter) {}
}
