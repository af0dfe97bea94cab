package dev.caisson.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Patches are read and applied to texts.
class PatchedTextTest {
    private static PatchedText patched(String text, String hunks) throws PatchSyntax {
        var form =
                hunks.startsWith("@@ -")
                        ? "--- a/f\n+++ b/f\n%s"
                        : "*** Begin Patch\n*** Update File: f\n%s\n*** End Patch";
        var files = PatchText.parse(TextBytes.ofCaller(form.formatted(hunks)));
        var update = (FilePatch.Update) files.getFirst();
        var patched = new PatchedText("f", TextBytes.ofCaller(text), shown -> shown);
        var refusals = new ArrayList<String>();
        for (int each = 0; each < update.hunks().size(); each++) {
            patched.apply(update.hunks().get(each), each + 1).ifPresent(refusals::add);
        }
        if (!refusals.isEmpty()) {
            throw new PatchSyntax(String.join("; ", refusals));
        }
        return patched;
    }

    private static String of(String text, String hunks) throws PatchSyntax {
        return TextBytes.shown(patched(text, hunks).result());
    }

    private static void assertMisplaced(String text, String hunks, String sentence) {
        assertThatThrownBy(() -> patched(text, hunks)).hasMessageContaining(sentence);
    }

    @Test
    void hunks_of_both_forms_change_lines() throws Exception {
        assertThat(of("a\nb\nc\n", "@@\n a\n-b\n+B\n+BB\n c\n")).isEqualTo("a\nB\nBB\nc\n");
        assertThat(of("a\nb\nc\n", "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+BB\n c\n"))
                .isEqualTo("a\nB\nBB\nc\n");
        assertThat(of("a\nb\nc\nd\n", " a\n-b\n@@\n-d\n+D")).isEqualTo("a\nc\nD\n");
        assertThat(of("a\nb\n", "@@\n-a\n-b\n")).isEmpty();
        assertThat(of("ä\nb\n", "@@\n-ä\n+ö\n")).isEqualTo("ö\nb\n");
        assertThat(of("a\n\nb\n", "@@\n a\n\n-b\n+c\n")).isEqualTo("a\n\nc\n");
    }

    @Test
    void lines_are_inserted_where_the_hunk_says() throws Exception {
        assertThat(of("a\nb\n", "@@\n+new\n")).isEqualTo("a\nb\nnew\n");
        assertThat(of("a\nb", "@@\n+new\n")).isEqualTo("a\nb\nnew");
        assertThat(of("a\r\nb\r\n", "@@ a\n+new\n")).isEqualTo("a\r\nnew\r\nb\r\n");
        assertThat(of("a\nb\n", "@@ -1,0 +2,1 @@\n+new\n")).isEqualTo("a\nnew\nb\n");
        assertThat(of("", "@@ -0,0 +1,1 @@\n+new\n")).isEqualTo("new\n");
        assertThat(of("a\nb", "@@\n+c\n@@\n+d\n")).isEqualTo("a\nb\nc\nd");
        assertThat(of("a\nb\n", "@@\n+c\n@@\n+d\n")).isEqualTo("a\nb\nc\nd\n");
        assertThat(of("x\n", "@@\n x\n+y\n*** End of File")).isEqualTo("x\ny\n");
    }

    @Test
    void line_breaks_bom_and_lines_that_stay_are_those_of_the_file() throws Exception {
        assertThat(of("a \r\nb\r\nc\r\n", "@@\n a\n-b\n+B\n")).isEqualTo("a \r\nB\r\nc\r\n");
        assertThat(of("a\nb", "@@\n a\n-b\n+B\n+C\n")).isEqualTo("a\nB\nC");
        assertThat(of("a\r\nb", "@@\n-b\n+B\n+C\n")).isEqualTo("a\r\nB\r\nC");
        assertThat(of("a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+B\n"))
                .isEqualTo("a\nB\n");
        assertThat(of("a\nb\n", "@@ -2 +2 @@\n-b\n+B\n\\ No newline at end of file\n"))
                .isEqualTo("a\nB");
        assertThat(of("\ufeffa\nb\n", "@@\n-b\n+c\n")).isEqualTo("\ufeffa\nc\n");
    }

