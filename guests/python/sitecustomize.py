"""The Python guest: waits for one job, then gets out of the way.

The interpreter is started as `python3 /run/job/main.py` with this directory on its module path, so that it
imports this file on its way up, before it opens the program. Here it waits. When the job has come, the
environment is set, and the interpreter goes on to run the program itself:
`__main__`, tracebacks, exit codes and `atexit` are Python's own, not an imitation. A job that names a cell
begins a session instead, see `session.py`.

Descriptors at the start: 0 carries the job and is at its end afterwards, 5 and 6 are the program's output
and errors, 7 leads to the server: one byte when ready, one record when the program handed over a value.
"""


def _guest():
    import os
    import sys

    os.dup2(5, 1)
    os.dup2(6, 2)
    os.close(5)
    os.close(6)
    os.set_inheritable(7, False)
    _heed_interrupts()
    _stand_aside(os, sys)
    _settle(sys)
    os.write(7, b"R")

    environment = _receive(os, 0)
    cell = environment.pop(b"", None)
    os.environb.clear()
    os.environb.update(environment)
    trusted = _heed(os, sys)

    os.chdir("/workspace")
    sys.stdout.reconfigure(line_buffering=True)

    # Nothing of the workspace is imported on the way to the program.
    sys.modules["site"].ENABLE_USER_SITE = False
    if cell is not None:
        _begin_session(os, sys, trusted, os.fsdecode(cell))
        return
    _hand_over_at_exit(os, sys, trusted)
    del sys.modules["atexit"]
    _allow_top_level_await(sys, "/run/job/main.py", trusted)


def _heed_interrupts():
    """A server that was started in the background may ignore interrupts, and what it starts inherits that."""
    import _signal

    if _signal.getsignal(_signal.SIGINT) == _signal.SIG_IGN:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def _stand_aside(os, sys):
    """The interpreter's own module of this name, if it has one, is imported in place of this one."""
    here = os.path.dirname(__file__)
    own = sys.modules.pop(__name__)
    try:
        _own(sys, __name__, [entry for entry in sys.path if entry not in (here, "/run/job")])
    except ImportError as none:
        if none.name != __name__:
            raise
        sys.modules[__name__] = own


def _settle(sys):
    """What is there before the program stays until the process ends, and the collector never looks at it again.

    To take the interpreter's own modules apart would be most of the time a short program needs to end, and
    nobody could see it done. The program's own module is a new one: what is in it is finalized as ever. Only what
    a program hangs on an object that was there before it, and no module, stays with that.
    """
    import gc

    # The job waits for neither of these.
    __import__("atexit")
    __import__("time")

    kept = gc.get_objects()
    kept.append(kept)
    gc.freeze()
    # A program that asks for these gets them; until then it does not see that we did.
    del sys.modules["atexit"], sys.modules["gc"]
    first = sys.modules["__main__"]
    sys.modules["__main__"] = main = type(sys)("__main__")
    vars(main).update(vars(first))


def _heed(os, sys):
    """What the interpreter reads from its environment only when it starts, as far as it can be made up for.

    Returns where the interpreter's own modules are.
    """
    import time

    here = os.path.dirname(__file__)
    wanted = [entry for entry in os.environ.get("PYTHONPATH", "").split(":") if entry]
    trusted = [entry for entry in sys.path if entry not in (here, "/run/job")]
    sys.path[:] = ["/workspace"] + wanted + [entry for entry in sys.path if entry != here]
    sys.path_importer_cache.pop(here, None)
    time.tzset()
    return trusted


def _own(sys, name, trusted):
    """A module of the interpreter's own, though the workspace may have one of that name."""
    path = sys.path[:]
    sys.path[:] = trusted
    try:
        __import__(name)
        return sys.modules[name]
    finally:
        sys.path[:] = path


def _receive(os, descriptor):
    """The job: `NAME=value` entries, each ended by a NUL, and an empty one to say that it is whole.

    An entry without a name is the file of a session's cell.
    """
    received = b""
    while not (received.endswith(b"\0\0") or received == b"\0"):
        part = os.read(descriptor, 65536)
        if not part:
            os._exit(125)
        received += part
    return dict(entry.split(b"=", 1) for entry in received.split(b"\0") if entry)


