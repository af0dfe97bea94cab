package dev.caisson.executions;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Status of an execution; all but the first are ends.
public enum ExecutionStatus {
    RUNNING,
    SUCCESS,
    FAILED,
    TIMEOUT,
    OOM,
    CANCELLED,
    BLOCKED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ExecutionStatus> of(String word) {
        return Arrays.stream(values()).filter(status -> status.word().equals(word)).findFirst();
    }
}
