package dev.caisson;

import dev.caisson.broker.Broker;
import dev.caisson.broker.Changes;
import dev.caisson.call.Refusal;
import dev.caisson.config.Config;
import dev.caisson.http.Listener;
import dev.caisson.http.Operations;
import dev.caisson.http.Routes;
import dev.caisson.identity.Gate;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.Keys;
import dev.caisson.identity.NewKey;
import dev.caisson.identity.OpenGate;
import dev.caisson.identity.SecretFile;
import dev.caisson.mcp.McpServer;
import dev.caisson.store.DataLock;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import dev.caisson.workflow.StoredProcesses;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The running product: everything there is, made from the configuration in the order in which it
/// starts, and closed in the opposite order.
final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final Store store;
    private final Optional<DataLock> lead;
    private final Optional<NewKey> firstKey;
    private final McpServer mcp;
    private final Listener listener;

    private Server(Config config, Clock clock) {
        var data = config.data().directory();
        store = Store.open(database(config.data()));
        lead = lead(data);
        var keys = new Keys(store, clock);
        firstKey = config.auth().enabled() ? keys.createFirstAdmin() : Optional.empty();
        var metrics = new Metrics();
        var faults = new Faults(metrics);
        var broker = new Broker(List.of(), List.of(), List.of(), new Changes());
        mcp =
                new McpServer(
                        broker,
                        new StoredProcesses(store, clock),
                        gate(config.auth(), keys, clock),
                        SecretFile.read(data.resolve("secret")),
                        RoomSettings.serverInfo(),
                        RoomSettings.mcp(config.mcp()),
                        faults,
                        clock);
        var routes = Routes.builder().exact("/mcp", mcp.mcp()).exact("/mcp/events", mcp.events());
        listener =
                new Listener(
                        RoomSettings.http(config.http()),
                        new Operations(metrics, List.of()).addTo(routes).build(),
                        metrics,
                        faults);
        listener.onStop(mcp::close);
    }

    /// @throws java.io.IOException when the address is taken or not ours
    static Server start(Config config, Clock clock) throws Exception {
        var server = new Server(config, clock);
        try {
            server.lead.ifPresent(_ -> server.mcp.settleUnfinished());
            server.listener.start();
            return server;
        } catch (Exception failure) {
            server.close();
            throw failure;
        }
    }

    static Path database(Config.Data data) {
        return data.directory().resolve("caisson.db");
    }

    URI address() {
        return listener.address();
    }

    /// The key that was made because there was none.
    Optional<NewKey> firstKey() {
        return firstKey;
    }

    @Override
    public void close() {
        listener.close();
        lead.ifPresent(DataLock::close);
        store.close();
    }

    /// Several servers may share a data directory; one of them leads and cleans up after those that
    /// died.
    private static Optional<DataLock> lead(Path directory) {
        try {
            return Optional.of(DataLock.take(directory));
        } catch (Refusal taken) {
            LOG.info("sharing the data directory: {}", taken.sentence());
            return Optional.empty();
        }
    }

    private static Gate gate(Config.Auth auth, Keys keys, Clock clock) {
        return auth.enabled()
                ? new KeyGate(
                        keys, auth.apiToken(), clock, auth.failuresMax(), auth.failureWindow())
                : new OpenGate();
    }
}
