package dev.caisson.upstream.connection;

import dev.caisson.call.Deadline;
import dev.caisson.call.ToolErrorType;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// Terms of one request: how long, how large, and what happens meanwhile.
///
/// @param server as it is called in sentences
/// @param bytesMax of the answer
/// @param key of a call, see [CallOptions]
record Ask(
        String server,
        Deadline deadline,
        long bytesMax,
        boolean changing,
        Optional<String> traceparent,
        Optional<String> key,
        Runnable onSent,
        Consumer<ObjectNode> onProgress,
        CallDialogue dialogue) {
    /// A request of the protocol's own, which changes nothing.
    static Ask plain(String server, Deadline deadline, long bytesMax) {
        return new Ask(
                server,
                deadline,
                bytesMax,
                false,
                Optional.empty(),
                Optional.empty(),
                () -> {},
                _ -> {},
                CallDialogue.NONE);
    }

    Ask within(Deadline other) {
        return new Ask(
                server, other, bytesMax, changing, traceparent, key, onSent, onProgress, dialogue);
    }

    /// What is thrown when no answer came. A change that may have been asked for may have happened.
    ///
    /// @param what it did, such as "closed the connection"
    UpstreamFailure unanswered(ToolErrorType type, boolean sent, String what) {
        var sentence = "The upstream " + server + " " + what + ".";
        return changing && sent
                ? new UpstreamFailure(
                        ToolErrorType.OUTCOME_UNKNOWN,
                        true,
                        sentence + " Nobody knows whether the call was carried out.")
                : new UpstreamFailure(type, sent, sentence);
    }

    UpstreamFailure timedOut(boolean sent) {
        return unanswered(ToolErrorType.TIMEOUT, sent, "did not answer in time");
    }

    /// What is thrown when an answer says that nothing was done.
    UpstreamFailure refused(ToolErrorType type, String what) {
        return new UpstreamFailure(type, true, "The upstream " + server + " " + what + ".");
    }
}
