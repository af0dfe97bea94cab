package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SqliteFileTest {
    @TempDir Path directory;

    private Path file() {
        return directory.resolve("data/caisson.db");
    }

    @Test
    void the_file_and_its_directory_are_the_owners_alone() throws Exception {
        try (var store = Store.open(file())) {
            store.write(handle -> handle.execute("DELETE FROM api_key"));
            try (var files = Files.list(directory.resolve("data"))) {
                assertThat(files.filter(file -> file.toString().contains(".db")).toList())
                        .anySatisfy(file -> assertThat(file.toString()).endsWith("-wal"))
                        .filteredOn(file -> !file.toString().endsWith(".lock"))
                        .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
            }
            assertThat(permissions(directory.resolve("data"))).isEqualTo("rwx------");
        }
    }

    private static String permissions(Path file) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void the_settings_we_rely_on_are_in_force_for_the_writer() {
        try (var store = Store.open(file())) {
            assertThat(pragma(store, "journal_mode")).isEqualTo("wal");
            assertThat(pragma(store, "synchronous")).isEqualTo("2");
            assertThat(pragma(store, "foreign_keys")).isEqualTo("1");
            assertThat(pragma(store, "busy_timeout")).isEqualTo("10000");
        }
    }

    private static String pragma(Store store, String name) {
        return store.write(handle -> handle.query("PRAGMA " + name).mapTo(String.class).one());
    }
}
