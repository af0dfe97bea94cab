package dev.caisson;

import dev.caisson.call.Revocations;
import dev.caisson.output.Spool;
import dev.caisson.redact.Redaction;
import dev.caisson.runs.BackgroundRuns;
import dev.caisson.runs.LiveRuns;
import dev.caisson.runs.Profile;
import dev.caisson.runs.RunNetworks;
import dev.caisson.sandbox.Doctor;
import dev.caisson.sandbox.DoctorReport;
import dev.caisson.sandbox.MeteredResidents;
import dev.caisson.sandbox.MeteredRuns;
import dev.caisson.sandbox.PoolFigures;
import dev.caisson.sandbox.Residents;
import dev.caisson.sandbox.Runs;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.session.Sessions;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.Workers;
import dev.caisson.storage.ThreadRegistry;
import dev.caisson.storage.Threads;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Wiring of what runs code: sandboxes, sessions, workspaces, and the output that programs leave.
final class RunServices {
    final LiveRuns liveRuns;
    final BackgroundRuns background;
    final Profile profile;
    final Redaction redaction;
    final Spool spool;
    final Sandboxes sandboxes;
    final Runs runs;
    final RunNetworks networks;
    final WorkspaceMaker workspaces;
    final Threads threads;
    final Sessions sessions;

    /// @param revocations end what their callers have under way
    /// @param registry knows which threads have files
    /// @param recorded has the small output of runs that have ended
    /// @param stop is told how to close what was opened
    RunServices(
            Config config,
            Metrics metrics,
            Revocations revocations,
            Workers workers,
            ThreadRegistry registry,
            Spool.RecordedOutput recorded,
            StopPlan stop)
            throws IOException {
        liveRuns = new LiveRuns(revocations);
        background =
                new BackgroundRuns(config.running().background(), config.approvals().clientWait());
        profile = config.running().profile();
        redaction =
                new Redaction(
                        profile.redaction(),
                        new WorkerTurns(workers),
                        kind -> metrics.redactions().labelValues(kind).inc());
        revocations.listen(callers -> callers.forEach(redaction::forget));
        spool =
                new Spool(
                        config.data().directory(),
                        config.running().output(),
                        config.kept().output().bytes(),
                        recorded);
        sandboxes = Sandboxes.open(HostSettings.sandboxes(config), metrics);
        stop.add(StopStep.SANDBOXES, sandboxes);
        revocations.listen(callers -> callers.forEach(sandboxes::forget));
        runs = new MeteredRuns(sandboxes, metrics);
        networks =
                new RunNetworks(
                        config.running().network().proxies(config.shares()), runs::takesDoors);
        workspaces = WorkspaceChoice.of(config, sandboxes.isolation());
        stop.addQuick(StopStep.WORKSPACES, workspaces::close);
        threads = new Threads(config.data().threadsDirectory(), workspaces, workers, registry);
        stop.addQuick(StopStep.WORKSPACES, threads::close);
        sessions =
                new Sessions(
                        new MeteredResidents(sandboxes.residents(Residents.GRACE), metrics),
                        config.running().sessions(),
                        revocations);
        stop.add(StopStep.SESSIONS, sessions);
        watch(metrics);
    }

    private void watch(Metrics metrics) {
        metrics.watch("caisson_sessions_active", "Sessions alive.", sessions::active);
        metrics.watch("caisson_runs_active", "Runs now.", () -> sandboxes.load().running());
        metrics.watch(
                "caisson_runs_parked",
                "Runs that stand still while a person decides.",
                sandboxes::parked);
        metrics.watch("caisson_runs_waiting", "Runs that wait.", () -> sandboxes.load().waiting());
        metrics.watch(
                "caisson_sandboxes",
                "Sandboxes that are there, in a server of root.",
                sandboxes::boxes);
        watchPool(metrics, "caisson_pool_ready", "Sandboxes that wait.", PoolFigures::ready);
        watchPool(metrics, "caisson_pool_target", "Those that should.", PoolFigures::target);
    }

    private void watchPool(
            Metrics metrics, String name, String help, ToDoubleFunction<PoolFigures> figure) {
        metrics.watch(
                name,
                help,
                "runner",
                () ->
                        sandboxes.pool().stream()
                                .collect(
                                        Collectors.toMap(
                                                PoolFigures::runner, figure::applyAsDouble)));
    }

    /// Long texts are redacted where callers' work is computed.
    private record WorkerTurns(Workers workers) implements Redaction.Turns {
        @Override
        public <T> T take(String caller, Supplier<T> work) {
            return new CallerWorkers(workers, caller).get(work::get);
        }
    }

    /// Attacks a sandbox of its own and says what holds.
    DoctorReport examine() throws InterruptedException {
        try (var lease = threads.ephemeral("doctor")) {
            return new Doctor(sandboxes, lease.workspace()).examine();
        }
    }
}
