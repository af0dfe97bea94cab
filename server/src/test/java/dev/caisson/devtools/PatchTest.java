package dev.caisson.devtools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caisson.broker.ToolResult;
import dev.caisson.call.Caller;
import dev.caisson.call.Refusal;
import dev.caisson.json.Json;
import dev.caisson.storage.Threads;
import dev.caisson.tools.ToolBench;
import dev.caisson.tools.ToolsTestCase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The tool that patches several files, through the broker, on the files of a thread.
class PatchTest extends ToolsTestCase {
    private Path files = Path.of("");

    @BeforeEach
    void makeThread() throws Exception {
        write("a.txt", "one\ntwo\nthree\n");
        write("b.txt", "one\ntwo\n");
        files =
                root.resolve("threads")
                        .resolve(Threads.place(Caller.LOCAL, "default"))
                        .resolve("files");
    }

    private void write(String path, String content) throws Exception {
        bench.call("write", Json.text(file(path).put("content", content)));
    }

    private static ObjectNode file(String path) {
        return Json.object().put("file_path", path);
    }

    private ToolResult call(String lines) throws Exception {
        var text = "*** Begin Patch\n" + lines + "*** End Patch";
        return bench.call("patch", Json.text(Json.object().put("patch", text)));
    }

    private String patch(String lines) throws Exception {
        return ToolBench.text(call(lines));
    }

    private void assertRefused(String lines, String... sentences) throws Exception {
        var before = all();
        assertThatThrownBy(() -> patch(lines))
                .isInstanceOf(Refusal.class)
                .hasMessageEndingWith("\nNothing was changed.")
                .message()
                .contains(sentences);
        assertThat(all()).isEqualTo(before);
    }

