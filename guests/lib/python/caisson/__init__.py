"""Tools of this server, for the program of a run: `import servers.github`, or `caisson.servers.github`.

    from servers import github
    issues = github.list_issues({"state": "open"})      # or list_issues(state="open")

Outside a running event loop a call blocks and returns its data; inside one it is sent at once and returns an
awaitable. `.sync(…)` and `.aio(…)` force one, `.result(…)` gives `{"ok", "data" | "error", "raw"}` and never raises.
Failures raise `ToolError`. Calls of threads and of `asyncio.gather` run side by side.
"""

from caisson import servers
from caisson.calls import Call, Module, call
from caisson.errors import ToolError

__all__ = ["Call", "Module", "ToolError", "call", "changed", "describe", "read_resource", "search", "servers"]


def search(query, **arguments):
    """Functions whose names and descriptions fit the words, as a list. `server`, `detail` and `limit` narrow it."""
    from caisson.calls import finding

    found = finding("search", {"query": query, **arguments})
    return found["tools"] if isinstance(found, dict) and "tools" in found else found


def describe(*tools, **arguments):
    """Types and descriptions of functions, such as `describe("github.list_issues")`."""
    from caisson.calls import finding

    return finding("describe", {"tools": list(tools), **arguments})


def read_resource(server, uri):
    """The contents of a resource of a server, as a list: texts have `text`, what is binary the `path` of a file."""
    from caisson.calls import reading

    return reading(server, uri)


def changed():
    """Whether the tools that can be called are others now than when this run began."""
    from caisson import wire

    return wire.connection().changed
