package dev.caisson.executions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.store.KilledChild;
import dev.caisson.store.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A program begins executions and says so once each is noted. It is killed in the middle; all that
/// it said must be found, and have failed.
@Timeout(120)
final class KilledBeginningsTest {
    private static final int ENOUGH = 100;

    @TempDir Path directory;

    @ParameterizedTest
    @EnumSource
    void what_was_noted_is_there_when_the_program_is_killed(TestDatabase.Kind kind)
            throws Exception {
        var database = kind.fresh(directory);
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
                var records = ExecutionRecords.noting(store, Clock.systemUTC(), true, notes)) {
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

    /// Begins executions until it is killed, or long enough for nobody to want more.
    static final class Child {
        private static final int MAX = 20_000;

        private Child() {}

        static void main(String[] args) {
            try (var store = TestDatabase.at(args[0]).open();
                    var records =
                            ExecutionRecords.noting(
                                    store, Clock.systemUTC(), true, Path.of(args[1]))) {
                for (int i = 0; i < MAX; i++) {
                    var id = ExecutionRecords.freshId();
                    records.start(id, "anna", BeginningsTest.request(), "print(1)", false)
                            .awaitNoted();
                    System.out.println(id);
                }
            }
        }
    }
}
