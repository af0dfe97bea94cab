package dev.caisson.executions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.store.TestDatabase;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
        var noted = killed(start(database, notes));
        try (var store = database.open();
                var records = ExecutionRecords.noting(store, Clock.systemUTC(), true, notes)) {
            records.endLeft("killed");
            records.settleUnfinished("killed");
            assertThat(noted)
                    .hasSizeGreaterThanOrEqualTo(ENOUGH)
                    .allSatisfy(id ->
                            assertThat(records.find(Optional.of("anna"), id))
                                    .get()
                                    .extracting(ExecutionRecord::status)
                                    .isEqualTo(ExecutionStatus.FAILED));
        }
        assertThat(notes).isEmptyDirectory();
    }

    /// What it said until it was killed.
    private static Set<String> killed(Process child) throws Exception {
        var noted = new HashSet<String>();
        try (var output =
                new BufferedReader(
                        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                if (line.matches("exe_[0-9a-f]{32}")) {
                    noted.add(line);
                }
                if (noted.size() == ENOUGH) {
                    child.toHandle().destroyForcibly();
                }
            }
        } finally {
            child.toHandle().destroyForcibly();
            assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        return noted;
    }

    private static Process start(TestDatabase database, Path notes) throws Exception {
        var command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        database.address(),
                        notes.toString());
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
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
