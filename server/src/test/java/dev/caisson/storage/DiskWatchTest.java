package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.telemetry.LogCapture;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskWatchTest {
    private static final long GIB = 1 << 30;
    private static final String WARNING = "is nearly full";

    private final AtomicLong free = new AtomicLong();

    private DiskWatch watch(long total) {
        return new DiskWatch("data", DiskSettings.DEFAULT, () -> new DiskSpace(total, free.get()));
    }

    private boolean warns(DiskWatch watch, long freeBytes) {
        free.set(freeBytes);
        watch.look();
        return watch.state().warning().isPresent();
    }

    @Test
    void a_disk_is_short_below_both_a_part_and_a_size() {
        var border = 20 * GIB / 10;
        free.set(border);
        var small = watch(20 * GIB);
        assertThat(warns(small, border)).isFalse();
        assertThat(warns(small, border - 1)).isTrue();
        free.set(5 * GIB);
        var large = watch(1000 * GIB);
        assertThat(warns(large, 5 * GIB)).isFalse();
        assertThat(warns(large, 5 * GIB - 1)).isTrue();
    }

    @Test
    void it_is_well_again_when_clearly_more_is_free_and_each_crossing_is_logged_once() {
        free.set(10 * GIB);
        try (var log = new LogCapture()) {
            var watch = watch(20 * GIB);
            assertThat(warns(watch, GIB)).isTrue();
            assertThat(warns(watch, GIB / 2)).isTrue();
            assertThat(warns(watch, 2 * GIB + GIB / 2 - 1)).as("not clearly more").isTrue();
            assertThat(log.text().split(WARNING, -1)).hasSize(2);
            assertThat(warns(watch, 2 * GIB + GIB / 2)).isFalse();
            assertThat(log.text()).contains("has space again");
            assertThat(warns(watch, 2 * GIB)).isFalse();
            assertThat(warns(watch, 2 * GIB - 1)).isTrue();
            assertThat(log.text().split(WARNING, -1)).hasSize(3);
        }
    }

    @Test
    void the_sentence_has_figures_and_one_that_starts_short_says_so_at_once() {
        free.set(GIB / 2);
        assertThat(watch(20 * GIB).state().warning())
                .contains(
                        "The disk of the data directory is nearly full: 0.5 GiB of 20.0 GiB are"
                                + " free.");
    }

    @Test
    void nobody_is_warned_who_does_not_want_it() {
        var never = new DiskSettings(0.6, 0, GIB);
        var watch = new DiskWatch("data", never, () -> new DiskSpace(20 * GIB, 0));
        assertThat(watch.state().warning()).isEmpty();
    }

    @Test
    void a_directory_that_is_not_there_yet_is_on_the_disk_of_the_one_above(@TempDir Path root) {
        var later = root.resolve("not/yet");
        assertThat(DiskSpace.of(later).totalBytes()).isEqualTo(DiskSpace.of(root).totalBytes());
        assertThat(DiskSpace.isSame(later, root)).isTrue();
        assertThat(DiskSpace.isSame(root, Path.of("/proc"))).isFalse();
    }
}
