package dev.caisson.runs;

import dev.caisson.executions.ToolUse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Figures of the calls of tools that a program made.
///
/// @param calls all of them
/// @param failed with any error
/// @param denied of those, by rules, by a person, or because the run may not call the tool
/// @param unknown of those, where nobody knows whether something was changed
/// @param resultBytes of what they answered, as JSON
/// @param textBytes of arguments and results, as JSON
/// @param drift what was in results and not in those before
/// @param approval the worst that became of calls that a person had to approve
/// @param parked for how long the run stood still
public record ToolFigures(
        long calls,
        long failed,
        long denied,
        long unknown,
        long resultBytes,
        long textBytes,
        List<String> drift,
        Approval approval,
        Duration parked) {
    public static final ToolFigures NONE =
            new ToolFigures(0, 0, 0, 0, 0, 0, List.of(), Approval.NOT_REQUIRED, Duration.ZERO);

    /// Changes of results that are named.
    public static final int DRIFT_MAX = 20;

    public ToolFigures {
        drift = List.copyOf(drift);
    }

    /// What became of calls that a person had to approve, from the best to the worst.
    public enum Approval {
        NOT_REQUIRED,
        APPROVED,
        /// Nobody decided before the call ended.
        PENDING,
        DENIED;

        /// @param noted what the record of a call has, such as `approved`
        public static Approval of(String noted) {
            return switch (noted) {
                case "approved" -> APPROVED;
                case "denied" -> DENIED;
                default -> PENDING;
            };
        }

        public Approval worse(Approval other) {
            return compareTo(other) >= 0 ? this : other;
        }
    }

    /// What a token is taken to be where none are counted.
    static final int BYTES_PER_TOKEN = 4;

    /// The same of a run that stood still for so long.
    public ToolFigures parked(Duration stood) {
        return new ToolFigures(
                calls, failed, denied, unknown, resultBytes, textBytes, drift, approval, stood);
    }

    /// @param shownBytes of what the run itself shows
    ToolUse beside(long shownBytes) {
        long inside = tokens(textBytes);
        long out = tokens(shownBytes);
        return new ToolUse(
                calls,
                failed,
                denied,
                unknown,
                resultBytes,
                inside,
                out,
                Math.max(0, inside - out),
                true,
                drift.isEmpty() ? Optional.empty() : Optional.of(drift),
                approval == Approval.NOT_REQUIRED ? Optional.empty() : Optional.of(approval.name()),
                parked.isZero() ? Optional.empty() : Optional.of(parked.toMillis()));
    }

    private static long tokens(long bytes) {
        return (bytes + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
    }
}
