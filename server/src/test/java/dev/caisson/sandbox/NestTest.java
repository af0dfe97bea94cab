package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.linux.UserIds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Which sandboxes nests make, and which they leave to bubblewrap.
@Tag("root")
@Tag("slow")
@InNests
@ExtendWith(Rig.Shared.class)
class NestTest {
    /// In a nest a program is the third process of its namespace, elsewhere the second.
    private static final String IN_NEST = "3\n";

    private static final String IN_BUBBLEWRAP = "2\n";
    private static final Path LOCKS = SandboxSettings.UserRange.DEFAULT.locks();

    private static final String OLD_KERNEL =
            """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <sched.h>
            #include <stdio.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            static int old_setns(int entered, int type)
            {
                char path[64], kind[64] = "";
                snprintf(path, sizeof path, "/proc/self/fd/%d", entered);
                if (readlink(path, kind, sizeof kind - 1) > 0 && strstr(kind, "pidfd"))
                    return errno = EINVAL, -1;
                return (int)syscall(SYS_setns, entered, type);
            }
            #define setns old_setns
            """;

    private static final String NUMBER = "import os; print(os.getpid())";

    private final Rig rig;

    NestTest(Rig rig) {
        this.rig = rig;
    }

    @Test
    void nests_make_the_sandboxes_of_every_language() throws Exception {
        for (var language : Language.values()) {
            var number =
                    switch (language) {
                        case PYTHON -> NUMBER;
                        case BASH -> "echo $$";
                        case NODE, TYPESCRIPT -> "console.log(process.pid)";
                    };
            assertThat(rig.run(language, number).stdout()).as("" + language).isEqualTo(IN_NEST);
        }
        assertThat(rig.sandboxes().makers()).contains("nests make", "bubblewrap all others");
    }

    private static final String VOLUMES =
            """
            import os
            print(os.getpid(), *sorted(os.listdir('/volumes')))
            for name in sorted(os.listdir('/volumes')):
                try:
                    open(f'/volumes/{name}/by', 'a').write('x')
                    print(name, 'written', os.stat(f'/volumes/{name}/by').st_uid)
                except OSError as refused:
                    print(name, refused.errno)
            restricted = [line.split() for line in open('/proc/self/mountinfo') if ' /volumes/' in line]
            print(*[{'nosuid', 'nodev'} <= set(line[5].split(',')) for line in restricted])
            """;

