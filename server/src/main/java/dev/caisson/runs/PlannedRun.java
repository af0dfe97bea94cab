package dev.caisson.runs;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Runner;

/// Planned run: a request whose arguments can be met, before anything is taken for it.
///
/// @param tool which it came by
record PlannedRun(
        String tool,
        Call call,
        RunRequest request,
        String id,
        Runner runner,
        RunEnvironment env,
        Profile profile,
        Limits limits) {
    Caller caller() {
        return call.caller();
    }
}
