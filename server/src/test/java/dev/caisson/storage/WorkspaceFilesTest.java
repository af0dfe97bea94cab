package dev.caisson.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.share.TestWorkers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceFilesTest {
    @TempDir Path directory;
    private final WorkspaceFiles files = new WorkspaceFiles(WalkBounds.RUN, TestWorkers.WORKERS);
    private Path root;
    private Path secret;

    @BeforeEach
    void make() throws Exception {
        root = Files.createDirectory(directory.resolve("workspace"));
        secret = Files.writeString(directory.resolve("secret"), "the host's");
    }

    private static List<String> paths(Listing listing) {
        return listing.files().stream().map(file -> file.path().text()).toList();
    }

    @Test
    void only_regular_files_are_listed_and_nothing_is_followed() throws Exception {
        HostileTree.plant(root, secret);

        var listing = files.list("anna", root);

        assertThat(listing.complete()).isTrue();
        assertThat(paths(listing))
                .containsExactlyInAnyOrder(
                        "plain.txt",
                        "sub/dir/nested.csv",
                        "two%0Alines",
                        "-rf *",
                        "bad%FFname",
                        "sparse");
    }

    @Test
    void a_file_has_its_size_time_and_type() throws Exception {
        Files.writeString(root.resolve("a.csv"), "1,2");

        var file = files.list("anna", root).files().getFirst();

        assertThat(file.size()).isEqualTo(3);
        assertThat(file.mimeType()).isEqualTo("text/csv");
        assertThat(file.modified())
                .isEqualTo(Files.getLastModifiedTime(root.resolve("a.csv")).toInstant());
    }

    @Test
    void every_listed_file_can_be_read_even_under_an_invalid_name() throws Exception {
        HostileTree.plant(root, secret);

        var readable =
                files.list("anna", root).files().stream()
                        .filter(file -> files.read(root, file, 100).isPresent())
                        .toList();

        assertThat(readable).hasSize(5).noneMatch(file -> file.name().equals("sparse"));
    }

    @Test
    void a_file_beyond_the_limit_is_not_read() throws Exception {
        Files.writeString(root.resolve("a"), "12345");
        var file = files.list("anna", root).files().getFirst();

        assertThat(files.read(root, file, 5)).hasValue("12345".getBytes(UTF_8));
        assertThat(files.read(root, file, 4)).isEmpty();
    }

    @Test
    void a_directory_ten_thousand_deep_is_cut_at_the_bound() throws Exception {
        Files.writeString(root.resolve("top"), "");
        HostileTree.deep(root, 10_000);

        var listing = files.list("anna", root);

        assertThat(paths(listing)).containsExactly("top");
        assertThat(listing.complete()).isFalse();
        Erasure.erase(root);
        assertThat(root).doesNotExist();
    }

    @Test
    void a_file_at_the_last_level_is_listed_and_one_below_is_not() throws Exception {
        var shallow = new WorkspaceFiles(new WalkBounds(100, 2), TestWorkers.WORKERS);
        Files.createDirectories(root.resolve("a/b"));
        Files.writeString(root.resolve("a/in"), "");

        assertThat(shallow.list("anna", root).complete()).isFalse();
        Files.delete(root.resolve("a/b"));
        assertThat(shallow.list("anna", root)).matches(Listing::complete);
        assertThat(paths(shallow.list("anna", root))).containsExactly("a/in");
    }

    @Test
    void more_entries_than_the_bound_are_not_looked_at() throws Exception {
        for (var i = 0; i < 10; i++) {
            Files.writeString(root.resolve("f" + i), "");
        }

        assertThat(
                        new WorkspaceFiles(new WalkBounds(10, 5), TestWorkers.WORKERS)
                                .list("anna", root)
                                .complete())
                .isTrue();
        var cut = new WorkspaceFiles(new WalkBounds(9, 5), TestWorkers.WORKERS).list("anna", root);
        assertThat(cut.complete()).isFalse();
        assertThat(cut.files()).hasSize(9);
    }

    @Test
    void a_link_swapped_in_after_the_listing_is_not_followed() throws Exception {
        Files.createDirectory(root.resolve("d"));
        Files.writeString(root.resolve("d/secret"), "mine");
        Files.writeString(root.resolve("f"), "mine");
        var listed = files.list("anna", root).files();

        Files.delete(root.resolve("f"));
        Files.createSymbolicLink(root.resolve("f"), secret);
        Files.move(root.resolve("d"), directory.resolve("old"));
        Files.createSymbolicLink(root.resolve("d"), directory);

        assertThat(listed).hasSize(2);
        assertThat(listed).allSatisfy(file -> assertThat(files.read(root, file, 100)).isEmpty());
    }

    @Test
    void links_swapped_in_a_race_never_show_what_is_outside() throws Exception {
        var race = new AtomicBoolean(true);
        var outside = Files.size(secret);
        var file = root.resolve("f");
        Files.writeString(file, "mine");
        var listed = files.list("anna", root).files().getFirst();
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var swapping =
                    pool.submit(() -> {
                        for (var i = 0; race.get(); i++) {
                            var next = directory.resolve("next");
                            if (i % 2 == 0) {
                                Files.createSymbolicLink(next, secret);
                            } else {
                                Files.writeString(next, "mine");
                            }
                            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
                        }
                        return true;
                    });
            for (var i = 0; i < 2000; i++) {
                files.read(root, listed, 100)
                        .ifPresent(
                                content -> assertThat(content).isEqualTo("mine".getBytes(UTF_8)));
                assertThat(files.list("anna", root).files())
                        .allMatch(found -> found.size() != outside);
            }
            race.set(false);
            assertThat(swapping.get()).isTrue();
        }
    }

    @Test
    void changed_files_are_the_new_the_rewritten_and_the_exchanged() throws Exception {
        for (var name : List.of("same", "rewritten", "exchanged")) {
            Files.writeString(root.resolve(name), "1");
        }
        var before = files.list("anna", root);

        Files.writeString(root.resolve("rewritten"), "22");
        Files.writeString(root.resolve("new"), "1");
        var time = Files.getLastModifiedTime(root.resolve("exchanged"));
        Files.writeString(root.resolve("other"), "1");
        Files.move(
                root.resolve("other"),
                root.resolve("exchanged"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(root.resolve("exchanged"), time);

        assertThat(files.list("anna", root).changedSince(before))
                .extracting(WorkspaceFile::name)
                .containsExactly("exchanged", "new", "rewritten");
    }

    @Test
    void a_hostile_tree_is_erased_without_touching_what_its_links_name() throws Exception {
        HostileTree.plant(root, secret);

        Erasure.erase(root);

        assertThat(root).doesNotExist();
        assertThat(secret).hasContent("the host's");
    }
}
