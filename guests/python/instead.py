"""Programs that are run in place of the interpreter's own way: with `await` at the top, or to display a value.

Both are compiled here and executed at the moment at which the interpreter would open the file.
"""


class Runner:
    """Where the guest's own modules come from, which are passed in."""

    def __init__(self, os, sys, own):
        self._os = os
        self._sys = sys
        self._own = own
        self.takes_over = False

    def allow_top_level_await(self, path):
        """Only a program that is no valid file, and would be one with `await` at its top, is treated apart."""
        try:
            source = self._read(path)
            if b"await" not in source and b"async" not in source:
                return
            compile(source, path, "exec", dont_inherit=True)
        except SyntaxError:
            self._run_awaiting(path, source)
        except Exception:
            return

    def _read(self, path):
        """With fewer objects than a file of Python's is made of."""
        file = self._os.open(path, self._os.O_RDONLY | self._os.O_CLOEXEC)
        parts = []
        try:
            while part := self._os.read(file, 65536):
                parts.append(part)
        finally:
            self._os.close(file)
        return b"".join(parts)

    def _run_awaiting(self, path, source):
        ast = self._own("ast")
        for name in ("asyncio", "importlib.machinery", "inspect"):
            self._own(name)
        try:
            code = compile(source, path, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        except Exception:
            return
        self._when_opened(lambda: self._run(path, code))

    def run_displaying(self, path, display, keep):
        """The value of its last expression, if it ends with one, is given to `keep`."""
        for name in ("_ast", "asyncio", "importlib.machinery", "inspect", "json"):
            self._own(name)
        source = self._read(path)
        try:
            code = display.compiled(source, path, self._sys.modules["_ast"].PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except Exception:
            # The interpreter says what is wrong with it.
            return
        self._when_opened(lambda: self._run(path, code, lambda namespace: display.take(namespace, keep)))

    def _when_opened(self, run):
        pending = [run]
        self.takes_over = True

        def instead(event, arguments):
            if event == "cpython.run_file" and pending:
                pending.pop()()

        self._sys.addaudithook(instead)

    def _run(self, path, code, after=None):
        """Stands where the interpreter would open the file; leaves by SystemExit, which ends it normally."""
        import asyncio
        import importlib.machinery
        import inspect

        sys = self._sys
        namespace = sys.modules["__main__"].__dict__
        namespace["__file__"] = path
        namespace["__cached__"] = None
        namespace["__loader__"] = importlib.machinery.SourceFileLoader("__main__", path)

        async def main(outcome):
            await outcome

        try:
            outcome = eval(code, namespace)
            if inspect.iscoroutine(outcome):
                asyncio.run(main(outcome))
            if after is not None:
                after(namespace)
        except SystemExit:
            raise
        except BaseException as problem:
            trace = problem.__traceback__
            while trace is not None and trace.tb_frame.f_code.co_filename != path:
                trace = trace.tb_next
            sys.excepthook(type(problem), problem.with_traceback(trace), trace)
            raise SystemExit(130 if isinstance(problem, KeyboardInterrupt) else 1) from None
        raise SystemExit(0)
