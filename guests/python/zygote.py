"""The zygote: a booted interpreter that never runs a program itself, and forks one for each order of the server.

The order and everything that confines the fork is in `nest/zygote.c`, which is called through `ctypes`; here is only what
the interpreter wants done around a fork. No byte of a caller reaches the zygote: the job comes to the fork, through a
pipe of its own.
"""


class Zygote:
    """Made before anything is counted as being there from the start, because `ctypes` is not seen by programs."""

    def __init__(self, sys):
        before = set(sys.modules)
        places = set(sys.path_importer_cache)
        import ctypes

        self._nest = ctypes.PyDLL("/run/guest/nest/hatch.so")
        self._ending = ctypes.PyDLL("/run/guest/nest/ending.so")
        self._interpreter = ctypes.PyDLL(None)
        for name in set(sys.modules) - before:
            del sys.modules[name]
        for place in set(sys.path_importer_cache) - places:
            del sys.path_importer_cache[place]

    def expect(self, path):
        """In a fork: the interpreter is about to run this file. See `ending.c`."""
        self._ending.ending_expect(path.encode())

    def end_whole(self):
        """In a fork: the interpreter is to end with all its steps."""
        self._ending.ending_is_whole()

    def hatch(self, os):
        """Returns in every fork, and never in the zygote."""
        self._ending.ending_prepare()
        if self._nest.zygote_ready(b"/run/guest/nest/program.bpf") < 0:
            os._exit(125)
        while self._nest.zygote_wait():
            self._interpreter.PyOS_BeforeFork()
            if self._nest.zygote_hatch():
                self._interpreter.PyOS_AfterFork_Child()
                return
            self._interpreter.PyOS_AfterFork_Parent()
        os._exit(0)
