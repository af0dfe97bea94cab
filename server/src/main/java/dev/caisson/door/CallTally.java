package dev.caisson.door;

import dev.caisson.runs.ToolFigures;
import dev.caisson.runs.ToolFigures.Approval;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Tally of the calls of one run.
final class CallTally {
    private long calls;
    private long failed;
    private long denied;
    private long unknown;
    private long resultBytes;
    private long textBytes;
    private Approval approval = Approval.NOT_REQUIRED;

    private final Set<String> drift = new LinkedHashSet<>();

    /// Results were not as those before.
    synchronized void drifted(List<String> changes) {
        changes.stream()
                .limit(Math.max(0, ToolFigures.DRIFT_MAX - drift.size()))
                .forEach(drift::add);
    }

    /// @param noted what became of its approval, if it needed one
    synchronized void add(int argumentBytes, CallAnswer answer, Optional<String> noted) {
        approval = noted.map(Approval::of).map(approval::worse).orElse(approval);
        calls++;
        resultBytes += answer.frame().length;
        textBytes += argumentBytes + answer.frame().length;
        if (answer.error().isPresent()) {
            failed++;
            denied += answer.error().get().isDenial() ? 1 : 0;
            unknown += answer.error().get().isUnknown() ? 1 : 0;
        }
    }

    synchronized ToolFigures figures() {
        return new ToolFigures(
                calls,
                failed,
                denied,
                unknown,
                resultBytes,
                textBytes,
                List.copyOf(drift),
                approval,
                Duration.ZERO);
    }
}
