package dev.caisson;

import dev.caisson.config.Config;
import dev.caisson.http.Listener;
import dev.caisson.http.Operations;
import dev.caisson.http.Routes;
import dev.caisson.identity.NewKey;
import dev.caisson.sandbox.Tier;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// The product as a server: the core, and the listener in front of it.
final class Server implements AutoCloseable {
    private final Core core;
    private final boolean keysNeeded;
    private final Listener listener;

    private Server(Config config, Core core) {
        this.core = core;
        keysNeeded = config.auth().enabled();
        var mcp = core.mcp();
        var isolation = core.workshop().isolation();
        var operations =
                new Operations(
                        core.metrics(),
                        List.of(
                                new Operations.Check("store", core::storeAnswers),
                                new Operations.Check(
                                        "isolation", () -> isolation.tier() != Tier.CLOSED)),
                        List.of(new Operations.Fact("isolation", () -> isolation.tier().word())));
        var routes =
                operations
                        .addTo(Routes.builder())
                        .exact("/mcp", mcp.mcp())
                        .exact("/mcp/events", mcp.events());
        if (config.mcp().legacySse()) {
            routes.exact("/sse", mcp.sse()).exact("/message", mcp.message());
        }
        listener =
                new Listener(
                        RoomSettings.http(config.http()),
                        routes.build(),
                        core.metrics(),
                        core.faults());
        listener.onStop(mcp::endStreams);
    }

    /// @throws java.io.IOException when the address is taken or not ours
    static Server start(Config config, Clock clock) throws Exception {
        var core = new Core(config, clock);
        try {
            var server = new Server(config, core);
            server.listener.start();
            Hangup.onSignal(core::reload);
            return server;
        } catch (Exception failure) {
            core.close();
            throw failure;
        }
    }

    URI address() {
        return listener.address();
    }

    /// Makes a key that may do everything, when callers need one and there is none. Whoever calls
    /// this shows it: nobody can read it again.
    Optional<NewKey> makeFirstKey() {
        return keysNeeded ? core.keys().createFirstAdmin() : Optional.empty();
    }

    @Override
    public void close() {
        listener.close();
        core.close();
    }
}
