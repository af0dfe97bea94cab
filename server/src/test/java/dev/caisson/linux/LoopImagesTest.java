package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.linux.calls.Kernel;
import dev.caisson.linux.mount.Ext4;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workspaces in images, on the real kernel.
@Tag("root")
class LoopImagesTest {
    private static final int ON_DISK = 1_000;
    private static final long BYTES = 8 << 20;
    private static final long FILES = 200;

    @TempDir Path directory;
    private final LoopImages images = new LoopImages(ON_DISK);
    private HostState before = HostState.UNKNOWN;
    private Path image = Path.of("");

    @BeforeEach
    void make() throws IOException {
        before = HostState.now(directory);
        image = directory.resolve("workspace.img");
        images.create(image, BYTES, FILES);
    }

    @AfterEach
    void the_host_is_as_before() {
        await().atMost(Duration.ofSeconds(30)).until(() -> HostState.images(directory).isEmpty());
        assertThat(HostState.now(directory)).isEqualTo(before);
    }

    @Test
    void this_host_lacks_nothing() {
        assertThat(LoopImages.missing()).isEmpty();
    }

    @Test
    void an_image_takes_little_of_the_disk_until_it_is_filled() throws IOException {
        assertThat(Files.size(image)).isEqualTo(BYTES);
        assertThat(allocated(image)).isLessThan(BYTES / 10);
    }

    @Test
    void a_copy_of_the_template_is_a_sound_file_system() throws Exception {
        var second = directory.resolve("second.img");
        images.create(second, BYTES, FILES);

        assertThat(Files.mismatch(image, second)).isEqualTo(-1);
        var check = new ProcessBuilder("/usr/sbin/e2fsck", "-fn", second.toString()).start();
        var said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(said).isZero();
    }

    @Test
    void an_image_that_somebody_deleted_is_neither_free_nor_taken() throws Exception {
        assertThat(LoopImages.isFree(image)).isTrue();
        Files.delete(image);
        assertThatThrownBy(() -> LoopImages.isFree(image)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> SparseFile.digest(image)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void an_image_that_exists_is_not_overwritten() {
        assertThatThrownBy(() -> images.create(image, BYTES, FILES))
                .isInstanceOf(IOException.class);
    }

    @Test
    void nobody_ever_finds_half_an_image() throws Exception {
        try (var maker = Executors.newSingleThreadExecutor()) {
            var made = maker.submit(() -> makeMany(200));
            while (!made.isDone()) {
                assertWhole();
            }
            made.get();
        }
        assertThat(assertWhole()).isEqualTo(200);
        try (var drafts = Files.newDirectoryStream(directory, "*.draft")) {
            assertThat(drafts).isEmpty();
        }
    }

    private boolean makeMany(int count) throws IOException {
        for (var i = 0; i < count; i++) {
            images.create(directory.resolve(i + ".new"), BYTES, FILES);
        }
        return true;
    }

    private int assertWhole() throws IOException {
        var count = 0;
        try (var seen = Files.newDirectoryStream(directory, "*.new")) {
            for (var each : seen) {
                assertThat(Files.size(each)).isEqualTo(BYTES);
                assertThat(Ext4.isClean(each)).isTrue();
                count++;
            }
        }
        return count;
    }

    @Test
    void what_a_killed_server_had_begun_is_removed_by_the_next() throws IOException {
        var own = ServerToken.own();
        var dead = new ServerToken(own.pid(), own.startTicks() + 1);
        var left = Files.createFile(directory.resolve(dead + "-0.draft"));
        var another = Files.createFile(directory.resolve(own + "-0.draft"));

        images.create(directory.resolve("next.img"), BYTES, FILES);

        assertThat(left).doesNotExist();
        assertThat(another).exists();
    }

    @Test
    void it_is_empty_and_mounted_nowhere_in_the_hosts_table() throws IOException {
        try (var mount = images.mount(image);
                var files = Files.list(root(mount))) {
            assertThat(files).isEmpty();
            assertThat(HostState.now(directory).mounts()).isEqualTo(before.mounts());
            assertThat(HostState.images(directory)).containsExactly(image.toString());
        }
    }

    @Test
    void what_was_written_is_there_the_next_time() throws IOException {
        try (var mount = images.mount(image)) {
            Files.writeString(root(mount).resolve("kept"), "yes");
        }
        try (var mount = images.mount(image)) {
            assertThat(root(mount).resolve("kept")).hasContent("yes");
        }
    }

    @Test
    void it_is_never_mounted_twice() throws IOException {
        try (var _ = images.mount(image)) {
            assertThatThrownBy(() -> images.mount(image))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is in use");
        }
    }

    @Test
    void a_program_stops_at_its_size_and_its_number_of_files() throws IOException {
        try (var tool = new MountTool();
                var mount = images.mount(image);
                var shell = ShellInSandbox.start()) {
            tool.attach(
                    shell.init(),
                    mount,
                    Attachment.at("/workspace", Set.of(MountFlag.NO_SUID, MountFlag.NO_DEV))
                            .mapped(shell.map()));

            assertThat(shell.run("head -c 20000000 /dev/zero > /workspace/big").output())
                    .contains("No space left");
            assertThat(shell.run("stat -c %u /workspace/big; rm /workspace/big").output())
                    .isEqualTo("1000");
            assertThat(shell.run("cd /workspace && touch $(seq %d)".formatted(FILES)).code())
                    .isZero();
            assertThat(shell.run("cd /workspace && touch $(seq -f x%g 100)").output())
                    .contains("No space left");
        }
        assertThat(allocated(image)).isLessThanOrEqualTo(BYTES);
    }

    @Test
    void a_second_mount_serves_kernels_that_cannot_copy_the_first() throws IOException {
        try (var mount = images.mount(image);
                var arena = Arena.ofConfined()) {
            Files.writeString(root(mount).resolve("seen"), "by both");
            var kernel = new Kernel(arena);
            int again = ((LoopImages.LoopMount) mount).again(kernel);
            assertThat(Path.of("/proc/self/fd/" + again, "seen")).hasContent("by both");
            kernel.close(again);
        }
    }

    @Test
    void an_image_that_was_not_left_in_order_is_repaired() throws IOException {
        var crashed = directory.resolve("crashed.img");
        try (var mount = images.mount(image)) {
            Files.writeString(
                    root(mount).resolve("kept"),
                    "yes",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.SYNC);
            Files.copy(image, crashed);
        }
        assertThat(Ext4.isClean(crashed)).isFalse();
        try (var mount = images.mount(crashed)) {
            assertThat(root(mount).resolve("lost+found")).doesNotExist();
        }
        awaitFree();
        assertThat(Ext4.isClean(crashed)).isTrue();
    }

    @Test
    void a_file_that_is_no_image_is_refused() throws IOException {
        var other = Files.write(directory.resolve("other"), new byte[100_000]);
        assertThatThrownBy(() -> images.mount(other)).hasMessageContaining("no ext4");
    }

    @Test
    void an_image_has_a_least_size() {
        assertThatThrownBy(() -> images.create(directory.resolve("small"), (1 << 20) - 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> images.create(directory.resolve("small"), 1 << 20, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void awaitFree() {
        await().atMost(Duration.ofSeconds(30)).until(() -> HostState.images(directory).isEmpty());
    }

    private static Path root(Mount mount) {
        return Path.of("/proc/self/fd/" + mount.descriptor() + "/.");
    }

    private static long allocated(Path file) {
        try (var arena = Arena.ofConfined()) {
            return new Kernel(arena).allocatedBytes(file.toString());
        }
    }
}
