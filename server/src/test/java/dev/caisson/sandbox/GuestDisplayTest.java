package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caisson.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The last expression of a program comes back in the forms it has, where they are asked for.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class GuestDisplayTest {
    private static final GuestOrder DISPLAY = new GuestOrder(Optional.empty(), true);

    private static final String RICH =
            """
            class Rich:
                def __repr__(self):
                    return "plain"
                def _repr_html_(self):
                    return "<table><tr><td>1</td></tr></table>"
                def _repr_png_(self):
                    return b"\\x89PNG\\r\\n\\x1a\\n..."
            """;

    private final Rig rig;

    GuestDisplayTest(Rig rig) {
        this.rig = rig;
    }

    private static List<DisplayForm> forms(Rig.Result result) {
        assertThat(result.stderr()).isEmpty();
        return result.value().orElseThrow() instanceof HandedOver.Displayed(var forms, _)
                ? forms
                : List.of();
    }

    private static DisplayForm plain(String text) {
        return new DisplayForm("text/plain", text);
    }

    private Rig.Result python(String code, Path workspace) throws InterruptedException {
        return rig.run(Language.PYTHON, code, workspace, DISPLAY);
    }

    @Test
    void the_last_expression_is_shown_and_the_result_stays_beside_it() throws Exception {
        var result = python("x = 1\nresult = {'a': x}\nx += 1\nx", rig.workspace());
        assertThat(forms(result)).containsExactly(plain("2"));
        assertThat(result.value().orElseThrow())
                .isEqualTo(
                        new HandedOver.Displayed(
                                List.of(plain("2")),
                                Optional.of(
                                        new HandedOver.Value(
                                                Json.parse(
                                                        "{\"a\":1}"
                                                                .getBytes(
                                                                        StandardCharsets
                                                                                .UTF_8))))));
    }

    @Test
    void a_program_that_ends_with_none_shows_nothing() throws Exception {
        for (var code : List.of("x = 1", "print('a')", "1;", "def f():\n    pass")) {
            assertThat(python(code, rig.workspace()).value()).as(code).isEmpty();
        }
        assertThat(rig.run(Language.PYTHON, "1").value()).isEmpty();
    }

    @Test
    void a_value_has_its_html_and_its_image_becomes_a_file() throws Exception {
        var workspace = rig.workspace();
        Files.writeString(workspace.resolve("figure-1.png"), "mine");
        assertThat(forms(python(RICH + "Rich()", workspace)))
                .containsExactly(
                        plain("plain"),
                        new DisplayForm("text/html", "<table><tr><td>1</td></tr></table>"));
        assertThat(workspace.resolve("figure-1.png")).hasContent("mine");
        assertThat(Files.size(workspace.resolve("figure-2.png"))).isEqualTo(11);
    }

    @Test
    void a_program_is_run_as_without() throws Exception {
        var awaited = "import asyncio\nawait asyncio.sleep(0, 7)";
        assertThat(forms(python(awaited, rig.workspace()))).containsExactly(plain("7"));
        var failed = python("def f():\n    return 1 / 0\n\nf()", rig.workspace());
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.stderr())
                .isEqualTo(
                        """
                        Traceback (most recent call last):
                          File "/run/job/main.py", line 4, in <module>
                            f()
                          File "/run/job/main.py", line 2, in f
                            return 1 / 0
                                   ~~^~~
                        ZeroDivisionError: division by zero
                        """);
        var wrong = python("x = (", rig.workspace());
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.stderr()).contains("SyntaxError").doesNotContain("/run/guest");
        var main = "print(__name__, __file__)\nimport sys\nsys.exit(3)";
        assertThat(python(main, rig.workspace()).code()).isEqualTo(3);
    }

    @Test
    void what_is_long_is_cut_or_left_out() throws Exception {
        var text = forms(python("'\\U0001F600' * 100000", rig.workspace())).getFirst().text();
        assertThat(text).hasSizeLessThan(17_000).endsWith("characters omitted ...]");
        var broken =
                """
                class Broken:
                    def __repr__(self):
                        raise ValueError("no")
                    def __getattr__(self, name):
                        return lambda: "x" * 10
                    def _repr_html_(self):
                        return "x" * 100000
                Broken()
                """;
        assertThat(forms(python(broken, rig.workspace())))
                .containsExactly(plain("<Broken, whose repr failed: ValueError>"));
    }

    @Test
    void a_session_shows_the_last_expression_of_each_program() throws Exception {
        try (var book = new Guestbook(rig, Language.PYTHON)) {
            assertThat(forms(book.run("x = 1\nx", DISPLAY))).containsExactly(plain("1"));
            assertThat(forms(book.run("x += 1; x", DISPLAY))).containsExactly(plain("2"));
            assertThat(forms(book.run("_ + 1", DISPLAY))).containsExactly(plain("3"));
            assertThat(book.run("x = 5", DISPLAY).value()).isEmpty();
            assertThat(book.run("x").value()).isEmpty();
        }
        try (var book = new Guestbook(rig, Language.NODE)) {
            assertThat(forms(book.run("const a = [1, { b: 2 }]; a", DISPLAY)))
                    .containsExactly(plain("[ 1, { b: 2 } ]"));
            assertThat(forms(book.run("await Promise.resolve(a.length)", DISPLAY)))
                    .containsExactly(plain("2"));
            assertThat(book.run("const c = 1", DISPLAY).value()).isEmpty();
        }
    }

    @Test
    void bash_has_no_last_expression() throws Exception {
        assertThat(rig.run(Language.BASH, "echo 1", rig.workspace(), DISPLAY).stdout())
                .isEqualTo("1\n");
    }

    @Test
    void only_forms_that_are_known_and_in_bounds_are_taken() {
        var record =
                """
                {"display": [{"media_type": "text/plain", "text": "a"}, {"media_type": "text/plain", "text": "b"},
                {"media_type": "application/javascript", "text": "x"}, {"media_type": "text/html", "text": "%s"}, 7]}
                """
                        .formatted("h".repeat(DisplayForm.LENGTH_MAX + 1));
        assertThat(ValueRecord.parse(record.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new HandedOver.Displayed(List.of(plain("a")), Optional.empty()));
        var longest = record.replace("hh\"", "\"");
        assertThat(ValueRecord.parse(longest.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOfSatisfying(
                        HandedOver.Displayed.class, shown -> assertThat(shown.forms()).hasSize(2));
    }
}
