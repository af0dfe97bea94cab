package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.CallerWorkers;
import dev.caisson.share.ShareLimit;
import dev.caisson.share.Workers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trees that take long to look at, and what others notice of it.
@Tag("slow")
class LargeTreeTest {
    private static final int DIRECTORIES = 30;
    private static final int FILES = 100;

    @TempDir Path root;

    @AutoClose
    private final Workers workers =
            new Workers(2, ShareLimit.DEFAULT, Thread.ofPlatform().daemon().factory());

    private FileTree tree;

    @BeforeEach
    void open() {
        tree = tree("anna", WalkBounds.ASKED);
    }

    @AfterEach
    void close() {
        tree.close();
    }

    private FileTree tree(String caller, WalkBounds bounds) {
        var computing = new CallerWorkers(workers, caller);
        return new FileTree(root, bounds, new ReentrantLock(), () -> {}, computing);
    }

    private void fill() throws IOException {
        for (var directory = 0; directory < DIRECTORIES; directory++) {
            var made = Files.createDirectory(root.resolve("d%02d".formatted(directory)));
            for (var file = 0; file < FILES; file++) {
                Files.createFile(made.resolve("f%03d".formatted(file)));
            }
        }
    }

    private void sparse(String name, long size) throws IOException {
        try (var file = new RandomAccessFile(root.resolve(name).toFile(), "rw")) {
            file.setLength(size);
        }
    }

    private void dense(String name, int size) throws IOException {
        Files.write(root.resolve(name), new byte[size]);
    }

    private static boolean awaited(CountDownLatch latch) throws InterruptedException {
        latch.await();
        return true;
    }

