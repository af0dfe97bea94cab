package dev.caisson.executions;

import java.util.List;
import java.util.Optional;

/// Page of executions, the newest first.
///
/// @param next the cursor of the page that follows; empty after the last
public record ExecutionPage(List<ListedExecution> executions, Optional<String> next) {
    public ExecutionPage {
        executions = List.copyOf(executions);
    }
}
