package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Scope;
import dev.caisson.identity.KeyInfo;
import dev.caisson.identity.Keys;
import dev.caisson.identity.NewKey;
import dev.caisson.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstKeyTest {
    private static final NewKey KEY =
            new NewKey(
                    new KeyInfo(
                            "id",
                            "admin",
                            Set.of(Scope.RUN),
                            Set.of(),
                            List.of(),
                            Instant.EPOCH,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            false),
                    "the-secret");

    @TempDir Path directory;

    private static Optional<NewKey> made(Consumer<NewKey> beforehand) {
        beforehand.accept(KEY);
        return Optional.of(KEY);
    }

    @Test
    void a_terminal_shows_it_without_a_word() {
        assertThat(FirstKey.make(FirstKeyTest::made, directory, FirstKey.Output.TERMINAL))
                .isEqualTo(new FirstKey(Optional.of(KEY), Optional.empty()));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void a_pipe_gets_it_with_a_warning() {
        var shown = FirstKey.make(FirstKeyTest::made, directory, FirstKey.Output.ELSEWHERE);

        assertThat(shown.key()).contains(KEY);
        assertThat(shown.words().orElseThrow()).contains("not a terminal");
    }

    @Test
    void a_journal_never_sees_it() throws Exception {
        var shown = FirstKey.make(FirstKeyTest::made, directory, FirstKey.Output.JOURNAL);

        var file = directory.resolve(FirstKey.FILE);
        assertThat(shown.key()).isEmpty();
        assertThat(shown.words().orElseThrow())
                .contains(file.toString())
                .doesNotContain("the-secret");
        assertThat(file).hasContent("the-secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void there_is_no_key_when_its_file_cannot_be_written() throws Exception {
        var occupied = Files.createFile(directory.resolve("file")).resolve("below");
        try (var store = Store.open(directory.resolve("keys.db"))) {
            var keys = new Keys(store, Clock.systemUTC());
            assertThatThrownBy(() ->
                            FirstKey.make(
                                    keys::createFirstAdmin, occupied, FirstKey.Output.JOURNAL))
                    .hasMessageContaining("cannot be written");
            assertThat(keys.list()).isEmpty();

            var shown = FirstKey.make(keys::createFirstAdmin, directory, FirstKey.Output.JOURNAL);
            assertThat(shown.words()).isPresent();
            assertThat(keys.list()).hasSize(1);
        }
    }

    @Test
    void without_a_new_key_nothing_is_said() {
        for (var output : FirstKey.Output.values()) {
            assertThat(FirstKey.make(_ -> Optional.empty(), directory, output))
                    .isEqualTo(new FirstKey(Optional.empty(), Optional.empty()));
        }
    }

    @Test
    void the_journal_is_known_by_what_systemd_says_of_it() throws Exception {
        var stream = Files.createFile(directory.resolve("stream"));
        var same =
                Files.getAttribute(stream, "unix:dev")
                        + ":"
                        + Files.getAttribute(stream, "unix:ino");

        assertThat(FirstKey.Output.of(Map.of("JOURNAL_STREAM", same), stream, null))
                .isEqualTo(FirstKey.Output.JOURNAL);
        assertThat(FirstKey.Output.of(Map.of("JOURNAL_STREAM", "1:2"), stream, null))
                .isEqualTo(FirstKey.Output.ELSEWHERE);
        assertThat(FirstKey.Output.of(Map.of(), stream, null)).isEqualTo(FirstKey.Output.ELSEWHERE);
    }
}
