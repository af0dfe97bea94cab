"""The stateful part of the Python guest: cells come one after another and run in one `__main__`.

A cell is a file, compiled and executed as the interpreter would execute it; only the namespace is kept. After
each the server is sent one record. `exit()` ends the interpreter, as it always does. A coroutine that a cell
leaves unfinished can go on in the next one: there is one event loop.
"""

import _ast
import _signal


class Session:
    """The guest's own tools are passed in, so that nothing is imported from where programs write."""

    def __init__(self, os, sys, receive, describe, own):
        self._os = os
        self._sys = sys
        self._receive = receive
        self._describe = describe
        self._own = own
        self._process = os.getpid()
        self._interrupt = _signal.default_int_handler
        self._runner = None
        self._jobs = os.dup(0)
        _give_empty_input(os)

    def converse(self, cell):
        """Stands where the interpreter would open its file; leaves by SystemExit, which ends it normally."""
        while True:
            self._answer(cell)
            cell = self._next()

    def _next(self):
        os = self._os
        environment = self._receive(os, self._jobs)
        cell = environment.pop(b"")
        os.environb.update(environment)
        return os.fsdecode(cell)

    def _answer(self, cell):
        namespace = self._sys.modules["__main__"].__dict__
        before = namespace.get("result", self)
        try:
            code, names = self._run(cell, namespace)
        except SystemExit:
            if self._os.getpid() == self._process:
                self._send(cell, "", self._value(namespace, before, ("result",)))
            raise
        if self._os.getpid() != self._process:
            raise SystemExit(code)
        self._flush()
        self._send(cell, f',"code":{code}', self._value(namespace, before, names))

    def _run(self, cell, namespace):
        """Returns the exit code a file would have had, and the names the cell uses at its top."""
        names = ()
        try:
            _signal.signal(_signal.SIGINT, self._interrupt)
            namespace["__file__"] = cell
            with open(cell, "rb") as file:
                source = file.read()
            flags = _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            code = compile(source, cell, "exec", flags=flags, dont_inherit=True)
            names = code.co_names
            coroutine = eval(code, namespace)
            if coroutine is not None:
                self._await(coroutine)
            return 0, names
        except SystemExit:
            raise
        except BaseException as problem:
            return self._report(problem, cell), names
        finally:
            # Between cells nothing is there to be interrupted; a handler of the program's own is kept.
            self._interrupt = _signal.getsignal(_signal.SIGINT) or _signal.SIG_DFL
            _signal.signal(_signal.SIGINT, _ignore)

    def _await(self, coroutine):
        if self._runner is None:
            self._runner = self._own("asyncio").Runner()
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
        return b"," + self._describe(value)[1:]

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
