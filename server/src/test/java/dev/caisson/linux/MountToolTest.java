package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.linux.calls.Kernel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Attaching to sandboxes that run, on the real kernel.
@Tag("root")
class MountToolTest {
    private static final Set<MountFlag> PLAIN = Set.of(MountFlag.NO_SUID, MountFlag.NO_DEV);
    private static final Set<MountFlag> COVERED =
            Set.of(MountFlag.NO_SUID, MountFlag.NO_DEV, MountFlag.READ_ONLY);

    private static final int ON_DISK = 1_000;

    @TempDir Path directory;
    private HostState before = HostState.UNKNOWN;
    private MountTool tool = new MountTool();

    @BeforeEach
    void remember() throws IOException {
        before = HostState.now(directory);
        Files.writeString(directory.resolve("greeting"), "hello");
        try (var arena = Arena.ofConfined()) {
            var kernel = new Kernel(arena);
            kernel.chown(directory.toString(), ON_DISK, ON_DISK);
            kernel.chown(directory.resolve("greeting").toString(), ON_DISK, ON_DISK);
        }
    }

    @AfterEach
    void the_host_is_as_before() {
        tool.close();
        assertThat(HostState.now(directory)).isEqualTo(before);
        assertThat(before.nullDevice()).startsWith("0:0 ").contains("OTHERS_WRITE");
    }

    @Test
    void this_host_lacks_nothing() {
        assertThat(MountTool.missing()).isEmpty();
    }

    @Test
    void a_directory_appears_and_belongs_to_the_program() throws IOException {
        try (var shell = ShellInSandbox.start()) {
            tool.attach(
                    shell.init(),
                    directory,
                    Attachment.at("/workspace", PLAIN).mapped(shell.map()));

            assertThat(shell.run("cat /workspace/greeting").output()).isEqualTo("hello");
            assertThat(shell.run("stat -c %u:%g /workspace/greeting").output())
                    .isEqualTo("1000:1000");
            assertThat(shell.run("echo new > /workspace/made; rm /workspace/greeting").code())
                    .isZero();
        }
        assertThat(Files.getAttribute(directory.resolve("made"), "unix:uid")).isEqualTo(ON_DISK);
        assertThat(directory.resolve("greeting")).doesNotExist();
    }

