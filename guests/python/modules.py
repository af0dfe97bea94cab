"""Imports on behalf of the guest: of the interpreter's own modules and of ours, whatever the program has."""


def own(sys, name, trusted):
    """A module of the interpreter's own, though the workspace may have one of that name."""
    path = sys.path[:]
    sys.path[:] = trusted
    try:
        __import__(name)
        return sys.modules[name]
    finally:
        sys.path[:] = path


def guest(os, sys, name):
    """One of our own, which the program does not see among its modules."""
    here = os.path.dirname(__file__)
    module = own(sys, name, [here])
    del sys.modules[name]
    sys.path_importer_cache.pop(here, None)
    return module


def json(sys, trusted):
    """The interpreter's own, whatever the program imported under that name."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "json"]:
        del sys.modules[name]
    return own(sys, "json", trusted)


def figures_watch(os, sys):
    """Nothing is loaded, and nothing drawn, before the program imports matplotlib. See `figures.py`.

    Returns what begins the watch when there is a program.
    """

    class Watch:
        """Finder of modules that finds none, but sees when matplotlib is looked for."""

        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == "matplotlib" and Watch in sys.meta_path:
                sys.meta_path.remove(Watch)
                figures.append(guest(os, sys, "figures"))
                figures[0].install(os, sys)
            return None

    figures = []

    def begin():
        sys.meta_path.insert(0, Watch)
        return figures

    return begin
