package dev.caisson.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdInputStream;
import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.linux.HostDisk;
import dev.caisson.linux.LoopImages;
import dev.caisson.share.TestWorkers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a program can leave in its workspace, and what the server makes of it: it lists, hands out,
/// takes in, deletes and packs, and is never led out, never hangs and never takes more memory than
/// it may.
@Tag("root")
@Timeout(60)
class HostileWorkspaceTest {
    private static final String OUTSIDE = "the host's";

    @TempDir Path directory;
    private Path root;
    private Path secret;
    private FileTree tree;

    @BeforeEach
    void plant() throws Exception {
        root = Files.createDirectory(directory.resolve("workspace"));
        secret = Files.writeString(directory.resolve("secret"), OUTSIDE);
        HostileTree.plant(root, secret);
        HostileTree.devices(root);
        Files.createLink(root.resolve("hard"), root.resolve("plain.txt"));
        tree =
                new FileTree(
                        root,
                        WalkBounds.ASKED,
                        new ReentrantLock(),
                        () -> {},
                        TestWorkers.COMPUTING);
    }

    @AfterEach
    void close() {
        tree.close();
    }

    private static FilePath path(String text) {
        return FilePath.parse(text, "/workspace");
    }

    private List<StoredFile> all() throws Exception {
        return tree.list(FilePath.ROOT, true, Optional.empty(), 1_000).files();
    }

    private String content(String text) throws IOException {
        try (var content = tree.read(path(text))) {
            return new String(content.atMost(1_000).orElseThrow(), UTF_8);
        }
    }

    private static void assertReason(Reason reason, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    /// What is not a regular file, or lies behind a link.
    @Test
    void nothing_but_a_regular_file_is_read() {
        var cases =
                List.of(
                        "link-file",
                        "link-dir",
                        "link-dir/secret",
                        "loop",
                        "loop/plain.txt",
                        "sub/up",
                        "sub/up/plain.txt",
                        "sub/up/up/secret",
                        "dangling",
                        "self",
                        "self/x",
                        "pipe",
                        "socket",
                        "null-device",
                        "disk-device",
                        "sub",
                        "plain.txt/x",
                        "absent",
                        "link-dir/workspace/plain.txt");
        assertThat(cases).hasSize(19);
        for (var name : cases) {
            assertReason(Reason.NOT_FOUND, () -> tree.read(path(name)).close());
        }
    }

    @Test
    void a_path_that_leads_elsewhere_is_refused_before_anything_is_opened() {
        var cases =
                List.of(
                        "../secret",
                        "sub/../../secret",
                        "/etc/passwd",
                        "%2e%2e/secret",
                        "sub/%2E%2E/%2e%2e/secret",
                        "a%2Fb",
                        "a%00b",
                        "./plain.txt",
                        "sub//dir",
                        "//etc/passwd");
        assertThat(cases).hasSize(10);
        for (var given : cases) {
            assertReason(Reason.INVALID_ARGUMENT, () -> path(given));
        }
    }

    @Test
    void every_kind_is_listed_as_what_it_is() throws Exception {
        var kinds = all().stream().map(file -> file.path() + " " + file.kind().word()).toList();

        assertThat(kinds)
                .contains(
                        "plain.txt file",
                        "hard file",
                        "sub directory",
                        "sub/dir/nested.csv file",
                        "link-file link",
                        "link-dir link",
                        "loop link",
                        "self link",
                        "pipe other",
                        "socket other",
                        "null-device other",
                        "disk-device other",
                        "two%0Alines file",
                        "bad%FFname file")
                .noneMatch(line -> line.startsWith("loop/") || line.startsWith("link-dir/"));
    }

    @Test
    void what_is_listed_as_a_file_can_be_read_under_the_path_it_is_listed_with() throws Exception {
        var files = all().stream().filter(file -> file.kind() == FileKind.FILE).toList();

        assertThat(files).hasSize(7);
        for (var file : files) {
            try (var content = tree.read(path(file.path().text()))) {
                assertThat(content.file()).isEqualTo(file);
            }
        }
    }

    @Test
    void a_hard_link_is_the_file_it_is() throws Exception {
        assertThat(content("hard")).isEqualTo("hello");
        assertThat(tree.delete(path("hard"), false, Expected.anything())).isEqualTo(1);
        assertThat(content("plain.txt")).isEqualTo("hello");
    }

    @Test
    void a_sparse_file_of_a_terabyte_is_read_where_it_is_asked_for() throws Exception {
        try (var content = tree.read(path("sparse"))) {
            assertThat(content.file().size()).isEqualTo(1L << 40);
            assertThat(content.atMost(1 << 20)).isEmpty();
            var part = new ByteArrayOutputStream();
            assertThat(content.copy((1L << 40) - 10, 100, part)).isEqualTo(10);
            assertThat(part.toByteArray()).containsOnly(0).hasSize(10);
        }
    }

    @Test
    void a_link_swapped_in_during_reads_never_shows_what_is_outside() throws Exception {
        var race = new AtomicBoolean(true);
        var file = root.resolve("swapped");
        Files.writeString(file, "mine");
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var swapping = pool.submit(() -> swap(race, file));
            var seen = 0;
            var giveUp = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            for (var i = 0; i < 1_000 || (seen == 0 && System.nanoTime() - giveUp < 0); i++) {
                try {
                    assertThat(content("swapped")).isEqualTo("mine");
                    seen++;
                } catch (Refusal refused) {
                    assertThat(refused.reason()).isEqualTo(Reason.NOT_FOUND);
                }
            }
            race.set(false);
            assertThat(swapping.get()).isTrue();
            assertThat(seen).isPositive();
        }
    }

