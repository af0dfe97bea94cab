package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.sandbox.DoctorReport.Finding;
import dev.caisson.sandbox.doctor.DoctorProbe;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("root")
@ExtendWith(Rig.Shared.class)
class DoctorTest {
    private final Rig rig;

    DoctorTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void everything_holds_on_this_machine() throws Exception {
        var report =
                new Doctor(rig.sandboxes(), new Workspace.Directory(rig.workspace())).examine();

        assertThat(report.findings().stream().filter(finding -> !finding.holds())).isEmpty();
        assertThat(report.healthy()).isTrue();
        assertThat(report.findings()).hasSizeGreaterThan(DoctorProbe.values().length + 12);
        assertThat(report.json().get("healthy").booleanValue()).isTrue();
    }

    @Test
    void the_list_and_the_program_have_the_same_probes() throws Exception {
        try (var text = Doctor.class.getResourceAsStream("doctor/doctor.py")) {
            var program =
                    new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
            var inProgram =
                    Pattern.compile("@probe\ndef (\\w+)")
                            .matcher(program)
                            .results()
                            .map(result -> result.group(1))
                            .toList();
            assertThat(inProgram)
                    .hasSizeGreaterThanOrEqualTo(25)
                    .containsExactlyElementsOf(
                            Arrays.stream(DoctorProbe.values()).map(DoctorProbe::word).toList());
        }
    }

    @Test
    void what_does_not_hold_is_shown_with_its_remedy() {
        var report =
                new DoctorReport(
                        Tier.REDUCED,
                        List.of(
                                new Finding("files", "a", true, "held", "none"),
                                new Finding("host", "b", false, "seen", "mend it")),
                        Optional.of("caisson serve --set x"));

        assertThat(report.healthy()).isFalse();
        assertThat(report.table())
                .contains(
                        "ok    files      a", "FAILS host       b", "found: seen", "fix:   mend it")
                .endsWith(
                        """
                        1 of 2 hold; isolation is reduced.
                        To run without the failing layers:
                          caisson serve --set x
                        """);
        assertThat(report.json().get("findings")).hasSize(2);
    }

    @Test
    void a_host_without_isolation_is_not_healthy() throws Exception {
        var report = new Doctor(new FakeRuns(), new Workspace.Directory(rig.workspace())).examine();

        assertThat(report.healthy()).isFalse();
        assertThat(report.table()).contains("FAILS host       cpu_limit", "no controller");
    }
}
