package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The lease of a server ends when its process does, and not before.
@Timeout(120)
final class ServerLeaseTest extends StoreTestCase {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BEAT = Duration.ofMillis(20);
    private static final int LOOKS_MAX = 5;

    @BeforeEach
    void open() throws Exception {
        store.enlist(data("data"), "this", BEAT, LOOKS_MAX);
    }

    private Path data(String name) throws Exception {
        return Files.createDirectories(directory.resolve(name));
    }

    static List<String> servers(Store store) {
        return store.read(handle ->
                handle.query("SELECT id FROM server ORDER BY id").mapTo(String.class).list());
    }

    private static void addRow(Store store, String id) {
        store.write(handle ->
                handle.execute("INSERT INTO server (id, directory, beat) VALUES (?, 'd', 1)", id));
    }

    @Test
    void a_server_that_lives_keeps_its_lease_whoever_looks_and_gives_it_back_at_its_end()
            throws Exception {
        try (var other = database.open()) {
            other.enlist(data("data"), "this", BEAT, LOOKS_MAX);
            assertThat(servers(store)).contains(store.server().orElseThrow()).hasSize(2);
            for (var look = 0; look < 3 * LOOKS_MAX; look++) {
                assertThat(store.endLeases()).isZero();
                assertThat(other.endLeases()).isZero();
                Thread.sleep(BEAT);
            }
            assertThat(servers(store)).hasSize(2);
        }
        assertThat(servers(store)).containsExactly(store.server().orElseThrow());
    }

    @Test
    void the_lease_of_a_process_of_this_directory_that_was_killed_ends_at_once() throws Exception {
        Files.write(directory.resolve("data").resolve("server-1.pending"), new byte[64]);
        addRow(store, "server-1.pending");

        assertThat(store.endLeases()).isEqualTo(1);
        assertThat(servers(store)).containsExactly(store.server().orElseThrow());
        assertThat(directory.resolve("data").resolve("server-1.pending")).doesNotExist();
    }

    @Test
    void a_database_is_served_while_a_process_has_a_lease() throws Exception {
        try (var other = Store.open(directory.resolve("other.db"))) {
            var place = data("other");
            Files.write(place.resolve("server-2.pending"), new byte[64]);
            assertThat(other.isServed(place)).as("left by a process that was killed").isFalse();
            other.enlist(place, "other", BEAT, LOOKS_MAX);
            assertThat(other.isServed(place)).isTrue();
        }
        assertThat(store.isServed(data("data"))).isTrue();
    }

    @Test
    void a_lease_without_a_beat_ends_and_one_that_beats_does_not() {
        addRow(store, "server-gone.pending");

        await().atMost(PATIENCE).until(() -> store.endLeases() == 1);
        assertThat(servers(store)).containsExactly(store.server().orElseThrow());
    }

    @Test
    void a_process_that_is_no_server_has_no_lease() {
        try (var command = database.open()) {
            assertThat(command.server()).isEmpty();
            assertThat(command.endLeases()).isZero();
        }
    }
}
