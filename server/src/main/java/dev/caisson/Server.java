package dev.caisson;

import dev.caisson.call.Caller;
import dev.caisson.call.Scope;
import dev.caisson.config.Version;
import dev.caisson.console.Console;
import dev.caisson.http.BoundPort;
import dev.caisson.http.Listener;
import dev.caisson.http.Operations;
import dev.caisson.http.Routes;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.NewKey;
import dev.caisson.ledger.Ledger;
import dev.caisson.rest.Api;
import dev.caisson.rest.OAuthCallback;
import dev.caisson.rest.RestParts;
import dev.caisson.rest.RestServer;
import dev.caisson.rest.RunFiles;
import dev.caisson.rest.ServerFacts;
import dev.caisson.rest.SignedFiles;
import dev.caisson.runs.RunOutput;
import dev.caisson.sandbox.Tier;
import dev.caisson.tools.ToolCatalogue;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Wiring of the HTTP server: the doors over HTTP, and the listener in front of the core.
final class Server implements AutoCloseable {
    final Core core;
    private final boolean keysNeeded;
    private final Api api;
    private final Console console;
    private final Listener listener;

    private Server(Config config, Core core) {
        this.core = core;
        keysNeeded = config.auth().enabled();
        api = api(config);
        core.stop.add(StopStep.DETACHED_RUNS, api);
        if (core.leads) {
            core.recovery.begin(RecoveryStep.REQUESTS, api::settleAbandoned);
        }
        var mcp = core.mcp;
        var isolation = core.services.sandboxes.isolation();
        var operations =
                new Operations(
                        core.metrics,
                        List.of(
                                new Operations.Check("store", core::storeAnswers),
                                new Operations.Check(
                                        "isolation", () -> isolation.tier() != Tier.CLOSED)),
                        List.of(new Operations.Fact("isolation", () -> isolation.tier().word())),
                        core.disks::warnings,
                        MetricsGuard.of(config, core.gate));
        console = new Console(keysNeeded, Version.TEXT);
        var routes =
                console.addTo(operations.addTo(Routes.builder()))
                        .door("/mcp", mcp.mcp())
                        .door("/mcp/events", mcp.events())
                        .door("/v1/", new RestServer(core.gate, api))
                        .rawDoor("/files/", signedFiles(config))
                        .door("/volumes/", signedFiles(config))
                        .door(
                                "/run-files/",
                                new RunFiles(core.files.links(), core.actions.files()));
        if (config.mcp().legacySse()) {
            routes.door("/sse", mcp.sse()).door("/message", mcp.message());
        }
        core.upstreams.oauth.addTo(routes, new OAuthCallback(core.actions.connects()));
        var tokens = TokenWiring.resource(config);
        tokens.ifPresent(resource -> resource.addTo(routes));
        listener = new Listener(config.http(), routes.build(), core.metrics, core.faults, tokens);
    }

    private Api api(Config config) {
        var status = new StatusReport(config, core);
        return new Api(
                restParts(config),
                new ServerFacts(
                        Version.TEXT,
                        () -> StartBanner.base(config.http(), address()),
                        keysNeeded,
                        status::now,
                        () -> core.services.examine().json()),
                config.mcp().limits().replies().beat());
    }

    private RestParts restParts(Config config) {
        var services = core.services;
        return new RestParts(
                core.broker,
                core.store,
                core.answers,
                core.records,
                core.attempts,
                new Ledger(core.store),
                core.upstreamCalls,
                core.usage,
                new ToolCatalogue(core.broker, core.learned),
                core.keys,
                core.profiles,
                core.actions,
                core.webhooks,
                services.liveRuns,
                new RunOutput(services.spool, services.profile, services.redaction, core.workers),
                core.faults,
                core.clock,
                core.files,
                core.digest,
                config.shares(),
                core.workers,
                config.files().archives(),
                core.environments);
    }

    /// Links without expiry are those of the one who holds the one token, or of the local user.
    private SignedFiles signedFiles(Config config) {
        var owner = keysNeeded ? KeyGate.TOKEN_HOLDER : Caller.LOCAL;
        return new SignedFiles(
                core.files,
                core.actions.files(),
                config.files().links().lasting() ? Optional.of(owner) : Optional.empty());
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
            return start(config, core, BoundPort.bind(config.http()));
        } catch (IOException taken) {
            core.close();
            throw taken;
        }
    }

    /// @param bound where it listens; belongs to the server, too
    static Server start(Config config, Core core, BoundPort bound) throws Exception {
        try (var start = new StartWatch()) {
            start.begin(StartStep.LISTENING);
            var server = new Server(config, core);
            server.listener.start(bound);
            core.stop.addQuick(StopStep.LISTENING, server.listener::stopAccepting);
            core.stop.add(StopStep.REQUESTS, server.listener::awaitRequests);
            core.stop.add(StopStep.STREAMS, server.listener::endStreams);
            core.stop.add(StopStep.ANSWERS, server.listener::end);
            var base = StartBanner.base(config.http(), server.address());
            core.files.links().servedAt(base);
            core.upstreams.oauth.servedAt(base);
            core.webhooks.start();
            SighupHandler.onSignal(core::reload);
            return server;
        } catch (Exception failure) {
            bound.close();
            core.close();
            throw failure;
        }
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
        return keysNeeded ? core.keys.createFirstAdmin(beforehand) : Optional.empty();
    }

    /// Makes a key for a client: it may run programs and use files, and nothing else.
    NewKey makeClientKey() {
        return core.keys.create(
                "client",
                Set.of(Scope.RUN, Scope.FILES_READ, Scope.FILES_WRITE),
                Set.of(),
                Optional.empty());
    }

    @Override
    public void close() {
        core.close();
    }
}
