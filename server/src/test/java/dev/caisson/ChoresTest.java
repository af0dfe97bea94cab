package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
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
            Pattern.compile(
                    "(?m)^\\| `(keep\\.[a-z_]+|mcp\\.task_keep)` \\| (duration|size|decimal) \\|");

    @TempDir Path directory;

    @Test
    void every_age_and_size_has_a_chore_that_enforces_it() throws Exception {
        var promised = new TreeSet<String>();
        KEEPING.matcher(Repository.text("docs/configuration.md"))
                .results()
                .forEach(match -> promised.add(match.group(1)));
        assertThat(promised).hasSizeGreaterThan(8);
        try (var core = Core.open(TestProduct.config(directory), Clock.systemUTC())) {
            var enforced = new TreeSet<String>();
            core.chores.forEach(chore -> enforced.addAll(chore.enforces()));
            assertThat(enforced).isEqualTo(promised);
            for (var chore : core.chores) {
                assertThat(chore.work().run()).as(chore.name()).isZero();
            }
        }
    }
}
