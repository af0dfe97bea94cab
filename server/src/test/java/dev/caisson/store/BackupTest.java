package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class BackupTest {
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

    private static int insert(Store store, int number) {
        return store.write(handle ->
                handle.execute(
                        "INSERT INTO api_key (id, name, secret_hash, scopes, toolsets, created_at)"
                                + " VALUES (?, 'n', 'h', '[]', '[]', 0)",
                        "key" + number));
    }

    private static long count(Path database) {
        try (var store = Store.open(database)) {
            return store.read(handle ->
                    handle.createQuery("SELECT COUNT(*) FROM api_key").mapTo(Long.class).one());
        }
    }

    @Test
    void a_backup_made_while_the_server_writes_has_all_that_was_acknowledged_before()
            throws Exception {
        try (var store = Store.open(database())) {
            Files.writeString(data().resolve("secret"), "s3cret");
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
            Backup.take(
                    database(),
                    List.of(data().resolve("secret"), data().resolve("absent")),
                    backup());
            enough.set(true);
            writer.join();

            Backup.restore(backup(), directory.resolve("restored"));
            assertThat(count(directory.resolve("restored/caisson.db")))
                    .isBetween((long) before, (long) written.get());
        }
        assertThat(directory.resolve("restored/secret")).hasContent("s3cret");
    }

    @Test
    void a_backup_is_its_owners_alone_and_leaves_nothing_beside_it() throws Exception {
        try (var store = Store.open(database())) {
            insert(store, 1);
            Backup.take(database(), List.of(), backup());
        }
        assertThat(permissions(backup())).isEqualTo("rwx------");
        assertThat(permissions(backup().resolve("caisson.db"))).isEqualTo("rw-------");
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(data(), backup());
        }
    }

    private static String permissions(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void nothing_is_ever_overwritten() {
        try (var store = Store.open(database())) {
            insert(store, 1);
            Backup.take(database(), List.of(), backup());
        }
        assertRefused(
                Reason.CONFLICT, "already", () -> Backup.take(database(), List.of(), backup()));
        assertRefused(Reason.CONFLICT, "already", () -> Backup.restore(backup(), data()));
        assertThat(count(database())).isEqualTo(1);
    }

    @Test
    void what_is_no_backup_or_a_damaged_one_is_not_restored() throws Exception {
        var fresh = directory.resolve("fresh");
        assertRefused(Reason.NOT_FOUND, "no backup", () -> Backup.restore(backup(), fresh));
        Files.createDirectory(backup());
        Files.writeString(backup().resolve("caisson.db"), "not a database at all ".repeat(100));
        assertRefused(Reason.UNAVAILABLE, "damaged", () -> Backup.restore(backup(), fresh));
        assertThat(fresh.resolve("caisson.db")).doesNotExist();
    }

    @Test
    void a_directory_that_a_server_uses_is_left_alone() {
        try (var store = Store.open(database())) {
            insert(store, 1);
            Backup.take(database(), List.of(), backup());
        }
        var busy = directory.resolve("busy");
        try (var _ = DataLock.take(busy)) {
            assertRefused(
                    Reason.UNAVAILABLE, "Another server", () -> Backup.restore(backup(), busy));
        }
    }

    @Test
    void for_postgresql_the_remedy_is_its_own_tool() {
        var url = DatabaseUrl.of("postgresql://anna:pa55@db/c", Optional.empty(), Optional.empty());
        assertThat(Backup.refusal(url).sentence())
                .contains("pg_dump", "postgresql://db/c")
                .doesNotContain("pa55");
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
