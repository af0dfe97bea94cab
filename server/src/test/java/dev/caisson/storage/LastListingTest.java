package dev.caisson.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LastListingTest {
    private static final Listing SOME = new Listing(List.of(), true);

    private final LastListing last = new LastListing();

    @Test
    void what_the_last_run_left_is_known_once() {
        assertThat(last.take()).isEmpty();
        last.keep(SOME, last.changes());
        assertThat(last.take()).hasValue(SOME);
        assertThat(last.take()).isEmpty();
    }

    @Test
    void after_a_change_through_the_server_nothing_is_known() {
        last.keep(SOME, last.changes());
        change(() -> {});
        assertThat(last.take()).isEmpty();
    }

    @Test
    void a_change_that_ends_while_the_files_are_listed_counts_too() {
        var before = new AtomicLong();
        change(() -> before.set(last.changes()));
        last.keep(SOME, before.get());
        assertThat(last.take()).isEmpty();
    }

    @Test
    void what_is_long_or_not_whole_is_not_kept() {
        last.keep(new Listing(List.of(), false), last.changes());
        assertThat(last.take()).isEmpty();
        last.keep(listing(LastListing.FILES_MAX), last.changes());
        assertThat(last.take()).isPresent();
        last.keep(listing(LastListing.FILES_MAX + 1), last.changes());
        assertThat(last.take()).isEmpty();
    }

    private void change(Runnable meanwhile) {
        last.lock();
        try {
            meanwhile.run();
        } finally {
            last.unlock();
        }
    }

    private static Listing listing(int files) {
        var file = new WorkspaceFile(new FilePath("a"), 1, Instant.EPOCH, "1:1");
        return new Listing(Collections.nCopies(files, file), true);
    }
}
