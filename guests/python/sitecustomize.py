"""The Python guest: waits for one job, then gets out of the way.

The interpreter is started as `python3 /run/job/main.py` with this directory on its module path, so that it
imports this file on its way up, before it opens the program. Here it waits. When the job has come, the
environment is set, and the interpreter goes on to run the program itself:
`__main__`, tracebacks, exit codes and `atexit` are Python's own, not an imitation. A job that names a cell
begins a session instead, see `session.py`.

What a fork writes to, were it a count of references, is a page that is copied: whatever can be done before there
is a job is, and what is done after it touches little.

Descriptors at the start: 0 carries the job and is at its end afterwards, 5 and 6 are the program's output
and errors, 7 leads to the server: one byte when ready, one record when the program handed over a value.
"""


_PROGRAM = "/run/job/main.py"


def _guest():
    import os
    import sys

    ours = _Ours(os, sys)
    zygote = _zygote(os, sys, ours)
    if zygote is None:
        os.dup2(5, 1)
        os.dup2(6, 2)
        os.close(5)
        os.close(6)
        os.set_inheritable(7, False)
    _heed_interrupts()
    _stand_aside(os, sys, ours.modules)
    settled = {}
    register = __import__("atexit").register
    ours.record.leave_at_exit(sys, register, settled, zygote)
    preloaded = _preload(os, sys)
    sys.stdout.reconfigure(line_buffering=True)
    watch_for_figures = ours.modules.figures_watch(os, sys)
    settled.update(_settle(sys))
    if zygote is None:
        os.write(7, b"R")
    else:
        zygote.hatch(os)
        if preloaded:
            ours.modules.guest(os, sys, "renew").renew(sys)

    environment, job = ours.job.receive(os, 0)
    moves = ours.job.take_environment(os, environment)
    trusted = _heed(os, sys, moves)
    ours.job.offer_tools(os, sys)

    os.chdir("/workspace")
    _give_way(os, sys, preloaded)

    # Nothing of the workspace is imported on the way to the program.
    sys.modules["site"].ENABLE_USER_SITE = False
    figures = watch_for_figures()
    if job.cell is not None:
        _begin_session(os, sys, ours, trusted, job, figures)
        return
    if job.input is not None:
        ours.job.give_input(os, job.input)
    shown = []
    ours.record.at_exit(os, sys, register, lambda: ours.modules.json(sys, trusted), figures, shown)
    takes_over = _prepare_run(os, sys, ours, trusted, job, figures, shown)
    if zygote is not None and not takes_over:
        zygote.expect(_PROGRAM)


class _Ours:
    """The other files of the guest, loaded before there is a program, which does not see them."""

    def __init__(self, os, sys):
        here = os.path.dirname(__file__)
        path = sys.path[:]
        sys.path[:] = [here]
        try:
            for name in ("modules", "job", "record", "instead"):
                __import__(name)
                setattr(self, name, sys.modules.pop(name))
        finally:
            sys.path[:] = path


def _prepare_run(os, sys, ours, trusted, job, figures, shown):
    """Most programs are the interpreter's own business from here on. Returns whether this one is not."""
    path = _PROGRAM

    def own(name):
        return ours.modules.own(sys, name, trusted)

    runner = ours.instead.Runner(os, sys, own)
    if not job.display:
        runner.allow_top_level_await(path)
        return runner.takes_over
    display = ours.modules.guest(os, sys, "display")
    json = ours.modules.json(sys, trusted)
    runner.run_displaying(
        path, display, lambda value: shown.append(json.dumps(display.forms(os, sys, value, figures, own)))
    )
    return runner.takes_over


def _zygote(os, sys, ours):
    """Whether this interpreter only forks others. See `zygote.py`."""
    if os.environ.pop("CAISSON_ZYGOTE", None) is None:
        return None
    return ours.modules.guest(os, sys, "zygote").Zygote(sys)


def _heed_interrupts():
    """A server that was started in the background may ignore interrupts, and what it starts inherits that."""
    import _signal

    if _signal.getsignal(_signal.SIGINT) == _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def _stand_aside(os, sys, modules):
    """The interpreter's own module of this name, if it has one, is imported in place of this one."""
    here = os.path.dirname(__file__)
    own = sys.modules.pop(__name__)
    try:
        modules.own(sys, __name__, [entry for entry in sys.path if entry not in (here, "/run/job")])
    except ImportError as none:
        if none.name != __name__:
            raise
        sys.modules[__name__] = own


