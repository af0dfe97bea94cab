package dev.caisson.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.store.KilledChild;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// File systems in memory, on the real kernel.
@Tag("root")
class MemoryMountTest {
    private static final long BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void this_host_lacks_nothing() {
        assertThat(MemoryMount.missing()).isEmpty();
    }

    @Test
    void it_ends_in_bytes_and_in_files_and_knows_how_full_it_is() throws IOException {
        try (var mount = MemoryMount.make(new TmpfsSize(BYTES, 11, 1_000))) {
            var root = root(mount);
            assertThat(mount.room()).isEqualTo(room(0, 0));
            assertThat(Files.getAttribute(root, "unix:uid")).isEqualTo(1_000);
            Files.write(root.resolve("full"), new byte[(int) BYTES]);
            assertThat(mount.room()).isEqualTo(room(BYTES, 1));
            assertThatThrownBy(() -> Files.write(root.resolve("more"), new byte[1]))
                    .hasMessageContaining("No space left");
            Files.write(root.resolve("full"), new byte[0]);
            for (int file = 2; file < 10; file++) {
                Files.createFile(root.resolve("f" + file));
            }
            assertThatThrownBy(() -> Files.createFile(root.resolve("f10")))
                    .hasMessageContaining("No space left");
        }
    }

    @Test
    void one_that_is_planned_takes_over_what_is_attached_if_that_is_as_large() throws IOException {
        var size = new TmpfsSize(BYTES, 11, 1_000);
        try (var small = MemoryMount.planned(new TmpfsSize(BYTES / 2, 11, 1_000));
                var wanted = MemoryMount.planned(size)) {
            var attached = MemoryMount.make(size);
            assertThat(wanted.takeOver(attached)).as("a mount that may move").isFalse();
            Files.createFile(root(attached).resolve("mark"));
            attached.keepRoot();
            assertThat(small.takeOver(attached)).isFalse();
            assertThat(wanted.takeOver(attached)).isTrue();
            assertThat(wanted.takeOver(attached)).isFalse();
            assertThat(wanted.room()).isEqualTo(room(0, 1));
            attached.close();
            assertThat(Path.of("/proc/self/fd", "" + wanted.root(), "mark")).exists();
        }
    }

    private static DiskUsage room(long bytes, long files) {
        return new DiskUsage(bytes, OptionalLong.of(BYTES), files, OptionalLong.of(10));
    }

    @Test
    void it_stands_in_no_table_and_is_gone_when_it_is_closed() throws IOException {
        var before = Files.readAllLines(Path.of("/proc/self/mountinfo")).size();
        try (var watcher = FileSystems.getDefault().newWatchService()) {
            var mount = MemoryMount.make(new TmpfsSize(BYTES, 10, 0));
            var watched = root(mount).register(watcher, StandardWatchEventKinds.ENTRY_DELETE);
            assertThat(Files.readAllLines(Path.of("/proc/self/mountinfo"))).hasSize(before);
            assertThat(watched.isValid()).isTrue();
            mount.close();
            mount.close();
            awaitGone(watched);
        }
    }

    /// The kernel ends a watch when it takes the file system apart, and not before.
    private static void awaitGone(WatchKey watched) {
        await().atMost(PATIENCE).until(() -> !watched.isValid());
    }

    @Test
    void it_is_gone_when_its_process_was_killed() throws Exception {
        var watched = new AtomicReference<WatchKey>();
        try (var watcher = FileSystems.getDefault().newWatchService()) {
            KilledChild.said(
                    1,
                    line -> {
                        if (line.startsWith("/proc/")) {
                            watched.set(
                                    Path.of(line)
                                            .register(
                                                    watcher, StandardWatchEventKinds.ENTRY_DELETE));
                            assertThat(watched.get().isValid()).isTrue();
                        }
                    },
                    "/proc/.*",
                    Holder.class);
            awaitGone(watched.get());
        }
    }

    /// Holds a file system, and says where.
    static final class Holder {
        private Holder() {}

        public static void main(String[] none) throws Exception {
            var mount = MemoryMount.make(new TmpfsSize(BYTES, 10, 0));
            Files.write(root(mount).resolve("kept"), new byte[1_000]);
            System.out.println(
                    "/proc/%d/fd/%d".formatted(ProcessHandle.current().pid(), mount.descriptor()));
            Thread.sleep(PATIENCE);
        }
    }

    private static Path root(MemoryMount mount) {
        return Path.of("/proc/self/fd", Integer.toString(mount.descriptor()));
    }
}
