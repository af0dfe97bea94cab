package dev.caisson.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.broker.ToolEffect;
import dev.caisson.broker.ToolOrigin;
import dev.caisson.broker.ToolSpec;
import dev.caisson.json.Json;
import dev.caisson.stubs.Learned;
import dev.caisson.stubs.Shapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files by which programs import tools, on disk.
class ViewsTest {
    private static final long LARGE = 1L << 30;
    private final AtomicLong now = new AtomicLong();
    @TempDir private Path root;

    private Views views(int count, long bytes) {
        var limits = new Views.Limits(count, bytes, Duration.ofHours(1));
        return new Views(root.resolve("wrappers"), limits, now::get, Learned.NOTHING);
    }

    private static ToolSpec tool(String server, String name, String description) {
        return ToolSpec.named(server + "__" + name, name, description)
                .from(new ToolOrigin(server, name, name, name, "", ToolEffect.READ, true))
                .build();
    }

    private static final ToolSpec A = tool("alpha", "first", "One.");
    private static final ToolSpec B = tool("beta", "second", "Two.");

    private static Object inode(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }

    @Test
    void whoever_may_call_the_same_tools_shares_a_view_and_modules_are_shared_by_views()
            throws Exception {
        try (var views = views(10, LARGE)) {
            var both = views.of(List.of(A, B)).orElseThrow();
            var again = views.of(List.of(B, A)).orElseThrow();
            var one = views.of(List.of(A)).orElseThrow();

            assertThat(again.directory()).isEqualTo(both.directory());
            assertThat(one.directory()).isNotEqualTo(both.directory());
            assertThat(inode(one.directory().resolve("alpha/__init__.py")))
                    .isEqualTo(inode(both.directory().resolve("alpha/__init__.py")));
            assertThat(one.directory().resolve("beta")).doesNotExist();
            assertThat(both.directory().resolve("package.json"))
                    .hasContent("{\"type\":\"module\"}");
            assertThat(both.directory().resolve("beta"))
                    .isDirectoryContaining("glob:**/__init__.pyi")
                    .isDirectoryContaining("glob:**/index.js")
                    .isDirectoryContaining("glob:**/index.d.ts");
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(
                                            both.directory().resolve("alpha/index.js"))))
                    .isEqualTo("rw-r--r--");
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(both.directory())))
                    .isEqualTo("rwxr-xr-x");
        }
    }

    @Test
    void other_definitions_make_other_files_and_leave_those_in_use() throws Exception {
        try (var views = views(10, LARGE)) {
            var old = views.of(List.of(A)).orElseThrow();
            var renewed = views.of(List.of(tool("alpha", "first", "Other."))).orElseThrow();

            assertThat(renewed.hash()).isNotEqualTo(old.hash());
            assertThat(old.directory().resolve("alpha/__init__.py")).content().contains("One.");
            assertThat(renewed.directory().resolve("alpha/__init__.py"))
                    .content()
                    .contains("Other.");
        }
    }

    @Test
    void what_is_learned_of_results_makes_other_files() throws Exception {
        var shape = new AtomicReference<>(Optional.<Shapes>empty());
        try (var views =
                new Views(
                        root.resolve("learned"),
                        Views.Limits.DEFAULT,
                        now::get,
                        _ -> shape.get())) {
            var before = views.of(List.of(A)).orElseThrow();
            var seen = Shapes.NONE;
            for (int time = 0; time < 5; time++) {
                seen = seen.with(Json.parse("{\"size\": 1}")).shape();
            }
            shape.set(Optional.of(seen));
            var after = views.of(List.of(A)).orElseThrow();
            assertThat(after.hash()).isNotEqualTo(before.hash());
            assertThat(after.directory().resolve("alpha/__init__.pyi"))
                    .content()
                    .contains("size: int", "learned from 5 results");
            assertThat(before.directory().resolve("alpha/__init__.pyi"))
                    .content()
                    .doesNotContain("learned from");
        }
    }

    @Test
    void a_view_is_removed_an_hour_after_its_last_use_and_not_before() throws Exception {
        try (var views = views(10, LARGE)) {
            var used = views.of(List.of(A)).orElseThrow();
            now.addAndGet(Duration.ofHours(5).toNanos());
            views.of(List.of(B)).orElseThrow().close();
            assertThat(used.directory()).exists();

            used.close();
            now.addAndGet(Duration.ofHours(1).toNanos() - 1);
            var other = views.of(List.of(B)).orElseThrow();
            assertThat(used.directory()).exists();
            now.incrementAndGet();
            assertThat(views.of(List.of(B))).isPresent();

            assertThat(used.directory()).doesNotExist();
            assertThat(other.directory()).exists();
            try (var modules = Files.list(other.directory().resolve("../../modules"))) {
                assertThat(modules).hasSize(1);
            }
        }
    }

    @Test
    void there_are_so_many_views_and_those_in_use_stay() throws Exception {
        try (var views = views(2, LARGE)) {
            var one = views.of(List.of(A)).orElseThrow();
            var two = views.of(List.of(B)).orElseThrow();
            assertThat(views.of(List.of(A, B))).isEmpty();
            assertThat(views.of(List.of(A))).isPresent();

            two.close();
            assertThat(views.of(List.of(A, B))).isPresent();
            assertThat(two.directory()).doesNotExist();
            assertThat(one.directory()).exists();
        }
    }

    @Test
    void their_files_take_so_many_bytes_and_no_more() throws Exception {
        long bytes = 0;
        for (var text : dev.caisson.stubs.Generator.module("alpha", List.of(A)).values()) {
            bytes += text.length();
        }
        try (var views = views(10, bytes)) {
            assertThat(views.of(List.of(A))).isPresent();
        }
        try (var views = views(10, bytes - 1)) {
            assertThat(views.of(List.of(A))).isEmpty();
        }
    }

    @Test
    void nothing_is_made_for_who_has_no_tools_and_nothing_is_left() throws Exception {
        try (var views = views(10, LARGE)) {
            assertThat(views.of(List.of())).isEmpty();
            assertThat(root.resolve("wrappers")).doesNotExist();
            assertThat(views.of(List.of(A))).isPresent();
        }
        assertThat(root.resolve("wrappers")).isEmptyDirectory();
    }

    @Test
    void what_a_dead_process_left_is_removed_and_what_a_living_one_has_stays() throws Exception {
        var left = Files.createDirectories(root.resolve("wrappers/dead/views"));
        var lock = Files.createFile(root.resolve("wrappers/dead.lock"));
        Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(3600)));
        try (var living = views(10, LARGE);
                var views = views(10, LARGE)) {
            var held = living.of(List.of(A)).orElseThrow();
            assertThat(views.of(List.of(B))).isPresent();
            assertThat(left).doesNotExist();
            assertThat(lock).doesNotExist();
            assertThat(held.directory()).exists();
        }
    }
}
