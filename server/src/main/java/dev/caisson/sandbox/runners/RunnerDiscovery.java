package dev.caisson.sandbox.runners;

import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Candidate;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Runners;
import dev.caisson.sandbox.SandboxRuntime;
import dev.caisson.sandbox.Sink;
import dev.caisson.sandbox.Workspace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Discovery of runners: asks each candidate of a runtime for its version inside a sandbox. One
/// that does not answer is not offered.
public final class RunnerDiscovery {
    private static final Limits LIMITS = Limits.DEFAULT.withWall(Duration.ofSeconds(20));
    private static final int ANSWER_BYTES_MAX = 4_096;

    private final SandboxRuntime runtime;
    private final Trial trial;
    private final Map<Runner, Boot> found = new LinkedHashMap<>();
    private final List<Runner.Missing> missing = new ArrayList<>();

    /// Runs a program of ours on something that is not offered yet.
    public interface Trial {
        Outcome run(Run run, Boot boot) throws InterruptedException;
    }

    public RunnerDiscovery(SandboxRuntime runtime, Trial trial) {
        this.runtime = runtime;
        this.trial = trial;
    }

    public Runners runners() {
        try {
            var workspace = runtime.trialWorkspace();
            for (var candidate : runtime.candidates()) {
                switch (candidate) {
                    case Candidate.Absent(var absent) -> missing.add(absent);
                    case Candidate.Bootable bootable ->
                            firstFit(bootable, workspace).ifPresent(missing::add);
                }
            }
            return new Runners(found, missing);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot look for runners", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Runners(found, missing);
        }
    }

    /// The system's own may be too old, and a newer one be beside it.
    ///
    /// @return what is wrong with the first, when none is fit
    private Optional<Runner.Missing> firstFit(Candidate.Bootable candidate, Workspace workspace)
            throws InterruptedException {
        var unasked = new Runner(candidate.name(), candidate.language(), "", candidate.image());
        Optional<Runner.Missing> wrong = Optional.empty();
        for (var boot : candidate.boots()) {
            var complaint = ask(unasked, boot, workspace);
            if (complaint.isEmpty()) {
                return complaint;
            }
            wrong = wrong.or(() -> complaint);
        }
        return wrong;
    }

    /// @return what is wrong with it; empty when it is offered
    private Optional<Runner.Missing> ask(Runner unasked, Boot boot, Workspace workspace)
            throws InterruptedException {
        var interpreter = Interpreter.of(unasked.language());
        var answer = new ByteArrayOutputStream();
        var outcome = trial.run(run(unasked, interpreter.question(), workspace, answer), boot);
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
            var remedy = "Fix the layers that fail above, or accept their absence.";
            return Optional.of(new Runner.Missing(unasked.language(), why, remedy));
        }
        var why = "%s, asked for its version, said: %s".formatted(unasked.name(), said.strip());
        return Optional.of(new Runner.Missing(unasked.language(), why, interpreter.remedy()));
    }

    private static Run run(
            Runner runner, String question, Workspace workspace, ByteArrayOutputStream answer) {
        Sink sink =
                (_, bytes, offset, length) -> {
                    synchronized (answer) {
                        answer.write(
                                bytes, offset, Math.min(length, ANSWER_BYTES_MAX - answer.size()));
                    }
                };
        return new Run("discovery", runner, question, LIMITS, Map.of(), workspace, sink);
    }
}
