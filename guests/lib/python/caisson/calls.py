"""Calls of tools as functions: blocking, or awaitable inside a running event loop."""

import asyncio
import base64
import os
import sys
import threading

from caisson import wire
from caisson.errors import ToolError

_FILES = "/tmp/tools"


class Call:
    """A function that calls one tool."""

    def __init__(self, server, tool, name, definition="", doc=""):
        self._server = server
        self._tool = tool
        self._definition = definition
        self.__name__ = self.__qualname__ = name
        self.__doc__ = doc or None
        self.__module__ = f"servers.{server}"

    def __call__(self, arguments=None, /, **named):
        request = self._request(arguments, named)
        return _Sent(request) if _loop_runs() else _data(_wait(request))

    def sync(self, arguments=None, /, **named):
        """Blocks and returns the data, also inside a running event loop."""
        return _data(_wait(self._request(arguments, named)))

    def aio(self, arguments=None, /, **named):
        """Returns an awaitable."""
        return _Sent(self._request(arguments, named))

    def result(self, arguments=None, /, **named):
        """`{"ok": True, "data", "raw"}` or `{"ok": False, "error", "raw"?}`; awaitable inside a running event loop."""
        request = {**self._request(arguments, named), "raw": True}
        return _result_later(request) if _loop_runs() else _result(lambda: _wait(request))

    def _request(self, arguments, named):
        if arguments is not None and not isinstance(arguments, dict):
            raise TypeError(f"{self.__name__}() takes a dict, or keywords, not {type(arguments).__name__}")
        given = {**(arguments or {}), **{_plain(name): value for name, value in named.items()}}
        request = {"call": f"{self._server}/{self._tool}", "arguments": given, "at": _place()}
        if self._definition:
            request["definition"] = self._definition
        return request

    def __repr__(self):
        return f"<tool {self._server}.{self.__name__}>"


class Module:
    """The functions of one server, found by their names: a server without files is reached so."""

    def __init__(self, server):
        self._server = server

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Call(self._server, name, name)

    def __repr__(self):
        return f"<tools of {self._server}>"


def call(tool, arguments=None, /, **named):
    """Calls a tool by its name: `call("github.list_issues", {"state": "open"})`."""
    server, _, name = tool.replace("/", ".", 1).partition(".")
    return Call(server, name, name)(arguments, **named)


def finding(what, arguments):
    return _answer({what: arguments})


def reading(server, uri):
    return _answer({"read": {"server": server, "uri": uri}, "at": _place()})


def _answer(request):
    return _Sent(request) if _loop_runs() else _data(_wait(request))


def _plain(name):
    """`from_` is how a keyword of the language is given as an argument."""
    import keyword

    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def _place():
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "caisson":
        frame = frame.f_back
    if frame is None:
        return None
    return {"file": frame.f_code.co_filename, "line": frame.f_lineno}


def _loop_runs():
    return asyncio._get_running_loop() is not None


def _wait(request):
    """Blocks until there is an answer. An interrupt ends the call."""
    done = threading.Event()
    answers = []

    def ended(answer, error):
        answers.append((answer, error))
        done.set()

    connection = wire.connection()
    number = connection.begin(request, ended)
    try:
        done.wait()
    except BaseException:
        connection.cancel(number)
        raise
    answer, error = answers[0]
    if error is not None:
        raise error
    return answer


class _Sent:
    """A call that was sent. It must be awaited."""

    __slots__ = ("_connection", "_future", "_name", "_number")

    def __init__(self, request, whole=False):
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def ended(answer, error):
            try:
                loop.call_soon_threadsafe(settle, answer, error)
            except RuntimeError:
                pass

        def settle(answer, error):
            if future.done():
                return
            if error is not None:
                future.set_exception(error)
                return
            try:
                future.set_result(answer if whole else _data(answer))
            except ToolError as failure:
                future.set_exception(failure)

        self._name = request.get("call", "the call")
        self._future = future
        connection = wire.connection()
        number = connection.begin(request, ended)
        future.add_done_callback(lambda done: connection.cancel(number) if done.cancelled() else None)

    def __await__(self):
        return self._future.__await__()

    def __repr__(self):
        return f"<{self._name}, which was sent and must be awaited>"

    def __getattr__(self, name):
        # What event loops ask of futures.
        if name in ("add_done_callback", "cancel", "cancelled", "done", "exception", "get_loop", "remove_done_callback"):
            return getattr(self._future, name)
        if name in ("result", "_asyncio_future_blocking"):
            raise AttributeError(name)
        raise TypeError(f"{self._name} was not awaited: write await before it")

    def _unawaited(self, *arguments):
        raise TypeError(f"{self._name} was not awaited: write await before it")

    __getitem__ = __iter__ = __len__ = __contains__ = __bool__ = __int__ = __float__ = __add__ = _unawaited


async def _result_later(request):
    try:
        answer = await _Sent(request, whole=True)
    except ToolError as failure:
        return {"ok": False, "error": failure.as_dict()}
    return _result(lambda: answer)


def _result(get):
    try:
        answer = get()
        if answer["ok"]:
            return {"ok": True, "data": _data(answer), "raw": answer.get("raw")}
    except ToolError as failure:
        return {"ok": False, "error": failure.as_dict()}
    failed = {"ok": False, "error": answer["error"]}
    if "raw" in answer:
        failed["raw"] = answer["raw"]
    return failed


def _data(answer):
    if not answer["ok"]:
        raise ToolError.of(answer["error"])
    for file in answer.get("files", ()):
        _write(file)
    for warning in answer.get("warnings", ()):
        import warnings

        warnings.warn(warning, stacklevel=4)
    return answer["data"]


def _write(file):
    """What is no text becomes a file; the data says where."""
    os.makedirs(_FILES, exist_ok=True)
    with open(file["path"], "wb") as out:
        out.write(base64.b64decode(file["data"]))
