package dev.caisson.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.share.TestWorkers;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A change whose maker says what must be there is made if it is, and else leaves everything as it
/// was.
class ExpectedTest {
    private static final FilePath FILE = FilePath.parse("d/f", "/workspace");

    @TempDir Path root;
    private Threads threads;

    @BeforeEach
    void start() throws Exception {
        threads = new Threads(root, new DirectoryWorkspaces(Optional.empty()), TestWorkers.WORKERS);
        store("one", Expected.anything());
    }

    private Upload.Stored store(String content, Expected expected) throws Exception {
        try (var files = threads.filesMade(Caller.LOCAL, "t");
                var upload = files.upload(FILE, expected)) {
            upload.write(ByteBuffer.wrap(content.getBytes(UTF_8)));
            return upload.commit();
        }
    }

    private long delete(Expected expected) throws Exception {
        try (var files = threads.files(Caller.LOCAL, "t")) {
            return files.delete(FILE, false, expected);
        }
    }

    private String content() throws Exception {
        try (var files = threads.files(Caller.LOCAL, "t");
                var content = files.read(FILE)) {
            return new String(content.atMost(100).orElseThrow(), UTF_8);
        }
    }

    private static Expected hashOf(String content) {
        return new Expected.OneOf(Set.of(ContentHash.of(content.getBytes(UTF_8))));
    }

    private static void assertRefused(Reason reason, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    private void assertUntouched(String content) throws Exception {
        assertThat(content()).isEqualTo(content);
        try (var files = threads.files(Caller.LOCAL, "t")) {
            assertThat(files.list(FilePath.ROOT, true, Optional.empty(), 10).files())
                    .extracting(file -> file.path().text())
                    .containsExactly("d", "d/f");
        }
    }

    @Test
    void a_file_is_replaced_and_deleted_as_long_as_it_is_what_was_read() throws Exception {
        var stored = store("two", hashOf("one"));
        assertThat(stored.hash()).isEqualTo(ContentHash.of("two".getBytes(UTF_8)));

        assertRefused(Reason.CHANGED, () -> store("three", hashOf("one")));
        assertRefused(Reason.CHANGED, () -> delete(hashOf("one")));
        assertUntouched("two");
        store("three", new Expected.OneOf(Set.of(stored.file().tag())));
        assertRefused(
                Reason.CHANGED,
                () -> store("four", new Expected.OneOf(Set.of(stored.file().tag()))));
        assertUntouched("three");
        assertThat(delete(hashOf("three"))).isEqualTo(1);
        assertRefused(Reason.CHANGED, () -> delete(hashOf("three")));
        assertRefused(Reason.CHANGED, () -> store("five", hashOf("three")));
    }

    @Test
    void a_file_is_made_only_if_there_is_none_and_kept_only_if_there_is_one() throws Exception {
        assertRefused(Reason.CHANGED, () -> store("two", new Expected.Nothing()));
        assertUntouched("one");
        store("two", new Expected.Something());
        delete(Expected.anything());
        assertRefused(Reason.CHANGED, () -> store("three", new Expected.Something()));
        store("three", new Expected.Nothing());
        assertUntouched("three");
    }

    @Test
    void what_changes_while_a_file_is_received_is_found_out_when_it_is_complete() throws Exception {
        try (var files = threads.files(Caller.LOCAL, "t");
                var slow = files.upload(FILE, hashOf("one"))) {
            slow.write(ByteBuffer.wrap(new byte[] {'2'}));
            store("meanwhile", Expected.anything());
            assertRefused(Reason.CHANGED, slow::commit);
        }
        assertUntouched("meanwhile");
    }

    @Test
    void of_many_who_read_the_same_one_alone_changes_it() throws Exception {
        var won = 0;
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var attempts = new ArrayList<Callable<Boolean>>();
            for (var i = 0; i < 20; i++) {
                var text = "by " + i;
                attempts.add(() -> won(text));
            }
            for (var attempt : callers.invokeAll(attempts)) {
                won += attempt.get() ? 1 : 0;
            }
        }
        assertThat(won).isEqualTo(1);
    }

    private boolean won(String content) throws Exception {
        try {
            store(content, hashOf("one"));
            return true;
        } catch (Refusal refusal) {
            assertThat(refusal.reason()).isEqualTo(Reason.CHANGED);
            return false;
        }
    }

    @Test
    void a_file_up_to_64_mib_is_compared_by_its_content_and_a_larger_one_by_its_tag()
            throws Exception {
        Path file;
        try (var all = Files.walk(root)) {
            file = all.filter(each -> each.endsWith("d/f")).findFirst().orElseThrow();
        }
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(ContentHash.BYTES_MAX);
        }
        assertRefused(Reason.CHANGED, () -> delete(hashOf("one")));
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(ContentHash.BYTES_MAX + 1);
        }
        assertRefused(Reason.TOO_LARGE, () -> delete(hashOf("one")));
        String tag;
        try (var files = threads.files(Caller.LOCAL, "t")) {
            tag = files.look(FILE).tag();
        }
        assertThat(delete(new Expected.OneOf(Set.of(tag)))).isEqualTo(1);
    }

    @Test
    void a_directory_is_never_the_file_that_was_read() throws Exception {
        try (var files = threads.files(Caller.LOCAL, "t")) {
            var directory = FilePath.parse("d", "/workspace");
            assertRefused(Reason.CHANGED, () -> files.delete(directory, true, hashOf("one")));
            assertRefused(Reason.NOT_FOUND, () -> files.delete(FilePath.ROOT, true, hashOf("one")));
        }
    }
}
