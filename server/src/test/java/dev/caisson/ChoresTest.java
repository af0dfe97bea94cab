package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.config.Effective;
import dev.caisson.config.Given;
import dev.caisson.config.Sources;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the configuration promises to keep no longer, or no more of, is removed by a chore.
@Timeout(120)
class ChoresTest {
    /// An age or a size, in the table of the documentation.
    private static final Pattern KEEPING =
            Pattern.compile("(?m)^\\| `(keep\\.[a-z_]+|mcp\\.task_keep)` \\| (duration|size) \\|");

    @TempDir Path directory;

    @Test
    void every_age_and_size_has_a_chore_that_enforces_it() throws Exception {
        var promised = new TreeSet<String>();
        KEEPING.matcher(Repository.text("docs/configuration.md"))
                .results()
                .forEach(match -> promised.add(match.group(1)));
        assertThat(promised).hasSizeGreaterThan(8);
        var flags =
                List.of(
                        Given.flag(
                                "data.directory", directory.resolve("data").toString(), "--set"));
        var sources = new Sources(Optional.empty(), Map.of(), flags, directory, false);
        try (var core = Core.open(Effective.read(sources).config(), Clock.systemUTC())) {
            var enforced = new TreeSet<String>();
            core.chores().forEach(chore -> enforced.addAll(chore.enforces()));
            assertThat(enforced).isEqualTo(promised);
            for (var chore : core.chores()) {
                assertThat(chore.work().run()).as(chore.name()).isZero();
            }
        }
    }
}
