package dev.caisson.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.FakeCall;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.call.Scope;
import dev.caisson.call.StandingVolume;
import dev.caisson.json.Json;
import dev.caisson.sandbox.FakeRuns;
import dev.caisson.sandbox.Language;
import dev.caisson.sandbox.Workspace;
import dev.caisson.storage.VolumeAccess;
import dev.caisson.storage.Volumes;
import dev.caisson.tools.ToolsTestCase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunVolumesTest extends ToolsTestCase {
    private static final Workspace OWN = new Workspace.Directory(Path.of("/somewhere"));

    private Volumes volumes;
    private final String prefix = UUID.randomUUID().toString().substring(0, 8);

    RunVolumesTest() {
        super(Language.PYTHON);
    }

    @BeforeEach
    void start() {
        volumes = bench.desk.spaces().volumes();
    }

    private VolumeUse made(int number, VolumeAccess access) {
        volumes.create(Caller.LOCAL, prefix + number);
        return new VolumeUse(prefix + number, access);
    }

    private RunVolumes open(List<VolumeUse> uses) {
        return opened(RunVolumes.of(volumes, Caller.LOCAL, uses));
    }

    private static RunVolumes opened(RunVolumes all) {
        all.beside(OWN);
        return all;
    }

    @Test
    void a_run_that_waits_for_its_place_has_no_volume_open() {
        var one = made(1, VolumeAccess.WRITE);
        try (var waiting = RunVolumes.of(volumes, Caller.LOCAL, List.of(one))) {
            assertThat(waiting.writable()).isEmpty();
            volumes.delete(Caller.LOCAL, one.name());
            assertThatThrownBy(() -> waiting.beside(OWN)).isInstanceOf(Refusal.class);
        }
    }

    @Test
    void a_run_ends_when_the_grant_it_counts_on_is_revoked() {
        var owner = new Caller("owner", "owner", Caller.LOCAL.scopes(), Set.of());
        var name = prefix + "lent";
        volumes.create(owner, name);
        volumes.grant(owner, name, Caller.LOCAL.id(), VolumeAccess.WRITE);
        var ended = new AtomicInteger();
        try (var writing = open(List.of(new VolumeUse(name, VolumeAccess.WRITE)));
                var reading = open(List.of(new VolumeUse(name, VolumeAccess.READ)))) {
            writing.endedBy(ended::incrementAndGet);
            reading.endedBy(ended::incrementAndGet);
            volumes.grant(owner, name, Caller.LOCAL.id(), VolumeAccess.READ);
            assertThat(ended).as("may write no longer").hasValue(1);
        }
        try (var late = open(List.of(new VolumeUse(name, VolumeAccess.READ)))) {
            volumes.revoke(owner, name, Caller.LOCAL.id());
            late.endedBy(ended::incrementAndGet);
            assertThat(ended).as("also when it was revoked before").hasValue(2);
        }
        volumes.delete(owner, name);
        assertThat(ended).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void a_program_is_cancelled_when_its_volume_is_taken_away(VolumeAccess access)
            throws Exception {
        var owner = new Caller("owner", "owner", Caller.LOCAL.scopes(), Set.of());
        var name = prefix + "taken";
        volumes.create(owner, name);
        volumes.grant(owner, name, Caller.LOCAL.id(), access);
        runs.does(_ -> {
            volumes.revoke(owner, name, Caller.LOCAL.id());
            Thread.sleep(Duration.ofMinutes(1));
            return FakeRuns.SUCCESS;
        });
        var arguments = Json.object().put("language", "python").put("code", "1");
        arguments
                .putArray("volumes")
                .addObject()
                .put("name", name)
                .put("access", access.name().toLowerCase(Locale.ROOT));
        var answer = bench.call(FakeCall.by(Caller.LOCAL), "sandbox_execute", arguments);
        assertThat(answer.toString()).contains("cancelled");
    }

    @Test
    void a_run_has_up_to_sixteen_volumes_each_once() {
        var many =
                IntStream.rangeClosed(0, StandingVolume.COUNT_MAX)
                        .mapToObj(number -> made(number, VolumeAccess.READ))
                        .toList();

        open(many.subList(0, StandingVolume.COUNT_MAX)).close();
        assertThatThrownBy(() -> open(many)).isInstanceOf(Refusal.class);
        var twice = List.of(many.getFirst(), many.getFirst());
        assertThatThrownBy(() -> open(twice)).isInstanceOf(Refusal.class);
    }

    @Test
    void one_that_cannot_be_had_lets_go_of_the_others() {
        var one = made(1, VolumeAccess.WRITE);

        assertThatThrownBy(() -> open(List.of(one, new VolumeUse("none", VolumeAccess.READ))))
                .isInstanceOf(Refusal.class);
        volumes.delete(Caller.LOCAL, one.name());
    }

    private RunVolumes openFor(List<StandingVolume> standing, List<VolumeUse> uses) {
        var caller = new Caller(Caller.LOCAL.id(), "local", Set.of(Scope.RUN), Set.of(), standing);
        return opened(RunVolumes.of(volumes, caller, uses));
    }

    @Test
    void what_a_caller_always_has_is_mounted_beside_what_a_call_names() {
        var named = made(1, VolumeAccess.READ);
        made(2, VolumeAccess.READ);
        made(3, VolumeAccess.READ);
        var standing =
                List.of(
                        new StandingVolume(prefix + 1, true),
                        new StandingVolume(prefix + 2, true),
                        new StandingVolume(prefix + 3, false));

        try (var opened = openFor(standing, List.of(named))) {
            var workspace = (Workspace.WithVolumes) opened.beside(OWN);
            assertThat(workspace.volumes())
                    .extracting(Workspace.Volume::name)
                    .containsExactly(prefix + 1, prefix + 2, prefix + 3);
            assertThat(opened.writable())
                    .extracting(Volumes.Mounted::name)
                    .containsExactly(prefix + 2);
        }
    }

    @Test
    void what_a_caller_always_has_counts_among_the_sixteen() {
        var many =
                IntStream.range(0, StandingVolume.COUNT_MAX)
                        .mapToObj(number -> made(number, VolumeAccess.READ))
                        .toList();
        made(99, VolumeAccess.READ);
        var standing = List.of(new StandingVolume(prefix + 99, false));

        openFor(standing, many.subList(1, StandingVolume.COUNT_MAX)).close();
        assertThatThrownBy(() -> openFor(standing, many))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("up to 15 volumes");
    }

    @Test
    void a_volume_a_caller_always_has_that_is_gone_or_not_granted_refuses_the_run() {
        var one = made(1, VolumeAccess.WRITE);
        var gone = List.of(new StandingVolume("gone", true));

        assertThatThrownBy(() -> openFor(gone, List.of(one)))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(Reason.NOT_FOUND);
                            assertThat(refusal.sentence())
                                    .contains("volume gone:rw", "There is no such volume.");
                        });
        volumes.delete(Caller.LOCAL, one.name());

        var owner = new Caller("key:owner", "owner", Set.of(), Set.of());
        volumes.create(owner, prefix + "theirs");
        var theirs = List.of(new StandingVolume(prefix + "theirs", true));
        assertThatThrownBy(() -> openFor(theirs, List.of())).isInstanceOf(Refusal.class);
        volumes.grant(owner, prefix + "theirs", Caller.LOCAL.id(), VolumeAccess.READ);
        assertThatThrownBy(() -> openFor(theirs, List.of()))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN));
        volumes.grant(owner, prefix + "theirs", Caller.LOCAL.id(), VolumeAccess.WRITE);
        openFor(theirs, List.of()).close();
    }

    @Test
    void a_session_is_refused_where_the_caller_always_has_volumes() {
        var standing = List.of(new StandingVolume("data", true));
        var caller = new Caller("key:k", "k", Set.of(Scope.RUN), Set.of(), standing);

        assertThatThrownBy(() -> RunVolumes.refuseInSession(caller))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("data:rw");
        RunVolumes.refuseInSession(Caller.LOCAL);
    }

    @Test
    void what_may_be_written_is_said_to_the_sandbox() {
        try (var opened = open(List.of(made(1, VolumeAccess.READ), made(2, VolumeAccess.WRITE)))) {
            assertThat(opened.writable())
                    .extracting(Volumes.Mounted::name)
                    .containsExactly(prefix + 2);
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
