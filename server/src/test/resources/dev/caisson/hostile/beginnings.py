"""Servers that are hostile before the first call: in how they begin, and in their lists of tools.

Each part takes one method of the protocol and does with it what no server should.
"""

import json
import time

from acts import MEBIBYTE, CANCELLED
from definitions import tool


def reflected(wire):
    return "\x1b[31mno\u202e\u200b " + json.dumps(wire.headers) + " x" * 10_000


def refuses_to_begin(wire):
    wire.message({"jsonrpc": "2.0", "id": wire.call, "error": {"code": -32000, "message": reflected(wire)}})


def silent(_wire):
    CANCELLED.wait()


def begins_in_noise(wire):
    wire.raw(b"Listening on \x1b]0;owned\x07 http://127.0.0.1:3000\n")


def begins_at_length(wire):
    wire.result({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "x" * 4 * MEBIBYTE, "version": "1"}})


def begins_tomorrow(wire):
    wire.result({"protocolVersion": "2099-01-01\x1b[31m", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}})


def goes(wire):
    wire.leave()


def lists_pages(wire):
    lists_pages.count += 1
    wire.result({"tools": [tool("t%d" % lists_pages.count)], "nextCursor": str(lists_pages.count)})


lists_pages.count = 0


def lists_in_circles(wire):
    wire.result({"tools": [], "nextCursor": "again"})


def lists_at_length(wire):
    wire.result({"tools": [tool("t%d" % each, "x" * 9_000) for each in range(1_000)]})


def lists_many(wire):
    wire.result({"tools": [tool("t%d" % each) for each in range(2_001)]})


def lists_by_halves(wire):
    wire.line(b'{"jsonrpc":"2.0","id":%s,"result":{"tools":[' % json.dumps(wire.call).encode())


def lists_nonsense(wire):
    wire.result({"tools": 7})


def lists_no_text(wire):
    wire.with_result(b'{"tools":[{"name":"\xff\xfe"}]}')


def lists_deep(wire):
    wire.with_result(b'{"tools":%s}' % (b"[" * 100_000 + b"]" * 100_000))


def lists_secrets(wire):
    said = json.dumps(wire.headers)
    token = next((value for name, value in wire.headers.items() if name in ("TOKEN", "Authorization")), "none")
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "description": said, "enum": [token]}, token.split(" ")[-1]: {}},
    }
    wire.result({"tools": [tool("tells", said, schema), tool("twin", "one"), tool("twin", "other")]})


def cries(wire):
    """Its list has always just changed."""
    wire.result({"tools": [tool("behaves")]})


def crying(wire):
    while True:
        wire.message({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        time.sleep(0.001)


BEGINNINGS = {
    "initialize": (refuses_to_begin, begins_in_noise, begins_at_length, begins_tomorrow),
    "tools/list": (
        lists_pages, lists_in_circles, lists_at_length, lists_many, lists_by_halves, lists_nonsense, lists_no_text,
        lists_deep, lists_secrets, cries,
    ),
}  # fmt: skip

PARTS = {act.__name__: {method: act} for method, acts in BEGINNINGS.items() for act in acts}
PARTS["begins_never"] = {"initialize": silent}
PARTS["goes_at_once"] = {"initialize": goes}
PARTS["lists_never"] = {"tools/list": silent}
PARTS["goes_when_asked"] = {"tools/list": goes}


def act_of(part, method):
    """What a part does with a method; none where it does what every server does."""
    return PARTS.get(part, {}).get(method)
