package dev.caisson.sandbox;

import dev.caisson.sandbox.bubblewrap.ServerDirectories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Real sandboxes for tests, opened once and closed after the last of them.
public final class Rig implements AutoCloseable {
    private static final Set<Rig> OPEN = ConcurrentHashMap.newKeySet();

    public static final Limits LIMITS = Limits.DEFAULT.withWall(Duration.ofSeconds(30));
    private static final int OUTPUT_BYTES_MAX = 1 << 20;

    private final Path directory;
    private final Sandboxes sandboxes;
    private final boolean warmed;
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong warm = new AtomicLong();

    private Rig(Path directory, Sandboxes sandboxes, boolean warmed) {
        this.directory = directory;
        this.sandboxes = sandboxes;
        this.warmed = warmed;
        OPEN.add(this);
    }

    /// What is kept between sandboxes of all rigs of this process: they share its name in the
    /// control groups.
    static Set<String> restingGroups() {
        return OPEN.stream()
                .flatMap(rig -> rig.sandboxes().resting().groups().stream())
                .collect(Collectors.toSet());
    }

    /// With what makes sandboxes unless somebody decides otherwise.
    static Rig open() throws IOException {
        return open(PoolSettings.NONE);
    }

    /// With a pool for which runs do not wait.
    public static Rig open(PoolSettings pool) throws IOException {
        return open(guests(), pool, NestSettings.DEFAULT, false);
    }

    private static Rig open(Path guests, PoolSettings pool, NestSettings nest, boolean warmed)
            throws IOException {
        var directory = Files.createTempDirectory("caisson-test-");
        var settings = new SettingsForTests(directory, guests).pool(pool).nest(nest).build();
        return new Rig(directory, Sandboxes.open(settings), warmed);
    }

    /// With nests wherever they can be, for these users.
    static Rig openNested(SandboxSettings.UserRange users) throws IOException {
        var directory = Files.createTempDirectory("caisson-test-");
        var settings =
                new SettingsForTests(directory, guests())
                        .nest(making(NestSettings.Maker.NEST))
                        .users(users)
                        .build();
        return new Rig(directory, Sandboxes.open(settings), false);
    }

    static Rig openInBubblewrap() throws IOException {
        return open(guests(), PoolSettings.NONE, making(NestSettings.Maker.BUBBLEWRAP), false);
    }

    /// With nests wherever they can be.
    static Rig openNested(Path guests, PoolSettings pool, NestSettings.Beginning start)
            throws IOException {
        return open(
                guests,
                pool,
                new NestSettings(NestSettings.Maker.NEST, start, NestSettings.SlotUse.KEEP),
                false);
    }

    private static NestSettings making(NestSettings.Maker maker) {
        return new NestSettings(maker, NestSettings.Beginning.FORK, NestSettings.SlotUse.KEEP);
    }

    /// As on a machine without a C compiler. TypeScript is not there either.
    ///
    /// @param guests made here
    static Rig openWithoutGate(Path guests) throws IOException {
        for (var part : List.of("python", "node", "bash")) {
            Files.createDirectory(guests.resolve(part));
            try (var files =
                    Files.newDirectoryStream(guests().resolve(part), Files::isRegularFile)) {
                for (var file : files) {
                    Files.copy(file, guests.resolve(part).resolve(file.getFileName()));
                }
            }
        }
        var directory = Files.createTempDirectory("caisson-test-");
        return new Rig(directory, Sandboxes.open(SandboxSettings.of(directory, guests)), false);
    }

    static Rig openWarmed() throws IOException {
        return openWarmed(NestSettings.DEFAULT);
    }

    private static Rig openWarmed(NestSettings nest) throws IOException {
        return open(
                guests(), PoolSettings.of(LIMITS, 256L << 20, Duration.ofMinutes(5)), nest, true);
    }

