package dev.caisson.storage.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.linux.ServerToken;
import dev.caisson.linux.UntrustedDirectory;
import dev.caisson.share.TestWorkers;
import dev.caisson.storage.ContentHash;
import dev.caisson.storage.DirectoryWorkspaces;
import dev.caisson.storage.Expected;
import dev.caisson.storage.FileChange;
import dev.caisson.storage.FilePath;
import dev.caisson.storage.FileTree;
import dev.caisson.storage.Threads;
import dev.caisson.store.KilledChild;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Changes of several files: all of them are made, or none.
@Timeout(300)
final class ChangeSetTest {
    private static final String DEAD = new ServerToken(1, 0).toString();

    @TempDir Path root;
    private Path kept = Path.of("");
    private Path files = Path.of("");

    @BeforeEach
    void makeThread() throws Exception {
        kept = root.resolve("threads").resolve(Threads.place(Caller.LOCAL, "t"));
        files = kept.resolve("files");
        try (var lease = threads(root).acquire(Caller.LOCAL, "t", "e", Duration.ZERO)) {
            assertThat(lease.root()).isEqualTo(files);
        }
        Files.writeString(files.resolve("a"), "old a");
        Files.writeString(files.resolve("gone"), "old");
    }

    private static Threads threads(Path root) {
        return new Threads(root, new DirectoryWorkspaces(Optional.empty()), TestWorkers.WORKERS);
    }

    private static FileTree tree(Path root) {
        return threads(root).files(Caller.LOCAL, "t");
    }

    private static FileChange put(String path, String content, Expected expected) {
        return new FileChange(
                new FilePath(path),
                Optional.of(content.getBytes(UTF_8)),
                expected,
                new FilePath(path));
    }

    private static FileChange remove(String path) {
        var gone = new FilePath(path);
        return new FileChange(gone, Optional.empty(), Expected.anything(), gone);
    }

