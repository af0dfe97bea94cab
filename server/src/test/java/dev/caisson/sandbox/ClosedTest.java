package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Without what was promised nothing runs, unless the operator said so by name.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class ClosedTest {
    private static final Set<Layer> GROUPS =
            EnumSet.of(Layer.MEMORY_LIMIT, Layer.PROCESS_LIMIT, Layer.CPU_LIMIT);
    private final Rig rig;

    ClosedTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void a_host_without_control_groups_runs_nothing_by_default(@TempDir Path noGroups)
            throws Exception {
        var settings =
                new SettingsForTests(rig.directory().resolve("closed"), Rig.guests())
                        .controlGroups(noGroups)
                        .build();
        try (var sandboxes = Sandboxes.open(settings)) {
            assertThat(sandboxes.isolation().tier()).isEqualTo(Tier.CLOSED);
            assertThat(sandboxes.isolation().missing().keySet()).isEqualTo(GROUPS);
            assertThat(sandboxes.runners().available()).isEmpty();
            var runner = rig.sandboxes().runners().of(Language.BASH).orElseThrow();
            var run =
                    new Run(
                            "x",
                            runner,
                            "echo 1 > ran",
                            Rig.LIMITS,
                            Map.of(),
                            new Workspace.Directory(rig.workspace()),
                            new Rig.Output());
            assertThat(sandboxes.run(run))
                    .isInstanceOfSatisfying(
                            Outcome.Blocked.class,
                            blocked ->
                                    assertThat(blocked.why())
                                            .contains(
                                                    "memory_limit", "process_limit", "cpu_limit"));
        }
    }

    @Test
    void an_accepted_gap_is_a_reduced_tier_that_runs(@TempDir Path noGroups) throws Exception {
        var settings =
                new SettingsForTests(rig.directory().resolve("reduced"), Rig.guests())
                        .controlGroups(noGroups)
                        .accepting(GROUPS)
                        .build();
        try (var sandboxes = Sandboxes.open(settings)) {
            assertThat(sandboxes.isolation().tier()).isEqualTo(Tier.REDUCED);
            var runner = sandboxes.runners().of(Language.BASH).orElseThrow();
            var output = new Rig.Output();
            var code = "(setsid sleep 1000 &); echo here; exit 3";
            var run =
                    new Run(
                            "x",
                            runner,
                            code,
                            Rig.LIMITS,
                            Map.of(),
                            new Workspace.Directory(rig.workspace()),
                            output);
            assertThat(sandboxes.run(run))
                    .isInstanceOfSatisfying(
                            Outcome.Exited.class, exited -> assertThat(exited.code()).isEqualTo(3));
            assertThat(output.text(output.stdout)).isEqualTo("here\n");
        }
    }

    @Test
    void a_sandbox_that_cannot_be_made_blocks_with_the_reason(@TempDir Path empty)
            throws Exception {
        var settings =
                SandboxSettings.of(rig.directory().resolve("no-guests"), empty.resolve("none"));
        try (var sandboxes = Sandboxes.open(settings)) {
            assertThat(sandboxes.runners().available()).isEmpty();
            assertThat(sandboxes.runners().missing())
                    .hasSize(4)
                    .allSatisfy(missing -> assertThat(missing.remedy()).isNotEmpty());
        }
        assertThat(Files.exists(empty)).isTrue();
    }
}