def _preload(os, sys):
    """Imports what most programs of this environment import, before there is a program.

    It saves time and decides nothing: what cannot be imported now is imported, or fails, when a program asks.
    Returns the names of all modules that came with it.
    """
    names = [name for name in os.environ.pop("CAISSON_PRELOAD", "").split(",") if name]
    places = os.environ.pop("CAISSON_PRELOAD_PATH", "").split(":")
    if not names:
        return frozenset()
    before = set(sys.modules)
    path = sys.path[:]
    sys.path[:] = places + [entry for entry in path if entry != os.path.dirname(__file__)]
    try:
        for name in names:
            try:
                __import__(name)
            except Exception:
                continue
    finally:
        sys.path[:] = path
        # Where packages are attached later than now, they were not there.
        for place in places:
            sys.path_importer_cache.pop(place, None)
    return frozenset(name.partition(".")[0] for name in set(sys.modules) - before)


def _give_way(os, sys, preloaded):
    """A module in the workspace is found before one that was preloaded, as it would be without that."""
    try:
        entries = os.listdir("/workspace") if preloaded else ()
    except OSError:
        return
    for entry in entries:
        name = entry.partition(".")[0]
        if name in preloaded:
            for loaded in [each for each in sys.modules if each.partition(".")[0] == name]:
                del sys.modules[loaded]


def _settle(sys):
    """What is there before the program stays until the process ends, and the collector never looks at it again.

    The program's own module is a new one: what is in it is finalized as ever. Only what a program hangs on an
    object or a module that was there before it stays with that. Streams are the program's: it may take them apart,
    and what is in them is to be written. Returns those modules.
    """
    import gc
    import io

    # The job does not wait for it.
    __import__("time")

    kept = [each for each in gc.get_objects() if not isinstance(each, io.IOBase)]
    kept.append(kept)
    gc.freeze()
    # A program that asks for these gets them; until then it does not see that we did.
    del sys.modules["atexit"], sys.modules["gc"]
    first = sys.modules["__main__"]
    sys.modules["__main__"] = main = type(sys)("__main__")
    vars(main).update(vars(first))
    return {name: each for name, each in sys.modules.items() if name not in ("__main__", "builtins", "sys")}


def _heed(os, sys, moves):
    """What the interpreter reads from its environment only when it starts, as far as it can be made up for.

    Returns where the interpreter's own modules are.
    """
    here = os.path.dirname(__file__)
    child = os.path.join(os.path.dirname(here), "child")
    wanted = [entry for entry in os.environ.get("PYTHONPATH", "").split(":") if entry not in ("", child)]
    trusted = [entry for entry in sys.path if entry not in (here, "/run/job")]
    sys.path[:] = ["/workspace"] + wanted + [entry for entry in sys.path if entry != here]
    sys.path_importer_cache.pop(here, None)
    if moves:
        import time

        time.tzset()
    return trusted


def _begin_session(os, sys, ours, trusted, job, figures):
    modules = ours.modules
    session = modules.guest(os, sys, "session")
    json = modules.json(sys, trusted)
    for name in [name for name in sys.modules if name.partition(".")[0] == "json"]:
        del sys.modules[name]

    def describe(value):
        return ours.record.of(os, json, value)

    def own(name):
        return modules.own(sys, name, trusted)

    def display(value):
        return json.dumps(modules.guest(os, sys, "display").forms(os, sys, value, figures, own))

    def parts(source, path, flags):
        return modules.guest(os, sys, "display").compiled(source, path, flags)

    tools = session.Tools(
        ours.job.receive, ours.job.give_input, ours.job.offer_tools, describe, own, display, parts, figures
    )
    conversation = session.Session(os, sys, tools)
    pending = [conversation]

    def instead(event, arguments):
        if event == "cpython.run_file" and pending:
            pending.pop().converse(job)

    instead.__cantrace__ = True
    sys.addaudithook(instead)


try:
    _guest()
except BaseException as problem:
    # Nothing runs half prepared.
    import os

    os.write(2, f"The Python guest failed: {problem!r}\n".encode())
    os._exit(125)

if __import__("sys").modules.get(__name__).__dict__ is globals():
    # The interpreter takes this for a module that does not exist, and forgets it.
    raise ImportError("the guest is no module of the program", name=__name__)