    /// As happens when the thread wakes a virtual one and that takes another carrier.
    @Test
    void a_thread_that_was_started_from_there_does_not_hinder_it() {
        var over = new CountDownLatch(1);
        tool.thread()
                .run(_ -> {
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                try {
                                    over.await();
                                } catch (InterruptedException ended) {
                                    Thread.currentThread().interrupt();
                                }
                            });
                    return true;
                });
        try (var shell = ShellInSandbox.start()) {
            tool.attach(
                    shell.init(),
                    directory,
                    Attachment.at("/workspace", PLAIN).mapped(shell.map()));

            assertThat(shell.run("cat /workspace/greeting").output()).isEqualTo("hello");
        } finally {
            over.countDown();
        }
    }

    @Test
    void what_is_attached_is_private_and_has_no_devices_or_set_id_bits() {
        try (var shell = ShellInSandbox.start()) {
            tool.attach(
                    shell.init(),
                    directory,
                    Attachment.at("/workspace", PLAIN).mapped(shell.map()));

            assertThat(shell.run("grep ' /workspace ' /proc/self/mountinfo").output())
                    .contains("nosuid", "nodev", "idmapped")
                    .doesNotContain("shared:", "master:");
        }
    }

    @Test
    void files_and_directories_are_covered_in_one_go() throws IOException {
        var shown = Files.createDirectory(directory.resolve("shown"));
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createFile(shown.resolve("inside"));
        try (var shell = ShellInSandbox.start()) {
            tool.cover(
                    shell.init(),
                    Map.of(
                            "/proc/version", directory.resolve("greeting"),
                            "/proc/uptime", Path.of("/dev/null"),
                            "/proc/sys", shown),
                    COVERED);

            assertThat(shell.run("cat /proc/version").output()).isEqualTo("hello");
            assertThat(shell.run("cat /proc/uptime").output()).contains("Permission denied");
            assertThat(shell.run("ls /proc/sys").output()).isEqualTo("inside");
            assertThat(shell.run("grep -c ' /proc/[a-z]* ro,' /proc/self/mountinfo").output())
                    .isEqualTo("3");
            assertThat(shell.run("umount /proc/version").code()).isNotZero();
        }
    }

    @Test
    void a_cover_that_cannot_be_put_is_told_and_leaves_the_tool_usable() {
        try (var shell = ShellInSandbox.start()) {
            assertThatThrownBy(() ->
                            tool.cover(
                                    shell.init(),
                                    Map.of("/proc/absent", Path.of("/dev/null")),
                                    COVERED))
                    .isInstanceOf(KernelException.class);
            assertThatThrownBy(() ->
                            tool.cover(
                                    shell.init(),
                                    Map.of("/proc/version", directory.resolve("absent")),
                                    COVERED))
                    .isInstanceOf(KernelException.class);
            tool.cover(
                    shell.init(), Map.of("/proc/version", directory.resolve("greeting")), COVERED);
            assertThat(shell.run("cat /proc/version").output()).isEqualTo("hello");
        }
    }

    @Test
    void a_read_only_directory_cannot_be_written() {
        try (var shell = ShellInSandbox.start()) {
            var readOnly =
                    Attachment.at("/workspace", Set.of(MountFlag.READ_ONLY, MountFlag.NO_EXEC))
                            .mapped(shell.map());
            tool.attach(shell.init(), directory, readOnly);

            assertThat(shell.run("echo no > /workspace/made").output())
                    .contains("Read-only file system");
            assertThat(shell.run("grep ' /workspace ' /proc/self/mountinfo").output())
                    .contains("noexec");
        }
    }

    @Test
    void files_in_memory_end_at_their_size_and_number() {
        var size = new TmpfsSize(1 << 20, 32, ShellInSandbox.UID);
        try (var shell = ShellInSandbox.start()) {
            tool.attachTmpfs(shell.init(), size, Attachment.at("/workspace", PLAIN));

            assertThat(shell.run("head -c 1000000 /dev/zero > /workspace/fits").code()).isZero();
            assertThat(shell.run("head -c 1100000 /dev/zero > /workspace/fits").output())
                    .contains("No space left");
            assertThat(shell.run("rm /workspace/fits; touch $(seq -f /workspace/%g 31)").code())
                    .isZero();
            assertThat(shell.run("touch /workspace/32").output()).contains("No space left");
        }
    }

    @Test
    void a_dead_sandbox_is_an_error_and_the_tool_goes_on() {
        var dead = ShellInSandbox.start();
        var gone = PidFd.open(dead.init().pid());
        dead.close();

        refused(gone, directory, "/workspace", Errno.ESRCH);
        gone.close();
        assertThatAttachingWorks();
    }

    @Test
    void a_place_or_a_source_that_is_not_there_is_an_error_and_the_tool_goes_on() {
        try (var shell = ShellInSandbox.start()) {
            refused(shell.init(), directory, "/nowhere", Errno.ENOENT);
            refused(shell.init(), directory.resolve("absent"), "/workspace", Errno.ENOENT);
        }
        assertThatAttachingWorks();
    }

    @Test
    void a_tool_whose_thread_ended_gets_a_new_one() {
        tool.thread().end();
        assertThatAttachingWorks();
    }

    @Test
    void a_closed_tool_stays_closed() {
        tool.close();
        try (var shell = ShellInSandbox.start()) {
            assertThatThrownBy(() ->
                            tool.attach(
                                    shell.init(), directory, Attachment.at("/workspace", PLAIN)))
                    .hasMessageContaining("closed");
        }
    }

    @Test
    void many_threads_can_attach_at_once() {
        try (var shell = ShellInSandbox.start();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var attachment = Attachment.at("/workspace", PLAIN).mapped(shell.map());
            var attached =
                    IntStream.range(0, 20)
                            .mapToObj(_ ->
                                    CompletableFuture.runAsync(
                                            () -> tool.attach(shell.init(), directory, attachment),
                                            threads))
                            .toList();
            attached.forEach(CompletableFuture::join);
            assertThat(shell.run("grep -c ' /workspace ' /proc/self/mountinfo").output())
                    .isEqualTo("20");
        }
    }

    private void assertThatAttachingWorks() {
        try (var shell = ShellInSandbox.start()) {
            tool.attach(
                    shell.init(),
                    directory,
                    Attachment.at("/workspace", PLAIN).mapped(shell.map()));
            assertThat(shell.run("cat /workspace/greeting").output()).isEqualTo("hello");
        }
    }

    private void refused(PidFd sandbox, Path source, String target, Errno errno) {
        assertThatThrownBy(() -> tool.attach(sandbox, source, Attachment.at(target, PLAIN)))
                .asInstanceOf(InstanceOfAssertFactories.type(KernelException.class))
                .extracting(KernelException::errno)
                .isEqualTo(errno);
    }
}
