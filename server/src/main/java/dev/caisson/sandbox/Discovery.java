package dev.caisson.sandbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds what programs can be written in: languages of the host, then images. Each is asked for its
/// version inside a sandbox; one that does not answer is not offered.
final class Discovery {
    private static final Limits LIMITS = Limits.DEFAULT.withWall(Duration.ofSeconds(20));
    private static final int ANSWER_BYTES_MAX = 4_096;

    private final SandboxSettings settings;
    private final Machine machine;
    private final Trial trial;
    private final Map<Runner, Boot> found = new LinkedHashMap<>();
    private final List<Runner.Missing> missing = new ArrayList<>();

    /// Runs a program of ours on something that is not offered yet.
    interface Trial {
        Outcome run(Run run, Boot boot) throws InterruptedException;
    }

    Discovery(SandboxSettings settings, Machine machine, Trial trial) {
        this.settings = settings;
        this.machine = machine;
        this.trial = trial;
    }

    Runners runners() {
        try {
            var root = Root.ofHost(machine.host().runtime().resolve("etc"));
            for (var language : Language.values()) {
                host(language, root);
            }
            for (var image : ImageManifest.in(settings.images())) {
                image(image);
            }
            return new Runners(found, missing);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot look for runners", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Runners(found, missing);
        }
    }

    private void host(Language language, Root root) throws IOException, InterruptedException {
        var interpreter = Interpreter.of(language);
        var paths = interpreter.paths().stream().filter(Discovery::isReachable).toList();
        if (paths.isEmpty()) {
            var places = String.join(", ", interpreter.paths());
            miss(language, "There is none of " + places + ".", interpreter.remedy());
        } else if (language == Language.TYPESCRIPT && !hasTranspiler()) {
            miss(language, "The transpiler is not there.", interpreter.remedy());
        } else {
            firstFit(language, root, paths, interpreter).ifPresent(missing::add);
        }
    }

    /// The system's own may be too old, and a newer one be beside it.
    ///
    /// @return what is wrong with the first, when none is fit
    private Optional<Runner.Missing> firstFit(
            Language language, Root root, List<String> paths, Interpreter interpreter)
            throws IOException, InterruptedException {
        Optional<Runner.Missing> wrong = Optional.empty();
        for (var path : paths) {
            var runner = new Runner(language.word(), language, "", "host");
            var complaint = ask(runner, Boot.of(language, root, path), interpreter);
            if (complaint.isEmpty()) {
                return complaint;
            }
            wrong = wrong.or(() -> complaint);
        }
        return wrong;
    }

    /// An interpreter that is a link to somewhere else than `/usr` is not there inside.
    private static boolean isReachable(String path) {
        try {
            return Path.of(path).toRealPath().startsWith("/usr")
                    && Files.isExecutable(Path.of(path));
        } catch (IOException none) {
            return false;
        }
    }

    private boolean hasTranspiler() throws IOException {
        var packages = machine.host().runtime().resolve("guest/node/node_modules/@esbuild");
        if (!Files.isDirectory(packages)) {
            return false;
        }
        try (Stream<Path> platforms = Files.list(packages)) {
            return platforms.anyMatch(each -> Files.isExecutable(each.resolve("bin/esbuild")));
        }
    }

    private void image(ImageManifest image) throws IOException, InterruptedException {
        var interpreter = Interpreter.of(image.language());
        var boot = Boot.of(image.language(), Root.ofImage(image.root()), image.entry());
        ask(new Runner(image.name(), image.language(), "", image.name()), boot, interpreter)
                .ifPresent(missing::add);
    }

    /// @return what is wrong with it; empty when it is offered
    private Optional<Runner.Missing> ask(Runner unasked, Boot boot, Interpreter interpreter)
            throws IOException, InterruptedException {
        var answer = new ByteArrayOutputStream();
        var outcome = trial.run(run(unasked, interpreter.question(), answer), boot);
        var said = answer.toString(StandardCharsets.UTF_8);
        var version =
                outcome instanceof Outcome.Exited(int code, var _, var _) && code == 0
                        ? interpreter.accept(said)
                        : Optional.<String>empty();
        if (version.isPresent()) {
            found.put(
                    new Runner(unasked.name(), unasked.language(), version.get(), unasked.image()),
                    boot);
            return Optional.empty();
        }
        if (outcome instanceof Outcome.Blocked(var why, var _)) {
            var remedy = "Mend the layers that fail above, or do without them.";
            return Optional.of(new Runner.Missing(unasked.language(), why, remedy));
        }
        var why = "%s, asked for its version, said: %s".formatted(unasked.name(), said.strip());
        return Optional.of(new Runner.Missing(unasked.language(), why, interpreter.remedy()));
    }

    private Run run(Runner runner, String question, ByteArrayOutputStream answer)
            throws IOException {
        var workspace = machine.host().runtime().resolveSibling("discovery");
        Trees.directory(workspace);
        Sink sink =
                (_, bytes, offset, length) -> {
                    synchronized (answer) {
                        answer.write(
                                bytes, offset, Math.min(length, ANSWER_BYTES_MAX - answer.size()));
                    }
                };
        return new Run(
                "discovery",
                runner,
                question,
                LIMITS,
                Map.of(),
                new Workspace.Directory(workspace),
                sink);
    }

    private void miss(Language language, String why, String remedy) {
        missing.add(new Runner.Missing(language, why, remedy));
    }
}