    @Test
    void a_removal_that_waits_for_its_turn_holds_up_no_other_change() throws Exception {
        fill();
        var busy = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var others =
                    Stream.of("bert", "carl")
                            .map(name ->
                                    threads.submit(() -> workers.run(name, () -> awaited(busy))))
                            .toList();
            await().until(() -> workers.busy() == 2);
            var removal =
                    threads.submit(
                            () -> tree.delete(new FilePath("d00"), true, Expected.anything()));
            await().until(() -> workers.waiting() == 1);

            try (var upload = tree.upload(new FilePath("d00/new"), Expected.anything())) {
                var stored = threads.submit(upload::commit);
                assertThat(stored.get(30, TimeUnit.SECONDS).file().size()).isZero();
            } finally {
                busy.countDown();
            }
            for (var other : others) {
                assertThat(other.get()).isTrue();
            }
            assertThat(removal.get()).isEqualTo(FILES + 1);
            assertThat(root.resolve("d00").toFile().list()).containsExactly("new");
            assertThat(root.toFile().list()).hasSize(DIRECTORIES);
        }
    }

    @Test
    void pages_put_together_are_the_whole_tree_in_order() throws Exception {
        fill();
        var paths = new ArrayList<String>();
        var next = Optional.<String>empty();
        do {
            var page = tree.list(FilePath.ROOT, true, next, 77);
            page.files().forEach(file -> paths.add(file.path().text()));
            assertThat(page.complete()).isTrue();
            next = page.next();
        } while (next.isPresent());

        assertThat(paths).hasSize(DIRECTORIES * (FILES + 1)).isSorted().doesNotHaveDuplicates();
    }

    /// The bound is on what is looked at: it would cut the page short if all were.
    @Test
    void a_page_costs_what_is_on_it_and_not_the_whole_tree() throws Exception {
        fill();
        try (var bounded = tree("anna", new WalkBounds(DIRECTORIES + 2 * FILES, 5))) {
            var first = bounded.list(FilePath.ROOT, true, Optional.empty(), 50);
            var middle = bounded.list(FilePath.ROOT, true, Optional.of("d15/f050"), 50);

            assertThat(first.complete()).isTrue();
            assertThat(first.files()).hasSize(50);
            assertThat(middle.complete()).isTrue();
            assertThat(middle.files().getFirst().path().text()).isEqualTo("d15/f051");
        }
    }

    @Test
    void a_list_of_many_files_leaves_turns_to_others() throws Exception {
        fill();
        var ended = new CountDownLatch(8);
        for (var i = 0; i < 8; i++) {
            Thread.ofVirtual()
                    .start(() -> {
                        try (var own = tree("anna", WalkBounds.ASKED)) {
                            for (var round = 0; round < 5; round++) {
                                own.list(FilePath.ROOT, true, Optional.empty(), 1_000);
                            }
                        } catch (InterruptedException _) {
                            Thread.currentThread().interrupt();
                        } finally {
                            ended.countDown();
                        }
                    });
        }
        assertThat(workers.run("bert", () -> "answered")).isEqualTo("answered");
        ended.await();
        await().until(() -> workers.busy() == 0 && workers.waiting() == 0);
    }

    @Test
    void an_archive_ends_where_its_files_have_too_much_unpacked() throws Exception {
        sparse("one", 3 << 20);
        sparse("two", 1 << 20);

        assertThat(names(new ArchiveLimits(1 << 20, 4 << 20))).contains("one", "two");
        assertTooLarge(new ArchiveLimits(1 << 20, (4 << 20) - 1), "unpacked");
    }

    @Test
    void an_archive_ends_where_its_files_take_too_much_on_the_disk() throws Exception {
        sparse("empty", 64 << 20);
        dense("full", 1 << 20);
        var taken = Files.size(root.resolve("full"));

        assertThat(names(new ArchiveLimits(taken + (64 << 10), 1L << 30)))
                .contains("empty", "full");
        assertTooLarge(new ArchiveLimits(taken - 1, 1L << 30), "on the disk");
    }

    private void assertTooLarge(ArchiveLimits limits, String where) {
        assertThatThrownBy(() ->
                        tree.archive(
                                ArchiveFormat.ZIP,
                                limits,
                                () -> {
                                    throw new AssertionError("an answer has begun");
                                }))
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.TOO_LARGE))
                .hasMessageContaining(where);
    }

    private List<String> names(ArchiveLimits limits) throws Exception {
        var bytes = new ByteArrayOutputStream();
        tree.archive(ArchiveFormat.ZIP, limits, () -> bytes);
        var names = new ArrayList<String>();
        try (var zip = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }

    /// Whoever reads slowly, or not at all, has no thread meanwhile.
    @Test
    void an_archive_that_is_not_read_holds_no_thread() throws Exception {
        dense("zeros", 8 << 20);
        var reading = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var stuck =
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        write(new byte[] {(byte) one}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) throws IOException {
                        reading.countDown();
                        try {
                            release.await();
                        } catch (InterruptedException gone) {
                            throw new IOException("gone");
                        }
                    }
                };
        var packing =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                tree.archive(
                                        ArchiveFormat.TAR_GZ, ArchiveLimits.DEFAULT, () -> stuck);
                            } catch (IOException | InterruptedException gone) {
                                Thread.currentThread().interrupt();
                            }
                        });
        reading.await();
        assertThat(workers.busy()).isZero();
        packing.interrupt();
        packing.join();
        release.countDown();
    }

    @Test
    void an_archive_whose_client_has_left_is_packed_no_further() throws Exception {
        for (var i = 0; i < 14; i++) {
            sparse("s" + i, 1L << 30);
        }
        var packing =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                tree.archive(
                                        ArchiveFormat.TAR_GZ,
                                        ArchiveLimits.DEFAULT,
                                        OutputStream::nullOutputStream);
                            } catch (IOException | InterruptedException gone) {
                                Thread.currentThread().interrupt();
                            }
                        });
        await().until(() -> workers.busy() > 0);
        assertThat(workers.run("bert", () -> "answered")).isEqualTo("answered");
        packing.interrupt();
        packing.join();
        assertThat(workers.busy()).isZero();
    }

    @Test
    void a_large_directory_is_deleted_in_turns() throws Exception {
        fill();
        assertThat(tree.delete(FilePath.ROOT, true, Expected.anything()))
                .isEqualTo(DIRECTORIES * (FILES + 1));
        assertThat(root).isEmptyDirectory();
        assertThat(workers.busy()).isZero();
    }
}
