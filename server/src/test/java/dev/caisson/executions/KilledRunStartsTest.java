package dev.caisson.executions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.store.DatabaseTestCase;
import dev.caisson.store.Journal;
import dev.caisson.store.KilledChild;
import dev.caisson.store.Store;
import dev.caisson.store.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A program begins executions, or begins and ends them, and says so once each is noted. It is
/// killed in the middle; all that it said must be found, and have failed, or as it ended.
@Timeout(120)
final class KilledRunStartsTest extends DatabaseTestCase {
    private static final int ENOUGH = 100;
    private static final byte[] OUTPUT = {1, 2, 3};

    private static Journal journal(Store store, Path directory) {
        return store.journal(
                directory, List.of(ExecutionRecords.journaled(store, Clock.systemUTC(), "killed")));
    }

    @Test
    void what_was_noted_is_there_when_the_program_is_killed() throws Exception {
        database.open().close();
        var notes = Files.createDirectory(directory.resolve("notes"));
        var noted =
                KilledChild.said(
                        ENOUGH,
                        "exe_[0-9a-f]{32}",
                        Child.class,
                        database.address(),
                        notes.toString());
        try (var store = database.open();
                var journal = journal(store, notes);
                var records =
                        ExecutionRecords.noting(store, Clock.systemUTC(), true, notes, journal)) {
            journal.replay();
            records.endLeft("killed");
            records.settleAbandoned("killed");
            assertThat(noted)
                    .allSatisfy(id ->
                            assertThat(records.find(Optional.of("anna"), id))
                                    .get()
                                    .extracting(ExecutionRecord::status)
                                    .isEqualTo(ExecutionStatus.FAILED));
        }
        assertThat(notes).isEmptyDirectory();
    }

    @Test
    void what_was_acknowledged_as_ended_is_there_as_it_ended_when_the_program_is_killed()
            throws Exception {
        database.open().close();
        var notes = Files.createDirectory(directory.resolve("notes"));
        var ended =
                KilledChild.said(
                        20 * ENOUGH,
                        "exe_[0-9a-f]{32}",
                        Child.class,
                        database.address(),
                        notes.toString(),
                        "end");
        try (var store = database.open();
                var journal = journal(store, notes);
                var records =
                        ExecutionRecords.noting(store, Clock.systemUTC(), true, notes, journal)) {
            // Another server may have taken them for lost before.
            records.settleAbandoned("killed");
            journal.replay();
            records.endLeft("killed");
            assertThat(ended)
                    .allSatisfy(id -> {
                        assertThat(records.find(Optional.of("anna"), id))
                                .get()
                                .extracting(ExecutionRecord::status)
                                .isEqualTo(ExecutionStatus.SUCCESS);
                        assertThat(records.output("anna", id)).contains(OUTPUT);
                        assertThat(records.output("bert", id)).isEmpty();
                    });
            assertThat(records.unfinished()).isEmpty();
        }
        assertThat(notes).isEmptyDirectory();
    }

    /// Begins executions until it is killed, or long enough for nobody to want more.
    static final class Child {
        private static final int MAX = 20_000;

        private Child() {}

        static void main(String[] args) {
            try (var store = TestDatabase.at(args[0]).open();
                    var journal = journal(store, Path.of(args[1]));
                    var records =
                            ExecutionRecords.noting(
                                    store, Clock.systemUTC(), true, Path.of(args[1]), journal)) {
                for (int i = 0; i < MAX; i++) {
                    var id = ExecutionRecords.freshId();
                    records.start(id, "anna", RunStartsTest.request(), "print(1)", false)
                            .awaitNoted();
                    if (args.length > 2) {
                        // Some are in the database when they end.
                        if (i % 10 == 0) {
                            records.unfinished();
                        }
                        records.finish(
                                        id,
                                        Completion.without(ExecutionStatus.SUCCESS, "well"),
                                        Optional.of(OUTPUT))
                                .await();
                    }
                    System.out.println(id);
                }
            }
        }
    }
}
