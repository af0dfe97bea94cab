package dev.caisson.sandbox.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Deletion of server directories, also by several servers at once.
final class ServerDirectoriesTest {
    private static final int ROUNDS = 50;
    private static final int SERVERS = 4;
    private static final int FILES = 40;

    @TempDir Path directory;

    private void make(Path tree) throws Exception {
        for (var name : new String[] {"one", "two", "three"}) {
            var below = Files.createDirectories(tree.resolve(name).resolve("below"));
            for (int number = 0; number < FILES; number++) {
                Files.createFile(below.resolve("file-" + number));
            }
        }
    }

    @Test
    void servers_that_start_together_delete_the_same_leftovers() throws Exception {
        try (var servers = Executors.newFixedThreadPool(SERVERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                var tree = directory.resolve("leftover");
                make(tree);
                var start = new CyclicBarrier(SERVERS);
                var deletions = new ArrayList<Callable<Boolean>>();
                for (int server = 0; server < SERVERS; server++) {
                    deletions.add(() -> {
                        start.await();
                        ServerDirectories.delete(tree);
                        return true;
                    });
                }
                for (var deleted : servers.invokeAll(deletions)) {
                    assertThat(deleted.get()).isTrue();
                }
                assertThat(tree).doesNotExist();
            }
        }
    }

    @Test
    void links_are_not_followed() throws Exception {
        var kept = Files.createDirectory(directory.resolve("kept"));
        Files.createFile(kept.resolve("file"));
        var tree = Files.createDirectory(directory.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("link"), kept);
        ServerDirectories.delete(tree);
        assertThat(tree).doesNotExist();
        assertThat(kept.resolve("file")).exists();
    }
}