    /// A sandbox that waits in a nest gets them for its one run; the next of the same key, in the
    /// same place, has none of them.
    @Test
    void volumes_are_attached_to_a_sandbox_of_a_nest_for_its_run(@TempDir Path directory)
            throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        var volumes = new ArrayList<Workspace.Volume>();
        for (var name : List.of("open", "shut")) {
            var place = Files.createDirectory(directory.resolve(name));
            Files.setAttribute(place, "unix:uid", Workspace.OWNER);
            volumes.add(
                    new Workspace.Volume(
                            name, new Workspace.Directory(place), name.equals("open")));
        }
        var with = new Workspace.WithVolumes(new Workspace.Directory(rig.workspace()), volumes);
        for (int run = 0; run < 2; run++) {
            assertThat(rig.run(Language.PYTHON, VOLUMES, with).stdout())
                    .isEqualTo("3 open shut\nopen written 1000\nshut 30\nTrue True\n");
            assertThat(rig.run(Language.PYTHON, VOLUMES).stdout()).isEqualTo("3\n\n");
        }
        assertThat(directory.resolve("open/by")).hasContent("xx");
        assertThat(directory.resolve("shut")).isEmptyDirectory();
    }

    @Test
    void a_fork_leaves_out_the_last_step_of_its_interpreter_and_keeps_its_status()
            throws Exception {
        var seen =
                """
                import ctypes, sys
                ctypes.pythonapi.Py_AtExit(ctypes.CDLL(None).abort)
                sys.exit(3)
                """;
        assertThat(rig.run(Language.PYTHON, seen).code()).isEqualTo(3);
    }

    @Test
    void doctor_finds_every_wall_of_a_nest() throws Exception {
        var report =
                new Doctor(rig.sandboxes(), new Workspace.Directory(rig.workspace())).examine();
        assertThat(report.findings().stream().filter(finding -> !finding.holds())).isEmpty();
        assertThat(report.table()).contains("nests make those of callers");
    }

    @Test
    void without_a_compiler_bubblewrap_makes_all_and_doctor_says_why(@TempDir Path guests)
            throws Exception {
        for (var part : List.of("python", "bash")) {
            Files.createDirectory(guests.resolve(part));
            try (var files =
                    Files.newDirectoryStream(Rig.guests().resolve(part), Files::isRegularFile)) {
                for (var file : files) {
                    Files.copy(file, guests.resolve(part).resolve(file.getFileName()));
                }
            }
        }
        try (var plain = Rig.openNested(guests, PoolSettings.NONE, NestSettings.Beginning.FORK)) {
            assertThat(plain.sandboxes().makers())
                    .contains("bubblewrap makes all", "no C compiler");
            assertThat(plain.run(Language.PYTHON, NUMBER).stdout()).isEqualTo(IN_BUBBLEWRAP);
        }
    }

    /// Kernels before 5.8 enter no namespaces by a pidfd. One that does not is made by compiling
    /// the nest against it.
    @Test
    void on_a_kernel_that_enters_nothing_by_a_pidfd_bubblewrap_makes_all(@TempDir Path directory)
            throws Exception {
        var guests = directory.resolve("guests");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        run(List.of("cp", "-rL", Rig.guests().toString(), guests.toString()));
        var old = directory.resolve("old.h");
        Files.writeString(old, OLD_KERNEL);
        run(
                List.of(
                        "cc",
                        "-static",
                        "-include",
                        old.toString(),
                        "-o",
                        guests.resolve("nest/nest").toString(),
                        "../guests/nest/nest.c"));
        try (var plain = Rig.openNested(guests, PoolSettings.NONE, NestSettings.Beginning.FORK)) {
            assertThat(plain.sandboxes().makers())
                    .contains("bubblewrap makes all", "setns by a pidfd (error 22)");
            assertThat(plain.run(Language.PYTHON, NUMBER).stdout()).isEqualTo(IN_BUBBLEWRAP);
        }
    }

    private static void run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    @Test
    void where_user_ids_are_few_bubblewrap_makes_all_and_doctor_says_why() throws Exception {
        var few = new SandboxSettings.UserRange(LOCKS, 300_000, 60);
        try (var plain = Rig.openNested(few)) {
            assertThat(plain.sandboxes().makers())
                    .contains("bubblewrap makes all", "raise sandbox.uid_count");
            assertThat(plain.run(Language.PYTHON, NUMBER).stdout()).isEqualTo(IN_BUBBLEWRAP);
        }
    }

    @Test
    void while_others_have_the_user_ids_bubblewrap_makes_sandboxes() throws Exception {
        var range = new SandboxSettings.UserRange(LOCKS, 301_000, 120);
        var others = new UserIds(LOCKS, range.first(), range.count());
        var leases = new ArrayList<UserIds.Lease>();
        try (var crowded = Rig.openNested(range)) {
            assertThat(crowded.run(Language.PYTHON, NUMBER).stdout()).isEqualTo(IN_NEST);
            for (int each = 0; each < 60; each++) {
                leases.add(others.take());
            }
            assertThat(crowded.run(Language.BASH, "echo $$").stdout()).isEqualTo(IN_BUBBLEWRAP);
            assertThat(crowded.run(Language.PYTHON, NUMBER).stdout()).isEqualTo(IN_NEST);
        } finally {
            leases.forEach(UserIds.Lease::close);
        }
    }

    @Test
    void with_boot_no_two_runs_share_a_layout() throws Exception {
        var layout = "print(open('/proc/self/maps').readline().split()[0], hash('text'))";
        try (var booting =
                Rig.openNested(Rig.guests(), PoolSettings.NONE, NestSettings.Beginning.BOOT)) {
            var first = booting.run(Language.PYTHON, layout).stdout();
            assertThat(booting.run(Language.PYTHON, layout).stdout()).isNotEqualTo(first);
            assertThat(booting.run(Language.PYTHON, NUMBER).stdout()).isEqualTo(IN_NEST);
        }
    }

    @Test
    void sandboxes_of_a_caller_wait_for_it_alone() throws Exception {
        var pool = PoolSettings.of(Rig.LIMITS, 256L << 20, Duration.ofMinutes(5));
        try (var pooled = Rig.openNested(Rig.guests(), pool, NestSettings.Beginning.FORK)) {
            pooled.run(Language.PYTHON, NUMBER);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> pooled.ready(Language.PYTHON) > 2);
            var result = pooled.run(Language.PYTHON, NUMBER);
            assertThat(result.stdout()).isEqualTo(IN_NEST);
            assertThat(result.outcome().usage().start()).hasValue(Start.WARM);
            pooled.sandboxes().forget("");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> pooled.ready(Language.PYTHON) < 2);
        }
    }
}