    private boolean swap(AtomicBoolean race, Path file) throws IOException {
        for (var i = 0; race.get(); i++) {
            var next = directory.resolve("next");
            switch (i % 2) {
                case 0 -> Files.createSymbolicLink(next, secret);
                default -> Files.writeString(next, "mine");
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return true;
    }

    @Test
    void a_directory_swapped_for_a_link_leads_nowhere() throws Exception {
        Files.move(root.resolve("sub"), directory.resolve("aside"));
        Files.createSymbolicLink(root.resolve("sub"), directory);

        assertReason(Reason.NOT_FOUND, () -> tree.look(path("sub/secret")));
        assertReason(Reason.NOT_FOUND, () -> tree.list(path("sub"), true, Optional.empty(), 10));
        assertReason(
                Reason.NOT_FOUND,
                () -> tree.delete(path("sub/secret"), false, Expected.anything()));
        assertReason(
                Reason.NOT_FOUND, () -> tree.upload(path("sub/new"), Expected.anything()).close());
        assertThat(directory.resolve("new")).doesNotExist();
        assertThat(secret).hasContent(OUTSIDE);
    }

    @Test
    void an_open_file_stays_the_one_that_was_opened() throws Exception {
        try (var content = tree.read(path("plain.txt"))) {
            Files.delete(root.resolve("plain.txt"));
            Files.createSymbolicLink(root.resolve("plain.txt"), secret);
            assertThat(content.atMost(100)).hasValue("hello".getBytes(UTF_8));
        }
    }

    @Test
    void an_upload_takes_the_place_of_whatever_had_the_name() throws Exception {
        var cases = List.of("link-file", "dangling", "pipe", "socket", "null-device", "hard");
        assertThat(cases).hasSize(6);
        for (var name : cases) {
            write(name, "new");

            assertThat(content(name)).isEqualTo("new");
            assertThat(secret).hasContent(OUTSIDE);
            assertThat(content("plain.txt")).isEqualTo("hello");
        }
    }

    private void write(String name, String text) throws Exception {
        try (var upload = tree.upload(path(name), Expected.anything())) {
            upload.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
            assertThat(upload.commit().file().size()).isEqualTo(text.length());
        }
    }

    @Test
    void an_upload_goes_through_nothing_but_directories() throws Exception {
        var cases = List.of("link-dir/new", "loop/new", "self/new", "pipe/new", "plain.txt/new");
        assertThat(cases).hasSize(5);
        for (var name : cases) {
            assertReason(
                    Reason.NOT_FOUND, () -> tree.upload(path(name), Expected.anything()).close());
            assertThat(directory.resolve("new")).doesNotExist();
        }
    }

    @Test
    void an_upload_does_not_replace_a_directory() throws Exception {
        assertReason(
                Reason.INVALID_ARGUMENT,
                () -> tree.upload(path("sub"), Expected.anything()).close());
        assertReason(
                Reason.INVALID_ARGUMENT,
                () -> tree.upload(FilePath.ROOT, Expected.anything()).close());
    }

    @Test
    void an_upload_makes_the_directories_it_needs_for_the_owner_of_the_root() throws Exception {
        write("new/deep/file%FF", "x");

        assertThat(content("new/deep/file%FF")).isEqualTo("x");
        assertThat(Files.getOwner(root.resolve("new"))).isEqualTo(Files.getOwner(root));
    }

    @Test
    void an_upload_that_is_not_finished_leaves_nothing() throws Exception {
        var before = all();
        try (var upload = tree.upload(path("plain.txt"), Expected.anything())) {
            upload.write(ByteBuffer.wrap("half".getBytes(UTF_8)));
        }

        assertThat(all()).isEqualTo(before);
        assertThat(content("plain.txt")).isEqualTo("hello");
    }

    @Test
    void deleting_a_link_deletes_the_link() throws Exception {
        assertThat(tree.delete(path("link-dir"), true, Expected.anything())).isEqualTo(1);
        assertThat(tree.delete(path("link-file"), false, Expected.anything())).isEqualTo(1);
        assertThat(secret).hasContent(OUTSIDE);
    }

    @Test
    void a_full_directory_is_deleted_only_when_asked_for() throws Exception {
        assertReason(
                Reason.INVALID_ARGUMENT,
                () -> tree.delete(path("sub"), false, Expected.anything()));
        assertThat(tree.delete(path("sub"), true, Expected.anything())).isEqualTo(4);
        assertReason(Reason.NOT_FOUND, () -> tree.delete(path("sub"), true, Expected.anything()));
    }

    @Test
    void everything_can_be_deleted_and_nothing_outside_is_touched() throws Exception {
        assertReason(
                Reason.INVALID_ARGUMENT,
                () -> tree.delete(FilePath.ROOT, false, Expected.anything()));
        assertThat(tree.delete(FilePath.ROOT, true, Expected.anything())).isGreaterThan(15);
        assertThat(root).isEmptyDirectory();
        assertThat(secret).hasContent(OUTSIDE);
    }

    @Test
    void a_directory_ten_thousand_deep_is_listed_packed_and_deleted() throws Exception {
        Files.createDirectory(root.resolve("deep"));
        HostileTree.deep(root.resolve("deep"), 10_000);

        var page = tree.list(path("deep"), true, Optional.empty(), 10_000);
        assertThat(page.complete()).isFalse();
        assertThat(page.files()).hasSize(WalkBounds.ASKED.depth());
        for (var format : ArchiveFormat.values()) {
            tree.archive(format, ArchiveLimits.DEFAULT, () -> OutputStream.nullOutputStream());
        }
        assertThat(tree.delete(path("deep"), true, Expected.anything())).isEqualTo(10_002);
    }

    @Test
    void more_files_than_the_bound_are_said_to_be_more() throws Exception {
        for (var i = 0; i < 300; i++) {
            Files.createFile(root.resolve("many-" + i));
        }
        try (var bounded =
                new FileTree(
                        root,
                        new WalkBounds(200, 5),
                        new ReentrantLock(),
                        () -> {},
                        TestWorkers.COMPUTING)) {
            assertThat(bounded.list(FilePath.ROOT, true, Optional.empty(), 1_000).complete())
                    .isFalse();
            assertThat(zip(bounded)).anyMatch(name -> name.startsWith("CAISSON-INCOMPLETE"));
        }
    }

    @Test
    void twenty_thousand_files_are_listed_page_by_page() throws Exception {
        var many = Files.createDirectory(root.resolve("many"));
        for (var i = 0; i < 20_000; i++) {
            Files.createFile(many.resolve("f" + i));
        }

        var first = tree.list(path("many"), false, Optional.empty(), 200);
        var second = tree.list(path("many"), false, first.next(), 200);

        assertThat(first.files()).hasSize(200).isSortedAccordingTo(this::byPath);
        assertThat(second.files()).hasSize(200).doesNotContainAnyElementsOf(first.files());
        assertThat(second.complete()).isTrue();
    }

    private int byPath(StoredFile one, StoredFile other) {
        return one.path().compareTo(other.path());
    }

    @Test
    void pages_together_are_the_whole_list() throws Exception {
        var together = new ArrayList<StoredFile>();
        Optional<String> next = Optional.empty();
        do {
            var page = tree.list(FilePath.ROOT, true, next, 3);
            assertThat(page.files()).hasSizeBetween(1, 3);
            together.addAll(page.files());
            next = page.next();
        } while (next.isPresent());

        assertThat(together).isEqualTo(all());
    }

    @Test
    void an_archive_holds_regular_files_and_directories_alone() throws Exception {
        assertThat(zip(tree))
                .contains("plain.txt", "sub/", "sub/dir/nested.csv", "two%0Alines", "bad%FFname")
                .doesNotContain("link-file", "link-dir", "pipe", "socket", "null-device", "sparse");
    }

    @Test
    void names_in_an_archive_are_safe_on_every_system() throws Exception {
        write("win/..\\up.exe", "x");
        write("win/C:stream", "x");
        write("win/nul.txt", "x");
        write("win/end.", "x");
        write("win/a\u202egnp.exe", "x");
        assertThat(zip(tree))
                .contains(
                        "win/..%5Cup.exe",
                        "win/C%3Astream", "win/%6Eul.txt", "win/end%2E", "win/a%E2%80%AEgnp.exe");
        var archive = directory.resolve("win.tar.gz");
        try (var to = Files.newOutputStream(archive)) {
            tree.archive(ArchiveFormat.TAR_GZ, ArchiveLimits.DEFAULT, () -> to);
        }
        assertThat(HostileTree.run(directory, "tar", "-tzf", archive.toString()).lines())
                .contains("win/..%5Cup.exe", "win/C%3Astream", "win/a%E2%80%AEgnp.exe");
    }

    private static List<String> zip(FileTree tree) throws Exception {
        var bytes = new ByteArrayOutputStream();
        tree.archive(ArchiveFormat.ZIP, ArchiveLimits.DEFAULT, () -> bytes);
        var names = new ArrayList<String>();
        try (var zip = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }

    @Test
    void a_tar_file_is_what_tar_reads() throws Exception {
        var longName = "n".repeat(200);
        write("long/" + longName, "content");
        var archive = directory.resolve("all.tar.gz");
        try (var to = Files.newOutputStream(archive)) {
            tree.archive(ArchiveFormat.TAR_GZ, ArchiveLimits.DEFAULT, () -> to);
        }
        var listed = HostileTree.run(directory, "tar", "-tzf", archive.toString());
        var text =
                HostileTree.run(directory, "tar", "-xzOf", archive.toString(), "long/" + longName);

        assertThat(listed.lines()).contains("plain.txt", "sub/dir/nested.csv", "long/" + longName);
        assertThat(listed).contains("CAISSON-INCOMPLETE").doesNotContain("link-file");
        assertThat(text).isEqualTo("content");
    }

    @Test
    void a_zstandard_archive_holds_the_same_tar_file_as_a_gzipped_one() throws Exception {
        var packed = new ByteArrayOutputStream();
        tree.delete(path("sparse"), false, Expected.anything());
        tree.archive(ArchiveFormat.TAR_ZST, ArchiveLimits.DEFAULT, () -> packed);
        var zipped = new ByteArrayOutputStream();
        tree.archive(ArchiveFormat.TAR_GZ, ArchiveLimits.DEFAULT, () -> zipped);

        assertThat(packed.toByteArray()).startsWith(0x28, 0xb5, 0x2f, 0xfd);
        try (var one = new ZstdInputStream(new ByteArrayInputStream(packed.toByteArray()));
                var other = new GZIPInputStream(new ByteArrayInputStream(zipped.toByteArray()))) {
            assertThat(one.readAllBytes()).isNotEmpty().isEqualTo(other.readAllBytes());
        }
    }

    @Test
    void a_reader_who_leaves_ends_every_archive() throws Exception {
        write("random", new String(new Random(1).ints(1 << 20, 32, 127).toArray(), 0, 1 << 20));
        for (var format : ArchiveFormat.values()) {
            assertThatThrownBy(() ->
                            tree.archive(
                                    format, ArchiveLimits.DEFAULT, () -> leavingAfter(1 << 16)))
                    .as(format.word())
                    .isInstanceOf(IOException.class)
                    .hasMessage("gone");
        }
    }

    private static OutputStream leavingAfter(int bytes) {
        return new OutputStream() {
            private int left = bytes;

            @Override
            public void write(int one) throws IOException {
                if (--left < 0) {
                    throw new IOException("gone");
                }
            }
        };
    }

    @Test
    void a_file_system_that_is_full_refuses_the_upload_and_keeps_what_it_has() throws Exception {
        var maker =
                new ImageWorkspaces(
                        new LoopImages(1000), new HostDisk(directory, 0), 4L << 20, 100);
        var threads = new Threads(directory.resolve("threads"), maker, TestWorkers.WORKERS);
        var caller = Caller.LOCAL;
        try (var lease = threads.acquire(caller, "t", "e", Duration.ZERO)) {
            assertThat(lease.root()).isDirectory();
        }

        try (var files = threads.files(caller, "t")) {
            assertReason(Reason.TOO_LARGE, () -> overfill(files));
            assertThat(files.list(FilePath.ROOT, true, Optional.empty(), 10).files()).isEmpty();
        }
        var usage = threads.info(caller, "t").usage();
        assertThat(usage.bytesMax().orElseThrow()).isBetween(1L << 20, 4L << 20);
        assertThat(usage.bytesUsed()).isLessThan(1L << 20);
        assertThat(usage.filesUsed()).isZero();
    }

    private static void overfill(FileTree files) throws Exception {
        try (var upload = files.upload(path("big"), Expected.anything())) {
            for (var i = 0; i < 8; i++) {
                upload.write(ByteBuffer.allocate(1 << 20));
            }
            upload.commit();
        }
    }
}
