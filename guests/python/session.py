"""The stateful part of the Python guest: cells come one after another and run in one `__main__`.

A cell is a file, compiled and executed as the interpreter would execute it; only the namespace is kept. After
each the server is sent one record. `exit()` ends the interpreter, as it always does. A coroutine that a cell
leaves unfinished can go on in the next one: there is one event loop.
"""

import _ast
import _signal


class Tools:
    """The guest's own tools are passed in, so that nothing is imported from where programs write."""

    def __init__(self, receive, give_input, offer_tools, describe, own, display, compiled, figures):
        self.receive = receive
        self.give_input = give_input
        self.offer_tools = offer_tools
        self.describe = describe
        self.own = own
        self.display = display
        self.compiled = compiled
        self.figures = figures


class Session:
    def __init__(self, os, sys, tools):
        self._os = os
        self._sys = sys
        self._tools = tools
        self._has_input = False
        self._process = os.getpid()
        self._interrupt = _signal.default_int_handler
        self._runner = None
        self._jobs = os.dup(0)
        _give_empty_input(os)

    def converse(self, job):
        """Stands where the interpreter would open its file; leaves by SystemExit, which ends it normally."""
        while True:
            self._take_input(job.input)
            self._answer(job.cell, job.display)
            job = self._next()

    def _next(self):
        environment, job = self._tools.receive(self._os, self._jobs)
        self._os.environb.update(environment)
        self._tools.offer_tools(self._os, self._sys)
        return job

    def _take_input(self, path):
        """A cell without an input has an empty one, whatever the one before it left unread."""
        if path is None and not self._has_input:
            return
        if path is None:
            _give_empty_input(self._os)
        else:
            self._tools.give_input(self._os, path)
        self._has_input = path is not None
        self._sys.stdin = open(0, closefd=False)

    def _answer(self, cell, display):
        namespace = self._sys.modules["__main__"].__dict__
        before = namespace.get("result", self)
        shown = []
        try:
            code, names = self._run(cell, namespace, shown if display else None)
        except SystemExit:
            if self._os.getpid() == self._process:
                self._flush_figures()
                self._send(cell, "", self._value(namespace, before, ("result",)))
            raise
        if self._os.getpid() != self._process:
            raise SystemExit(code)
        self._flush_figures()
        self._flush()
        forms = f',"display":{shown[0]}' if shown else ""
        self._send(cell, f',"code":{code}{forms}', self._value(namespace, before, names))

    def _flush_figures(self):
        if self._tools.figures:
            self._tools.figures[0].flush()

    def _run(self, cell, namespace, shown):
        """Returns the exit code a file would have had, and the names the cell uses at its top.

        The last expression, if it is asked for, is added to `shown`.
        """
        names = ()
        try:
            _signal.signal(_signal.SIGINT, self._interrupt)
            namespace["__file__"] = cell
            with open(cell, "rb") as file:
                source = file.read()
            flags = _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            if shown is None:
                code = compile(source, cell, "exec", flags=flags, dont_inherit=True)
            else:
                code = self._tools.compiled(source, cell, flags)
            names = code.co_names
            coroutine = eval(code, namespace)
            if coroutine is not None:
                self._await(coroutine)
            if shown is not None:
                self._show(namespace, shown)
            return 0, names
        except SystemExit:
            raise
        except BaseException as problem:
            return self._report(problem, cell), names
        finally:
            # Between cells nothing is there to be interrupted; a handler of the program's own is kept.
            self._interrupt = _signal.getsignal(_signal.SIGINT) or _signal.SIG_DFL
            _signal.signal(_signal.SIGINT, _ignore)

    def _show(self, namespace, shown):
        value = namespace.pop("__caisson_last__", None)
        if value is not None:
            namespace["_"] = value
            shown.append(self._tools.display(value))

    def _await(self, coroutine):
        if self._runner is None:
            self._runner = self._tools.own("asyncio").Runner()
        self._runner.run(coroutine)

    def _report(self, problem, cell):
        trace = problem.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != cell:
            trace = trace.tb_next
        if trace is None:
            # Raised by the event loop, not by the cell: how it came to it is no news.
            problem.__suppress_context__ = True
        self._sys.excepthook(type(problem), problem.with_traceback(trace), trace)
        return 130 if isinstance(problem, KeyboardInterrupt) else 1

    def _flush(self):
        for stream in (self._sys.stdout, self._sys.stderr):
            try:
                stream.flush()
            except Exception:
                # What a program put in the place of a stream is its own affair.
                continue

    def _value(self, namespace, before, names):
        """The value of `result` is handed over by a cell that names it or has changed it."""
        if "result" not in namespace:
            return b"}\n"
        value = namespace["result"]
        if value is before and "result" not in names:
            return b"}\n"
        return b"," + self._tools.describe(value)[1:]

    def _send(self, cell, code, rest):
        record = f'{{"cell":"{cell}"{code}'.encode() + rest
        while record:
            record = record[self._os.write(7, record):]


def _ignore(signal, frame):
    pass


def _give_empty_input(os):
    reading, writing = os.pipe()
    os.close(writing)
    os.dup2(reading, 0)
    os.close(reading)
