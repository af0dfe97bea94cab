package dev.caisson.storage.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.caisson.linux.DiskUsage;
import dev.caisson.sandbox.Workspace;
import dev.caisson.storage.WorkspaceMaker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A workspace that was left stays open for a moment, and never for longer.
class OpenWorkspacesTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir Path root;

    private final Opener opener = new Opener();

    @Test
    void one_that_was_left_is_not_opened_again() throws Exception {
        try (var places = new OpenWorkspaces(opener, LONG)) {
            places.use(root, "a").close();
            places.use(root, "a").close();
            assertThat(opener.opened).hasSize(1);
            assertThat(opener.closed).isEmpty();
        }
        assertThat(opener.closed).containsExactly(root);
    }

    @Test
    void it_is_closed_when_nobody_comes_and_opened_anew_afterwards() throws Exception {
        try (var places = new OpenWorkspaces(opener, Duration.ofMillis(20))) {
            places.use(root, "a").close();
            await().atMost(LONG).until(() -> opener.closed.size() == 1);
            try (var _ = places.use(root, "a")) {
                assertThat(opener.opened).hasSize(2);
            }
        }
    }

    @Test
    void it_is_not_closed_under_somebody_who_came_meanwhile() throws Exception {
        try (var places = new OpenWorkspaces(opener, Duration.ofMillis(20))) {
            places.use(root, "a").close();
            try (var _ = places.use(root, "a")) {
                Thread.sleep(200);
                assertThat(opener.closed).isEmpty();
            }
        }
    }

    @Test
    void so_many_linger_and_the_next_is_closed_at_once() throws Exception {
        try (var places = new OpenWorkspaces(opener, LONG)) {
            for (int place = 0; place < OpenWorkspaces.LINGERING_MAX; place++) {
                places.use(root.resolve("" + place), "a").close();
            }
            assertThat(opener.closed).isEmpty();
            places.use(root.resolve("more"), "a").close();
            assertThat(opener.closed).containsExactly(root.resolve("more"));
        }
        assertThat(opener.closed).hasSize(OpenWorkspaces.LINGERING_MAX + 1);
    }

    @Test
    void whoever_wants_it_alone_finds_it_closed_or_is_told_that_it_is_used() throws Exception {
        try (var places = new OpenWorkspaces(opener, LONG)) {
            var use = places.use(root, "a");
            assertThat(places.alone(root, () -> {})).isFalse();
            use.close();

            var seen = new ArrayList<Path>();
            assertThat(places.alone(root, () -> seen.addAll(opener.closed))).isTrue();
            assertThat(seen).containsExactly(root);
        }
    }

    @Test
    void nothing_lingers_after_the_end() throws Exception {
        var places = new OpenWorkspaces(opener, LONG);
        var use = places.use(root, "a");
        places.close();
        assertThat(opener.closed).isEmpty();
        use.close();
        assertThat(opener.closed).containsExactly(root);
    }

    /// Remembers what it opened and what of it was closed.
    private static final class Opener implements WorkspaceMaker {
        final List<Path> opened = new CopyOnWriteArrayList<>();
        final List<Path> closed = new CopyOnWriteArrayList<>();

        @Override
        public boolean isThere(Path directory) {
            return true;
        }

        @Override
        public Opened open(Path directory, String holder) throws IOException {
            opened.add(directory);
            java.nio.file.Files.createDirectories(directory);
            return new Opened() {
                @Override
                public Workspace workspace() {
                    return new Workspace.Directory(directory);
                }

                @Override
                public Path root() {
                    return directory;
                }

                @Override
                public DiskUsage room() {
                    return Opener.this.room(directory);
                }

                @Override
                public void close() {
                    closed.add(directory);
                }
            };
        }

        @Override
        public DiskUsage room(Path directory) {
            return new DiskUsage(0, OptionalLong.empty(), 0, OptionalLong.empty());
        }

        @Override
        public String capacity() {
            return "nothing";
        }
    }
}
