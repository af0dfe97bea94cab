package dev.caisson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.config.Given;
import dev.caisson.config.Mistakes;
import dev.caisson.config.Sources;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptSizesTest {
    private static final long GIB = 1 << 30;

    private static Config config(String... settings) throws Mistakes {
        var flags =
                Arrays.stream(settings)
                        .map(text -> text.split("=", 2))
                        .map(pair -> Given.flag(pair[0], pair[1], "--set"))
                        .toList();
        return Config.read(
                new Sources(Optional.empty(), Map.of(), flags, Path.of("/nonexistent"), false));
    }

    private static Config on(long disk, String... settings) throws Mistakes {
        return new KeptSizes(config(settings), disk, Optional.empty()).fitted();
    }

    private static List<Long> records(Config config) {
        var kept = config.kept();
        return List.of(
                kept.executions().retention().bytes().orElseThrow(),
                kept.output().bytes(),
                kept.answers().bytesMax(),
                kept.tasks().bytesMax(),
                config.webhooks().bytesMax(),
                kept.upstreamCalls().bytes());
    }

    @Test
    void a_large_disk_leaves_sizes_as_they_are_and_threads_have_the_rest() throws Exception {
        var fitted = on(100 * GIB);
        assertThat(records(fitted)).containsExactly(8 * GIB, 4 * GIB, GIB, GIB, GIB, GIB);
        assertThat(fitted.kept().threads().bytes()).contains(60 * GIB - 12 * GIB);
    }

    /// With defaults everything that grows by itself has a size, and all of them fit.
    @ParameterizedTest
    @ValueSource(longs = {2, 5, 10, 20, 36, 37, 50, 1000})
    void everything_kept_stays_within_its_part_of_any_disk(long gibibytes) throws Exception {
        var fitted = on(gibibytes * GIB);
        var kept = fitted.kept();
        long all =
                kept.executions().retention().bytes().orElseThrow()
                        + kept.answers().bytesMax()
                        + kept.tasks().bytesMax()
                        + fitted.webhooks().bytesMax()
                        + kept.threads().bytes().orElseThrow();
        assertThat(all).isLessThanOrEqualTo(gibibytes * GIB * 6 / 10);
        assertThat(kept.threads().bytes().orElseThrow())
                .isGreaterThanOrEqualTo(gibibytes * GIB * 3 / 10 - 1);
        assertThat(kept.output().bytes()).isLessThan(kept.executions().retention().bytes().get());
    }

    @Test
    void an_operator_decides_for_threads_and_for_all() throws Exception {
        assertThat(on(20 * GIB, "keep.threads_bytes=15GiB").kept().threads().bytes())
                .contains(15 * GIB);
        var unbounded = on(10 * GIB, "keep.disk_part=0");
        assertThat(records(unbounded)).containsExactly(8 * GIB, 4 * GIB, GIB, GIB, GIB, GIB);
        assertThat(unbounded.kept().threads().bytes()).isEmpty();
        assertThat(on(10 * GIB, "keep.executions_bytes=").kept().executions().retention().bytes())
                .isEmpty();
    }

    @Test
    void threads_on_a_disk_of_their_own_have_a_part_of_that() throws Exception {
        var fitted = new KeptSizes(config(), 20 * GIB, Optional.of(1000 * GIB)).fitted();
        assertThat(fitted.kept().threads().bytes()).contains(600 * GIB);
    }
}
