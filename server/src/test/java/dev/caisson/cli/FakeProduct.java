package dev.caisson.cli;

import dev.caisson.Config;
import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
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
    public Effective configuration(Optional<Path> file, List<Given> flags) throws Mistakes {
        return Effective.read(
                Config.class,
                new Sources(file, environment, flags, Path.of("/nonexistent"), false));
    }

    @Override
    public int serve(Effective config, PrintWriter out) throws Exception {
        if (failure != null) {
            throw failure;
        }
        served.add(config.as(Config.class));
        return OK;
    }

    @Override
    public int stdio(Effective config) {
        return OK;
    }

    @Override
    public int doctor(Effective config, boolean json, PrintWriter out) {
        return OK;
    }

    @Override
    public KeyAdmin keys(Effective config) {
        return desk;
    }

    @Override
    public EnvironmentAdmin environments(Effective config) {
        throw new UnsupportedOperationException("no environments here");
    }

    @Override
    public KeyAdmin keysMade(Effective config) {
        return desk;
    }

    @Override
    public int verifyLedger(
            Effective config, Optional<String> head, boolean json, PrintWriter out) {
        out.println("verified " + head.orElse("without a head") + (json ? " as JSON" : ""));
        return OK;
    }

    @Override
    public int exportLedger(Effective config, PrintWriter out) {
        out.println("exported");
        return OK;
    }

    @Override
    public int listThreads(Effective config, boolean json, PrintWriter out) {
        out.println("threads" + (json ? " as JSON" : ""));
        return OK;
    }

    @Override
    public int listFiles(
            Effective config, String thread, String path, boolean json, PrintWriter out) {
        out.println("files of " + thread + " at " + path);
        return OK;
    }

    @Override
    public int printFile(Effective config, String thread, String path) {
        return OK;
    }

    @Override
    public ProfileAdmin profiles(Effective config) {
        throw new UnsupportedOperationException("no profiles here");
    }

    @Override
    public SecretAdmin secrets(Effective config) {
        throw new UnsupportedOperationException("no secrets here");
    }

    @Override
    public PackageInstaller packages(Effective config) {
        throw new UnsupportedOperationException("no packages here");
    }

    @Override
    public UpstreamAdmin upstreams(Effective config) {
        throw new UnsupportedOperationException("no upstreams here");
    }

    @Override
    public PolicyAdmin policy(Effective config) {
        throw new UnsupportedOperationException("no policy here");
    }

    @Override
    public CallAdmin calls(Effective config) {
        throw new UnsupportedOperationException("no calls here");
    }

    @Override
    public ApprovalAdmin approvals(Effective config) {
        throw new UnsupportedOperationException("no approvals here");
    }

    @Override
    public int backup(Effective config, Path target, Duration wait, boolean json, PrintWriter out) {
        out.println("backed up to " + target);
        return OK;
    }

    @Override
    public int restore(
            Effective config, Path backup, boolean incomplete, boolean json, PrintWriter out) {
        out.println("restored from " + backup);
        return OK;
    }

    /// Keeps keys in a list.
    static final class Desk implements KeyAdmin {
        final List<Listed> keys = new ArrayList<>();
        boolean served = true;

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
                            Optional.empty(),
                            wanted.strictParams(),
                            wanted.profile(),
                            wanted.environments(),
                            wanted.tools(),
                            hosts(wanted)));
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

        private static List<String> hosts(Wanted wanted) {
            return wanted.network().stream()
                    .flatMap(form -> form.path("allow").valueStream())
                    .map(rule -> rule.path("host").asString() + rule.path("ports"))
                    .toList();
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
                    key.lastUsed(),
                    key.strictParams(),
                    key.profile(),
                    key.environments(),
                    key.tools(),
                    key.network());
        }

        @Override
        public boolean hasVolume(String name) {
            return name.equals("data");
        }

        @Override
        public DataUse dataUse() {
            return new DataUse(Path.of("/srv/caisson"), served);
        }

        @Override
        public void close() {}
    }
}
