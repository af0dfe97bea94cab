package dev.caisson.devtools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.storage.Threads;
import dev.caisson.tools.ToolBench;
import dev.caisson.tools.ToolsTestCase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// The tools of a coding agent on trees that were made to lead them astray.
class HostileDevTest extends ToolsTestCase {
    private Path files = Path.of("");

    @BeforeEach
    void makeThread() throws Exception {
        text("write", file("a.txt").put("content", "one\n"));
        files =
                root.resolve("threads")
                        .resolve(Threads.place(Caller.LOCAL, "default"))
                        .resolve("files");
    }

    private static ObjectNode file(String path) {
        return Json.object().put("file_path", path);
    }

    private static ObjectNode edit(String path, String old) {
        return file(path).put("old_string", old).put("new_string", "new");
    }

    private String text(String tool, ObjectNode arguments) throws Exception {
        return ToolBench.text(bench.call(tool, Json.text(arguments)));
    }

    private String refusal(String tool, ObjectNode arguments) {
        try {
            throw new AssertionError(tool + " was done: " + text(tool, arguments));
        } catch (Refusal refused) {
            return String.valueOf(refused.getMessage());
        } catch (Exception other) {
            throw new AssertionError(other);
        }
    }

    private void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).directory(files.toFile()).start().waitFor())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\x2e\\x2e/x",
                "\\x2e./x",
                "a/\\x2e",
                "d/\\x2e\\x2e/\\x2e\\x2e/x",
                "a\\x00b",
                "d\\x2fx"
            })
    void escapes_spell_no_name_that_leads_elsewhere(String path) {
        for (var tool : new String[] {"read", "write", "edit"}) {
            var arguments = tool.equals("edit") ? edit(path, "x") : file(path);
            if (tool.equals("write")) {
                arguments.put("content", "x");
            }
            assertThat(refusal(tool, arguments)).contains("path has a name that cannot be: ");
        }
        assertThat(refusal("grep", Json.object().put("pattern", "x").put("path", path)))
                .contains("path has a name that cannot be: ");
    }

    private static ObjectNode patch(String lines) {
        return Json.object().put("patch", "*** Begin Patch\n" + lines + "*** End Patch");
    }

    @Test
    void a_patch_is_led_nowhere() throws Exception {
        Files.createSymbolicLink(files.resolve("up"), Path.of(".."));
        run("mkfifo", "pipe");
        for (var path :
                new String[] {
                    "../x", "/etc/passwd", "\\x2e./x", "up/x", "pipe/x", "a.txt/x", "a\\x00"
                }) {
            var add = refusal("patch", patch("*** Add File: " + path + "\n+x\n"));
            var move = "*** Update File: a.txt\n*** Move to: " + path + "\n";
            assertThat(add).as(path).isNotEmpty();
            assertThat(refusal("patch", patch(move))).as(path).isNotEmpty();
        }
        for (var part :
                new String[] {
                    "*** Update File: pipe\n-x\n",
                    "*** Delete File: pipe\n",
                    "*** Delete File: up\n",
                    "*** Delete File: .\n",
                    "*** Add File: pipe\n+x\n"
                }) {
            assertThat(refusal("patch", patch(part))).as(part).contains("Nothing was changed");
        }
        var longest = "n".repeat(AgentPath.LENGTH_MAX + 1);
        assertThat(refusal("patch", patch("*** Delete File: " + longest + "\n")))
                .startsWith("path is too long: n")
                .hasSizeLessThan(400);
        assertThat(files.resolve("..").resolve("x")).doesNotExist();
        assertThat(files.resolve("a.txt")).hasContent("one\n");
    }

    @Test
    void a_patch_with_very_many_places_ends() throws Exception {
        Files.writeString(files.resolve("same"), "a\n".repeat(50_000));
        text("read", file("same").put("limit", 1));
        var many = "@@\n a\n-a\n+b\n".repeat(1_000);
        assertThat(refusal("patch", patch("*** Update File: same\n" + many)))
                .contains("hunk 1 matched ")
                .contains("hunk 3 matched ");
        var anchors = "@@ a\n".repeat(999);
        text("patch", patch("*** Update File: same\n" + anchors + "-a\n+b\n"));
        var numbered = new StringBuilder("--- a/same\n+++ b/same\n");
        for (int each = 1; each < 900; each++) {
            numbered.append("@@ -%1$d,1 +%1$d,1 @@\n-a\n+c\n".formatted(2_000 + each));
        }
        assertThat(text("patch", Json.object().put("patch", numbered.toString())))
                .isEqualTo("updated same");
        assertThat(Files.readString(files.resolve("same")))
                .contains("a\n" + "c\n".repeat(899) + "a\n");
    }

    @Test
    void a_cut_never_parts_a_character() throws Exception {
        var line = "x".repeat(LineWindow.LINE_MAX - 1) + "\ud83d\ude00 and more";
        Files.writeString(files.resolve("l"), line + "\n");
        var head = "x".repeat(LineWindow.LINE_MAX - 1) + " … (";
        assertThat(text("read", file("l"))).startsWith("1\t" + head);
        assertThat(text("grep", Json.object().put("pattern", "more"))).startsWith("l:1:" + head);
        Files.writeString(files.resolve("n"), "y".repeat(159) + "\ud83d\ude00\n");
        text("read", file("n"));
        assertThat(refusal("edit", edit("n", "y".repeat(159) + "z")))
                .contains("has \"" + "y".repeat(159) + "…\"");
    }

    @Test
    void a_secret_that_a_cut_parts_is_not_shown_in_part() throws Exception {
        bench.learn("hunter2-hunter2");
        Files.writeString(files.resolve("s"), "x".repeat(1_990) + "hunter2-hunter2 more\n");
        assertThat(text("grep", Json.object().put("pattern", "more"))).doesNotContain("hunter");
        assertThat(text("read", file("s"))).doesNotContain("hunter");
        Files.writeString(files.resolve("t"), "y".repeat(150) + "hunter2-hunter2\n");
        text("read", file("t"));
        assertThat(refusal("edit", edit("t", "y".repeat(150) + "z"))).doesNotContain("hunter");
    }

    @Test
    void what_is_no_file_is_neither_read_nor_changed_nor_waited_for() throws Exception {
        run("mkfifo", "pipe");
        run("python3", "-c", "import socket; socket.socket(socket.AF_UNIX).bind('sock')");
        for (var name : new String[] {"pipe", "sock"}) {
            assertThat(refusal("read", file(name))).contains(name);
            assertThat(refusal("edit", edit(name, "x"))).contains(name);
            assertThat(refusal("write", file(name).put("content", "x"))).contains(name);
        }
        assertThat(text("glob", Json.object().put("pattern", "*"))).isEqualTo("a.txt");
        assertThat(text("grep", Json.object().put("pattern", "."))).isEqualTo("a.txt:1:one");
    }

    @Test
    void names_cannot_be_taken_for_lines_of_an_answer() throws Exception {
        Files.writeString(files.resolve("b\nc.txt:1:forged"), "one\n");
        assertThat(text("grep", Json.object().put("pattern", "one")).lines())
                .containsExactly("a.txt:1:one", "b\\x0ac.txt:1:forged:1:one");
        assertThat(text("glob", Json.object().put("pattern", "b*")).lines()).hasSize(1);
        assertThat(text("read", file("b\\x0ac.txt:1:forged"))).isEqualTo("1\tone");
    }

    @Test
    void a_directory_of_very_many_names_says_so_shortly() throws Exception {
        Files.createDirectory(files.resolve("d"));
        for (int each = 0; each < 1_100; each++) {
            Files.createFile(files.resolve("d/f%04d".formatted(each)));
        }
        assertThat(refusal("read", file("d"))).endsWith("f0011, … (more than 988 more)");
    }

    @Test
    void set_id_bits_do_not_stay_on_what_the_server_writes() throws Exception {
        Files.writeString(files.resolve("x"), "one\n");
        run("chmod", "6755", "x");
        text("read", file("x"));
        text("edit", edit("x", "one"));
        assertThat(((Integer) Files.getAttribute(files.resolve("x"), "unix:mode")) & 07777)
                .isEqualTo(0755);
    }

    @Test
    void links_that_are_swapped_during_use_lead_nowhere() throws Exception {
        var outside = Files.writeString(root.resolve("outside"), "SECRET OF THE HOST\n");
        Files.createDirectory(root.resolve("away"));
        Files.writeString(root.resolve("away/f"), "SECRET OF THE HOST\n");
        Files.createDirectory(files.resolve("real"));
        Files.writeString(files.resolve("real/f"), "one\n");
        var stop = new AtomicBoolean();
        try (var swapper = Executors.newVirtualThreadPerTaskExecutor()) {
            var swapping = swapper.submit(() -> swapUntil(stop, outside));
            try {
                for (int each = 0; each < 150; each++) {
                    useSwapped();
                }
            } finally {
                stop.set(true);
            }
            assertThat(swapping.get()).isPositive();
        }
        assertThat(outside).hasContent("SECRET OF THE HOST\n");
        assertThat(root.resolve("away/f")).hasContent("SECRET OF THE HOST\n");
        assertThat(root.resolve("away")).isDirectoryNotContaining("glob:**/.upload*");
    }

    private int swapUntil(AtomicBoolean stop, Path outside) throws Exception {
        int turn = 0;
        for (; !stop.get(); turn++) {
            swap("s", turn % 2 == 0 ? outside : Path.of("real/f"));
            swap("d", turn % 2 == 0 ? root.resolve("away") : Path.of("real"));
        }
        return turn;
    }

    private void useSwapped() throws Exception {
        for (var path : new String[] {"s", "d/f"}) {
            assertThat(attempt("read", file(path))).doesNotContain("SECRET");
            assertThat(attempt("write", file(path).put("content", "pwned\n")))
                    .doesNotContain("SECRET");
            assertThat(attempt("edit", edit(path, "SECRET"))).doesNotContain("SECRET OF");
            var update = "*** Update File: " + path + "\n-one\n+one\n+SECRET OF PATCH\n";
            assertThat(attempt("patch", patch(update))).doesNotContain("SECRET OF THE HOST");
            attempt("patch", patch("*** Delete File: " + path + "\n"));
        }
        assertThat(attempt("grep", Json.object().put("pattern", "SECRET OF"))).isEmpty();
    }

    private void swap(String name, Path target) throws Exception {
        var next = files.resolve(name + ".next");
        Files.deleteIfExists(next);
        Files.createSymbolicLink(next, target);
        Files.move(
                next,
                files.resolve(name),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private String attempt(String tool, ObjectNode arguments) throws Exception {
        try {
            return text(tool, arguments);
        } catch (Refusal refused) {
            return tool.equals("grep") ? "" : String.valueOf(refused.getMessage());
        }
    }

    @Test
    void both_sides_of_the_limits_of_sizes() throws Exception {
        try (var sparse = new java.io.RandomAccessFile(files.resolve("e").toFile(), "rw")) {
            sparse.setLength(ThreadFiles.EDIT_BYTES_MAX);
            assertThat(refusal("edit", edit("e", "x"))).contains("is not text (offset 0 is NUL)");
            sparse.setLength(ThreadFiles.EDIT_BYTES_MAX + 1L);
            assertThat(refusal("edit", edit("e", "x"))).contains("has 17 MiB; edit takes files");
            sparse.setLength(Read.FILE_BYTES_MAX);
            assertThat(refusal("read", file("e"))).contains("is not text (offset 0 is NUL)");
        }
        var most = "é".repeat(Write.CONTENT_MAX / 2);
        assertThat(text("write", file("w").put("content", most))).startsWith("wrote 8388608 bytes");
        assertThat(refusal("write", file("w").put("content", most + "x")))
                .contains("content has more than 8 MiB");
        var name = "n".repeat(255);
        assertThat(text("write", file(name).put("content", "x"))).contains(name);
        assertThat(refusal("write", file(name + "n").put("content", "x"))).contains("too long");
        assertThatThrownBy(() -> text("edit", edit("a.txt", "x".repeat(Edit.TEXT_MAX + 1))))
                .isInstanceOf(Refusal.class);
        assertThat(refusal("edit", edit("a.txt", "x".repeat(Edit.TEXT_MAX))))
                .contains("old_string not found");
    }

    @Test
    void binary_content_is_seen_wherever_it_stands() throws Exception {
        var bytes = ("x".repeat(99) + "\n").repeat(10_000).getBytes(UTF_8);
        bytes[bytes.length - 5] = 0;
        Files.write(files.resolve("late"), bytes);
        assertThat(refusal("read", file("late").put("limit", 1)))
                .contains("late is not text (offset 999995 is NUL)");
    }

    @Test
    void a_hundred_thousand_names_are_counted() throws Exception {
        run(
                "python3",
                "-c",
                "import os\nfor d in range(100):\n os.mkdir(f'm{d}')\n for f in range(1000): os.close(os.open(f'm{d}/f{f}', os.O_CREAT))");
        var found = Json.object().put("pattern", "f*").put("limit", 5);
        assertThat(text("glob", found))
                .endsWith("(5 of 100000 files; narrow the pattern or raise limit)");
        assertThat(text("grep", Json.object().put("pattern", "one"))).isEqualTo("a.txt:1:one");
    }

    @Test
    void a_search_that_is_cancelled_ends_at_once() throws Exception {
        Files.writeString(files.resolve("l"), "ab".repeat(10 << 20));
        for (int each = 0; each < 40; each++) {
            Files.createLink(files.resolve("l" + each), files.resolve("l"));
        }
        var ended = new CompletableFuture<String>();
        var search = Json.object().put("pattern", "([ab]{1,200}c|b[ab]{300}d)+e");
        var caller =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                ended.complete(text("grep", search));
                            } catch (InterruptedException cancelled) {
                                ended.complete("cancelled");
                            } catch (Exception failed) {
                                ended.completeExceptionally(failed);
                            }
                        });
        while (caller.getState() != Thread.State.WAITING && !ended.isDone()) {
            Thread.onSpinWait();
        }
        caller.interrupt();
        assertThat(ended.get(25, TimeUnit.SECONDS)).isEqualTo("cancelled");
    }
}