    private Map<String, String> all() throws Exception {
        var found = new TreeMap<String, String>();
        try (var paths = Files.walk(files)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                var name = files.relativize(path).toString();
                found.put(
                        name, Files.isRegularFile(path) ? Files.readString(path, ISO_8859_1) : "/");
            }
        }
        return found;
    }

    private static String update(String path, String hunks) {
        return "*** Update File: " + path + "\n@@\n" + hunks;
    }

    @Test
    void files_are_added_updated_moved_and_deleted_in_one_call() throws Exception {
        write("old.txt", "x\n");
        write("m.sh", "run\n");
        Files.setPosixFilePermissions(
                files.resolve("m.sh"), PosixFilePermissions.fromString("rwxr-x---"));
        var result =
                call(
                        "*** Add File: d/new.txt\n+new\n"
                                + update("/workspace/a.txt", "-two\n+2\n")
                                + "*** Delete File: old.txt\n"
                                + "*** Update File: m.sh\n*** Move to: bin/run.sh\n@@\n-run\n+go\n");
        assertThat(ToolBench.text(result))
                .isEqualTo(
                        "added d/new.txt\nupdated a.txt\ndeleted old.txt\nmoved m.sh to bin/run.sh");
        assertThat(all())
                .containsOnly(
                        Map.entry("", "/"),
                        Map.entry("a.txt", "one\n2\nthree\n"),
                        Map.entry("b.txt", "one\ntwo\n"),
                        Map.entry("bin", "/"),
                        Map.entry("bin/run.sh", "go\n"),
                        Map.entry("d", "/"),
                        Map.entry("d/new.txt", "new\n"));
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(files.resolve("bin/run.sh"))))
                .isEqualTo("rwxr-x---");
        var items = ToolBench.structured(result).path("files");
        assertThat(items.values().stream().map(item -> item.path("action").stringValue()))
                .containsExactly("added", "updated", "deleted", "moved");
        assertThat(items.get(1).path("hash").asString("")).startsWith("sha256:");
        assertThat(items.get(2).path("hash").isNull()).isTrue();
        assertThat(items.get(3).path("from").asString("")).isEqualTo("m.sh");
    }

    @Test
    void a_unified_diff_is_taken_under_both_names_of_the_tool() throws Exception {
        var diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
        var arguments = Json.text(Json.object().put("patch", diff));
        assertThat(ToolBench.text(bench.call("apply_patch", arguments))).isEqualTo("updated a.txt");
        assertThat(ToolBench.text(bench.call("patch", arguments)))
                .isEqualTo("a.txt has this already: nothing to do");
        assertThat(files.resolve("a.txt")).hasContent("one\n2\nthree\n");
    }

    @Test
    void nothing_is_changed_when_one_part_does_not_fit_and_all_that_do_not_are_told()
            throws Exception {
        Files.writeString(files.resolve("unread"), "x\n");
        Files.createSymbolicLink(files.resolve("link"), Path.of("a.txt"));
        Files.write(files.resolve("bin"), new byte[] {'a', 0});
        var good = update("a.txt", "-two\n+2\n") + "*** Add File: n/new\n+x\n";
        assertRefused(good + update("b.txt", " one\n-twx\n"), "hunk 1 not found in b.txt.");
        assertRefused(
                good
                        + update("unread", "-x\n+y\n")
                        + update("none", "-x\n+y\n")
                        + update("link", "-x\n+y\n")
                        + update("bin", "-x\n+y\n")
                        + "*** Delete File: unread\n"
                        + "*** Add File: b.txt\n+x\n"
                        + "*** Add File: ../x\n+x\n",
                "refusing to patch unread: Read it first\n",
                "there is no file none.\n",
                "link is a link to a.txt: change a.txt\n",
                "bin is not text (offset 1 is NUL)\n",
                "refusing to delete unread: Read it first\n",
                "b.txt is there already: update it, or delete it first\n",
                "path is outside the workspace: ../x. Use a path below /workspace.");
        assertRefused(
                good + "*** Update File: a.txt\n*** Move to: b.txt\n",
                "a.txt cannot be moved to b.txt, which is there already: delete that first");
        assertRefused(good + update("b.txt", "-z\n"), "hunk 1 not found in b.txt.");
        assertThat(files.resolve("n")).doesNotExist();
    }

    @Test
    void parts_about_one_file_follow_each_other() throws Exception {
        assertThat(patch(update("a.txt", "-two\n+2\n") + update("a.txt", "-2\n+zwei\n")))
                .isEqualTo("updated a.txt");
        assertThat(files.resolve("a.txt")).hasContent("one\nzwei\nthree\n");
        assertThat(
                        patch(
                                """
                                *** Delete File: b.txt
                                *** Update File: a.txt
                                *** Move to: b.txt
                                *** Add File: a.txt
                                +new
                                """))
                .isEqualTo("moved a.txt to b.txt\nupdated a.txt");
        assertThat(files.resolve("a.txt")).hasContent("new\n");
        assertThat(files.resolve("b.txt")).hasContent("one\nzwei\nthree\n");
        assertThat(patch("*** Add File: t\n+x\n*** Delete File: t\n")).isEqualTo("nothing to do");
        assertRefused("*** Delete File: b.txt\n*** Delete File: b.txt\n", "there is no file b.txt");
        assertRefused(
                "*** Delete File: b.txt\n" + update("b.txt", "-one\n"), "there is no file b.txt");
    }

    @Test
    void a_file_that_changed_elsewhere_is_patched_and_told_but_not_deleted() throws Exception {
        Files.writeString(files.resolve("a.txt"), "one\n  two\nTHREE\n");
        assertThat(patch(update("a.txt", "-two\n+2\n")))
                .isEqualTo(
                        "updated a.txt (matched with indentation)\nnote: a.txt had changed since you read it");
        assertThat(files.resolve("a.txt")).hasContent("one\n  2\nTHREE\n");
        assertThat(patch(update("a.txt", "-one\n+1\n"))).isEqualTo("updated a.txt");
        Files.writeString(files.resolve("a.txt"), "other\n");
        assertRefused(
                "*** Delete File: a.txt\n",
                "refusing to delete a.txt: it has changed since you read it. Read it again.");
    }

    private static ArrayNode edit(ArrayNode edits, String path, String old, String now) {
        edits.addObject().put("file_path", path).put("old_string", old).put("new_string", now);
        return edits;
    }

    @Test
    void edits_are_made_together_or_not_at_all() throws Exception {
        var arguments = Json.object();
        var edits = arguments.putArray("edits");
        edit(edits, "a.txt", "two", "2");
        edit(edits, "a.txt", "2\nthree", "2 3");
        edit(edits, "b.txt", "two", "zwei");
        assertThat(ToolBench.text(bench.call("patch", Json.text(arguments))))
                .isEqualTo("updated a.txt\nupdated b.txt");
        assertThat(files.resolve("a.txt")).hasContent("one\n2 3\n");
        edits.removeAll();
        edit(edit(edits, "a.txt", "one", "1"), "b.txt", "nowhere", "x");
        assertThatThrownBy(() -> bench.call("patch", Json.text(arguments)))
                .hasMessage("edits[1]: old_string not found in b.txt.\nNothing was changed.");
        assertThat(files.resolve("a.txt")).hasContent("one\n2 3\n");
        for (var wrong : new String[] {"{}", "{\"patch\":\"x\",\"edits\":[]}"}) {
            assertThatThrownBy(() -> bench.call("patch", wrong)).isInstanceOf(Refusal.class);
        }
        assertThatThrownBy(() -> bench.call("patch", "{}"))
                .hasMessage("Pass one of patch and edits, and not both.");
    }

    @Test
    void a_secret_is_neither_shown_nor_looked_for() throws Exception {
        bench.learn("hunter2-hunter2");
        write("k", "key=hunter2-hunter2\nx\n");
        assertThatThrownBy(() -> patch(update("k", " key=hunter3-hunter2\n-x\n")))
                .message()
                .contains("hunk 1 not found in k.")
                .doesNotContain("has \"key=hunter2");
        assertRefused(
                update("k", " key=[REDACTED:value]\n-x\n+y\n"),
                "What you read had a secret taken out here. Leave that line out of the patch.");
        assertThat(patch(update("k", "-x\n+y\n"))).isEqualTo("updated k");
        assertThat(files.resolve("k")).hasContent("key=hunter2-hunter2\ny\n");
    }

    @Test
    void a_thread_is_made_by_a_patch_that_only_adds() throws Exception {
        var add = "*** Begin Patch\n*** Add File: x\n+x\n*** End Patch";
        var elsewhere = Json.object().put("thread_id", "other");
        assertThatThrownBy(() ->
                        bench.call(
                                "patch",
                                Json.text(
                                        elsewhere
                                                .deepCopy()
                                                .put(
                                                        "patch",
                                                        add.replace("Add", "Delete")
                                                                .replace("+x\n", "")))))
                .isInstanceOf(Refusal.class);
        bench.call("patch", Json.text(elsewhere.deepCopy().put("patch", add)));
        assertThat(ToolBench.text(bench.call("read", Json.text(elsewhere.put("file_path", "x")))))
                .isEqualTo("1\tx");
    }

    @Test
    void both_sides_of_the_limits_of_sizes() throws Exception {
        var line = "x".repeat((1 << 20) - 1) + "\n";
        for (int each = 0; each < 4; each++) {
            Files.writeString(files.resolve("l" + each), line.repeat(8));
            bench.call("read", Json.text(file("l" + each).put("limit", 1)));
        }
        Files.writeString(files.resolve("l3"), line.repeat(7) + "x".repeat(1 << 20));
        var all = new StringBuilder();
        for (int each = 0; each < 4; each++) {
            all.append(update("l" + each, "+y\n"));
        }
        assertRefused(all.toString(), "The files of a patch have more than 32 MiB together");
        var three = update("l0", "+y\n") + update("l1", "+y\n") + update("l2", "+y\n");
        assertThat(patch(three)).isEqualTo("updated l0\nupdated l1\nupdated l2");
        int places = (int) (PatchWork.SEARCHED_MAX / (8L << 20));
        var many = "*** Update File: l3\n" + "@@\n+y\n".repeat(places);
        assertThat(patch(many)).startsWith("updated l3");
        assertRefused(
                "*** Update File: l2\n" + "@@\n+y\n".repeat(places + 1),
                "The patch has too many places in large files: split it, or use a program.");
    }

    @Test
    void as_many_edits_as_are_allowed_and_one_more() throws Exception {
        var arguments = Json.object();
        var edits = arguments.putArray("edits");
        write("n", "0\n");
        for (int each = 0; each < Patch.EDITS_MAX; each++) {
            edit(edits, "n", each + "\n", each + 1 + "\n");
        }
        bench.call("patch", Json.text(arguments));
        assertThat(files.resolve("n")).hasContent(Patch.EDITS_MAX + "\n");
        edit(edits, "n", "x", "y");
        JsonNode tooMany = arguments;
        assertThatThrownBy(() -> bench.call("patch", Json.text(tooMany)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("edits");
    }
}
