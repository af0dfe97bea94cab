package dev.caisson.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.store.SlotFile;
import dev.caisson.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class EntryRingTest {
    @TempDir Path directory;

    private static byte[] form(String tool) {
        return EntryEncoding.of(LedgerTest.entry("anna", tool));
    }

    /// What a process of a former version left.
    private Path left(String... tools) {
        var file = SlotFile.create(directory, EntryRing.KIND, EntryRing.SIZE);
        for (int i = 0; i < tools.length; i++) {
            file.put((i + 1) % EntryRing.SLOTS, i + 1, form(tools[i]));
        }
        file.close();
        return directory.resolve(file.name());
    }

    @Test
    void an_entry_is_read_back_as_it_was() {
        var entry = LedgerTest.entry("ännä:-1", "12:x-");
        assertThat(EntryEncoding.read(EntryEncoding.of(entry))).isEqualTo(entry);
    }

    @Test
    void what_was_put_is_found_in_its_order_above_what_is_settled() {
        left("tool1", "tool2", "tool3", "tool4", "tool5");
        var found = EntryRing.left(directory).getFirst();
        assertThat(found.above(3).keySet()).containsExactly(4L, 5L);
        assertThat(found.above(0).get(1L)).isEqualTo(form("tool1"));
        found.remove();
    }

    @Test
    void a_slot_that_was_not_written_whole_is_not_taken() throws Exception {
        var file = left("whole", "torn");
        var bytes = Files.readAllBytes(file);
        bytes[2 * EntryRing.SLOT_BYTES + 40] ^= 1;
        Files.write(file, bytes);
        var found = EntryRing.left(directory).getFirst();
        assertThat(found.above(0).keySet()).containsExactly(1L);
        found.remove();
    }

    @Test
    void what_a_former_version_left_is_appended_once() {
        left("first", "second");
        try (var store = Store.open(directory.resolve("caisson.db"));
                var journaled = JournaledLedger.in(store, directory)) {
            assertThat(LedgerTest.all(journaled.ledger()))
                    .extracting(one -> one.entry().tool())
                    .containsExactlyInAnyOrder("first", "second");
            Ledger.appendLeft(store, directory);
            assertThat(journaled.ledger().head().sequence()).isEqualTo(2);
            assertThat(journaled.ledger().verify(Optional.empty()).intact()).isTrue();
        }
        assertThat(directory).isDirectoryNotContaining("glob:**.pending");
    }
}
