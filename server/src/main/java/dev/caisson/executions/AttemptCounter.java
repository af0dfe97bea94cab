package dev.caisson.executions;

/// Counter of the attempts of callers at their tasks.
public interface AttemptCounter {
    /// Every attempt is the first.
    AttemptCounter NONE =
            new AttemptCounter() {
                @Override
                public Attempt begin(String caller, String task) {
                    return new Attempt(1, 1);
                }

                @Override
                public void ended(
                        String caller, String task, String executionId, ExecutionStatus status) {}
            };

    /// @throws dev.caisson.call.Refusal HANDOFF_REQUIRED when the caller has failed too often
    Attempt begin(String caller, String task);

    void ended(String caller, String task, String executionId, ExecutionStatus status);
}
