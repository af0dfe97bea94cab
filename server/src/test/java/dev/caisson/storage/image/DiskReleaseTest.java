package dev.caisson.storage.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.storage.ImageWorkspaces;
import dev.caisson.storage.WorkspaceMaker;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The room of an image is free when the image is gone, on the real kernel.
@Tag("root")
class DiskReleaseTest {
    private static final long BYTES = 16L << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir Path root;
    private HostDisk disk;
    private ImageWorkspaces maker;

    DiskReleaseTest(@TempDir Path anywhere) {
        disk = new HostDisk(anywhere, 0);
        maker = new ImageWorkspaces(new LoopImages(1000), disk, BYTES, 1000);
    }

    @BeforeEach
    void start() {
        disk = new HostDisk(root, 0);
        maker = new ImageWorkspaces(new LoopImages(1000), disk, BYTES, 1000).ahead(root, 1);
    }

    @AfterEach
    void end() {
        maker.close();
    }

    private static FileChannel hold(WorkspaceMaker.Opened opened) throws Exception {
        return FileChannel.open(
                opened.root().resolve("held"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    @Test
    void a_closed_image_that_somebody_writes_to_keeps_its_promise() throws Exception {
        var directory = Files.createDirectory(root.resolve("thread"));
        var opened = maker.open(directory, "a");
        assertThat(disk.promisedBytes("a")).isEqualTo(BYTES);
        try (var held = hold(opened)) {
            opened.close();
            // Whatever waits to be closed is closed by now.
            maker.close();
            assertThat(disk.promisedBytes("a")).isEqualTo(BYTES);
            assertThat(held.isOpen()).isTrue();
        }
        await().atMost(PATIENCE).until(() -> disk.promisedBytes("a") == 0);
        maker.open(directory, "a").close();
        await().atMost(PATIENCE).until(() -> disk.promisedBytes("a") == 0);
    }

    @Test
    void a_deleted_one_does_too() throws Exception {
        // Its place on the disk is promised before it is made.
        var opened =
                await().atMost(PATIENCE)
                        .until(() -> maker.temporary("a", false), Optional::isPresent)
                        .orElseThrow();
        assertThat(disk.promisedBytes("a")).isEqualTo(BYTES);
        try (var held = hold(opened)) {
            opened.close();
            maker.close();
            assertThat(disk.promisedBytes("a")).isEqualTo(BYTES);
            assertThat(held.isOpen()).isTrue();
        }
        await().atMost(PATIENCE).until(() -> disk.promisedBytes("a") == 0);
    }
}