    @Test
    void each_grade_is_told_and_new_lines_get_the_indentation_of_the_file() throws Exception {
        assertThat(patched("a  \nb\n", "@@\n a\n-b\n+c").grade()).isEqualTo(Grade.TRAILING_SPACE);
        var indented = patched("  if x:\n    y\n", "@@\n if x:\n-  y\n+  z\n+  if z:\n+    w");
        assertThat(indented.grade()).isEqualTo(Grade.INDENTATION);
        assertThat(indented.result()).isEqualTo("  if x:\n    z\n    if z:\n      w\n");
        assertThat(of("x\ny\n", "@@\n   x\n-  y\n+  z\n+w")).isEqualTo("x\nz\nw\n");
        var print = patched("say \u201chi\u201d \u2013 now\nb\n", "@@\n say \"hi\" - now\n-b\n+c");
        assertThat(print.grade()).isEqualTo(Grade.TYPOGRAPHIC);
        assertThat(TextBytes.shown(print.result())).isEqualTo("say “hi” – now\nc\n");
        assertMisplaced("  a\nb\n\ta\nb\n", "@@\n a\n-b\n+c", "hunk 1 matched 2 times in f");
    }

    @Test
    void what_follows_a_line_is_found_behind_it() throws Exception {
        var text = "def f():\n    return 1\n\ndef g():\n    return 1\n";
        var hunk = "-    return 1\n+    return 2\n";
        assertMisplaced(
                text,
                "@@\n" + hunk,
                "hunk 1 matched 2 times in f (lines 2, 5); add lines that stay around it, or @@ with a line above it");
        assertThat(of(text, "@@ def g():\n" + hunk))
                .isEqualTo("def f():\n    return 1\n\ndef g():\n    return 2\n");
        assertThat(of(text, "@@ def g\n" + hunk)).endsWith("return 2\n");
        assertThat(of(text, "@@ -4,1 +4,1 @@\n" + hunk)).endsWith("return 2\n");
        assertThat(of(text, "@@\n" + hunk + "*** End of File")).endsWith("return 2\n");
        assertMisplaced(
                text,
                "@@ def h():\n" + hunk,
                "hunk 1: the line behind @@ is not in f: \"def h():\"");
        assertThat(of("class A\nf\nx\nclass B\nf\nx\n", "@@ class B\n@@ f\n-x\n+y\n"))
                .isEqualTo("class A\nf\nx\nclass B\nf\ny\n");
    }

    @Test
    void hunks_may_stand_in_any_order_and_take_no_line_twice() throws Exception {
        assertThat(of("a\nb\nc\n", "@@\n-c\n+C\n@@\n-a\n+A\n")).isEqualTo("A\nb\nC\n");
        assertMisplaced("a\nb\nc\n", "@@\n-a\n-b\n+x\n@@\n-b\n+y\n", "hunk 2 not found in f");
    }

    @Test
    void what_was_applied_before_is_nothing_to_do() throws Exception {
        var again = patched("a\nB\nc\n", "@@\n a\n-b\n+B\n c\n");
        assertThat(again.isChanged()).isFalse();
        assertThat(patched("a\nb\nnew\n", "@@\n+new\n").isChanged()).isFalse();
    }

    @Test
    void a_hunk_without_a_place_names_the_nearest() {
        assertMisplaced(
                "one\ntwo\nthree\n",
                "@@\n one\n-twx\n+2\n",
                "hunk 1 not found in f. The nearest text is at lines 1-2; line 2 differs: has \"two\", hunk 1 has \"twx\".");
    }

    private static List<FilePatch> read(String patch) throws PatchSyntax {
        return PatchText.parse(patch);
    }

