package dev.caisson.environments;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.Sandboxes;
import dev.caisson.storage.WorkspaceMaker;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Environments of a server: bakes them, knows which there are, and offers them to sandboxes. A
/// name is a pointer to a hash: one that is baked anew leaves running sandboxes with what they
/// have.
public final class Environments implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Environments.class);

    private final EnvironmentStore files;
    private final EnvironmentNames names;
    private final Clock clock;
    private final EnvironmentSettings settings;
    private final PackageHost host;
    private final BakeJobs jobs;
    private final BakeWork work;
    private final EnvironmentOffer offer;

    /// @param directory of all environments
    /// @param workspaces for bakes, as large as one may be
    public Environments(
            Path directory,
            Store store,
            Clock clock,
            Sandboxes sandboxes,
            WorkspaceMaker workspaces,
            EnvironmentSettings settings,
            Metrics metrics) {
        this.files = new EnvironmentStore(directory);
        this.names = new EnvironmentNames(store);
        this.clock = clock;
        this.settings = settings;
        this.host = new PackageHost(sandboxes);
        this.work =
                new BakeWork(files, names, clock, sandboxes, workspaces, settings, host, metrics);
        this.jobs = new BakeJobs(settings.atOnce(), settings.remembered());
        this.offer =
                new EnvironmentOffer(
                        this::stock,
                        stock -> sandboxes.offer(stock.there(), settings.usual(), stock.missing()));
        metrics.watch(
                "caisson_environment_bytes",
                "What the packages of an environment take on disk.",
                "environment",
                this::sizes);
    }

    private Map<String, Double> sizes() {
        return offer.last().there().stream()
                .collect(Collectors.toMap(PackageEnvironment::name, each -> (double) each.bytes()));
    }

    /// Offers what there is, and goes on looking.
    ///
    /// @param changed is called whenever that is another
    public void start(Runnable changed) {
        offer.start(changed);
    }

    public EnvironmentSettings settings() {
        return settings;
    }

    /// Those whose files are here.
    public List<PackageEnvironment> all() {
        return names.hashes().entrySet().stream()
                .flatMap(each -> files.environment(each.getKey(), each.getValue()).stream())
                .toList();
    }

    /// Starts a bake, whose record tells how it goes.
    ///
    /// @throws Refusal INVALID_ARGUMENT for a name that is none, CONFLICT when that name is being
    ///   baked, NO_CAPACITY when too many are or have a name, UNAVAILABLE where there is no
    ///   interpreter
    public BakeRecord bake(String name, Lock lock) {
        requireName(name);
        requireRoom(name);
        var packaging = host.packaging(lock);
        var record =
                new BakeRecord(
                        UUID.randomUUID().toString(),
                        name,
                        lock.hash(host.interpreters(lock)),
                        Bake.hosts(settings, packaging, lock),
                        clock.instant(),
                        new BakeOutput(settings.outputBytes()));
        jobs.start(
                record,
                each -> {
                    try {
                        work.bake(each, lock, packaging);
                    } finally {
                        offer.renew();
                    }
                });
        return record;
    }

    private static void requireName(String name) {
        if (!PackageEnvironment.isName(name)) {
            throw new Refusal(
                    Reason.INVALID_ARGUMENT,
                    "An environment is called by up to 32 small letters, digits, - and _, beginning with a letter, and not none.");
        }
    }

    private void requireRoom(String name) {
        var taken = names.hashes().keySet();
        if (!taken.contains(name) && taken.size() >= settings.namesMax()) {
            throw new Refusal(
                    Reason.NO_CAPACITY,
                    "There are %d environments, which is as many as there may be. Remove one."
                            .formatted(taken.size()));
        }
    }

    /// The bakes that are remembered, the oldest first.
    public List<BakeRecord> bakes() {
        return jobs.all();
    }

    public Optional<BakeRecord> bake(String id) {
        return jobs.find(id);
    }

    /// Takes a name away. The files stay as long as a sandbox may use them.
    ///
    /// @throws Refusal NOT_FOUND when there is none
    public void remove(String name) {
        var hash = names.remove(name);
        if (hash.isEmpty()) {
            throw new Refusal(
                    Reason.NOT_FOUND,
                    "There is no environment %s. There are: %s.".formatted(name, listed()));
        }
        try {
            files.release(hash.get(), clock.instant());
        } catch (IOException failed) {
            LOG.warn("a removed environment could not be marked", failed);
        }
        offer.renew();
    }

    private String listed() {
        var there = all().stream().map(PackageEnvironment::name).toList();
        return there.isEmpty() ? "none" : String.join(", ", there);
    }

    /// Removes the files of environments that have had no name for a while, and what killed servers
    /// left of their bakes.
    ///
    /// @return how many
    public int sweep() {
        try {
            return files.sweep(
                    Set.copyOf(names.hashes().values()),
                    clock.instant().minus(settings.releasedKeep()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// Removes what killed servers left of their bakes.
    ///
    /// @return of how many
    public int removeLeft() {
        try {
            return files.removeLeft();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /// Names that are wanted and not there: what ships with the product, and what runs are to have.
    public List<String> wanting() {
        var all = all().stream().map(PackageEnvironment::name).toList();
        var wanted = new LinkedHashSet<>(settings.usual());
        for (var shipped : ShippedLock.values()) {
            wanted.add(shipped.word());
        }
        wanted.removeAll(all);
        return List.copyOf(wanted);
    }

    /// Names with a lock of the product's that are not there, or are for another interpreter.
    public List<ShippedLock> unbaked() {
        var hashes = names.hashes();
        return Arrays.stream(ShippedLock.values())
                .filter(shipped -> !isUsable(Optional.ofNullable(hashes.get(shipped.word()))))
                .toList();
    }

    private boolean isUsable(Optional<String> hash) {
        return hash.flatMap(files::manifest)
                .filter(each -> each.python().stream().allMatch(host.pythonVersion()::equals))
                .isPresent();
    }

    private EnvironmentOffer.Stock stock() {
        return new EnvironmentOffer.Stock(all(), wanting().stream().map(this::missing).toList());
    }

    private PackageEnvironment.Missing missing(String name) {
        var why =
                jobs.last(name)
                        .map(each ->
                                switch (each.state()) {
                                    case RUNNING -> "It is being baked; try again in a minute.";
                                    case DONE -> "It was removed.";
                                    case FAILED -> each.sentence().orElse("It could not be baked.");
                                })
                        .orElse("It is not baked.");
        return new PackageEnvironment.Missing(name, why, "caisson environment bake " + name);
    }

    /// Ends what is under way; it leaves nothing.
    @Override
    public void close() {
        offer.close();
        jobs.close();
    }
}
