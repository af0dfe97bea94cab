package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class JournalFileTest {
    private static final byte KIND = 7;

    @TempDir Path directory;

    private static byte[] form(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> left() {
        var found = new ArrayList<String>();
        for (var file : JournalFile.left(directory)) {
            file.all()
                    .forEach((number, item) -> {
                        assertThat(item.kind()).isEqualTo(KIND);
                        found.add(number + new String(item.form(), StandardCharsets.UTF_8));
                    });
            file.close();
        }
        return found;
    }

    private Path path(JournalFile file) {
        return directory.resolve(file.name());
    }

    @Test
    void what_was_put_is_found_in_its_order_and_that_of_a_living_process_is_left_alone()
            throws Exception {
        var file = JournalFile.create(directory);
        assertThat(file.put(KIND, form("a"))).hasValue(1);
        assertThat(file.put(KIND, form(""))).hasValue(2);
        file.alternate();
        assertThat(file.put(KIND, form("c"))).hasValue(3);
        assertThat(left()).isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path(file))))
                .isEqualTo("rw-------");
        file.close();
        assertThat(left()).containsExactly("1a", "2", "3c");
    }

    @Test
    void a_tail_that_is_cut_or_changed_at_any_byte_takes_no_more_than_its_record_away()
            throws Exception {
        var file = JournalFile.create(directory);
        file.put(KIND, form("first"));
        file.put(KIND, form("second"));
        file.close();
        var whole = Files.readAllBytes(path(file));
        int begin = JournalFile.HEAD_BYTES + "first".length();
        int end = begin + JournalFile.HEAD_BYTES + "second".length();
        for (int at = begin; at < end; at++) {
            var cut = whole.clone();
            Arrays.fill(cut, at, end, (byte) 0);
            Files.write(path(file), cut);
            assertThat(left()).as("cut at %d", at).containsExactly("1first");
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                var changed = whole.clone();
                changed[at] ^= (byte) (1 << bit);
                Files.write(path(file), changed);
                assertThat(left()).as("changed at %d", at).containsExactly("1first");
            }
        }
        Files.write(path(file), whole);
        assertThat(left()).containsExactly("1first", "2second");
    }

    @Test
    void what_is_settled_is_gone_and_what_came_later_stays() throws Exception {
        var file = JournalFile.create(directory);
        file.put(KIND, form("secret program"));
        file.alternate();
        file.put(KIND, form("later"));
        file.settle(1);
        assertThat(new String(Files.readAllBytes(path(file)), StandardCharsets.ISO_8859_1))
                .doesNotContain("secret")
                .contains("later");
        file.alternate();
        file.put(KIND, form("last"));
        file.close();
        assertThat(left()).containsExactly("2later", "3last");
    }

    @Test
    void a_record_of_an_earlier_round_does_not_follow_a_new_one() throws Exception {
        var file = JournalFile.create(directory);
        file.put(KIND, form("old1"));
        file.put(KIND, form("old2"));
        var old = Files.readAllBytes(path(file));
        file.settle(2);
        file.put(KIND, form("new1"));
        file.close();
        var mixed = Files.readAllBytes(path(file));
        int second = JournalFile.HEAD_BYTES + 4;
        System.arraycopy(old, second, mixed, second, second);
        Files.write(path(file), mixed);
        assertThat(left()).containsExactly("3new1");
    }

    @Test
    void there_is_room_for_so_much_and_no_more_until_a_half_is_settled() throws Exception {
        try (var file = JournalFile.create(directory)) {
            int most = JournalFile.HALF_BYTES - JournalFile.HEAD_BYTES;
            assertThat(file.put(KIND, new byte[most + 1])).isEmpty();
            assertThat(file.put(KIND, new byte[most])).hasValue(1);
            assertThat(file.put(KIND, new byte[most])).hasValue(2);
            assertThat(file.put(KIND, new byte[0])).isEmpty();
            file.settle(1);
            assertThat(file.put(KIND, new byte[most])).hasValue(3);
            assertThat(file.put(KIND, new byte[0])).isEmpty();
        }
    }
}
