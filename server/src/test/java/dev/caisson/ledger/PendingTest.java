package dev.caisson.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class PendingTest {
    @TempDir Path directory;

    private static byte[] form(String tool) {
        return Form.of(LedgerTest.entry("anna", tool));
    }

    private Pending reopened(Pending pending) {
        pending.close();
        return Pending.left(directory).getFirst();
    }

    @Test
    void an_entry_is_read_back_as_it_was() {
        var entry = LedgerTest.entry("ännä:-1", "12:x-");
        assertThat(Form.read(Form.of(entry))).isEqualTo(entry);
    }

    @Test
    void what_was_put_is_found_in_its_order_above_what_is_settled() {
        var pending = Pending.create(directory);
        for (var i = 1; i <= 5; i++) {
            assertThat(pending.put(form("tool" + i))).isEqualTo(i);
        }
        try (var left = reopened(pending)) {
            assertThat(left.above(3).keySet()).containsExactly(4L, 5L);
            assertThat(left.above(0).get(1L)).isEqualTo(form("tool1"));
        }
    }

    @Test
    void the_file_is_the_owners_alone_and_that_of_a_living_process_is_left_alone()
            throws Exception {
        try (var pending = Pending.create(directory)) {
            var file = directory.resolve(pending.name());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(Pending.left(directory)).isEmpty();
        }
    }

    @Test
    void a_slot_that_was_not_written_whole_is_not_taken() throws Exception {
        var pending = Pending.create(directory);
        pending.put(form("whole"));
        pending.put(form("torn"));
        pending.close();
        var file = directory.resolve(pending.name());
        var bytes = Files.readAllBytes(file);
        bytes[2 * Pending.SLOT_BYTES + 40] ^= 1;
        Files.write(file, bytes);
        try (var left = Pending.left(directory).getFirst()) {
            assertThat(left.above(0).keySet()).containsExactly(1L);
        }
    }

    @Test
    void there_is_room_for_so_many_that_are_not_settled_and_so_long_a_form() {
        try (var pending = Pending.create(directory)) {
            assertThat(pending.hasRoomFor(new byte[496])).isTrue();
            assertThat(pending.hasRoomFor(new byte[497])).isFalse();
            for (var i = 0; i < Pending.SLOTS; i++) {
                assertThat(pending.hasRoomFor(form("x"))).isTrue();
                pending.put(form("x"));
            }
            assertThat(pending.hasRoomFor(form("x"))).isFalse();
            pending.settle(1);
            assertThat(pending.hasRoomFor(form("x"))).isTrue();
        }
    }

    @Test
    void what_cannot_be_written_at_first_is_written_when_it_can() {
        try (var store = Store.open(directory.resolve("caisson.db"));
                var ledger = new Ledger(store, directory)) {
            store.write(handle -> handle.execute("ALTER TABLE ledger_head RENAME TO away"));
            ledger.appendLater(LedgerTest.entry("anna", "first"));
            ledger.appendLater(LedgerTest.entry("anna", "second"));
            Awaitility.await()
                    .during(Duration.ofMillis(100))
                    .until(() -> store.read(LedgerRows::last) == 0);
            store.write(handle -> handle.execute("ALTER TABLE away RENAME TO ledger_head"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> ledger.head().sequence() == 2);
            assertThat(ledger.verify(Optional.empty()).intact()).isTrue();
        }
        assertThat(directory).isDirectoryNotContaining("glob:**.pending");
    }

    @Test
    void what_is_too_long_to_stay_in_between_is_durable_at_once() {
        try (var store = Store.open(directory.resolve("caisson.db"));
                var ledger = new Ledger(store, directory)) {
            ledger.appendLater(LedgerTest.entry("a".repeat(500), "x"));
            assertThat(ledger.head().sequence()).isEqualTo(1);
        }
    }
}
