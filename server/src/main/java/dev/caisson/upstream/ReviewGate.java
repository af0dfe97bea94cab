package dev.caisson.upstream;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.ToolErrorType;

/// Gate before the tools of upstreams: lets through what was approved as it is now.
final class ReviewGate {
    private ReviewGate() {}

    /// @param tool by the name that programs have for it
    /// @throws Refusal UnderReview while an operator has to decide, UnknownTool where there is none
    ///   any more
    static void require(ToolState state, String tool) {
        switch (state) {
            case APPROVED -> {}
            case NEW -> throw isNew(tool);
            case CHANGED ->
                    throw waiting("The definition of %s has changed and waits".formatted(tool));
            case REFUSED, REMOVED ->
                    throw Refusal.of(
                            ToolErrorType.UNKNOWN_TOOL,
                            Reason.UNKNOWN_TOOL,
                            "There is no tool %s any more.".formatted(tool));
        }
    }

    static Refusal isNew(String tool) {
        return waiting("The tool %s is new and waits".formatted(tool));
    }

    private static Refusal waiting(String what) {
        return Refusal.of(
                ToolErrorType.UNDER_REVIEW,
                Reason.DENIED,
                what + " for an operator of this server to review it.");
    }
}
