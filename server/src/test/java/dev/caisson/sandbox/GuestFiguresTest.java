package dev.caisson.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Figures that are shown or left open become images of the workspace. The package in the workspace
/// asks for its backend and calls it as matplotlib does, and draws nothing.
@Tag("root")
@ExtendWith(Rig.Shared.class)
class GuestFiguresTest {
    private static final Map<String, String> PACKAGE =
            Map.of(
                    "matplotlib/__init__.py",
                    "AUTO = object()\nrcParams = {'backend': AUTO}\n\ndef use(name):\n    rcParams['backend'] = name\n",
                    "matplotlib/figure.py",
                    """
                    class Figure:
                        def savefig(self, target, format=None):
                            self.canvas.print_figure(target, format=format)
                    """,
                    "matplotlib/backend_bases.py",
                    "class FigureManagerBase:\n    def __init__(self, canvas, num):\n        self.canvas, self.num = canvas, num\n",
                    "matplotlib/backends/__init__.py",
                    "",
                    "matplotlib/backends/backend_agg.py",
                    """
                    class FigureCanvasAgg:
                        def __init__(self, figure):
                            self.figure = figure
                            figure.canvas = self
                        def get_default_filetype(self):
                            return "png"
                        def print_figure(self, target, dpi=None, format=None):
                            data = b"\\x89PNG\\r\\n\\x1a\\nfake"
                            target.write(data) if hasattr(target, "write") else open(target, "wb").write(data)
                    """,
                    "matplotlib/_pylab_helpers.py",
                    """
                    class Gcf:
                        figs = {}
                        @classmethod
                        def get_all_fig_managers(cls):
                            return list(cls.figs.values())
                        @classmethod
                        def destroy(cls, manager):
                            cls.figs.pop(manager.num)

                    import atexit
                    atexit.register(Gcf.figs.clear)
                    """,
                    "matplotlib/pyplot.py",
                    """
                    import importlib, matplotlib
                    from matplotlib._pylab_helpers import Gcf
                    from matplotlib.figure import Figure

                    def _backend():
                        name = matplotlib.rcParams["backend"]
                        name = name.removeprefix("module://") if isinstance(name, str) and "://" in name else "matplotlib.backends.backend_agg"
                        return importlib.import_module(name)

                    def figure():
                        module = _backend()
                        canvas = getattr(module, "FigureCanvas", None) or module.FigureCanvasAgg
                        number = len(Gcf.figs) + 1
                        manager = getattr(canvas, "manager_class", importlib.import_module("matplotlib.backend_bases").FigureManagerBase)
                        Gcf.figs[number] = manager(canvas(Figure()), number)
                        return Gcf.figs[number].canvas.figure

                    def show():
                        getattr(_backend(), "show", lambda: None)()
                    """);

    private final Rig rig;

    GuestFiguresTest(Rig rig) {
        this.rig = rig;
    }

    private Path workspace() throws IOException {
        var workspace = rig.workspace();
        for (var file : PACKAGE.entrySet()) {
            var path = workspace.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        return workspace;
    }

    private Path run(String code) throws Exception {
        var workspace = workspace();
        var program = "import matplotlib.pyplot as plt\n" + code;
        var result = rig.run(Language.PYTHON, program, Rig.LIMITS, workspace, Map.of());
        assertThat(result.stderr()).isEmpty();
        assertThat(result.code()).isZero();
        return workspace;
    }

    private static long images(Path workspace) throws IOException {
        try (var files = Files.list(workspace)) {
            return files.filter(file -> file.toString().endsWith(".png")).count();
        }
    }

    @Test
    void a_shown_figure_is_saved_and_closed() throws Exception {
        var left = run("plt.figure(); plt.figure(); plt.show(); plt.figure(); plt.show()");
        assertThat(images(left)).isEqualTo(3);
        assertThat(left.resolve("figure-3.png")).exists();
    }

    @Test
    void a_figure_that_is_left_open_is_saved_at_the_end() throws Exception {
        assertThat(images(run("plt.figure()"))).isEqualTo(1);
    }

    @Test
    void a_figure_that_the_program_saved_is_not_saved_again() throws Exception {
        var left =
                run("plt.figure().savefig('mine.png'); plt.show(); plt.figure().savefig('b.pdf')");
        assertThat(left.resolve("mine.png")).exists();
        assertThat(left.resolve("figure-1.png")).exists();
        assertThat(images(left)).isEqualTo(2);
    }

    @Test
    void a_file_of_the_program_is_never_touched() throws Exception {
        var left = run("open('figure-1.png', 'w').write('mine')\nplt.figure(); plt.show()");
        assertThat(left.resolve("figure-1.png")).hasContent("mine");
        assertThat(left.resolve("figure-2.png")).exists();
    }

    @Test
    void a_program_that_chooses_its_backend_has_it() throws Exception {
        assertThat(
                        images(
                                run(
                                        "import matplotlib\nmatplotlib.use('agg')\nplt.figure(); plt.show()")))
                .isZero();
    }

    @Test
    void a_program_without_matplotlib_loads_nothing_of_it() throws Exception {
        var result =
                rig.run(
                        Language.PYTHON,
                        "import sys\nprint([name for name in sys.modules if 'figures' in name])");
        assertThat(result.stdout()).isEqualTo("[]\n");
    }

    @Test
    void a_session_shows_what_each_program_left_open_and_a_figure_as_its_value() throws Exception {
        try (var book = new Guestbook(rig, Language.PYTHON)) {
            var workspace = ((Workspace.Directory) book.workspace()).path();
            for (var file : PACKAGE.entrySet()) {
                var path = workspace.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
            var display = new GuestOrder(Optional.empty(), true);
            var first = book.run("import matplotlib.pyplot as plt\nf = plt.figure()");
            assertThat(first.stderr()).isEmpty();
            assertThat(images(workspace)).isEqualTo(1);
            book.run("1");
            assertThat(images(workspace)).isEqualTo(1);
            book.run("f", display);
            assertThat(images(workspace)).isEqualTo(2);
            book.run("g = plt.figure()\ng", display);
            assertThat(images(workspace)).isEqualTo(3);
        }
    }
}
