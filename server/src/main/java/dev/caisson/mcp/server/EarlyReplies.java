package dev.caisson.mcp.server;

import dev.caisson.call.EarlyAnswer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Early replies to a call that takes long: the ways in which its client can be answered before its
/// work is over.
///
/// @param task makes a task of the call; empty when it cannot become one
/// @param answer hands over an answer of the tool, and says whether it could
/// @param answerBy when the client needs an answer, as [System#nanoTime] counts
record EarlyReplies(
        Optional<Supplier<TaskRun>> task, Predicate<EarlyAnswer> answer, OptionalLong answerBy) {
    /// Of a call whose client waits for the result.
    static final EarlyReplies NONE =
            new EarlyReplies(Optional.empty(), _ -> false, OptionalLong.empty());
}
