package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FileEventsTest {
    private static final FileEvent OVERFLOW = new FileEvent.Overflow();

    private final FileEvents events = new FileEvents();

    private static FileEvent removed(String path) {
        return FileEvent.removed(new FilePath(path));
    }

    private static List<FileEvent> removed(int count) {
        return IntStream.range(0, count).mapToObj(n -> removed("f" + n)).toList();
    }

    private static List<FileEvent> drained(FileEvents.Listening listening) throws Exception {
        var all = new ArrayList<FileEvent>();
        for (var next = listening.next(Duration.ZERO);
                next.isPresent();
                next = listening.next(Duration.ZERO)) {
            all.add(next.get());
        }
        return all;
    }

    @Test
    void whoever_listens_hears_of_that_thread_alone_until_it_is_closed() throws Exception {
        try (var one = events.listen("a");
                var other = events.listen("b")) {
            events.announce("a", () -> List.of(removed("x"), removed("y")));

            assertThat(drained(one)).containsExactly(removed("x"), removed("y"));
            assertThat(drained(other)).isEmpty();
        }
        assertThat(events.listening()).isZero();
        events.announce(
                "a",
                () -> {
                    throw new AssertionError("nobody listens");
                });
    }

    @Test
    void what_waits_is_bounded_in_number() throws Exception {
        try (var listening = events.listen("a")) {
            events.announce("a", () -> removed(FileEvents.WAITING_MAX));
            assertThat(drained(listening)).hasSize(FileEvents.WAITING_MAX);

            events.announce("a", () -> removed(FileEvents.WAITING_MAX + 1));
            events.announce("a", () -> List.of(removed("later")));
            assertThat(drained(listening)).containsExactly(OVERFLOW, removed("later"));
        }
    }

    @Test
    void what_waits_is_bounded_in_characters() throws Exception {
        var half = "x".repeat(FileEvents.WAITING_CHARACTERS_MAX / 2);
        try (var listening = events.listen("a")) {
            for (var round = 0; round < 3; round++) {
                events.announce("a", () -> List.of(removed(half), removed(half)));
                assertThat(drained(listening)).hasSize(2);
            }
            events.announce("a", () -> List.of(removed(half), removed(half), removed("x")));
            assertThat(drained(listening)).containsExactly(OVERFLOW);
        }
    }

    private static WorkspaceFile file(String path, long size, String identity) {
        return new WorkspaceFile(new FilePath(path), size, Instant.EPOCH, identity);
    }

    @Test
    void a_run_made_changed_and_removed_what_differs_between_two_looks() {
        var before =
                new Listing(List.of(file("a", 1, "1"), file("b", 1, "2"), file("c", 1, "3")), true);
        var after =
                new Listing(
                        List.of(file("a", 1, "1"), file("b", 2, "2"), file("secret", 9, "4")),
                        true);

        assertThat(FileEvent.ofRun("run_1", before, after, path -> path.replace("secret", "***")))
                .containsExactly(
                        run(FileEvent.Act.MODIFIED, "b", Optional.of(2L)),
                        run(FileEvent.Act.CREATED, "***", Optional.of(9L)),
                        run(FileEvent.Act.REMOVED, "c", Optional.empty()));
        assertThat(FileEvent.ofRun("run_1", before, before, path -> path)).isEmpty();
    }

    private static FileEvent run(FileEvent.Act act, String path, Optional<Long> size) {
        return new FileEvent.Changed(act, path, size, FileEvent.Cause.RUN, Optional.of("run_1"));
    }

    @Test
    void where_a_look_did_not_see_all_that_is_what_is_said() {
        var some = new Listing(List.of(file("a", 1, "1")), false);
        assertThat(FileEvent.ofRun("r", Listing.EMPTY, some, path -> path))
                .containsExactly(OVERFLOW);
        assertThat(FileEvent.ofRun("r", some, Listing.EMPTY, path -> path))
                .containsExactly(OVERFLOW);
        assertThat(made(FileEvents.WAITING_MAX)).hasSize(FileEvents.WAITING_MAX);
        assertThat(made(FileEvents.WAITING_MAX + 1)).containsExactly(OVERFLOW);
    }

    private static List<FileEvent> made(int count) {
        var files =
                IntStream.range(0, count)
                        .mapToObj(n -> file("f" + n, 1, String.valueOf(n)))
                        .toList();
        return FileEvent.ofRun("r", Listing.EMPTY, new Listing(files, true), path -> path);
    }
}