    @Test
    void every_kind_of_file_is_read_in_both_forms() throws Exception {
        var envelope =
                read(
                        "```\n*** Begin Patch\n*** Add File: n.py\n+one\n+\n*** Delete File: old\n*** Update File: a\n*** Move to: d/b\n-x\n+y\n\n*** Update File: c\n*** Move to: e\n*** End Patch\n```");
        assertThat(envelope)
                .containsExactly(
                        new FilePatch.Add("n.py", "one\n\n"),
                        new FilePatch.Delete("old"),
                        envelope.get(2),
                        new FilePatch.Update("c", java.util.Optional.of("e"), List.of()));
        assertThat(((FilePatch.Update) envelope.get(2)).movedTo()).contains("d/b");
        var diff =
                read(
                        "diff --git a/n b/n\nnew file mode 100644\nindex 000..1\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\ndiff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/p b/q\nsimilarity index 100%\nrename from p\nrename to q\ndiff --git a/r b/s\nrename from r\nrename to s\n--- a/r\t2026-01-01\n+++ b/s\n@@ -1 +1 @@\n--- x\n+++ y\n");
        assertThat(diff)
                .startsWith(
                        new FilePatch.Add("n", "one\ntwo"),
                        new FilePatch.Delete("o"),
                        new FilePatch.Update("p", java.util.Optional.of("q"), List.of()));
        var update = (FilePatch.Update) diff.get(3);
        assertThat(update.path()).isEqualTo("r");
        assertThat(update.movedTo()).contains("s");
        assertThat(update.hunks().getFirst().old()).containsExactly("-- x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "*** Begin Patch\n*** End Patch",
                "*** Begin Patch\n*** Update File: a\n-x\n",
                "*** Begin Patch\n*** Update File: a\n*** End Patch",
                "*** Begin Patch\n*** Update File: a\n@@\nx\n*** End Patch",
                "*** Begin Patch\n*** Add File: a\nx\n*** End Patch",
                "*** Begin Patch\n*** End Patch\nmore",
                "@@ -1 +1 @@\n-a\n+b\n",
                "--- a/f\n+++ b/f\n",
                "--- a/f\n+++ b/f\n@@ nonsense\n-a\n",
                "--- a/f\n+++ b/f\n@@ -1 +1 @@\n",
                "diff --git a/f b/f\nBinary files a/f and b/f differ\n",
                "--- /dev/null\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
            })
    void what_is_no_patch_is_refused_with_what_would_be(String patch) {
        assertThatThrownBy(() -> read(patch))
                .isInstanceOf(PatchSyntax.class)
                .hasMessageStartingWith("patch cannot be read: ");
    }

    @Test
    void both_sides_of_the_limits() throws Exception {
        var files = new StringBuilder("*** Begin Patch\n");
        for (int each = 0; each < PatchText.FILES_MAX; each++) {
            files.append("*** Delete File: ").append(each).append('\n');
        }
        assertThat(read(files + "*** End Patch")).hasSize(PatchText.FILES_MAX);
        assertThatThrownBy(() -> read(files + "*** Delete File: x\n*** End Patch"))
                .hasMessageContaining("it has 201 files; 200 are the most. Split it.");
        var hunks =
                "*** Begin Patch\n*** Update File: a\n" + "@@\n+x\n".repeat(PatchText.HUNKS_MAX);
        assertThat(read(hunks + "*** End Patch")).hasSize(1);
        assertThatThrownBy(() -> read(hunks + "@@\n+x\n*** End Patch"))
                .hasMessageContaining("it has 2001 hunks; 2000 are the most. Split it.");
    }

    @Test
    void random_changes_come_out_as_diff_says() throws Exception {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            var lines = new ArrayList<String>();
            for (int each = 0; each < 12; each++) {
                lines.add("line " + each + " " + random.nextInt(100));
            }
            int at = random.nextInt(lines.size());
            var now = new ArrayList<>(lines);
            now.set(at, "new " + round);
            var hunk = new StringBuilder("@@\n");
            for (int each = Math.max(0, at - 2); each < Math.min(lines.size(), at + 3); each++) {
                hunk.append(each == at ? "-" : " ").append(lines.get(each)).append('\n');
                hunk.append(each == at ? "+new " + round + "\n" : "");
            }
            var end = round % 2 == 0 ? "\n" : "";
            assertThat(of(String.join("\n", lines) + end, hunk.toString()))
                    .isEqualTo(String.join("\n", now) + end);
        }
    }
}
