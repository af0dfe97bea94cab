package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.call.CallStep;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Outcome;
import dev.caisson.sandbox.Run;
import dev.caisson.sandbox.Runner;
import dev.caisson.sandbox.Stage;
import dev.caisson.sandbox.Stages;
import dev.caisson.sandbox.Workspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunStepsTest {
    private static final Run RUN =
            new Run(
                    "exec_1",
                    new Runner("python", Language.PYTHON, "3.13", "host"),
                    "print(1)",
                    Profile.DEFAULT.limits(),
                    Map.of(),
                    new Workspace.Directory(Path.of("/nowhere")),
                    (_, _, _, _) -> {});

    private static List<CallStep> steps(Map<Stage, Duration> times) {
        var usage = new Outcome.Usage(0, 0, 0, 0, new Stages(times));
        var outcome = new Outcome.TimedOut(usage, Optional.empty());
        return RunSteps.of(RUN, outcome, Duration.ofSeconds(1));
    }

    @Test
    void one_stage_follows_the_other_and_the_last_ends_with_the_run() {
        var words =
                Map.of(
                        "caisson.language", "python",
                        "caisson.start", "warm",
                        "caisson.status", "timeout");

        assertThat(
                        steps(
                                Map.of(
                                        Stage.TEARDOWN, Duration.ofMillis(4),
                                        Stage.QUEUE, Duration.ofMillis(1),
                                        Stage.RUN, Duration.ofMillis(300),
                                        Stage.ATTACH, Duration.ofMillis(2))))
                .containsExactly(
                        step("sandbox.queue", 693, 1, words),
                        step("sandbox.attach", 694, 2, words),
                        step("sandbox.run", 696, 300, words),
                        step("sandbox.teardown", 996, 4, words));
    }

    @Test
    void a_sandbox_made_for_the_run_was_booted() {
        var steps =
                steps(
                        Map.of(
                                Stage.QUEUE, Duration.ZERO,
                                Stage.BOOT, Duration.ofMillis(50),
                                Stage.ATTACH, Duration.ofMillis(2)));

        assertThat(steps)
                .extracting(CallStep::name)
                .containsExactly("sandbox.queue", "sandbox.boot", "sandbox.attach");
        assertThat(steps)
                .allSatisfy(
                        step -> assertThat(step.words()).containsEntry("caisson.start", "cold"));
    }

    @Test
    void a_run_that_came_to_no_stage_has_no_steps() {
        assertThat(steps(Map.of())).isEmpty();
        assertThat(steps(Map.of(Stage.QUEUE, Duration.ofMillis(5))).getFirst().words())
                .doesNotContainKey("caisson.start");
    }

    private static CallStep step(String name, int after, int took, Map<String, String> words) {
        return new CallStep(name, Duration.ofMillis(after), Duration.ofMillis(took), words);
    }
}
