package dev.caisson.devtools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.Content;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.storage.Threads;
import dev.caisson.tools.ToolBench;
import dev.caisson.tools.ToolsTestCase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/// The tools of a coding agent through the broker, on the files of a thread.
class AgentToolsTest extends ToolsTestCase {
    private Path files = Path.of("");

    @BeforeEach
    void makeThread() throws Exception {
        call("write", arguments("a.txt").put("content", "one\ntwo\nthree\n"));
        files =
                root.resolve("threads")
                        .resolve(Threads.place(Caller.LOCAL, "default"))
                        .resolve("files");
        assertThat(files).isDirectory();
    }

    private static ObjectNode arguments(String path) {
        return Json.object().put("file_path", path);
    }

    private ToolResult call(String tool, ObjectNode arguments) throws Exception {
        return bench.call(tool, Json.text(arguments));
    }

    private String text(String tool, ObjectNode arguments) throws Exception {
        return ToolBench.text(call(tool, arguments));
    }

    private String edit(String path, String old, String now) throws Exception {
        return text("edit", arguments(path).put("old_string", old).put("new_string", now));
    }

    private void assertRefused(String tool, ObjectNode arguments, String sentence) {
        assertThatThrownBy(() -> call(tool, arguments))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(sentence);
    }

    private void assertEditRefused(String path, String old, String sentence) {
        assertRefused(
                "edit", arguments(path).put("old_string", old).put("new_string", "new"), sentence);
    }

    @Test
    void lines_are_read_with_their_numbers_and_go_on_where_they_were_cut() throws Exception {
        assertThat(text("read", arguments("a.txt"))).isEqualTo("1\tone\n2\ttwo\n3\tthree");
        assertThat(
                        text(
                                "read",
                                arguments("/workspace/./x/../a.txt")
                                        .put("offset", 2)
                                        .put("limit", 1)))
                .isEqualTo("2\ttwo\n(lines 2-2 of 3; continue with offset=3)");
        var plain = call("Read", arguments("a.txt").put("plain", true));
        assertThat(ToolBench.text(plain)).isEqualTo("one\ntwo\nthree");
        var structured = ToolBench.structured(plain);
        assertThat(structured.path("content").stringValue()).isEqualTo("one\ntwo\nthree");
        assertThat(structured.path("total_lines").longValue()).isEqualTo(3);
        assertThat(structured.path("line_ending").stringValue()).isEqualTo("lf");
        assertThat(structured.path("thread_id").stringValue()).isEqualTo("default");
        assertRefused(
                "read",
                arguments("a.txt").put("offset", 4),
                "offset 4 is past the end of a.txt: it has 3 lines");
    }

    @Test
    void long_lines_and_large_files_are_cut_and_say_so() throws Exception {
        Files.writeString(files.resolve("long"), "x".repeat(50_000) + "\nend\n");
        assertThat(text("read", arguments("long")))
                .startsWith(
                        "1\t" + "x".repeat(LineWindow.LINE_MAX) + " … (50001 bytes in this line)")
                .endsWith("2\tend");
        Files.writeString(files.resolve("much"), ("y".repeat(99) + "\n").repeat(5_000));
        var much = ToolBench.structured(call("read", arguments("much").put("limit", 5_000)));
        assertThat(much.path("truncated").booleanValue()).isTrue();
        assertThat(much.path("end_line").longValue()).isBetween(2_600L, 2_700L);
        try (var sparse = new java.io.RandomAccessFile(files.resolve("holes").toFile(), "rw")) {
            sparse.setLength(Read.FILE_BYTES_MAX + 1);
        }
        assertRefused("read", arguments("holes"), "read takes files up to 64 MiB");
    }

    @Test
    void an_image_is_shown_and_other_binary_files_are_refused() throws Exception {
        Files.write(files.resolve("p"), "\u0089PNG\r\n\u001a\nrest".getBytes(ISO_8859_1));
        assertThat(call("read", arguments("p")).content())
                .singleElement()
                .isInstanceOfSatisfying(
                        Content.Image.class,
                        image -> assertThat(image.mimeType()).isEqualTo("image/png"));
        Files.write(files.resolve("b"), "0123456789abcdefg\0".getBytes(UTF_8));
        assertRefused("read", arguments("b"), "b is not text (offset 17 is NUL)");
    }

