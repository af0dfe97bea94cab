package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.sandbox.Boot;
import dev.caisson.sandbox.Limits;
import dev.caisson.sandbox.Root;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The plan of a nest as a document: what it mounts is compared row for row.
class NestPlanTest {
    private static final Host HOST =
            new Host(
                    Path.of("/run/c/runtime"),
                    Host.Programs.find(),
                    List.of("kcore"),
                    List.of("fs"),
                    true,
                    Optional.empty());
    private static final Boot BOOT =
            new Boot(
                            new Root(
                                    List.of(
                                            new Root.Entry.Shown("usr", Path.of("/usr")),
                                            new Root.Entry.Link("bin", "usr/bin"))),
                            List.of("/usr/bin/thing"),
                            Map.of(),
                            List.of("main"))
                    .showing(List.of(new Boot.Shown("/opt/env/data", Path.of("/srv/data"))));

    private static final NestPlan PLAN = NestPlan.of(HOST, BOOT, 10);

    /// One row a line, without what the kernel counts for users, which the host says.
    private static List<String> lines(List<String> rows) {
        assertThat(rows.size() % 4).isZero();
        var lines = new ArrayList<String>();
        for (int row = 0; row < rows.size(); row += 4) {
            var line = String.join(" ", rows.subList(row, row + 4));
            if (!line.contains("max_inotify")) {
                lines.add(line);
            }
        }
        return lines;
    }

    @Test
    void the_root_that_all_sandboxes_copy_has_exactly_these_rows() {
        assertThat(lines(PLAN.root()))
                .containsExactlyElementsOf(
                        """
                        show /old/usr /usr 7
                        link usr/bin /bin 0
                        directory  /opt/env/data 0
                        proc  /proc 14
                        tmpfs mode=0755,size=64k /dev 6
                        show /old/dev/null /dev/null 10
                        show /old/dev/zero /dev/zero 10
                        show /old/dev/full /dev/full 10
                        show /old/dev/random /dev/random 10
                        show /old/dev/urandom /dev/urandom 10
                        show /old/dev/tty /dev/tty 10
                        link /proc/kcore /dev/core 0
                        link /proc/self/fd /dev/fd 0
                        link pts/ptmx /dev/ptmx 0
                        link /proc/self/fd/2 /dev/stderr 0
                        link /proc/self/fd/0 /dev/stdin 0
                        link /proc/self/fd/1 /dev/stdout 0
                        directory  /dev/shm 0
                        directory  /dev/pts 0
                        directory  /workspace 0
                        directory  /tmp 0
                        directory  /run/job 0
                        link /workspace /data 0
                        directory  /home 0
                        link /workspace /home/baponi 0
                        directory  /var 0
                        link /tmp /var/tmp 0
                        link /workspace/node_modules /node_modules 0
                        directory  /volumes 0
                        directory  /run/offline 0
                        show /old/run/c/runtime/guest /run/guest 7
                        flags  /dev 1
                        """
                                .lines()
                                .toList());
        assertThat(PLAN.shown())
                .containsExactly(new LateMount.Cover("/opt/env/data", Path.of("/srv/data")));
    }

    @Test
    void each_sandbox_mounts_exactly_these_rows_for_itself() {
        assertThat(lines(PLAN.shell()))
                .containsExactlyElementsOf(
                        """
                        write 0 /proc/sys/user/max_user_namespaces 0
                        proc  /proc 14
                        show /run/guest/nest/proc1 /proc/1 7
                        show /dev/null /proc/kcore 7
                        show /volumes /proc/fs 7
                        flags  /proc 1
                        devpts newinstance,ptmxmode=0666,mode=620,max=16 /dev/pts 10
                        """
                                .lines()
                                .toList());
        assertThat(lines(NestPlan.own(Limits.DEFAULT, false)))
                .hasSize(2)
                .allMatch(row -> row.startsWith("tmpfs mode=1777,size=") && row.endsWith(" 6"));
    }

    @Test
    void what_the_kernel_counts_for_users_is_divided_between_sandboxes() {
        HOST.userLimits()
                .forEach((name, most) ->
                        assertThat(String.join(" ", PLAN.shell()))
                                .contains(
                                        "write %d /proc/sys/user/%s"
                                                .formatted(Math.max(1, most / 10), name)));
    }

    @Test
    void words_that_have_no_row_are_refused() {
        var words = new SandboxSpec.Words().add("--bind", "/a", "/b");
        assertThatThrownBy(() -> NestRows.of(words)).hasMessageContaining("--bind");
    }
}
