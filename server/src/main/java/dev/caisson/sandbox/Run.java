package dev.caisson.sandbox;

import java.util.HashMap;
import java.util.Map;

/// One program to run: data in.
///
/// @param id of the execution
/// @param env what the program finds in its environment beside the runner's own variables
/// @param sink where its output goes while it runs
/// @param caller who asks; callers wait in turns
/// @param permit to begin
/// @param order what its guest is asked
/// @param door its way to the server
/// @param network its way to the network
public record Run(
        String id,
        Runner runner,
        String code,
        Limits limits,
        Map<String, String> env,
        Workspace workspace,
        Sink sink,
        String caller,
        Permit permit,
        GuestOrder order,
        HostDoor door,
        NetworkDoor network) {
    private static final String NOBODY = "";

    public Run {
        if (code.isEmpty()) {
            throw new IllegalArgumentException("there is no code");
        }
        if (code.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("the code has a NUL");
        }
        env = Map.copyOf(env);
    }

    /// One that may begin at once.
    public Run(
            String id,
            Runner runner,
            String code,
            Limits limits,
            Map<String, String> env,
            Workspace workspace,
            Sink sink,
            String caller) {
        this(
                id,
                runner,
                code,
                limits,
                env,
                workspace,
                sink,
                caller,
                Permit.GIVEN,
                GuestOrder.NONE,
                HostDoor.CLOSED,
                NetworkDoor.CLOSED);
    }

    /// A run of the server's own.
    public Run(
            String id,
            Runner runner,
            String code,
            Limits limits,
            Map<String, String> env,
            Workspace workspace,
            Sink sink) {
        this(id, runner, code, limits, env, workspace, sink, NOBODY);
    }

    /// The same with another environment.
    public Run with(Map<String, String> other) {
        return new Run(
                id, runner, code, limits, other, workspace, sink, caller, permit, order, door,
                network);
    }

    /// The same with its workspace open.
    public Run opened() throws InterruptedException {
        return workspace instanceof Workspace.OpenedLater(var opening)
                ? new Run(
                        id,
                        runner,
                        code,
                        limits,
                        env,
                        opening.open(),
                        sink,
                        caller,
                        permit,
                        order,
                        door,
                        network)
                : this;
    }

    /// The same, which waits for a permit.
    public Run when(Permit given) {
        return new Run(
                id, runner, code, limits, env, workspace, sink, caller, given, order, door,
                network);
    }

    /// The same, whose guest is asked for more.
    public Run asking(GuestOrder wanted) {
        return new Run(
                id, runner, code, limits, env, workspace, sink, caller, permit, wanted, door,
                network);
    }

    /// The same, whose program has a way to the server.
    public Run through(HostDoor open) {
        return new Run(
                id, runner, code, limits, env, workspace, sink, caller, permit, order, open,
                network);
    }

    /// The same, whose program has a way to the network.
    public Run networked(NetworkDoor open) {
        return new Run(
                id, runner, code, limits, env, workspace, sink, caller, permit, order, door, open);
    }

    /// The same, whose program is told where its way to the server begins.
    public Run reaching(String address) {
        var more = new HashMap<>(env);
        more.put(DoorListener.VARIABLE, address);
        return with(more);
    }

    /// What the program finds in its environment: its limits, and over them what it was given.
    public Map<String, String> variables() {
        var all = new HashMap<>(LimitHints.of(limits));
        all.putAll(env);
        return Map.copyOf(all);
    }
}
