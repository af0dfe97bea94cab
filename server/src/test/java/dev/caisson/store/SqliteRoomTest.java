package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A file of SQLite's gets smaller when much is deleted from it.
@Timeout(60)
final class SqliteRoomTest {
    private static final int ROWS = 200;
    private static final int ROW_BYTES = 100_000;
    private static final long SMALL = 2L << 20;

    @TempDir Path directory;

    private Path file() {
        return directory.resolve("caisson.db");
    }

    private void fill(Store store) {
        for (var i = 0; i < ROWS; i++) {
            var id = "msg_" + i;
            store.write(handle ->
                    handle.update(
                                    """
                                    INSERT INTO webhook
                                        (id, execution_id, owner, url, body, attempts, due_at)
                                    VALUES (:id, 'exe', 'anna', 'http://a', :body, 0, :due)
                                    """)
                            .bind("id", id)
                            .bind("body", "x".repeat(ROW_BYTES))
                            .bind("due", Instant.now().toEpochMilli())
                            .execute());
        }
    }

    private static void empty(Store store) {
        store.write(handle -> handle.execute("DELETE FROM webhook"));
        store.giveRoomBack();
    }

    private long logBytes() {
        return directory.resolve("caisson.db-wal").toFile().length();
    }

    @Test
    void a_file_shrinks_while_it_is_in_use() throws Exception {
        try (var store = Store.open(file())) {
            fill(store);
            store.giveRoomBack();
            assertThat(Files.size(file())).isGreaterThan((long) ROWS * ROW_BYTES);
            empty(store);
            assertThat(Files.size(file())).isLessThan(SMALL);
            assertThat(logBytes()).isLessThan(SMALL);
            fill(store);
            empty(store);
            assertThat(Files.size(file())).isLessThan(SMALL);
        }
    }

    /// As one of a former version is.
    @Test
    void a_file_that_could_not_shrink_can_after_the_next_start() throws Exception {
        try (var store = Store.open(file())) {
            fill(store);
        }
        pragma("auto_vacuum = NONE");
        try (var store = Store.open(file())) {
            assertThat(rows(store)).isEqualTo(ROWS);
            empty(store);
            assertThat(Files.size(file())).isLessThan(SMALL);
        }
    }

    /// Another process has it open and reads: it is used as it is.
    @Test
    void a_file_that_cannot_be_written_anew_now_is_used_as_it_is() throws Exception {
        try (var first = Store.open(file())) {
            fill(first);
        }
        pragma("auto_vacuum = NONE");
        try (var reader = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = reader.createStatement();
                var open = statement.executeQuery("SELECT id FROM webhook")) {
            assertThat(open.next()).isTrue();
            try (var store = Store.open(file())) {
                assertThat(rows(store)).isEqualTo(ROWS);
                empty(store);
            }
        }
    }

    private void pragma(String setting) throws Exception {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement()) {
            statement.execute("PRAGMA " + setting);
            statement.execute("VACUUM");
        }
    }

    private static long rows(Store store) {
        return store.read(
                handle -> handle.query("SELECT COUNT(*) FROM webhook").mapTo(Long.class).one());
    }
}
