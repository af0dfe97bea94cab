package dev.caisson.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Workspace;
import dev.caisson.storage.Access;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.Volumes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunVolumesTest {
    private static final Workspace OWN = new Workspace.Directory(Path.of("/somewhere"));

    @TempDir Path root;
    private Volumes volumes;
    private final String prefix = UUID.randomUUID().toString().substring(0, 8);

    @BeforeEach
    void start() {
        var bench =
                new Bench(
                        root,
                        new FakeRuns(Language.PYTHON),
                        new DirectoryWorkspaces(Optional.empty()),
                        Profile.DEFAULT);
        volumes = bench.desk.spaces().volumes();
    }

    private VolumeUse made(int number, Access access) {
        volumes.create(Caller.LOCAL, prefix + number);
        return new VolumeUse(prefix + number, access);
    }

    private RunVolumes open(List<VolumeUse> uses) {
        return RunVolumes.open(volumes, Caller.LOCAL, uses);
    }

    @Test
    void a_run_has_up_to_sixteen_volumes_each_once() {
        var many =
                IntStream.rangeClosed(0, RunVolumes.COUNT_MAX)
                        .mapToObj(number -> made(number, Access.READ))
                        .toList();

        open(many.subList(0, RunVolumes.COUNT_MAX)).close();
        assertThatThrownBy(() -> open(many)).isInstanceOf(Refusal.class);
        var twice = List.of(many.getFirst(), many.getFirst());
        assertThatThrownBy(() -> open(twice)).isInstanceOf(Refusal.class);
    }

    @Test
    void one_that_cannot_be_had_lets_go_of_the_others() {
        var one = made(1, Access.WRITE);

        assertThatThrownBy(() -> open(List.of(one, new VolumeUse("none", Access.READ))))
                .isInstanceOf(Refusal.class);
        volumes.delete(Caller.LOCAL, one.name());
    }

    @Test
    void what_may_be_written_is_said_to_the_sandbox() {
        try (var opened = open(List.of(made(1, Access.READ), made(2, Access.WRITE)))) {
            assertThat(opened.writable()).containsExactly(prefix + 2);
            var workspace = (Workspace.WithVolumes) opened.beside(OWN);
            assertThat(workspace.own()).isEqualTo(OWN);
            assertThat(workspace.volumes())
                    .extracting(Workspace.Volume::writable)
                    .containsExactly(false, true);
        }
        try (var none = open(List.of())) {
            assertThat(none.beside(OWN)).isEqualTo(OWN);
        }
    }
}