    /// Everything below a directory, with what is in it.
    private static Map<String, String> all(Path directory) throws Exception {
        var found = new TreeMap<String, String>();
        try (var paths = Files.walk(directory)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                var name = directory.relativize(path).toString();
                found.put(name, Files.isDirectory(path) ? "/" : Files.readString(path));
            }
        }
        found.remove("");
        return found;
    }

    private void assertNothingLeft() {
        assertThat(kept).isDirectoryNotContaining("glob:**.change*");
    }

    @Test
    void all_files_are_changed_together() throws Exception {
        Files.setPosixFilePermissions(
                files.resolve("a"), PosixFilePermissions.fromString("rwxr-x---"));
        var seen = new Expected.OneOf(Set.of(ContentHash.of("old a".getBytes(UTF_8))));
        try (var tree = tree(root)) {
            tree.changeAll(
                    List.of(
                            put("a", "new a", seen),
                            put("d/e/f", "new", new Expected.Nothing()),
                            put("d/e/g", "new", new Expected.Nothing()),
                            remove("gone")));
        }
        assertThat(all(files))
                .isEqualTo(
                        Map.of("a", "new a", "d", "/", "d/e", "/", "d/e/f", "new", "d/e/g", "new"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve("a"))))
                .isEqualTo("rwxr-x---");
        assertNothingLeft();
    }

    @Test
    void nothing_is_changed_when_one_file_is_not_what_was_expected_or_a_step_fails()
            throws Exception {
        Files.createDirectory(files.resolve("dir"));
        var before = all(files);
        var failing =
                List.of(
                        put("a", "new", new Expected.Nothing()),
                        put("gone", "new", new Expected.OneOf(Set.of("sha256:0"))),
                        put("dir", "new", Expected.anything()),
                        put("a/below", "new", Expected.anything()),
                        remove("none"));
        for (var last : failing) {
            var wanted = new ArrayList<FileChange>();
            wanted.add(put("n/m/new", "new", new Expected.Nothing()));
            wanted.add(put("first", "new", Expected.anything()));
            if (!last.path().text().startsWith("gone")) {
                wanted.add(remove("gone"));
            }
            if (!last.path().text().startsWith("a")) {
                wanted.add(put("a", "new", Expected.anything()));
            }
            wanted.add(last);
            try (var tree = tree(root)) {
                assertThatThrownBy(() -> tree.changeAll(wanted))
                        .as(last.path().text())
                        .isInstanceOf(Refusal.class);
            }
            assertThat(all(files)).as(last.path().text()).isEqualTo(before);
            assertNothingLeft();
        }
    }

    private static final List<String> PLANNED = List.of("a", "gone", "d/new");

    /// What is on the disk when a server was killed after so many steps.
    private void leaveBehind(int taken, boolean done) throws Exception {
        Files.createDirectory(files.resolve("d"));
        var steps = new ArrayList<ChangeStep>();
        try (var directory = UntrustedDirectory.open(files)) {
            for (var name : PLANNED) {
                boolean removes = name.equals("gone");
                var path = new FilePath(name);
                var step =
                        new ChangeStep(path, ".upload-" + steps.size(), removes, Optional.empty());
                if (!removes) {
                    var draft = files.resolve(name).resolveSibling(step.aside());
                    Files.writeString(draft, "new");
                    var bytes = files.relativize(draft).toString().getBytes(UTF_8);
                    step = step.written(directory.look(bytes));
                }
                steps.add(step);
            }
            steps.stream().limit(taken).forEach(step -> step.take(directory));
        }
        ChangeJournal.write(
                kept.resolve(DEAD + "-" + new java.util.UUID(1, 1) + ".change"),
                new ChangeJournal.Plan(done, List.of(new FilePath("d")), steps));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void a_change_of_a_killed_server_is_undone_after_any_step(int taken) throws Exception {
        var before = all(files);
        leaveBehind(taken, false);
        tree(root).close();
        assertThat(all(files)).isEqualTo(before);
        assertNothingLeft();
    }

    @Test
    void a_change_that_was_made_stays_made() throws Exception {
        leaveBehind(PLANNED.size(), true);
        tree(root).close();
        assertThat(all(files)).isEqualTo(Map.of("a", "new", "d", "/", "d/new", "new"));
        assertNothingLeft();
    }

    @Test
    void what_a_program_wrote_since_is_not_undone() throws Exception {
        leaveBehind(3, false);
        Files.delete(files.resolve("a"));
        Files.writeString(files.resolve("a"), "newer");
        tree(root).close();
        assertThat(all(files)).isEqualTo(Map.of("a", "newer", "gone", "old"));
    }

    @Test
    void a_change_of_another_process_that_lives_and_one_that_is_torn_harm_nobody()
            throws Exception {
        var torn = Files.writeString(kept.resolve(DEAD + "-x.change"), "{\"steps\":[{");
        var draft = Files.writeString(kept.resolve(DEAD + "-y.change.draft"), "");
        var living = kept.resolve(ServerToken.own() + "-z.change");
        Files.writeString(living, "{}");
        tree(root).close();
        assertThat(torn).doesNotExist();
        assertThat(draft).doesNotExist();
        assertThat(living).exists();
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 40, 133, 260})
    void whenever_it_is_killed_all_files_are_of_one_change(int changes) throws Exception {
        var said = KilledChild.said(changes, "\\d+", Child.class, root.toString());
        long last = said.stream().mapToLong(Long::parseLong).max().orElseThrow();
        tree(root).close();
        var found = all(files);
        var version = String.valueOf(found.get("a"));
        assertThat(Long.parseLong(version)).isBetween(last, last + 1);
        assertThat(found).isEqualTo(Child.files(Long.parseLong(version)));
        assertNothingLeft();
    }

    /// Changes all files from one number to the next, and says so, until it is killed.
    static final class Child {
        private static final int FILES = 5;

        private Child() {}

        static Map<String, String> files(long version) {
            var files = new TreeMap<String, String>();
            files.put("a", Long.toString(version));
            for (int each = 0; each < FILES; each++) {
                files.put("f" + each, Long.toString(version));
            }
            files.put(version % 2 == 0 ? "even" : "odd", Long.toString(version));
            return files;
        }

        static void main(String[] args) throws InterruptedException {
            try (var tree = tree(Path.of(args[0]))) {
                tree.changeAll(List.of(remove("gone"), put("odd", "", Expected.anything())));
                for (long version = 0; version < 100_000; version++) {
                    var wanted = new ArrayList<FileChange>();
                    files(version)
                            .forEach((path, content) ->
                                    wanted.add(put(path, content, Expected.anything())));
                    wanted.add(remove(version % 2 == 0 ? "odd" : "even"));
                    tree.changeAll(wanted);
                    System.out.println(version);
                }
            }
        }
    }
}
