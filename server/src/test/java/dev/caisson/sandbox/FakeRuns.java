package dev.caisson.sandbox;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Runs nothing: a function written in the test stands for the program.
public final class FakeRuns implements Runs {
    public static final Outcome.Usage USAGE =
            new Outcome.Usage(
                    3, 40, 30, 1 << 20, new Stages(Map.of(Stage.ATTACH, Duration.ofMillis(1))));
    public static final Outcome SUCCESS = exit(0);

    /// What stands for a program.
    public interface Program {
        Outcome run(Run run) throws Exception;
    }

    public final List<Run> seen = new ArrayList<>();
    private final Runners runners;
    private Program program = _ -> SUCCESS;

    public FakeRuns(Language... languages) {
        var boots = new LinkedHashMap<Runner, Boot>();
        for (var language : languages) {
            var runner = new Runner(language.word(), language, "1.2.3", "host");
            boots.put(runner, Boot.of(language, new Root(List.of()), "interpreter"));
        }
        var missing =
                List.of(
                        new Runner.Missing(
                                Language.TYPESCRIPT, "node is too old", "Install node 24."));
        runners = new Runners(boots, missing);
    }

    public static Outcome exit(int code) {
        return new Outcome.Exited(code, USAGE, Optional.empty());
    }

    public void does(Program newProgram) {
        program = newProgram;
    }

    /// The program prints and ends.
    public void prints(String stdout, String stderr, Outcome outcome) {
        does(run -> {
            print(run, Sink.Stream.STDOUT, stdout);
            print(run, Sink.Stream.STDERR, stderr);
            return outcome;
        });
    }

    public static void print(Run run, Sink.Stream stream, String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        run.sink().write(stream, bytes, 0, bytes.length);
    }

    public static Path workspace(Run run) {
        return ((Workspace.Directory) run.workspace()).path();
    }

    @Override
    public Outcome run(Run run) throws InterruptedException {
        seen.add(run);
        try {
            return program.run(run.opened());
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Runners runners() {
        return runners;
    }

    @Override
    public Isolation isolation() {
        return new Isolation(
                Map.of(Layer.CPU_LIMIT, "no controller"),
                Set.of(Layer.CPU_LIMIT),
                dev.caisson.linux.UnixSockets.PAIRS_ONLY);
    }
}
