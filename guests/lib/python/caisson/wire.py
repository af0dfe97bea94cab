"""The connection to the server: frames of four bytes that say how long they are, and one JSON object each.

One thread reads it. Whoever calls writes its own frame and waits for the answer with its number. A process that was
forked has a connection of its own; so has a later cell of a session.
"""

import json
import os
import socket
import struct
import threading

from caisson.errors import ToolError

FRAME_MAX = 1 << 20

_CONNECT_SECONDS = 10


class Pending:
    """A call that was sent: `ended` is told once, with the answer or with a `ToolError`."""

    __slots__ = ("ended", "number")

    def __init__(self, number, ended):
        self.number = number
        self.ended = ended


class Connection:
    def __init__(self, channel):
        self._channel = channel
        self._writing = threading.Lock()
        self._lock = threading.Lock()
        self._pending = {}
        self._last = 0
        self._closed = None
        self._greeted = threading.Event()
        self._changed = False
        self.process = os.getpid()
        self._send({"hello": 1, "language": "python"})
        threading.Thread(target=self._read, name="caisson", daemon=True).start()

    @property
    def usable(self):
        return self._closed is None and self.process == os.getpid()

    @property
    def changed(self):
        """Known once the server has said who it is."""
        self._greeted.wait(_CONNECT_SECONDS)
        return self._changed

    def begin(self, request, ended):
        """Sends a request; `ended(answer, error)` is called once, on any thread."""
        with self._lock:
            if self._closed is not None:
                raise self._closed
            self._last += 1
            number = self._last
            self._pending[number] = ended
        try:
            self._send({"id": number, **request})
        except BaseException:
            with self._lock:
                self._pending.pop(number, None)
            raise
        return number

    def cancel(self, number):
        try:
            self._send({"cancel": number})
        except (OSError, ToolError):
            pass

    def _send(self, frame):
        try:
            text = json.dumps(frame, allow_nan=False, separators=(",", ":")).encode()
        except (TypeError, ValueError) as problem:
            raise ToolError("InvalidArguments", f"The arguments are no JSON: {problem}") from None
        if len(text) > FRAME_MAX:
            raise ToolError(
                "TooLarge", f"The arguments take {len(text)} bytes; at most {FRAME_MAX} fit."
            )
        try:
            with self._writing:
                self._channel.sendall(struct.pack(">I", len(text)) + text)
        except OSError as problem:
            raise self._over(problem) from None

    def _read(self):
        try:
            incoming = self._channel.makefile("rb", buffering=1 << 16)
            while True:
                head = incoming.read(4)
                if len(head) < 4:
                    break
                length = struct.unpack(">I", head)[0]
                body = incoming.read(length)
                if len(body) < length:
                    break
                self._take(json.loads(body))
            self._over(None)
        except (OSError, ValueError) as problem:
            self._over(problem)

    def _take(self, frame):
        if "ok" not in frame:
            self._changed = self._changed or frame.get("changed") is True
            if "hello" in frame:
                self._greeted.set()
            return
        with self._lock:
            ended = self._pending.pop(frame.get("id"), None)
        if ended is not None:
            ended(frame, None)

    def _over(self, problem):
        """Whoever still waits hears that nobody answers any more."""
        error = ToolError("DoorClosed", "The way to the tools of this run is closed.")
        with self._lock:
            if self._closed is None:
                self._closed = error
            waiting = list(self._pending.values())
            self._pending.clear()
        try:
            self._channel.close()
        except OSError:
            pass
        for ended in waiting:
            ended(None, ToolError("DoorClosed", error.message))
        return self._closed


_opening = threading.Lock()
_current = None


def _renew_after_fork():
    global _current, _opening
    _opening = threading.Lock()
    _current = None


os.register_at_fork(after_in_child=_renew_after_fork)


def connection():
    """The connection of this process, made when it is first needed and again when it was closed."""
    global _current
    current = _current
    if current is not None and current.usable:
        return current
    with _opening:
        if _current is None or not _current.usable:
            _current = _connect()
        return _current


def _connect():
    address = os.environ.get("CAISSON_DOOR")
    if not address:
        raise ToolError("DoorClosed", "This run has no tools: see the argument tools of the call.")
    host, _, port = address.rpartition(":")
    try:
        channel = socket.create_connection((host, int(port)), timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as problem:
        raise ToolError("DoorClosed", f"Nobody listens to this run: {problem}") from None
    channel.settimeout(None)
    channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Connection(channel)