    @Test
    void a_link_is_read_when_it_stays_inside_and_never_changed() throws Exception {
        Files.createSymbolicLink(files.resolve("in"), Path.of("a.txt"));
        Files.createSymbolicLink(files.resolve("out"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(files.resolve("up"), Path.of("../../../../../../etc"));
        assertThat(text("read", arguments("in"))).startsWith("1\tone");
        assertRefused(
                "read",
                arguments("out"),
                "out is a link to /etc/passwd, which is not a file of this thread");
        assertRefused("read", arguments("up/passwd"), "");
        for (var tool : new String[] {"in", "out"}) {
            assertRefused("write", arguments(tool).put("content", "x"), tool + " is a link to ");
            assertEditRefused(tool, "one", tool + " is a link to ");
        }
        assertRefused("write", arguments("up/x").put("content", "x"), "");
        assertThat(new ProcessBuilder("mkfifo", files.resolve("pipe").toString()).start().waitFor())
                .isZero();
        assertRefused("read", arguments("pipe"), "");
    }

    @ParameterizedTest
    @CsvSource({"../x", "/etc/passwd", "a/../../x", "/workspacex/a", "/workspace/../x"})
    void a_path_that_leads_out_is_refused(String path) {
        assertRefused(
                "read",
                arguments(path),
                "path is outside the workspace: " + path + ". Use a path below /workspace.");
    }

    @Test
    void names_that_are_no_text_are_shown_and_taken() throws Exception {
        var made =
                new ProcessBuilder("sh", "-c", "printf 'x\\n' > \"$(printf 'n\\377\\\\x41')\"")
                        .directory(files.toFile())
                        .start();
        assertThat(made.waitFor()).isZero();
        assertThat(text("glob", Json.object().put("pattern", "n*"))).isEqualTo("n\\xff\\x5cx41");
        assertThat(text("read", arguments("n\\xff\\x5cx41"))).isEqualTo("1\tx");
        assertThat(text("grep", Json.object().put("pattern", "^x$")))
                .isEqualTo("n\\xff\\x5cx41:1:x");
    }

    @Test
    void a_directory_says_what_it_has() throws Exception {
        for (int each = 0; each < 14; each++) {
            call("write", arguments("d/f%02d".formatted(each)).put("content", ""));
        }
        assertRefused("read", arguments("d"), "path is a directory: d. It has: f00, f01,");
        assertEditRefused("d", "x", "… (2 more)");
        assertRefused(
                "write", arguments("/workspace").put("content", ""), "path is a directory: .");
    }

    @Test
    void a_file_is_replaced_only_by_who_has_seen_it_as_it_is() throws Exception {
        Files.writeString(files.resolve("b.txt"), "old");
        var write = arguments("b.txt").put("content", "new");
        assertRefused("write", write, "refusing to overwrite b.txt: Read it first");
        assertEditRefused("b.txt", "old", "refusing to edit b.txt: Read it first");
        call("read", arguments("b.txt"));
        Files.writeString(files.resolve("b.txt"), "older");
        assertRefused(
                "write",
                write,
                "refusing to overwrite b.txt: it has changed since you read it. Read it again.");
        var hash =
                ToolBench.structured(call("read", arguments("b.txt"))).path("hash").stringValue();
        assertThat(text("Write", write)).isEqualTo("wrote 3 bytes to b.txt");
        assertThat(text("write", write)).isEqualTo("wrote 3 bytes to b.txt");
        assertRefused(
                "write", write.put("expected_hash", hash), "it has changed since you read it");
        assertRefused("write", write.put("expected_hash", "none"), "");
        assertThat(files.resolve("b.txt")).hasContent("new");
    }

    @Test
    void an_edit_goes_on_when_the_file_changed_elsewhere_and_says_so() throws Exception {
        Files.writeString(files.resolve("a.txt"), "one\nTWO\nthree\n");
        assertThat(edit("a.txt", "three", "3"))
                .isEqualTo(
                        "replaced 1 occurrence(s) in a.txt\nnote: a.txt had changed since you read it");
        assertThat(edit("a.txt", "one", "1")).isEqualTo("replaced 1 occurrence(s) in a.txt");
        assertThat(files.resolve("a.txt")).hasContent("1\nTWO\n3\n");
    }

    @Test
    void what_cannot_be_edited_is_said_so_that_the_next_call_can_be_right() throws Exception {
        assertEditRefused(
                "a.txt",
                "one\ntwx",
                "old_string not found in a.txt. The nearest text is at lines 1-2; line 2 differs: has \"two\", old_string has \"twx\".");
        call("write", arguments("m").put("content", "x\ny\nx\nx\n"));
        assertEditRefused(
                "m",
                "x",
                "old_string matched 3 times in m (lines 1, 3, 4); add context to make it unique or set replace_all=true");
        assertThat(
                        text(
                                "edit",
                                arguments("m")
                                        .put("old_string", "x")
                                        .put("new_string", "z")
                                        .put("replace_all", true)))
                .isEqualTo("replaced 3 occurrence(s) in m");
        assertThat(edit("a.txt", "four", "three"))
                .isEqualTo("a.txt already has new_string and no old_string: nothing to do");
        assertEditRefused(
                "a.txt",
                "k=[REDACTED:value]",
                "What you read had a secret taken out here. Leave that line out of old_string.");
        assertEditRefused("a.txt", "new", "old_string and new_string are the same");
        assertEditRefused("none", "x", "there is no file none");
        Files.write(files.resolve("bin"), new byte[] {'a', 0});
        assertEditRefused("bin", "x", "bin is not text (offset 1 is NUL)");
        try (var large = new java.io.RandomAccessFile(files.resolve("large").toFile(), "rw")) {
            large.setLength(40L << 20);
        }
        assertEditRefused("large", "x", "large has 40 MiB; edit takes files up to 16 MiB");
    }

    @Test
    void bom_line_endings_stray_bytes_and_permissions_stay() throws Exception {
        var bytes = "\u00ef\u00bb\u00bfone\r\ntwo \r\n\u00ff three".getBytes(ISO_8859_1);
        Files.write(files.resolve("w"), bytes);
        Files.setPosixFilePermissions(
                files.resolve("w"), PosixFilePermissions.fromString("rwxr-x---"));
        call("read", arguments("w"));
        assertThat(edit("w", "one\ntwo\n", "1\n2\n")).contains("matched with trailing_space");
        assertThat(Files.readAllBytes(files.resolve("w")))
                .isEqualTo("\u00ef\u00bb\u00bf1\r\n2\r\n\u00ff three".getBytes(ISO_8859_1));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve("w"))))
                .isEqualTo("rwxr-x---");
    }

    @Test
    void files_and_lines_are_found() throws Exception {
        call("write", arguments("src/b.py").put("content", "import os\nTWO = 2\n"));
        call("write", arguments(".gitignore").put("content", "out/\n"));
        call("write", arguments("out/c.py").put("content", "two\n"));
        assertThat(text("Glob", Json.object().put("pattern", "**/*.py"))).isEqualTo("src/b.py");
        var grep = Json.object().put("pattern", "two").put("case_insensitive", true);
        assertThat(text("Grep", grep)).isEqualTo("a.txt:2:two\nsrc/b.py:2:TWO = 2");
        assertThat(text("grep", grep.deepCopy().put("before", 1).put("glob", "*.txt")))
                .isEqualTo("a.txt-1-one\na.txt:2:two");
        assertThat(text("grep", grep.deepCopy().put("output_mode", "count").put("no_ignore", true)))
                .isEqualTo("a.txt:1\nout/c.py:1\nsrc/b.py:1");
        assertThat(
                        text(
                                "grep",
                                grep.deepCopy()
                                        .put("output_mode", "files_with_matches")
                                        .put("head_limit", 1)))
                .isEqualTo("a.txt\n(1 of 2 files; narrow the search or raise head_limit)");
        assertThat(text("grep", Json.object().put("pattern", "nowhere"))).isEmpty();
        assertRefused(
                "grep", Json.object().put("pattern", "a("), "pattern is not a regular expression");
        assertRefused("grep", Json.object().put("pattern", "a").put("path", "none"), "");
    }

    @Test
    void files_of_a_thread_are_used_while_a_run_has_it() throws Exception {
        try (var lease = bench.acquire(Caller.LOCAL, "default", Duration.ZERO)) {
            assertThat(lease.isOpen()).isFalse();
            assertThat(text("read", arguments("a.txt"))).startsWith("1\tone");
            assertThat(edit("a.txt", "one", "1")).startsWith("replaced 1");
            assertThat(text("grep", Json.object().put("pattern", "two"))).isEqualTo("a.txt:2:two");
        }
    }

    @Test
    void a_thread_that_is_not_there_is_made_by_writing_alone() throws Exception {
        var elsewhere = arguments("x").put("thread_id", "other");
        assertRefused("read", elsewhere, "");
        assertRefused("glob", Json.object().put("pattern", "*").put("thread_id", "other"), "");
        call("write", elsewhere.deepCopy().put("content", "x"));
        assertThat(text("read", elsewhere)).isEqualTo("1\tx");
    }

    @Test
    void a_value_that_was_handed_over_in_confidence_is_in_no_answer() throws Exception {
        bench.learn("hunter2-hunter2");
        Files.writeString(files.resolve("k"), "token = parser.next()\nkey=hunter2-hunter2\n");
        assertThat(text("read", arguments("k")))
                .contains("token = parser.next()", "[REDACTED:")
                .doesNotContain("hunter2");
        assertThat(text("grep", Json.object().put("pattern", "key=")))
                .doesNotContain("hunter2")
                .contains("k:2:");
    }

    @Test
    void marks_of_other_callers_and_older_ones_do_not_count() {
        var marks = new ReadMarks();
        var path = AgentPath.parse("a");
        var other = new Caller("key:o", "o", Caller.LOCAL.scopes(), Caller.LOCAL.toolsets());
        marks.note(Caller.LOCAL, "p", path, "h");
        assertThat(marks.of(Caller.LOCAL, "p", path)).contains("h");
        assertThat(marks.of(other, "p", path)).isEmpty();
        assertThat(marks.of(Caller.LOCAL, "q", path)).isEmpty();
        for (int each = 0; each < ReadMarks.FILES_MAX; each++) {
            marks.note(Caller.LOCAL, "p", AgentPath.parse("f" + each), "h");
        }
        assertThat(marks.of(Caller.LOCAL, "p", path)).isEmpty();
        assertThat(marks.of(Caller.LOCAL, "p", AgentPath.parse("f0"))).contains("h");
    }
}
