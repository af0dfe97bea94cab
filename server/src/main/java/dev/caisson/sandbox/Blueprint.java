package dev.caisson.sandbox;

import java.util.Optional;

/// Blueprint of a [Box]: everything a [SandboxRuntime] is told to make one.
///
/// @param workspace that it is for; empty when it will wait for one
/// @param weight against other boxes while it is made
/// @param owner the caller whose programs alone it may serve; empty when it may serve anybody's
public record Blueprint(
        Boot boot,
        Limits limits,
        Optional<Workspace> workspace,
        int weight,
        Optional<String> owner) {
    /// One for anybody.
    public Blueprint(Boot boot, Limits limits, Optional<Workspace> workspace, int weight) {
        this(boot, limits, workspace, weight, Optional.empty());
    }
}
