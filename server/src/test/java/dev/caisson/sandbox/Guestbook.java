package dev.caisson.sandbox;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// One interpreter that stays, and what its programs wrote.
final class Guestbook implements AutoCloseable {
    static final Limits SMALL =
            new Limits(Duration.ofSeconds(30), 160L << 20, 1.0, 64, 256, 64L << 20, 32L << 20);

    private final Runner runner;
    private final Workspace workspace;
    private final Resident resident;
    private int count;

    Guestbook(Rig rig, Language language) throws InterruptedException {
        this(rig, language, SMALL);
    }

    Guestbook(Rig rig, Language language, Limits limits) throws InterruptedException {
        this(rig, language, limits, Residents.GRACE);
    }

    /// @param grace how long an interrupted program has to end before the interpreter is killed
    Guestbook(Rig rig, Language language, Limits limits, Duration grace)
            throws InterruptedException {
        runner = rig.sandboxes().runners().of(language).orElseThrow();
        workspace = new Workspace.Directory(rig.workspace());
        resident =
                switch (rig.sandboxes().residents(grace).settle(first(limits))) {
                    case Residents.Settling.Settled(var settled) -> settled;
                    case Residents.Settling.Failed(var outcome) ->
                            throw new AssertionError("no session: " + outcome);
                };
    }

    private Run first(Limits limits) {
        return new Run("first", runner, "1", limits, Map.of(), workspace, new Rig.Output());
    }

    Workspace workspace() {
        return workspace;
    }

    Resident resident() {
        return resident;
    }

    Rig.Result run(String code) throws InterruptedException {
        return run(code, Duration.ofSeconds(30), Map.of());
    }

    Rig.Result run(String code, Duration wall) throws InterruptedException {
        return run(code, wall, Map.of());
    }

    Rig.Result run(String code, Duration wall, Map<String, String> env)
            throws InterruptedException {
        var output = new Rig.Output();
        var outcome = run(code, wall, env, output);
        return new Rig.Result(outcome, output.text(output.stdout), output.text(output.stderr));
    }

    Outcome run(String code, Duration wall, Map<String, String> env, Sink output)
            throws InterruptedException {
        var limits = SMALL.withWall(wall);
        var name = "cell-" + ++count;
        return resident.run(new Run(name, runner, code, limits, env, workspace, output));
    }

    /// With a guest that is asked for more.
    Rig.Result run(String code, GuestOrder order) throws InterruptedException {
        var output = new Rig.Output();
        var run = new Run("asked", runner, code, SMALL, Map.of(), workspace, output);
        var outcome = resident.run(run.asking(order));
        return new Rig.Result(outcome, output.text(output.stdout), output.text(output.stderr));
    }

    /// With a way to the server.
    Rig.Result run(String code, HostDoor door) throws InterruptedException {
        var output = new Rig.Output();
        var run = new Run("door", runner, code, SMALL, Map.of(), workspace, output);
        var outcome = resident.run(run.through(door));
        return new Rig.Result(outcome, output.text(output.stdout), output.text(output.stderr));
    }

    /// With a way to the network.
    Rig.Result runOnline(String code, NetworkDoor network) throws InterruptedException {
        var output = new Rig.Output();
        var run = new Run("online", runner, code, SMALL, Map.of(), workspace, output);
        var outcome = resident.run(run.networked(network));
        return new Rig.Result(outcome, output.text(output.stdout), output.text(output.stderr));
    }

    Optional<Outcome> ended() {
        return resident.ended();
    }

    @Override
    public void close() {
        resident.close();
    }
}
