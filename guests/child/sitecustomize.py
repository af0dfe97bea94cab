"""What a Python loads on its way up that a program starts, such as `python3 plot.py` of a shell: figures that it
shows or leaves open come back too. See `python/figures.py`.

The directory of this file stands in PYTHONPATH, behind the packages. It takes itself away again, and the
interpreter's own module of this name, if it has one, is imported in its place.
"""


def _child():
    import os
    import sys

    here = os.path.dirname(__file__)
    guest = os.path.join(os.path.dirname(here), "python")
    path = [entry for entry in sys.path if entry != here]
    sys.path[:] = [guest]
    try:
        import modules

        del sys.modules["modules"], sys.modules[__name__]
    finally:
        sys.path[:] = path
        for place in (here, guest):
            sys.path_importer_cache.pop(place, None)
    modules.figures_watch(os, sys)()


_child()
__import__(__name__)