    /// Waits until a sandbox waits. Those that gave way to others are made again only when a
    /// program asks for one.
    public void awaitReady(Language language) throws InterruptedException {
        if (pool(language, PoolFigures::target) == 0) {
            runNow(
                    language,
                    "\n",
                    LIMITS,
                    new Workspace.Directory(workspace()),
                    Map.of(),
                    GuestOrder.NONE,
                    HostDoor.CLOSED);
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> ready(language) > 0);
    }

    public int ready(Language language) {
        return pool(language, PoolFigures::ready);
    }

    private int pool(Language language, ToIntFunction<PoolFigures> figure) {
        return sandboxes.pool().stream()
                .filter(figures -> figures.runner().equals(language.word()))
                .mapToInt(figure)
                .sum();
    }

    /// How many runs found a sandbox that waited.
    long warmRuns() {
        return warm.get();
    }

    static Path guests() {
        return Path.of("target/guests").toAbsolutePath();
    }

    public Path directory() {
        return directory;
    }

    public Sandboxes sandboxes() {
        return sandboxes;
    }

    /// A directory that belongs to whom files of workspaces belong to.
    public Path workspace() {
        try {
            var path = directory.resolve("workspace-" + count.incrementAndGet());
            Files.createDirectory(path);
            Files.setAttribute(path, "unix:uid", Workspace.OWNER);
            Files.setAttribute(path, "unix:gid", Workspace.OWNER);
            return path;
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    public Result run(Language language, String code) throws InterruptedException {
        return run(language, code, LIMITS);
    }

    public Result run(Language language, String code, Limits limits) throws InterruptedException {
        return run(language, code, limits, workspace(), Map.of());
    }

    Result run(Language language, String code, Workspace workspace) throws InterruptedException {
        return run(language, code, LIMITS, workspace, Map.of());
    }

    public Result run(
            Language language, String code, Limits limits, Path workspace, Map<String, String> env)
            throws InterruptedException {
        return run(language, code, limits, new Workspace.Directory(workspace), env);
    }

    /// With a guest that is asked for more.
    Result run(Language language, String code, Path workspace, GuestOrder order)
            throws InterruptedException {
        return run(language, code, LIMITS, new Workspace.Directory(workspace), Map.of(), order);
    }

    private Result run(
            Language language,
            String code,
            Limits limits,
            Workspace workspace,
            Map<String, String> env)
            throws InterruptedException {
        return run(language, code, limits, workspace, env, GuestOrder.NONE);
    }

    /// With a way to the server.
    Result run(Language language, String code, HostDoor door) throws InterruptedException {
        return run(
                language,
                code,
                LIMITS,
                new Workspace.Directory(workspace()),
                Map.of(),
                GuestOrder.NONE,
                door);
    }

    private Result run(
            Language language,
            String code,
            Limits limits,
            Workspace workspace,
            Map<String, String> env,
            GuestOrder order)
            throws InterruptedException {
        return run(language, code, limits, workspace, env, order, HostDoor.CLOSED);
    }

    private Result run(
            Language language,
            String code,
            Limits limits,
            Workspace workspace,
            Map<String, String> env,
            GuestOrder order,
            HostDoor door)
            throws InterruptedException {
        if (warmed) {
            awaitReady(language);
        }
        return runNow(language, code, limits, workspace, env, order, door);
    }

    private Result runNow(
            Language language,
            String code,
            Limits limits,
            Workspace workspace,
            Map<String, String> env,
            GuestOrder order,
            HostDoor door)
            throws InterruptedException {
        var runner = sandboxes.runners().of(language);
        if (runner.isEmpty()) {
            throw new AssertionError("no " + language + ": " + sandboxes.runners().missing());
        }
        var output = new Output();
        var run =
                new Run(
                                "run-" + count.incrementAndGet(),
                                runner.get(),
                                code,
                                limits,
                                env,
                                workspace,
                                output)
                        .asking(order)
                        .through(door);
        var outcome = sandboxes.run(run);
        outcome.usage().start().filter(Start.WARM::equals).ifPresent(_ -> warm.incrementAndGet());
        return new Result(outcome, output.text(output.stdout), output.text(output.stderr));
    }

    /// With a way to the network.
    public Result run(Language language, String code, NetworkDoor network, Path workspace)
            throws InterruptedException {
        if (warmed) {
            awaitReady(language);
        }
        var output = new Output();
        var run =
                new Run(
                        "run-" + count.incrementAndGet(),
                        sandboxes.runners().of(language).orElseThrow(),
                        code,
                        LIMITS.withWall(Duration.ofSeconds(90)),
                        Map.of(),
                        new Workspace.Directory(workspace),
                        output);
        var outcome = sandboxes.run(run.networked(network));
        return new Result(outcome, output.text(output.stdout), output.text(output.stderr));
    }

    public record Result(Outcome outcome, String stdout, String stderr) {
        int code() {
            if (outcome instanceof Outcome.Exited(int code, var _, var _)) {
                return code;
            }
            throw new AssertionError("not an exit: " + this);
        }

        Optional<HandedOver> value() {
            return outcome.value();
        }
    }

    /// The beginning and the end of what is written.
    private static final class Ends extends ByteArrayOutputStream {
        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            super.write(bytes, offset, length);
            if (count > 2 * OUTPUT_BYTES_MAX) {
                int half = OUTPUT_BYTES_MAX / 2;
                System.arraycopy(buf, count - half, buf, half, half);
                count = OUTPUT_BYTES_MAX;
            }
        }
    }

    /// Keeps the beginning and the end of each stream.
    public static final class Output implements Sink {
        public final ByteArrayOutputStream stdout = new Ends();
        final ByteArrayOutputStream stderr = new Ends();

        @Override
        public void write(Stream stream, byte[] bytes, int offset, int length) {
            var to = stream == Stream.STDOUT ? stdout : stderr;
            synchronized (to) {
                to.write(bytes, offset, length);
            }
        }

        public String text(ByteArrayOutputStream of) {
            synchronized (of) {
                return of.toString(StandardCharsets.UTF_8);
            }
        }
    }

    @Override
    public void close() throws IOException {
        OPEN.remove(this);
        sandboxes.close();
        ServerDirectories.delete(directory);
    }

    /// Waits until nothing of runs that are over is left: the sandboxes there are those that wait.
    /// A program of many processes takes a minute to die on a busy machine.
    void awaitTidy() {
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(() ->
                        sandboxes.boxes()
                                == sandboxes.pool().stream().mapToInt(PoolFigures::ready).sum());
    }

    /// Gives the one rig to every test that asks for it.
    public static final class Shared implements ParameterResolver {
        /// A part of a contract is marked as the test it is part of.
        private static boolean isMarked(
                Optional<ExtensionContext> context, Class<? extends Annotation> mark) {
            return context.isPresent()
                    && (context.get()
                                    .getTestClass()
                                    .filter(test -> test.isAnnotationPresent(mark))
                                    .isPresent()
                            || isMarked(context.get().getParent(), mark));
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Rig.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            boolean warmed = isMarked(Optional.of(context), Warmed.class);
            var maker =
                    isMarked(Optional.of(context), InNests.class)
                            ? NestSettings.Maker.NEST
                            : isMarked(Optional.of(context), InBubblewrap.class)
                                    ? NestSettings.Maker.BUBBLEWRAP
                                    : NestSettings.DEFAULT.runtime();
            // Classes may run one by one, and all of them share it.
            var store =
                    context.getStore(
                            ExtensionContext.StoreScope.LAUNCHER_SESSION,
                            ExtensionContext.Namespace.create(Rig.class));
            return store.computeIfAbsent(
                    List.of(maker, warmed),
                    _ -> {
                        try {
                            return warmed
                                    ? openWarmed(making(maker))
                                    : open(guests(), PoolSettings.NONE, making(maker), false);
                        } catch (IOException failed) {
                            throw new java.io.UncheckedIOException(failed);
                        }
                    },
                    Rig.class);
        }
    }
}
