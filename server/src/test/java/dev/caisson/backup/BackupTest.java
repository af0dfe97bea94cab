package dev.caisson.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.ledger.Entry;
import dev.caisson.ledger.JournaledLedger;
import dev.caisson.ledger.LedgerFilter;
import dev.caisson.linux.SparseFile;
import dev.caisson.store.DataLock;
import dev.caisson.store.Store;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class BackupTest {
    private static final String THREAD = "threads/" + "0a".repeat(32);

    @TempDir Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    private Path database() {
        return data().resolve("caisson.db");
    }

    private Path backup() {
        return directory.resolve("backup");
    }

    private Backup.Place at(Path data) {
        return new Backup.Place(data, data, Optional.of(data.resolve("caisson.db")));
    }

    private BackupManifest take() throws InterruptedException {
        return take(Duration.ofSeconds(30));
    }

    private BackupManifest take(Duration wait) throws InterruptedException {
        return Backup.take(at(data()), backup(), wait, "test", (_, _) -> {});
    }

    private BackupManifest restore(Path to) throws InterruptedException {
        return Restoration.restore(backup(), at(to), false);
    }

    private static int insert(Store store, int number) {
        return store.write(handle ->
                handle.execute(
                        "INSERT INTO api_key (id, name, secret_hash, scopes, toolsets, created_at)"
                                + " VALUES (?, 'n', 'h', '[]', '[]', 0)",
                        "key" + number));
    }

    private static long count(Path database) {
        try (var store = Store.open(database)) {
            return store.read(
                    handle -> handle.query("SELECT COUNT(*) FROM api_key").mapTo(Long.class).one());
        }
    }

    private void database(int keys) {
        try (var store = Store.open(database())) {
            for (var i = 0; i < keys; i++) {
                insert(store, i);
            }
        }
    }

    private Path file(String path, String content) throws Exception {
        var file = data().resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L));
    }

    private static String permissions(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void a_backup_made_while_the_server_writes_has_all_that_was_acknowledged_before()
            throws Exception {
        try (var store = Store.open(database())) {
            file("secret", "s3cret");
            var written = new AtomicInteger();
            var enough = new AtomicBoolean();
            var writer =
                    Thread.ofVirtual()
                            .start(() -> {
                                while (!enough.get() && written.get() < 100_000) {
                                    insert(store, written.get());
                                    written.incrementAndGet();
                                }
                            });
            while (written.get() < 50) {
                Thread.sleep(1);
            }
            var before = written.get();
            assertThat(take().isComplete()).isTrue();
            enough.set(true);
            writer.join();

            restore(directory.resolve("restored"));
            assertThat(count(directory.resolve("restored/caisson.db")))
                    .isBetween((long) before, (long) written.get());
        }
        assertThat(directory.resolve("restored/secret")).hasContent("s3cret");
    }

    private static Entry entry(String tool) {
        return new Entry(
                Instant.EPOCH,
                "anna",
                "mcp",
                tool,
                "sha256:" + "a".repeat(64),
                Optional.empty(),
                1,
                "success",
                Duration.ZERO,
                Optional.empty(),
                0,
                "0".repeat(32));
    }

    /// The calls in the ledger of a server that starts there.
    private static List<String> tools(Path data) {
        try (var store = Store.open(data.resolve("caisson.db"));
                var journaled = JournaledLedger.in(store, data)) {
            var ledger = journaled.ledger();
            assertThat(ledger.verify(Optional.empty()).findings()).isEmpty();
            return ledger.page(LedgerFilter.ALL, OptionalLong.empty(), 100).entries().stream()
                    .map(linked -> linked.entry().tool())
                    .toList();
        }
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException ended) {
            throw new IllegalStateException(ended);
        }
    }

    @Test
    void what_nobody_waited_for_is_in_it_however_long_the_disk_takes() throws Exception {
        var leave = new CountDownLatch(1);
        try (var store = Store.open(database());
                var journaled = JournaledLedger.in(store, data())) {
            var ledger = journaled.ledger();
            var inside = new CountDownLatch(1);
            Thread.ofVirtual()
                    .start(() ->
                            store.write(_ -> {
                                inside.countDown();
                                return awaited(leave);
                            }));
            inside.await();
            try {
                ledger.appendLater(entry("one"));
                ledger.appendLater(entry("two"));
                assertThat(take().isComplete()).isTrue();
            } finally {
                leave.countDown();
            }
        }
        restore(directory.resolve("restored"));
        assertThat(tools(directory.resolve("restored"))).containsExactly("two", "one");
        assertThat(directory.resolve("restored")).isDirectoryNotContaining("glob:**.pending");
    }

    @Test
    void what_a_process_puts_into_the_database_meanwhile_is_there_once() throws Exception {
        try (var store = Store.open(database())) {
            var journaled = JournaledLedger.in(store, data());
            journaled.ledger().appendLater(entry("one"));
            var ended = new AtomicBoolean();
            var manifest =
                    Backup.take(
                            at(data()),
                            backup(),
                            Duration.ZERO,
                            "test",
                            (_, _) -> {
                                if (!ended.getAndSet(true)) {
                                    journaled.close();
                                }
                            });
            assertThat(ended).isTrue();
            assertThat(manifest.isComplete()).isTrue();
        }
        restore(directory.resolve("restored"));
        assertThat(tools(directory.resolve("restored"))).containsExactly("one");
    }

    @Test
    void processes_that_end_all_the_time_are_named() throws Exception {
        try (var store = Store.open(database())) {
            var ledger = new AtomicReference<>(JournaledLedger.in(store, data()));
            var manifest =
                    Backup.take(
                            at(data()),
                            backup(),
                            Duration.ZERO,
                            "test",
                            (_, _) -> {
                                ledger.get().close();
                                ledger.set(JournaledLedger.in(store, data()));
                            });
            assertThat(manifest.missing()).singleElement().asString().contains("journal-");
            assertThat(backup()).isDirectoryNotContaining("glob:**.pending");
            ledger.get().close();
        }
    }

    @Test
    void every_byte_time_and_hole_comes_back_and_nobody_else_can_read_it() throws Exception {
        database(1);
        file("file-secret", "links");
        file("directory-id", "here");
        file("owners/aa/bb", "{\"id\":\"t\"}");
        file("output/cc/stdout", "said");
        var image = file(THREAD + "/workspace.img", "begin");
        try (var sparse = new RandomAccessFile(image.toFile(), "rw")) {
            sparse.seek(700_000_000);
            sparse.write("middle".getBytes(StandardCharsets.UTF_8));
            sparse.setLength(1L << 30);
        }
        Files.setLastModifiedTime(image, FileTime.fromMillis(1_700_000_000_000L));

        var manifest = take();

        assertThat(manifest.isComplete()).isTrue();
        assertThat(manifest.count("threads")).isEqualTo(1);
        assertThat(manifest.count("output")).isEqualTo(1);
        assertThat(permissions(backup())).isEqualTo("rwx------");
        try (var files = Files.walk(backup())) {
            for (var file : files.toList()) {
                assertThat(permissions(file))
                        .as(file.toString())
                        .isEqualTo(Files.isDirectory(file) ? "rwx------" : "rw-------");
            }
        }
        var restored = directory.resolve("restored");
        restore(restored);
        for (var item : manifest.files()) {
            if (!item.path().equals("caisson.db")) {
                var copy = restored.resolve(item.path());
                assertThat(Files.mismatch(copy, data().resolve(item.path())))
                        .as(item.path())
                        .isEqualTo(-1);
                assertThat(Files.getLastModifiedTime(copy))
                        .isEqualTo(Files.getLastModifiedTime(data().resolve(item.path())));
            }
        }
        for (var copy : new Path[] {backup(), restored}) {
            var blocks = new ProcessBuilder("du", "-k", copy.resolve(THREAD) + "/workspace.img");
            var said =
                    new String(
                            blocks.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(Integer.parseInt(said.split("\\s", 2)[0])).as(said).isLessThan(1024);
        }
        assertThat(count(restored.resolve("caisson.db"))).isEqualTo(1);
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(data(), backup(), restored);
        }
    }

    @Test
    void a_plain_workspace_comes_back_with_its_links_and_nothing_they_lead_to() throws Exception {
        database(1);
        file(THREAD + "/files/deep/program.sh", "#!/bin/sh\n");
        var files = data().resolve(THREAD + "/files");
        var program = files.resolve("deep/program.sh");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-x---"));
        Files.createSymbolicLink(files.resolve("link"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(files.resolve("away"), directory);

        assertThat(take().isComplete()).isTrue();
        restore(directory.resolve("restored"));

        var back = directory.resolve("restored").resolve(THREAD + "/files");
        assertThat(back.resolve("deep/program.sh")).hasContent("#!/bin/sh");
        assertThat(permissions(back.resolve("deep/program.sh"))).isEqualTo("rwxr-x---");
        assertThat(Files.readSymbolicLink(back.resolve("link"))).isEqualTo(Path.of("/etc/passwd"));
        assertThat(Files.readSymbolicLink(back.resolve("away"))).isEqualTo(directory);
        assertThat(back.resolveSibling(Backup.TAR)).doesNotExist();
    }

    @Test
    void an_image_that_is_written_to_all_the_time_is_named_and_the_backup_is_not_whole()
            throws Exception {
        database(1);
        var image = file(THREAD + "/workspace.img", "x");
        var enough = new AtomicBoolean();
        // Written a moment ahead: on a busy machine the writer may rest longer than the copy takes.
        var ahead = Duration.ofMinutes(1).toMillis();
        image.toFile().setLastModified(System.currentTimeMillis() + ahead);
        var writer =
                Thread.ofPlatform()
                        .start(() -> {
                            while (!enough.get()) {
                                image.toFile().setLastModified(System.currentTimeMillis() + ahead);
                            }
                        });
        try {
            var manifest = take(Duration.ofSeconds(1));
            assertThat(manifest.missing()).singleElement().asString().contains(THREAD);
        } finally {
            enough.set(true);
            writer.join();
        }
        var fresh = directory.resolve("fresh");
        assertRefused(Reason.CONFLICT, "incomplete", () -> restore(fresh));
        assertThat(fresh.resolve("caisson.db")).doesNotExist();
        assertThat(Restoration.restore(backup(), at(fresh), true).isComplete()).isFalse();
        assertThat(count(fresh.resolve("caisson.db"))).isEqualTo(1);
    }

    @Test
    void nothing_is_ever_overwritten() throws Exception {
        database(1);
        take();
        assertRefused(Reason.CONFLICT, "already", this::take);
        assertRefused(Reason.CONFLICT, "already", () -> restore(data()));
        assertThat(count(database())).isEqualTo(1);
        var used = directory.resolve("used");
        Files.createDirectories(used.resolve("threads/somebody's"));
        assertRefused(Reason.CONFLICT, "already", () -> restore(used));
    }

    @Test
    void what_is_no_backup_or_an_interrupted_or_damaged_one_is_not_restored() throws Exception {
        var fresh = directory.resolve("fresh");
        assertRefused(Reason.NOT_FOUND, "no backup", () -> restore(fresh));
        database(1);
        file("output/cc/stdout", "said");
        take();
        var said = backup().resolve("output/cc/stdout");
        Files.writeString(said, "SAID");
        assertRefused(Reason.UNAVAILABLE, "output/cc/stdout is not as", () -> restore(fresh));
        Files.delete(said);
        assertRefused(Reason.UNAVAILABLE, "damaged", () -> restore(fresh));
        Files.writeString(said, "said");
        restore(directory.resolve("mended"));

        var manifest = Files.readString(backup().resolve("manifest.json"));
        Files.writeString(
                backup().resolve("manifest.json"),
                manifest.replace("output/cc/stdout", "../escaped/stdout"));
        assertRefused(Reason.UNAVAILABLE, "leads elsewhere", () -> restore(fresh));
        Files.delete(backup().resolve("manifest.json"));
        assertRefused(Reason.CONFLICT, "interrupted", () -> restore(fresh));
        assertThat(fresh.resolve("caisson.db")).doesNotExist();
    }

    @Test
    void a_directory_that_a_server_uses_is_left_alone() throws Exception {
        database(1);
        take();
        var busy = directory.resolve("busy");
        try (var _ = DataLock.take(busy)) {
            assertRefused(Reason.UNAVAILABLE, "Another server", () -> restore(busy));
        }
    }

    @Test
    void without_the_database_of_a_server_elsewhere_it_is_not_whole() throws Exception {
        file("secret", "s3cret");
        var elsewhere = new Backup.Place(data(), data(), Optional.empty());
        var manifest = Backup.take(elsewhere, backup(), Duration.ZERO, "test", (_, _) -> {});
        assertThat(manifest.missing()).singleElement().asString().contains("pg_dump");
        var fresh = directory.resolve("fresh");
        assertRefused(
                Reason.CONFLICT,
                "pg_restore",
                () -> Restoration.restore(backup(), at(fresh), true));
        var there = new Backup.Place(fresh, fresh, Optional.empty());
        assertRefused(
                Reason.CONFLICT, "pg_dump", () -> Restoration.restore(backup(), there, false));
        Restoration.restore(backup(), there, true);
        assertThat(fresh.resolve("secret")).hasContent("s3cret");
    }

    private void manifest(String... paths) throws Exception {
        var items = new ArrayList<BackupManifest.Item>();
        items.add(item("caisson.db", backup().resolve("caisson.db")));
        for (var path : paths) {
            items.add(item(path, backup().resolve(path.replace("\0", "0"))));
        }
        var manifest = new BackupManifest("test", "", List.of(), true, items);
        Files.writeString(backup().resolve("manifest.json"), Json.text(manifest.tree()));
    }

    private static BackupManifest.Item item(String path, Path file) throws Exception {
        return new BackupManifest.Item(path, Files.size(file), SparseFile.digest(file), 0);
    }

    private void hostile(String path, String content) throws Exception {
        var file = backup().resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private void tar(String path, Path from, String... words) throws Exception {
        var tar = backup().resolve(path);
        Files.createDirectories(tar.getParent());
        var all = new ArrayList<>(List.of("tar", "-cf", tar.toString(), "-C", from.toString()));
        all.addAll(List.of(words));
        assertThat(new ProcessBuilder(all).start().waitFor()).isZero();
    }

    private void assertLeavesNothing(String words) {
        var fresh = directory.resolve("fresh");
        assertRefused(Reason.UNAVAILABLE, words, () -> restore(fresh));
        assertThat(fresh).doesNotExist();
    }

    @Test
    void a_hostile_backup_writes_nowhere_and_leaves_nothing() throws Exception {
        database(1);
        take();
        var victim = Files.createDirectory(directory.resolve("victim"));
        var evil = Files.createDirectory(directory.resolve("evil"));
        Files.createDirectory(evil.resolve("files"));
        Files.createSymbolicLink(evil.resolve("zz"), victim);
        hostile("threads/aaaa/zz/owned.txt", "owned");
        tar("threads/aaaa/files.tar", evil, "./files", "./zz");
        manifest("threads/aaaa/files.tar", "threads/aaaa/zz/owned.txt");
        assertLeavesNothing("threads/aaaa/files.tar holds something else");
        manifest("threads/aaaa/zz/owned.txt");
        assertLeavesNothing("leads elsewhere");
        manifest("threads/aaaa/files.tar");
        assertLeavesNothing("holds something else");

        Files.writeString(evil.resolve("b"), "above");
        tar("threads/aaaa/files.tar", evil, "-P", "--transform=s,^./b,./files/../b,", "./b");
        manifest("threads/aaaa/files.tar");
        assertLeavesNothing("holds something else");
        tar("threads/aaaa/files.tar", evil, "--transform=s,zz,files,", "./zz");
        manifest("threads/aaaa/files.tar");
        assertLeavesNothing("holds something else");
        for (var path :
                List.of(
                        "serve.lock",
                        "authorized_keys",
                        "native/aa/libevil.so",
                        "threads/.part-x/meta.json",
                        "output/aaaa/other")) {
            hostile(path, "x");
            manifest(path);
            assertLeavesNothing("leads elsewhere, where no file of a backup is: " + path);
        }
        hostile("threads/aaaa/meta.json", "{}");
        manifest("threads/aaaa/meta.json", "threads/aaaa/meta.json");
        assertLeavesNothing("twice");
        hostile("threads/aa0a/meta.json", "{}");
        manifest("threads/aa\0a/meta.json");
        assertLeavesNothing("threads/aa\\u0000a/meta.json");
        Files.createSymbolicLink(backup().resolve("volumes"), backup().resolve("threads"));
        manifest("volumes/aaaa/meta.json");
        assertLeavesNothing("not as it was written");
        assertThat(victim).isEmptyDirectory();
    }

    @Test
    void a_link_in_the_place_of_a_workspace_is_no_workspace() throws Exception {
        var evil = Files.createDirectory(directory.resolve("evil"));
        Files.createSymbolicLink(evil.resolve("files"), directory);
        var to = Files.createDirectory(directory.resolve("to"));
        tar("x/files.tar", evil, "./files");
        assertThat(new BackupTar(backup().resolve("x/files.tar")).extract(to)).isFalse();
        assertThat(to).isEmptyDirectory();
    }

    @Test
    void what_fails_halfway_leaves_no_file() throws Exception {
        database(1);
        file("secret", "s");
        take();
        var evil = Files.createDirectory(directory.resolve("evil"));
        Files.createDirectory(evil.resolve("files"));
        Files.writeString(evil.resolve("files/a"), "a file");
        Files.writeString(evil.resolve("b"), "below a file");
        tar(THREAD + "/files.tar", evil, "--transform=s,^./b,./files/a/b,", "./files", "./b");
        hostile(THREAD + "/meta.json", "{}");
        manifest("secret", THREAD + "/meta.json", THREAD + "/files.tar");
        var fresh = directory.resolve("fresh");
        assertRefused(Reason.UNAVAILABLE, "something else", () -> restore(fresh));
        assertThat(fresh.resolve("secret")).doesNotExist();
        assertThat(fresh.resolve("threads")).doesNotExist();
    }

    private static void assertRefused(Reason reason, String words, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Refusal.class,
                        refusal -> {
                            assertThat(refusal.reason()).isEqualTo(reason);
                            assertThat(refusal.sentence()).contains(words);
                        });
    }
}
