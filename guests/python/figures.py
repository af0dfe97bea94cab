"""Figures of matplotlib, which has no screen here: shown ones become files of the workspace.

`plt.show()` writes every open figure to `/workspace/figure-1.png`, -2 and so on, and closes it, as a window would be
closed; so does the end of the program, or of a cell, with those that were left open. One that the program saved as an
image itself is not written twice.

matplotlib asks for a backend by name when it is first needed; until then only a finder of that name is there. A
program that chooses another backend has that one.
"""

BACKEND = "caisson_figures"

# What comes back as an image when a program saves it.
_SHOWN_FORMATS = {"png", "jpg", "jpeg", "svg", "webp", "gif"}

_os = None
_sys = None

# Counts cells: what was shown in one may be shown again in the next.
_turn = 0


def install(os, sys):
    global _os, _sys
    _os, _sys = os, sys
    if not os.environ.get("MPLBACKEND"):
        sys.meta_path.insert(0, _Finder)


class _Finder:
    """Finds the backend, and waits for matplotlib to be there to tell it of it."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "matplotlib.pyplot":
            _prefer(_sys.modules["matplotlib"])
        if name != BACKEND:
            return None
        return type(_sys.__spec__)(name, _Loader)


class _Loader:
    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        _fill(module)


def _prefer(matplotlib):
    """Unless the program, or a file of its own, has chosen already."""
    parameters = matplotlib.rcParams
    chosen = dict.get(parameters, "backend")
    if not isinstance(chosen, str):
        dict.__setitem__(parameters, "backend", "module://" + BACKEND)


def _fill(module):
    import atexit

    # After matplotlib's own handler, and therefore called before it: that one closes every figure.
    process = _os.getpid()
    atexit.register(lambda: flush() if _os.getpid() == process else None)

    from matplotlib.backend_bases import FigureManagerBase
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    class FigureManager(FigureManagerBase):
        def show(self):
            show_manager(self)

        @classmethod
        def pyplot_show(cls, *, block=None):
            _show_open()

    class FigureCanvas(FigureCanvasAgg):
        manager_class = FigureManager

        def print_figure(self, filename, *arguments, **named):
            answer = super().print_figure(filename, *arguments, **named)
            if _is_shown_file(self, filename, named.get("format") or (arguments[4:5] or [None])[0]):
                self.figure._caisson_shown_in = _turn
            return answer

    module.FigureCanvas = FigureCanvas
    module.FigureManager = FigureManager
    module.show = lambda *arguments, **named: _show_open()
    module.backend_version = "1"


def _is_shown_file(canvas, filename, format):
    try:
        path = _os.fspath(filename)
    except TypeError:
        return False
    if isinstance(path, bytes):
        path = _os.fsdecode(path)
    if format is None:
        format = _os.path.splitext(path)[1][1:] or canvas.get_default_filetype()
    return format.lower() in _SHOWN_FORMATS and _os.path.abspath(path).startswith("/workspace/")


def flush():
    """The program, or a cell, has ended: what is left open is shown."""
    global _turn
    _show_open()
    _turn += 1


def _show_open():
    helpers = _sys.modules.get("matplotlib._pylab_helpers")
    for manager in helpers.Gcf.get_all_fig_managers() if helpers else ():
        if type(manager.canvas).__module__ == __name__:
            show_manager(manager)
            helpers.Gcf.destroy(manager)


def show_manager(manager):
    _show(manager.canvas.figure)


def show_figure(value):
    """Whether the value is a figure, which is shown then."""
    module = _sys.modules.get("matplotlib.figure")
    if module is None or not isinstance(value, module.Figure):
        return False
    _show(value)
    return True


def _show(figure):
    """Once in a cell. What fails is told on stderr, as a program would be told."""
    if getattr(figure, "_caisson_shown_in", None) == _turn:
        return
    import io

    try:
        drawn = io.BytesIO()
        figure.savefig(drawn, format="png")
        _write(drawn.getvalue())
        figure._caisson_shown_in = _turn
    except Exception as problem:
        _sys.stderr.write(f"A figure could not be shown: {type(problem).__name__}: {problem}\n")


def _write(image):
    """To the first free name; a program's own file is never touched."""
    for number in range(1, 1000):
        try:
            with open(f"/workspace/figure-{number}.png", "xb") as file:
                file.write(image)
            return
        except FileExistsError:
            continue
