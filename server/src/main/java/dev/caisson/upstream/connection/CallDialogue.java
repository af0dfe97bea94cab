package dev.caisson.upstream.connection;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Dialogue of an upstream with whoever called it, while it works on the call: forms it wants to
/// have filled in, and what becomes of a call that goes on as a task.
public interface CallDialogue {
    /// Nobody answers.
    CallDialogue NONE = new CallDialogue() {};

    /// Whether forms are answered at all. When not, the upstream is not told that they were.
    default boolean answers() {
        return false;
    }

    /// Whether the tool is one that only works as a task.
    default boolean wantsTask() {
        return false;
    }

    /// The upstream works on it as a task.
    ///
    /// @param id as the upstream names it
    default void becameTask(String id) {}

    /// A form that the upstream waits for.
    ///
    /// @param params of `elicitation/create`
    /// @return the result of it
    /// @throws Unanswered when nobody fills it in
    default ObjectNode fill(ObjectNode params) throws Unanswered, InterruptedException {
        throw new Unanswered();
    }

    /// Forms that the upstream wants to have before it goes on. The call may end here, to be made
    /// again with the answers.
    ///
    /// @param requests by the upstream's keys
    /// @param state that it wants back
    /// @throws Unanswered when nobody fills them in
    default InputRound fill(ObjectNode requests, Optional<String> state)
            throws Unanswered, InterruptedException {
        throw new Unanswered();
    }

    /// The answers for which an earlier call ended, if this one goes on with it.
    ///
    /// @throws Unanswered when nobody filled them in
    default Optional<InputRound> continued() throws Unanswered, InterruptedException {
        return Optional.empty();
    }

    /// Nobody fills in a form.
    final class Unanswered extends Exception {
        private static final long serialVersionUID = 1L;

        public Unanswered() {
            super("nobody fills in the form", null, false, false);
        }
    }
}
