package dev.caisson.sandbox;

import java.util.Map;

/// One program to run: data in.
///
/// @param id of the execution
/// @param env what the program finds in its environment beside the runner's own variables
/// @param sink where its output goes while it runs
public record Run(
        String id,
        Runner runner,
        String code,
        Limits limits,
        Map<String, String> env,
        Workspace workspace,
        Sink sink) {
    public Run {
        if (code.isEmpty()) {
            throw new IllegalArgumentException("there is no code");
        }
        env = Map.copyOf(env);
    }
}
