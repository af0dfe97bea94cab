package dev.caisson.runs;

import dev.caisson.call.Call;
import dev.caisson.call.Caller;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.redact.Redaction;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runs;
import dev.caisson.storage.FileService;
import java.util.List;

/// Planner of runs: chooses runner, packages, limits and environment variables of a request by what
/// its caller's key and profile allow.
final class RunPlanner {
    private final Runs runs;
    private final RunProfiles profiles;
    private final Redaction redaction;
    private final InputFiles inputs;
    private final FileService desk;

    RunPlanner(
            Runs runs,
            RunProfiles profiles,
            Redaction redaction,
            InputFiles inputs,
            FileService desk) {
        this.runs = runs;
        this.profiles = profiles;
        this.redaction = redaction;
        this.inputs = inputs;
        this.desk = desk;
    }

    /// What is handed over in confidence is known before anything can fail.
    ///
    /// @throws dev.caisson.call.Refusal for arguments that cannot be met
    PlannedRun plan(String tool, Call call, RunRequest request) {
        var id = ExecutionRecords.freshId();
        var profile = profiles.of(call.caller());
        var limits = profile.limits(request.timeout(), request.limits());
        var runner = runner(call.caller(), request, profile);
        var env = env(call.caller(), request, profile, limits);
        redaction.learn(call.caller().id(), env.secretValues());
        redaction.learnNamed(call.caller().id(), env.namedValues());
        profile.requireFits(request.code());
        NulCheck.require("code", request.code());
        inputs.check(call.caller(), request.input().files());
        request.envelope().metadata().ifPresent(call.notes()::described);
        if (request.session() != RunRequest.SessionUse.NONE) {
            RunVolumes.refuseInSession(call.caller());
        }
        return new PlannedRun(tool, call, request, id, runner, env, profile, limits);
    }

    private Runner runner(Caller caller, RunRequest request, Profile profile) {
        var packages = request.packages();
        return EnvironmentChoice.of(
                runs.runners(),
                RunnerChoice.of(
                        runs, request.language(), packages.image(), profile.defaultLanguage()),
                packages.environments(),
                profiles.environments(caller));
    }

    /// Environments that a run should have and that are not there, such as before they are baked.
    List<PackageEnvironment.Missing> absent(PlannedRun order) {
        var names =
                order.request()
                        .packages()
                        .environments()
                        .orElseGet(() ->
                                EnvironmentChoice.usual(
                                        runs.runners(), profiles.environments(order.caller())));
        return runs.runners().missingEnvironments().stream()
                .filter(each -> order.runner().takesEnvironments() && names.contains(each.name()))
                .toList();
    }

    private RunEnvironment env(Caller caller, RunRequest request, Profile profile, Limits limits) {
        var env =
                RunEnvironment.of(profile, caller.variables(), request.env(), request.secretEnv());
        return request.threadId()
                .flatMap(thread ->
                        desk.baseUrl(caller, thread, request.subPaths().workspace(), limits.wall()))
                .map(env::servedAt)
                .orElse(env);
    }
}
