package dev.caisson;

import dev.caisson.broker.Broker;
import dev.caisson.broker.Changes;
import dev.caisson.call.Refusal;
import dev.caisson.config.Config;
import dev.caisson.identity.Gate;
import dev.caisson.identity.KeyGate;
import dev.caisson.identity.Keys;
import dev.caisson.identity.OpenGate;
import dev.caisson.identity.SecretFile;
import dev.caisson.mcp.McpServer;
import dev.caisson.store.DataLock;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Faults;
import dev.caisson.telemetry.Metrics;
import dev.caisson.workflow.StoredProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What answers calls, whatever the door: made from the configuration in the order in which it
/// starts, and closed in the opposite order.
final class Core implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Core.class);

    private final Store store;
    private final Optional<DataLock> lead;
    private final Keys keys;
    private final Metrics metrics = new Metrics();
    private final Faults faults = new Faults(metrics);
    private final Workshop workshop;
    private final Broker broker;
    private final McpServer mcp;

    Core(Config config, Clock clock) throws IOException {
        var data = config.data().directory();
        store = Store.open(database(config.data()));
        lead = lead(data);
        keys = new Keys(store, clock);
        workshop = new Workshop(config);
        broker = new Broker(workshop.tools(), List.of(), List.of(), new Changes());
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
        lead.ifPresent(_ -> mcp.settleUnfinished());
    }

    static Path database(Config.Data data) {
        return data.directory().resolve("caisson.db");
    }

    Keys keys() {
        return keys;
    }

    Workshop workshop() {
        return workshop;
    }

    /// Looks again for what programs can be written in, and tells those whose tools change by it.
    void reload() {
        workshop.reload();
        broker.replaceTools(workshop.tools());
        LOG.info("looked again for runners");
    }

    boolean storeAnswers() {
        return store.read(handle -> handle.createQuery("SELECT 1").mapTo(Integer.class).one()) == 1;
    }

    Metrics metrics() {
        return metrics;
    }

    Faults faults() {
        return faults;
    }

    McpServer mcp() {
        return mcp;
    }

    @Override
    public void close() {
        mcp.close();
        workshop.close();
        lead.ifPresent(DataLock::close);
        store.close();
    }

    /// Several processes may share a data directory; one of them leads and cleans up after those
    /// that died.
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