def _begin_session(os, sys, trusted, cell):
    session = _own(sys, "session", [os.path.dirname(__file__)])
    del sys.modules["session"]
    sys.path_importer_cache.pop(os.path.dirname(__file__), None)
    json = _json(sys, trusted)
    for name in [name for name in sys.modules if name.partition(".")[0] == "json"]:
        del sys.modules[name]

    def describe(value):
        return _record(os, json, value)

    def own(name):
        return _own(sys, name, trusted)

    conversation = session.Session(os, sys, _receive, describe, own)
    pending = [conversation]

    def instead(event, arguments):
        if event == "cpython.run_file" and pending:
            pending.pop().converse(cell)

    instead.__cantrace__ = True
    sys.addaudithook(instead)


def _hand_over_at_exit(os, sys, trusted):
    """Registered before the program's own handlers, and therefore called after them."""
    import atexit

    process = os.getpid()

    def hand_over():
        main = sys.modules.get("__main__")
        if os.getpid() == process and main is not None and hasattr(main, "result"):
            record = _record(os, _json(sys, trusted), main.result)
            while record:
                record = record[os.write(7, record):]

    atexit.register(hand_over)


def _json(sys, trusted):
    """The interpreter's own, whatever the program imported under that name."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "json"]:
        del sys.modules[name]
    return _own(sys, "json", trusted)


def _record(os, json, value):
    def line(members):
        return json.dumps(members).encode() + b"\n"

    try:
        text = json.dumps(value, allow_nan=False)
    except BaseException as problem:
        return line({"unfit": _said(problem)})
    if len(text) <= 65536:
        return b'{"value":' + text.encode() + b"}\n"
    try:
        return line({"bytes": len(text), "file": _spill(os, text)})
    except OSError as problem:
        return line({"unfit": f"{len(text)} bytes are too many to carry, and no file could be written: {problem}"})


def _said(problem):
    try:
        return f"{type(problem).__name__}: {problem}"[:500]
    except BaseException:
        return f"{type(problem).__name__}, which cannot be shown"


def _spill(os, text):
    """Writes to the first free name; a program's own file is never touched."""
    for number in range(1000):
        path = f"/workspace/result{'-' + str(number) if number else ''}.json"
        try:
            with open(path, "x", encoding="utf-8") as file:
                file.write(text)
            return path
        except FileExistsError:
            continue
    raise OSError("every name is taken")


def _allow_top_level_await(sys, path, trusted):
    """Only a program that is no valid file, and would be one with `await` at its top, is treated apart."""
    import io

    try:
        with io.open_code(path) as file:
            source = file.read()
        if b"await" not in source and b"async" not in source:
            return
        compile(source, path, "exec", dont_inherit=True)
    except SyntaxError:
        _run_awaiting(sys, path, source, trusted)
    except Exception:
        return


def _run_awaiting(sys, path, source, trusted):
    ast = _own(sys, "ast", trusted)
    for name in ("asyncio", "importlib.machinery", "inspect"):
        _own(sys, name, trusted)

    try:
        code = compile(source, path, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except Exception:
        return
    pending = [code]

    def instead(event, arguments):
        if event == "cpython.run_file" and pending:
            _await_main(sys, path, pending.pop())

    sys.addaudithook(instead)


def _await_main(sys, path, code):
    """Stands where the interpreter would open the file; leaves by SystemExit, which ends it normally."""
    import asyncio
    import importlib.machinery
    import inspect

    namespace = sys.modules["__main__"].__dict__
    namespace["__file__"] = path
    namespace["__cached__"] = None
    namespace["__loader__"] = importlib.machinery.SourceFileLoader("__main__", path)

    async def main():
        outcome = eval(code, namespace)
        if inspect.iscoroutine(outcome):
            await outcome

    try:
        asyncio.run(main())
    except SystemExit:
        raise
    except BaseException as problem:
        trace = problem.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != path:
            trace = trace.tb_next
        sys.excepthook(type(problem), problem.with_traceback(trace), trace)
        raise SystemExit(130 if isinstance(problem, KeyboardInterrupt) else 1) from None
    raise SystemExit(0)


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
