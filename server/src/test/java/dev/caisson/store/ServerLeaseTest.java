package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The lease of a server ends when its process does, and not before.
@ParameterizedClass
@EnumSource(TestDatabase.Kind.class)
@Timeout(120)
final class ServerLeaseTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration BEAT = Duration.ofMillis(20);
    private static final int LOOKS_MAX = 5;

    private final TestDatabase.Kind kind;
    @TempDir Path directory;
    private TestDatabase database;
    private Store store;

    ServerLeaseTest(TestDatabase.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() throws Exception {
        database = kind.fresh(directory);
        store = database.open();
        store.enlist(data("data"), "this", BEAT, LOOKS_MAX);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Path data(String name) throws Exception {
        return Files.createDirectories(directory.resolve(name));
    }

    private static List<String> servers(Store store) {
        return store.read(handle ->
                handle.createQuery("SELECT id FROM server ORDER BY id").mapTo(String.class).list());
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

    private static long beat(Store store) {
        return store.read(handle ->
                handle.createQuery("SELECT beat FROM server WHERE id = :id")
                        .bind("id", store.server().orElseThrow())
                        .mapTo(Long.class)
                        .one());
    }

    /// A file's servers share its directory, and their locks say enough.
    @Test
    void a_server_of_another_directory_keeps_its_lease_as_long_as_it_beats() throws Exception {
        assumeThat(kind).isEqualTo(TestDatabase.Kind.POSTGRES);
        // Enough looks for the other to beat meanwhile on a busy machine.
        var looks = 50;
        try (var here = database.open();
                var elsewhere = database.open()) {
            elsewhere.enlist(data("elsewhere"), "that", BEAT.dividedBy(4), looks);
            here.enlist(data("here"), "this", BEAT, looks);
            var enough = beat(here) + 2L * looks;
            await().atMost(PATIENCE)
                    .until(() -> {
                        assertThat(here.endLeases()).isZero();
                        return beat(here) > enough;
                    });
            assertThat(servers(here)).contains(elsewhere.server().orElseThrow());
        }
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
