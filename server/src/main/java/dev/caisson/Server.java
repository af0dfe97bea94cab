package dev.caisson;

import dev.caisson.call.Caller;
import dev.caisson.config.Config;
import dev.caisson.config.Version;
import dev.caisson.console.Console;
import dev.caisson.http.Listener;
import dev.caisson.http.Operations;
import dev.caisson.http.Routes;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.NewKey;
import dev.caisson.rest.Api;
import dev.caisson.rest.RestServer;
import dev.caisson.rest.RunFiles;
import dev.caisson.rest.ServerFacts;
import dev.caisson.rest.SignedFiles;
import dev.caisson.sandbox.Tier;
import dev.caisson.share.Workers;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The product as a server: the core, and the listener in front of it.
final class Server implements AutoCloseable {
    private final Core core;
    private final boolean keysNeeded;
    private final Api api;
    private final Console console;
    private final Listener listener;

    private Server(Config config, Core core) {
        this.core = core;
        keysNeeded = config.auth().enabled();
        api = api(config);
        var mcp = core.mcp();
        var isolation = core.workshop().isolation();
        var operations =
                new Operations(
                        core.metrics(),
                        List.of(
                                new Operations.Check("store", core::storeAnswers),
                                new Operations.Check(
                                        "isolation", () -> isolation.tier() != Tier.CLOSED)),
                        List.of(new Operations.Fact("isolation", () -> isolation.tier().word())),
                        MetricsGuard.of(config, core.gate()));
        console = new Console(keysNeeded, Version.TEXT);
        var routes =
                console.addTo(operations.addTo(Routes.builder()))
                        .door("/mcp", mcp.mcp())
                        .door("/mcp/events", mcp.events())
                        .door("/v1/", new RestServer(core.gate(), api))
                        .rawDoor("/files/", signedFiles(config))
                        .door("/volumes/", signedFiles(config))
                        .door("/run-files/", new RunFiles(core.desk().links()));
        if (config.mcp().legacySse()) {
            routes.door("/sse", mcp.sse()).door("/message", mcp.message());
        }
        listener =
                new Listener(
                        RoomSettings.http(config.http(), RoomSettings.part(config.shares())),
                        routes.build(),
                        core.metrics(),
                        core.faults());
        listener.onStop(mcp::endStreams);
    }

    private Api api(Config config) {
        var condition = new Condition(config, core.workshop(), core.metrics());
        var made =
                new Api(
                        core.rooms(),
                        new ServerFacts(
                                Version.TEXT,
                                () -> Greeting.base(config.http(), address()),
                                keysNeeded,
                                condition::now,
                                () -> core.workshop().examine().json()),
                        config.mcp().heartbeat());
        if (core.leads()) {
            made.settleAbandoned();
        }
        return made;
    }

    /// Links without expiry are those of the one who holds the one token, or of the local user.
    private SignedFiles signedFiles(Config config) {
        var owner = keysNeeded ? KeyGate.TOKEN_HOLDER : Caller.LOCAL;
        return new SignedFiles(
                core.desk(), config.files().lastingLinks() ? Optional.of(owner) : Optional.empty());
    }

    /// @throws java.io.IOException when the address is taken or not ours, or the data directory
    ///   cannot be used
    static Server start(Config config, Clock clock) throws Exception {
        return start(config, Core.open(config, clock));
    }

    /// @param core belongs to the server from now on, also when the start fails
    /// @throws java.io.IOException when the address is taken or not ours
    static Server start(Config config, Core core) throws Exception {
        try {
            var server = new Server(config, core);
            server.listener.start();
            core.desk().links().servedAt(Greeting.base(config.http(), server.address()));
            server.api.start();
            core.repeat(
                    new Housekeeping.Chore(
                            "requests of servers that are gone", server.api::settleAbandoned));
            Hangup.onSignal(server::reload);
            return server;
        } catch (Exception failure) {
            core.close();
            throw failure;
        }
    }

    /// Looks again for what programs can be written in, as on SIGHUP.
    void reload() {
        core.reload();
    }

    Workshop workshop() {
        return core.workshop();
    }

    Workers workers() {
        return core.workers();
    }

    boolean hasConsole() {
        return console.isThere();
    }

    URI address() {
        return listener.address();
    }

    /// Makes a key that may do everything, when callers need one and there is none. Whoever calls
    /// this shows it: nobody can read it again.
    Optional<NewKey> makeFirstKey() {
        return makeFirstKey(_ -> {});
    }

    /// @param beforehand is given the key before it can be used; when it fails, there is none
    Optional<NewKey> makeFirstKey(Consumer<NewKey> beforehand) {
        return keysNeeded ? core.keys().createFirstAdmin(beforehand) : Optional.empty();
    }

    @Override
    public void close() {
        listener.close();
        api.close();
        core.close();
    }
}
