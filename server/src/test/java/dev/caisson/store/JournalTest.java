package dev.caisson.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Durable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class JournalTest extends StoreTestCase {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir Path journals;

    /// Words that are rows of a table, each with its place among all.
    private enum Words implements JournalKind<String> {
        KIND;

        @Override
        public byte code() {
            return 9;
        }

        @Override
        public byte[] form(String item) {
            return item.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String read(byte[] form) {
            return new String(form, StandardCharsets.UTF_8);
        }

        @Override
        public void write(Transaction transaction, List<String> items) {
            items.forEach(word -> JournalTest.insert(transaction, word));
        }
    }

    private static int insert(Transaction transaction, String word) {
        return transaction.execute(
                "INSERT INTO word (place, word) SELECT COUNT(*), ? FROM word", word);
    }

    @BeforeEach
    void table() {
        store.write(handle -> handle.execute("CREATE TABLE word (place BIGINT, word TEXT)"));
    }

    private Journal open() {
        return store.journal(journals, List.of(Words.KIND));
    }

    private static Durable append(Journal journal, String word) {
        return journal.append(Words.KIND, word, () -> {}).orElseThrow();
    }

    private List<String> words() {
        return store.read(handle ->
                handle.query("SELECT word FROM word ORDER BY place").mapTo(String.class).list());
    }

    @Test
    void what_was_taken_is_in_the_database_in_its_order_in_a_moment_or_at_once_when_settled() {
        try (var journal = open()) {
            var settled = new AtomicInteger();
            for (int i = 0; i < 100; i++) {
                journal.append(Words.KIND, "w" + i, settled::incrementAndGet).orElseThrow().await();
            }
            store.settle();
            assertThat(words()).hasSize(100).startsWith("w0", "w1").endsWith("w99");
            assertThat(settled).hasValue(100);
            append(journal, "last").await();
            Awaitility.await().atMost(LONG).until(() -> words().contains("last"));
        }
        assertThat(journals).isEmptyDirectory();
        assertThat(
                        store.<Long>read(handle ->
                                handle.query("SELECT COUNT(*) FROM journal")
                                        .mapTo(Long.class)
                                        .one()))
                .isZero();
    }

    @Test
    void it_comes_before_whatever_is_written_later() {
        try (var journal = open()) {
            append(journal, "journal");
            store.write(handle -> insert(handle, "direct"));
            assertThat(words()).containsExactly("journal", "direct");
        }
    }

    @Test
    void what_a_process_left_is_replayed_once_and_what_the_database_has_is_not() {
        var journal = open();
        append(journal, "one");
        store.settle();
        store.write(handle -> handle.execute("ALTER TABLE word RENAME TO away"));
        append(journal, "two").await();
        append(journal, "three").await();
        journal.close();
        store.write(handle -> handle.execute("ALTER TABLE away RENAME TO word"));
        assertThat(journals).isNotEmptyDirectory();
        try (var next = open()) {
            assertThat(next.replay()).isEqualTo(2);
            assertThat(next.replay()).isZero();
            assertThat(words()).containsExactly("one", "two", "three");
        }
        assertThat(journals).isEmptyDirectory();
    }

    @Test
    void while_the_database_fails_nothing_more_is_taken_and_nothing_is_forgotten() {
        try (var journal = open()) {
            store.write(handle -> handle.execute("ALTER TABLE word RENAME TO away"));
            append(journal, "one").await();
            assertThatThrownBy(store::settle).isNotNull();
            assertThat(journal.isTrusted()).isFalse();
            assertThat(journal.append(Words.KIND, "two", () -> {})).isEmpty();
            store.write(handle -> handle.execute("ALTER TABLE away RENAME TO word"));
            Awaitility.await().atMost(LONG).until(journal::isTrusted);
            append(journal, "three");
            store.settle();
            assertThat(words()).containsExactly("one", "three");
        }
    }

    @Test
    void a_journal_that_cannot_be_replayed_stays_and_stops_nobody() throws Exception {
        var file = JournalFile.create(journals);
        file.put((byte) 99, new byte[] {1});
        file.close();
        try (var journal = open()) {
            assertThat(journal.replay()).isZero();
            append(journal, "one").await();
            store.settle();
            assertThat(words()).containsExactly("one");
        }
        assertThat(Files.exists(journals.resolve(file.name()))).isTrue();
    }

    @Test
    void what_finds_no_room_is_not_taken() {
        try (var journal = open()) {
            var large = "x".repeat(JournalFile.HALF_BYTES - JournalFile.HEAD_BYTES);
            assertThat(journal.append(Words.KIND, large + "x", () -> {})).isEmpty();
            assertThat(journal.append(Words.KIND, large, () -> {})).isPresent();
        }
        assertThat(words()).hasSize(1);
    }

    @Test
    void a_journal_that_cannot_be_made_says_so() {
        assertThatThrownBy(() -> store.journal(journals.resolve("missing"), List.of(Words.KIND)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot create a file");
    }

    @Test
    void whoever_waits_goes_on_when_the_disk_has_it_and_all_share_one_wait() throws Exception {
        var asked = new CountDownLatch(1);
        var free = new CountDownLatch(1);
        var forced = new AtomicInteger();
        var told = new AtomicBoolean();
        var sync =
                new JournalSync(
                        () -> 10,
                        () -> {
                            asked.countDown();
                            awaited(free);
                            forced.incrementAndGet();
                        });
        sync.then(2, told::set);
        var waiting = new ArrayList<Thread>();
        for (int i = 1; i <= 3; i++) {
            int number = i;
            waiting.add(Thread.ofVirtual().start(() -> assertThat(sync.await(number)).isTrue()));
        }
        asked.await();
        assertThat(sync.isDurable(1)).isFalse();
        assertThat(told).isFalse();
        assertThat(waiting).allMatch(Thread::isAlive);
        free.countDown();
        for (var thread : waiting) {
            thread.join();
        }
        assertThat(forced).hasValue(1);
        assertThat(sync.isDurable(10)).isTrue();
        Awaitility.await().atMost(LONG).untilTrue(told);
        sync.close();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_disk_that_does_not_take_it_is_told_and_not_asked_again() {
        var asked = new AtomicInteger();
        try (var sync =
                new JournalSync(
                        () -> 10,
                        () -> {
                            asked.incrementAndGet();
                            throw new UncheckedIOException(new IOException("no disk"));
                        })) {
            assertThat(sync.await(1)).isFalse();
            assertThat(sync.isBroken()).isTrue();
            assertThat(sync.await(2)).isFalse();
            assertThat(asked).hasValue(1);
            sync.settled(2);
            assertThat(sync.await(2)).isTrue();
        }
    }
}
