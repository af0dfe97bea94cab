package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A service lives behind the same walls as a program, is told its secrets where nobody sees them,
/// and leaves nothing.
@Tag("root")
@Timeout(180)
class ServicesTest {
    private static final String SECRET = "secret-a1b2c3d4";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /// What is in the host's `/tmp` cannot be shown.
    static final class OutsideTmp implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
                throws IOException {
            return Files.createTempDirectory(Files.createDirectories(Path.of("/opt")), "shown-");
        }
    }

    private final Rig rig;
    private final Path data;

    @TempDir(factory = OutsideTmp.class)
    Path shown;

    ServicesTest() throws IOException {
        rig = Rig.open();
        data = rig.workspace();
    }

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    private ServiceOrder order(String name, String script, Limits limits) {
        return new ServiceOrder(
                name,
                List.of("bash", "-c", script),
                Map.of("TOKEN", SECRET, "TWO_LINES", "a\nb"),
                List.of(shown),
                new Workspace.Directory(data),
                limits);
    }

    private Service start(String script) throws InterruptedException {
        return rig.sandboxes().services().start(order("one", script, Rig.LIMITS));
    }

    /// Says a line and hears one.
    private static String ask(Service service, String line) throws IOException {
        service.in().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        service.in().flush();
        return line(service);
    }

    private static String line(Service service) throws IOException {
        var line = new StringBuilder();
        for (int next = service.out().read();
                next >= 0 && next != '\n';
                next = service.out().read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    private static final String ANSWERS =
            "while IFS= read -r line; do eval \"$line\" 2>&1 | tr '\\n' ' '; echo; done";

    @Test
    void it_answers_until_its_input_ends() throws Exception {
        var service = start(ANSWERS);
        assertThat(ask(service, "echo \"$TOKEN/$TWO_LINES/$PWD\""))
                .isEqualTo(SECRET + "/a b//data ");
        assertThat(rig.sandboxes().services().living()).containsExactly(service);
        assertThat(service.memoryBytes().orElse(0)).isPositive();
        service.stop();
        await().atMost(PATIENCE).until(service::hasEnded);
        await().atMost(PATIENCE).until(() -> rig.sandboxes().services().living().isEmpty());
        assertThat(service.out().read()).isEqualTo(-1);
        await().atMost(PATIENCE).until(() -> rig.sandboxes().boxes() == 0);
    }

    @Test
    void no_command_line_of_the_host_has_a_secret() throws Exception {
        var service = start(ANSWERS);
        ask(service, "echo there");
        try (var processes = Files.list(Path.of("/proc"))) {
            var lines =
                    processes
                            .filter(each -> each.getFileName().toString().matches("\\d+"))
                            .map(ServicesTest::commandLine)
                            .filter(line -> !line.isEmpty())
                            .toList();
            assertThat(lines).hasSizeGreaterThan(3).noneMatch(line -> line.contains(SECRET));
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"));
        } catch (IOException | UncheckedIOException gone) {
            return "";
        }
    }

    @Test
    void it_is_behind_the_walls_of_a_program() throws Exception {
        Files.writeString(shown.resolve("tool.txt"), "shown");
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
        var service = start(ANSWERS);
        assertThat(ask(service, "id -u; echo x > /usr/x; echo x > /x"))
                .matches("1000 .*Read-only.*Read-only.*");
        assertThat(ask(service, "cat " + shown + "/tool.txt; echo x > " + shown + "/tool.txt"))
                .matches("shown.*(Read-only|denied).*");
        assertThat(ask(service, "cat /proc/net/dev | grep -c :")).isEqualTo("1 ");
        assertThat(ask(service, "echo x > /dev/tcp/127.0.0.1/22")).contains("refused");
        assertThat(
                        ask(
                                service,
                                "grep NoNewPrivs /proc/self/status; grep Seccomp: /proc/self/status"))
                .matches("NoNewPrivs:\\s1 Seccomp:\\s2 ");
        assertThat(ask(service, "unshare -Ur true && echo made")).doesNotContain("made");
        assertThat(ask(service, "ls -d /home/* /root 2>&1; ls /proc | grep -c '^[0-9]'"))
                .doesNotContain("caisson");
        assertThat(Files.readString(shown.resolve("tool.txt"))).isEqualTo("shown");
    }

    @Test
    void what_it_keeps_is_there_for_the_next_of_its_name() throws Exception {
        var first = start(ANSWERS);
        ask(first, "echo kept > /data/file; echo gone > /tmp/file");
        var second = start(ANSWERS);
        assertThat(first.hasEnded()).isTrue();
        assertThat(ask(second, "cat /data/file /tmp/file"))
                .startsWith("kept ")
                .contains("No such file");
        assertThat(rig.sandboxes().services().living()).containsExactly(second);
    }

    @Test
    void the_last_of_its_errors_is_kept() throws Exception {
        var service =
                start("head -c 200000 /dev/zero | tr '\\0' x >&2; echo the end >&2; " + ANSWERS);
        ask(service, "echo there");
        await().atMost(PATIENCE).until(() -> service.recentErrors().endsWith("the end\n"));
        assertThat(service.recentErrors()).hasSize(LiveService.ERROR_BYTES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "trap '' INT TERM HUP; exec 0<&-; while true; do sleep 1; done",
                "trap '' INT; (trap '' INT; while true; do sleep 1; done) & cat >/dev/null; wait",
            })
    void one_that_does_not_want_to_end_is_killed(String script) throws Exception {
        var service = start(script);
        service.stop();
        service.stop();
        await().atMost(PATIENCE).until(() -> rig.sandboxes().services().living().isEmpty());
        await().atMost(PATIENCE).until(() -> rig.sandboxes().boxes() == 0);
    }

    @Test
    void one_that_goes_on_without_input_is_asked_to_end_before_it_is_killed() throws Exception {
        var service =
                start(
                        "trap 'echo INT >> /data/heard' INT; trap 'echo TERM >> /data/heard; exit 0' TERM;"
                                + " echo there; exec 0<&-; while true; do sleep 0.1; done");
        assertThat(line(service)).isEqualTo("there");
        service.stop();
        await().atMost(PATIENCE).until(() -> rig.sandboxes().services().living().isEmpty());
        assertThat(data.resolve("heard")).hasContent("TERM\n");
    }

    @Test
    void one_that_takes_more_memory_than_it_has_ends() throws Exception {
        var service =
                rig.sandboxes()
                        .services()
                        .start(
                                order(
                                        "one",
                                        "read -r go; a=$(head -c 300000000 /dev/zero | tr '\\0' x)",
                                        Rig.LIMITS.withMemory(64L << 20)));
        service.in().write('\n');
        service.in().flush();
        assertThat(service.out().read()).isEqualTo(-1);
        await().atMost(PATIENCE).until(() -> rig.sandboxes().services().living().isEmpty());
    }

    @Test
    void a_command_that_is_not_there_ends_with_a_word_about_it() throws Exception {
        var service =
                rig.sandboxes()
                        .services()
                        .start(
                                new ServiceOrder(
                                        "absent",
                                        List.of("/opt/not/there"),
                                        Map.of(),
                                        List.of(),
                                        new Workspace.Directory(data),
                                        Rig.LIMITS));
        try (var reader =
                new BufferedReader(new InputStreamReader(service.out(), StandardCharsets.UTF_8))) {
            assertThat(reader.readLine()).isNull();
        }
        await().atMost(PATIENCE).until(() -> service.recentErrors().contains("No such file"));
    }

    @Test
    void the_end_of_the_server_ends_it() throws Exception {
        var service = start(ANSWERS);
        ask(service, "echo there");
        rig.close();
        assertThat(service.hasEnded()).isTrue();
        assertThat(service.out().read()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/etc",
                "/etc/ssl",
                "/usr/lib/x",
                "/proc/1",
                "/run/x",
                "/tmp/x",
                "relative",
                "/opt/../etc",
                "/data",
                "/workspace/x",
                "/dev/shm",
                "/var",
                "/var/lib",
                "/var/tmp/x/y",
            })
    void what_would_hide_a_part_of_the_sandbox_is_not_shown(String path) {
        assertThat(Services.complaint(Path.of(path))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/opt/mcp",
                "/srv/tools",
                "/home/somebody/tools",
                "/root/tools",
                "/var/lib/caisson/tools"
            })
    void what_is_the_operator_s_own_can_be_shown(String path) {
        assertThat(Services.complaint(Path.of(path))).isEmpty();
    }

    @Test
    void an_order_is_checked() {
        assertThatThrownBy(() ->
                        new ServiceOrder(
                                "a",
                                List.of(),
                                Map.of(),
                                List.of(),
                                new Workspace.Directory(data),
                                Rig.LIMITS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new ServiceOrder(
                                "a",
                                List.of("a\0b"),
                                Map.of(),
                                List.of(),
                                new Workspace.Directory(data),
                                Rig.LIMITS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        new ServiceOrder(
                                "a",
                                List.of("a"),
                                Map.of("A=B", ""),
                                List.of(),
                                new Workspace.Directory(data),
                                Rig.LIMITS))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(order("one", "", Rig.LIMITS).toString()).doesNotContain(SECRET);
    }
}
