package dev.caisson.upstream;

import dev.caisson.broker.ToolEffect;
import java.time.Duration;
import java.util.Optional;

/// Rule of the operator for calls of one tool of an upstream.
///
/// @param effect stronger than what the upstream says
/// @param timeout in place of the limit of the upstream
/// @param idempotencyArgument the argument that gets the number of the call, by which the upstream
///   knows a call that it had already
/// @param idempotent whether a second call with the same key changes no more
/// @param retry whether a call that was sent and not answered is sent again with the same key
public record CallRule(
        Optional<ToolEffect> effect,
        Optional<Duration> timeout,
        Optional<String> idempotencyArgument,
        boolean idempotent,
        boolean retry) {
    /// Nothing is said.
    public static final CallRule NONE =
            new CallRule(Optional.empty(), Optional.empty(), Optional.empty(), false, false);
}
