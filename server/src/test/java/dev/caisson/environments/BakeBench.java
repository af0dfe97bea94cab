package dev.caisson.environments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.PackageEnvironment;
import dev.caisson.sandbox.PoolSettings;
import dev.caisson.sandbox.Rig;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Workspace;
import dev.caisson.share.ShareLimit;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Metrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Real sandboxes, a store and a directory for tests of bakes.
final class BakeBench implements AutoCloseable {
    private static final long BYTES_MAX = 256L << 20;
    private static final long BYTES_PER_FILE = 8 << 10;

    private final Rig rig = Rig.open(PoolSettings.NONE);
    private Path directory = Path.of("/nowhere");
    private Optional<Store> opened = Optional.empty();
    private Metrics metrics = new Metrics();

    BakeBench() throws IOException {}

    /// Begins a test.
    void begin(Path each) throws IOException {
        directory = each;
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(each.resolve("data"));
        opened = Optional.of(Store.open(each.resolve("data/caisson.db")));
    }

    void end() {
        opened.ifPresent(Store::close);
    }

    Rig rig() {
        return rig;
    }

    Path directory() {
        return directory;
    }

    /// What the environments that were made last have counted.
    String scraped() {
        return new String(metrics.scrape(), StandardCharsets.UTF_8);
    }

    /// As few as a test wants, and otherwise what the product has.
    record Bounds(long bytesMax, int filesMax, Duration timeMax, int atOnce, int namesMax) {
        static final Bounds USUAL =
                new Bounds(
                        BYTES_MAX,
                        EnvironmentSettings.DEFAULT.filesMax(),
                        Duration.ofMinutes(2),
                        EnvironmentSettings.DEFAULT.atOnce(),
                        EnvironmentSettings.DEFAULT.namesMax());

        static Bounds bytes(long max) {
            return new Bounds(max, USUAL.filesMax, USUAL.timeMax, USUAL.atOnce, USUAL.namesMax);
        }

        static Bounds files(int max) {
            return new Bounds(USUAL.bytesMax, max, USUAL.timeMax, USUAL.atOnce, USUAL.namesMax);
        }

        static Bounds time(Duration max) {
            return new Bounds(USUAL.bytesMax, USUAL.filesMax, max, USUAL.atOnce, USUAL.namesMax);
        }

        static Bounds names(int max) {
            return new Bounds(USUAL.bytesMax, USUAL.filesMax, USUAL.timeMax, USUAL.atOnce, max);
        }
    }

    Environments environments(String... registries) {
        return environments(Bounds.USUAL, registries);
    }

    Environments environments(Bounds bounds, String... registries) {
        var usual = EnvironmentSettings.DEFAULT;
        metrics = new Metrics();
        var settings =
                new EnvironmentSettings(
                        List.of(),
                        false,
                        List.of(registries),
                        bounds.bytesMax(),
                        bounds.filesMax(),
                        bounds.timeMax(),
                        bounds.atOnce(),
                        usual.remembered(),
                        bounds.namesMax(),
                        usual.connections(),
                        usual.idleMax(),
                        usual.outputBytes(),
                        usual.releasedKeep());
        var disk =
                new HostDisk(
                        directory,
                        HostDisk.RESERVE_DEFAULT,
                        Duration.ofSeconds(20),
                        ShareLimit.DEFAULT);
        return new Environments(
                directory.resolve("data/environments"),
                opened.orElseThrow(),
                Clock.systemUTC(),
                rig.sandboxes(),
                new ImageWorkspaces(
                        new LoopImages(Workspace.OWNER),
                        disk,
                        bounds.bytesMax(),
                        Math.min(usual.filesMax(), bounds.bytesMax() / BYTES_PER_FILE)),
                settings,
                metrics);
    }

    static Lock python(String text, String... preload) {
        return new Lock(Optional.of(text), Optional.empty(), List.of(preload));
    }

    static BakeRecord baked(Environments environments, String name, Lock lock)
            throws InterruptedException {
        var record = environments.bake(name, lock);
        assertThat(record.await()).as(record.output()).isEqualTo(BakeRecord.State.DONE);
        return record;
    }

    static BakeRecord failed(Environments environments, Lock lock) throws InterruptedException {
        var record = environments.bake("bad", lock);
        assertThat(record.await()).as(record.output()).isEqualTo(BakeRecord.State.FAILED);
        return record;
    }

    /// An index of files with one small package.
    String tiny(String version) throws IOException {
        return Wheels.publish(
                directory.resolve("registry"), "tiny", version, Wheels.plain("tiny", version));
    }

    String run(Language language, String code, List<PackageEnvironment> packages)
            throws InterruptedException {
        return run(language, code, packages, rig.workspace());
    }

    String run(Language language, String code, List<PackageEnvironment> packages, Path workspace)
            throws InterruptedException {
        var output = new ByteArrayOutputStream();
        var runner = rig.sandboxes().runners().of(language).orElseThrow().with(packages);
        var outcome =
                rig.sandboxes()
                        .run(
                                new Run(
                                        "packages",
                                        runner,
                                        code,
                                        Limits.DEFAULT,
                                        Map.of(),
                                        new Workspace.Directory(workspace),
                                        (_, bytes, offset, length) ->
                                                output.write(bytes, offset, length)));
        assertThat(outcome)
                .as(output.toString(StandardCharsets.UTF_8))
                .isInstanceOf(Outcome.Exited.class);
        return output.toString(StandardCharsets.UTF_8);
    }

    /// Names in the directory of environments.
    List<String> left() throws IOException {
        try (var files = Files.list(directory.resolve("data/environments"))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.equals(".work"))
                    .toList();
        }
    }

    /// What bakes have under way.
    List<String> scratch() throws IOException {
        try (var files = Files.list(directory.resolve("data/environments/.work"))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.endsWith(".lock"))
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        rig.close();
    }
}
