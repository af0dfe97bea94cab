package dev.caisson.model;

import dev.caisson.call.Call;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.util.Optional;

/// Author of a transaction: who changes something, through which door, and why.
///
/// @param id of the caller
/// @param name what a person called it
/// @param door the word of the door
/// @param execution the run whose program writes
public record Author(
        String id,
        String name,
        String door,
        String traceId,
        Optional<String> reason,
        Optional<String> execution) {
    /// How long a reason may be, in characters.
    public static final int REASON_MAX = 1_000;

    public Author {
        if (reason.filter(text -> text.length() > REASON_MAX || text.indexOf('\0') >= 0)
                .isPresent()) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "reason must be at most %d characters, none of them NUL."
                            .formatted(REASON_MAX));
        }
    }

    /// Of a call that is no program's.
    public static Author of(Call call, Optional<String> reason) {
        return new Author(
                call.caller().id(),
                call.caller().name(),
                call.door().word(),
                call.trace().id().value(),
                reason.filter(text -> !text.isBlank()),
                Optional.empty());
    }
}
