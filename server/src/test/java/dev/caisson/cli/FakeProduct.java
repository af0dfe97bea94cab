package dev.caisson.cli;

import dev.caisson.config.Config;
import dev.caisson.config.Given;
import dev.caisson.config.Sources;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Remembers what it was asked to do.
final class FakeProduct implements Product {
    final List<Config> served = new ArrayList<>();
    final Desk desk = new Desk();
    Map<String, String> environment = Map.of();
    @Nullable Exception failure;

    /// Nothing of the machine the test runs on.
    @Override
    public Sources sources(Optional<Path> file, List<Given> flags) {
        return new Sources(file, environment, flags, Path.of("/nonexistent"), false);
    }

    @Override
    public int serve(Config config, PrintWriter out) throws Exception {
        if (failure != null) {
            throw failure;
        }
        served.add(config);
        return OK;
    }

    @Override
    public int stdio(Config config) {
        return OK;
    }

    @Override
    public int doctor(Config config, boolean json, PrintWriter out) {
        return OK;
    }

    @Override
    public KeyDesk keys(Config config) {
        return desk;
    }

    @Override
    public int verifyLedger(Config config, Optional<String> head, boolean json, PrintWriter out) {
        out.println("verified " + head.orElse("without a head") + (json ? " as JSON" : ""));
        return OK;
    }

    @Override
    public int exportLedger(Config config, PrintWriter out) {
        out.println("exported");
        return OK;
    }

    @Override
    public int listThreads(Config config, boolean json, PrintWriter out) {
        out.println("threads" + (json ? " as JSON" : ""));
        return OK;
    }

    @Override
    public int listFiles(Config config, String thread, String path, boolean json, PrintWriter out) {
        out.println("files of " + thread + " at " + path);
        return OK;
    }

    @Override
    public int printFile(Config config, String thread, String path) {
        return OK;
    }

    @Override
    public int backup(Config config, Path target, Duration wait, boolean json, PrintWriter out) {
        out.println("backed up to " + target);
        return OK;
    }

    @Override
    public int restore(
            Config config, Path backup, boolean incomplete, boolean json, PrintWriter out) {
        out.println("restored from " + backup);
        return OK;
    }

    /// Keeps keys in a list.
    static final class Desk implements KeyDesk {
        final List<Listed> keys = new ArrayList<>();

        @Override
        public Created create(Wanted wanted) {
            var id = "key_" + keys.size();
            keys.add(
                    new Listed(
                            id,
                            wanted.name(),
                            wanted.scopes(),
                            wanted.toolsets(),
                            wanted.volumes(),
                            Instant.EPOCH,
                            wanted.expires(),
                            Optional.empty(),
                            Optional.empty(),
                            wanted.strictParams()));
            return new Created(id, "csn_secret");
        }

        @Override
        public List<Listed> list() {
            return List.copyOf(keys);
        }

        @Override
        public boolean revoke(String id) {
            var known = keys.stream().anyMatch(key -> key.id().equals(id));
            keys.replaceAll(key -> key.id().equals(id) ? revoked(key) : key);
            return known;
        }

        private static Listed revoked(Listed key) {
            return new Listed(
                    key.id(),
                    key.name(),
                    key.scopes(),
                    key.toolsets(),
                    key.volumes(),
                    key.created(),
                    key.expires(),
                    Optional.of(Instant.EPOCH),
                    key.firstUsed(),
                    key.strictParams());
        }

        @Override
        public void close() {}
    }
}
