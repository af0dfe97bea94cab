package dev.caisson.upstream;

import dev.caisson.broker.ToolEffect;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.upstream.ReviewedTool.Decision;
import java.util.Map;
import java.util.Optional;

/// Decision of a person about a tool in a review.
///
/// @param hash of the definition that the person saw; the one that is there now if absent
/// @param effect what its calls may do, stronger than what the upstream says
public record Verdict(Choice choice, Optional<String> hash, Optional<ToolEffect> effect) {
    /// Whether it may be called.
    public enum Choice {
        APPROVE,
        REFUSE
    }

    /// @throws Refusal CHANGED when the definition is another than the person saw; CONFLICT when it
    ///   cannot be approved
    ReviewedTool on(ReviewedTool tool, Decision by) {
        hash.filter(seen -> !seen.equals(tool.hash()))
                .ifPresent(_ -> {
                    throw new Refusal(
                            Reason.CHANGED,
                            "The definition of %s is another than the one you saw. Look at it again."
                                    .formatted(tool.name()));
                });
        return switch (choice) {
            case APPROVE -> {
                requireSound(tool);
                yield tool.approved(effect, by);
            }
            case REFUSE -> tool.refused(by);
        };
    }

    private static void requireSound(ReviewedTool tool) {
        var screened =
                tool.state() == ToolState.REFUSED
                        && !tool.reason().equals(Optional.of(Drift.BY_PERSON));
        if (screened || tool.state() == ToolState.REMOVED) {
            throw new Refusal(
                    Reason.CONFLICT,
                    screened
                            ? "%s cannot be approved. %s"
                                    .formatted(tool.name(), tool.reason().orElse(""))
                            : "The upstream does not list %s any more.".formatted(tool.name()),
                    Map.of(Refusal.RETRYABLE, false));
        }
    }
}
