package dev.caisson.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.linux.KernelException;
import dev.caisson.linux.UntrustedDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SeekerTest {
    @TempDir Path root;

    private void write(String path, String text) throws IOException {
        var file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static Seeker.Wish wish(String start, String... patterns) {
        return new Seeker.Wish(
                start.getBytes(UTF_8), false, false, PathFilter.of("glob", List.of(patterns)));
    }

    private Seeker walk(Seeker.Wish wish, SeekBounds bounds, Seeker.Visitor... visitors)
            throws InterruptedException {
        try (var directory = UntrustedDirectory.open(root)) {
            var seeker = new Seeker(directory, wish, bounds);
            var threads = new ArrayList<Thread>();
            for (var visitor : visitors) {
                threads.add(Thread.ofVirtual().start(() -> run(seeker, visitor)));
            }
            for (var thread : threads) {
                thread.join();
            }
            assertThat(seeker.isDone()).isTrue();
            return seeker;
        }
    }

    private static void run(Seeker seeker, Seeker.Visitor visitor) {
        try (var strand = seeker.strand(visitor)) {
            do {
                while (strand.next()) {
                    // Everything is done in there.
                }
            } while (seeker.await());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> files(Seeker.Wish wish) throws InterruptedException {
        var newest = new NewestFiles(100_000);
        walk(wish, SeekBounds.DEFAULT, newest.visitor(), newest.visitor());
        return newest.files().stream()
                .map(found -> new String(found.path(), UTF_8))
                .sorted()
                .toList();
    }

    private LineHits grep(String expression, Seeker.Wish wish, LineScan.Wish lines, LineHits hits)
            throws InterruptedException {
        var compiled = Expression.of("pattern", expression, false);
        walk(
                wish,
                SeekBounds.DEFAULT,
                new LineScan(compiled, lines, SeekBounds.DEFAULT, hits),
                new LineScan(compiled, lines, SeekBounds.DEFAULT, hits));
        return hits;
    }

    private LineHits grep(String expression, String... patterns) throws InterruptedException {
        return grep(
                expression,
                wish("", patterns),
                new LineScan.Wish(LineScan.Mode.LINES, 0, 0),
                new LineHits(1_000, 1 << 20));
    }

    private static List<String> shown(LineHits hits) {
        return hits.files().stream()
                .flatMap(file ->
                        file.lines().stream()
                                .map(line ->
                                        "%s:%d:%d:%s"
                                                .formatted(
                                                        new String(file.path(), UTF_8),
                                                        line.number(),
                                                        line.column(),
                                                        line.text())))
                .toList();
    }

    @Test
    void lines_are_found_in_the_order_of_paths_with_number_and_column() throws Exception {
        write("b.txt", "one\ntwo é foo\r\n\nfoo");
        write("a/c.txt", "foo\n");
        write("a/none.txt", "bar\n");
        assertThat(shown(grep("fo+")))
                .containsExactly("a/c.txt:1:1:foo", "b.txt:2:7:two é foo", "b.txt:4:1:foo");
        assertThat(shown(grep("^$"))).containsExactly("b.txt:3:1:");
        assertThat(grep("foo").searched()).isEqualTo(3);
    }

    @Test
    void lines_around_a_match_are_shown_once() throws Exception {
        write("a.txt", "1\n2\nx\n4\nx\n6\n7\n8\n9\nx\n");
        var hits =
                grep(
                        "x",
                        wish(""),
                        new LineScan.Wish(LineScan.Mode.LINES, 1, 2),
                        new LineHits(100, 1_000));
        assertThat(hits.files().getFirst().lines())
                .extracting(LineHits.Line::number)
                .containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 9L, 10L);
        assertThat(hits.totalLines()).isEqualTo(3);
    }

    @Test
    void lines_around_a_match_are_shown_over_the_border_of_a_block() throws Exception {
        var text = new StringBuilder();
        while (text.length() < LineScan.BLOCK_BYTES + 100) {
            text.append("line %06d of a long file\n".formatted(text.length()));
        }
        text.append("before\nneedle\nafter\n");
        write("a.txt", text.toString());
        var hits =
                grep(
                        "needle",
                        wish(""),
                        new LineScan.Wish(LineScan.Mode.LINES, 1, 1),
                        new LineHits(100, 1_000));
        var lines = text.toString().split("\n", -1);
        assertThat(hits.files().getFirst().lines())
                .extracting(LineHits.Line::text)
                .containsExactly("before", "needle", "after");
        assertThat(hits.files().getFirst().lines().get(1).number()).isEqualTo(lines.length - 2L);
    }

    @Test
    void every_line_is_seen_once_wherever_blocks_end() throws Exception {
        var random = new Random(3);
        var text = new StringBuilder();
        int expected = 0;
        while (text.length() < 3 * LineScan.BLOCK_BYTES) {
            boolean hit = random.nextInt(50) == 0;
            expected += hit ? 1 : 0;
            text.append("x".repeat(random.nextInt(200))).append(hit ? "needle" : "").append('\n');
        }
        write("a.txt", text.toString());
        assertThat(grep("needle").totalLines()).isEqualTo(expected);
        assertThat(grep("n[e]+dle$").totalLines()).isEqualTo(expected);
    }

    @Test
    void what_is_kept_is_the_first_by_path_however_it_is_divided() throws Exception {
        for (int each = 0; each < 40; each++) {
            write("d%02d/f.txt".formatted(39 - each), "x\nx\nx\n");
        }
        var hits =
                grep(
                        "x",
                        wish(""),
                        new LineScan.Wish(LineScan.Mode.LINES, 0, 0),
                        new LineHits(10, 1 << 20));
        assertThat(hits.files())
                .extracting(file -> new String(file.path(), UTF_8))
                .containsExactly("d00/f.txt", "d01/f.txt", "d02/f.txt", "d03/f.txt");
        assertThat(hits.cut()).isTrue();
        assertThat(hits.totalLines()).isEqualTo(120);
    }

    @Test
    void binary_and_large_files_are_counted_and_not_searched() throws Exception {
        write("a.bin", "needle\0needle\n");
        write("late.bin", "x".repeat(9_000) + "\n\0needle\n");
        write("b.txt", "needle\n");
        try (var sparse =
                Files.newByteChannel(
                        root.resolve("holes"),
                        Set.of(
                                java.nio.file.StandardOpenOption.CREATE,
                                java.nio.file.StandardOpenOption.WRITE))) {
            sparse.position(SeekBounds.DEFAULT.fileBytes())
                    .write(java.nio.ByteBuffer.wrap(new byte[] {'x'}));
        }
        var hits = grep("needle");
        assertThat(shown(hits)).hasSize(2).contains("b.txt:1:1:needle");
        assertThat(hits.binary()).isEqualTo(1);
        assertThat(hits.largeFiles()).isEqualTo(1);
    }

    @Test
    void no_link_is_followed_and_nothing_but_files_is_read() throws Exception {
        write("outside/secret.txt", "needle\n");
        write("in/a.txt", "needle\n");
        Files.createSymbolicLink(root.resolve("in/file"), root.resolve("outside/secret.txt"));
        Files.createSymbolicLink(root.resolve("in/dir"), root.resolve("outside"));
        Files.createSymbolicLink(root.resolve("in/up"), Path.of(".."));
        assertThat(
                        new ProcessBuilder("mkfifo", root.resolve("in/pipe").toString())
                                .start()
                                .waitFor())
                .isZero();
        var hits =
                grep(
                        "needle",
                        wish("in"),
                        new LineScan.Wish(LineScan.Mode.LINES, 0, 0),
                        new LineHits(100, 1_000));
        assertThat(shown(hits)).containsExactly("in/a.txt:1:1:needle");
        assertThat(files(wish("in"))).containsExactly("in/a.txt");
        assertThatThrownBy(() -> files(wish("in/dir/secret.txt")))
                .isInstanceOf(KernelException.class);
    }

    @Test
    void a_file_can_be_searched_alone() throws Exception {
        write("d/a.txt", "needle\n");
        write("d/b.txt", "needle\n");
        var hits =
                grep(
                        "needle",
                        wish("d/b.txt"),
                        new LineScan.Wish(LineScan.Mode.COUNTS, 0, 0),
                        new LineHits(100, 1_000));
        assertThat(hits.files())
                .singleElement()
                .satisfies(file -> {
                    assertThat(new String(file.path(), UTF_8)).isEqualTo("d/b.txt");
                    assertThat(file.count()).isEqualTo(1);
                });
    }

    @Test
    void patterns_take_files_at_any_depth_or_from_the_start() throws Exception {
        for (var path : List.of("a.py", "d/b.py", "d/e/c.py", "d/e/c.ts", "d/x.tsx", "é/ü.py")) {
            write(path, "");
        }
        assertThat(files(wish("", "*.py"))).containsExactly("a.py", "d/b.py", "d/e/c.py", "é/ü.py");
        assertThat(files(wish("", "/*.py"))).containsExactly("a.py");
        assertThat(files(wish("", "d/*.py"))).containsExactly("d/b.py");
        assertThat(files(wish("", "d/**/*.{ts,tsx}"))).containsExactly("d/e/c.ts", "d/x.tsx");
        assertThat(files(wish("d", "e/**"))).containsExactly("d/e/c.py", "d/e/c.ts");
        assertThat(files(wish("", "*.py", "!d"))).containsExactly("a.py", "é/ü.py");
        assertThat(files(wish("", "[!a-c].*", "?.py"))).contains("é/ü.py", "a.py", "d/x.tsx");
    }

    @Test
    void hidden_and_left_out_names_are_found_when_they_are_asked_for() throws Exception {
        write(".gitignore", "out/\n*.log\n!keep.log\n");
        write(".env", "x");
        write(".git/config", "x");
        write("out/a", "x");
        write("b.log", "x");
        write("keep.log", "x");
        assertThat(files(wish(""))).containsExactly("keep.log");
        assertThat(files(new Seeker.Wish(new byte[0], true, false, PathFilter.ALL)))
                .containsExactly(".env", ".gitignore", "keep.log");
        assertThat(files(new Seeker.Wish(new byte[0], true, true, PathFilter.ALL)))
                .containsExactly(".env", ".git/config", ".gitignore", "b.log", "keep.log", "out/a");
        assertThat(files(wish("out"))).containsExactly("out/a");
    }

    @Test
    void the_rules_are_those_of_git() throws Exception {
        var random = new Random(11);
        int ignored = 0;
        for (int tree = 0; tree < 300; tree++) {
            var directory = Files.createDirectory(root.resolve("tree" + tree));
            ignored += compare(random, directory);
        }
        assertThat(ignored).as("files that Git leaves out").isGreaterThan(300);
    }

    private static final List<String> NAMES = List.of("a", "b", "ab", "a.c", "b.c", "x y", "#h");

    private int compare(Random random, Path tree) throws Exception {
        for (int each = 0; each < 12; each++) {
            var at = tree;
            for (int depth = random.nextInt(3); depth >= 0; depth--) {
                at = at.resolve("d" + NAMES.get(random.nextInt(NAMES.size())));
            }
            Files.createDirectories(at);
            Files.writeString(at.resolve(NAMES.get(random.nextInt(NAMES.size()))), "");
            if (random.nextInt(3) == 0) {
                Files.writeString(at.resolve(".gitignore"), rules(random));
            }
        }
        Files.writeString(tree.resolve(".gitignore"), rules(random));
        command(tree, "git", "init", "-q");
        var kept =
                new TreeSet<>(
                        command(
                                tree,
                                "git",
                                "-c",
                                "core.quotePath=false",
                                "ls-files",
                                "-z",
                                "-o",
                                "--exclude-per-directory=.gitignore"));
        kept.removeIf(path -> path.endsWith(".gitignore"));
        List<String> seen;
        try (var directory = UntrustedDirectory.open(tree)) {
            var newest = new NewestFiles(1_000);
            run(new Seeker(directory, wish(""), SeekBounds.DEFAULT), newest.visitor());
            seen =
                    newest.files().stream()
                            .map(found -> new String(found.path(), UTF_8))
                            .sorted()
                            .toList();
        }
        assertThat(seen)
                .as("%s", command(tree, "grep", "-r", "", "--include=.gitignore", "."))
                .containsExactlyElementsOf(kept);
        try (var all = Files.walk(tree)) {
            var files =
                    all.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().contains("/.git"))
                            .count();
            return (int) (files - kept.size());
        }
    }

    /// Stars beside other characters of a name mean different things in different places to Git.
    private static String rules(Random random) {
        var rules = new StringBuilder("# comment\n\n");
        for (int each = random.nextInt(5); each >= 0; each--) {
            rules.append(random.nextInt(4) == 0 ? "!" : "")
                    .append(random.nextInt(4) == 0 ? "/" : "");
            for (int name = random.nextInt(3); name >= 0; name--) {
                rules.append(random.nextInt(5) == 0 ? "**" : name(random))
                        .append(name > 0 || random.nextInt(3) == 0 ? "/" : "");
            }
            rules.append(random.nextInt(5) == 0 ? "  \n" : "\n");
        }
        return rules.toString();
    }

    private static String name(Random random) {
        var parts =
                List.of(
                        "a",
                        "b",
                        "*",
                        "?",
                        "d*",
                        "*.c",
                        "[ab]",
                        "[!a]",
                        "da",
                        "x y",
                        "\\#h",
                        "b.c",
                        "[[:alpha:]]",
                        "\\a");
        var name = new StringBuilder();
        for (int part = random.nextInt(2); part >= 0; part--) {
            var next = parts.get(random.nextInt(parts.size()));
            name.append(name.toString().endsWith("*") && next.startsWith("*") ? "a" : next);
        }
        return name.toString();
    }

    private static List<String> command(Path directory, String... words) throws Exception {
        var process =
                new ProcessBuilder(words)
                        .directory(directory.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        return output.isEmpty() ? List.of() : List.of(output.split("\0"));
    }

    @Test
    @Timeout(60)
    void a_deep_tree_and_many_names_end_the_walk_and_not_the_server() throws Exception {
        var at = root.resolve("deep");
        Files.createDirectory(at);
        for (int depth = 0; depth < 500; depth++) {
            at = at.resolve("d");
            Files.createDirectory(at);
        }
        Files.writeString(at.resolve("needle.txt"), "needle\n");
        assertThat(shown(grep("needle"))).hasSize(1);
        for (int each = 0; each < 3_000; each++) {
            Files.createFile(root.resolve("n" + each));
        }
        var newest = new NewestFiles(10);
        var seeker =
                walk(wish(""), new SeekBounds(2_000, Duration.ofSeconds(30), 1), newest.visitor());
        assertThat(seeker.complete()).isFalse();
        assertThat(newest.total()).isLessThanOrEqualTo(2_000);
    }

    @Test
    void time_that_is_over_ends_the_walk_and_says_so() throws Exception {
        write("a.txt", "x");
        var newest = new NewestFiles(10);
        var seeker = walk(wish(""), new SeekBounds(100, Duration.ZERO, 1), newest.visitor());
        assertThat(seeker.outOfTime()).isTrue();
        assertThat(seeker.complete()).isFalse();
    }

    @Test
    @Timeout(60)
    void hostile_rules_do_not_hold_the_walk() throws Exception {
        write(".gitignore", ("a*".repeat(400) + "b\n").repeat(2_000));
        for (int each = 0; each < 200; each++) {
            write("a".repeat(200) + each, "x");
        }
        var newest = new NewestFiles(10);
        walk(wish(""), new SeekBounds(10_000, Duration.ofSeconds(1), 1), newest.visitor());
        assertThat(newest.total()).isLessThanOrEqualTo(200);
    }

    @Test
    void the_newest_come_first() throws Exception {
        for (int each = 0; each < 5; each++) {
            write("f" + each, "x");
            Files.setLastModifiedTime(
                    root.resolve("f" + each),
                    java.nio.file.attribute.FileTime.from(Instant.ofEpochSecond(1_000 + each)));
        }
        var newest = new NewestFiles(3);
        walk(wish(""), SeekBounds.DEFAULT, newest.visitor());
        assertThat(
                        newest.files().stream()
                                .map(found -> new String(found.path(), UTF_8))
                                .collect(Collectors.joining(" ")))
                .isEqualTo("f4 f3 f2");
        assertThat(newest.total()).isEqualTo(5);
    }
}
