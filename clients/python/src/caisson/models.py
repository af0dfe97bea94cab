"""What the server answers, as immutable values. `raw` has every member as the server sent it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Union

from .errors import RunFailed


@dataclass(frozen=True)
class File:
    path: str
    size: int
    media_type: str | None
    #: Fetches the file without a key for a while; only in results of runs in a thread.
    url: str | None = None

    @staticmethod
    def of(raw: Mapping[str, Any]) -> File:
        return File(raw["path"], raw["size"], raw.get("media_type"), raw.get("url"))


@dataclass(frozen=True)
class Result:
    """How a run ended, or how it is going."""

    execution_id: str
    #: `running`, `success`, `failed`, `timeout`, `oom`, `cancelled` or `blocked`.
    status: str
    exit_code: int | None
    stdout: str
    stderr: str
    #: The server's own words about the end, such as the limit that was reached.
    message: str | None
    #: The value of the program's global `result`.
    data: Any
    files: tuple[File, ...]
    duration_ms: int | None
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def ok(self) -> bool:
        return self.status == "success"

    @property
    def running(self) -> bool:
        return self.status == "running"

    def check(self) -> Result:
        """Returns the result itself, or raises `RunFailed`."""
        if not self.ok:
            raise RunFailed(self)
        return self

    @staticmethod
    def of(raw: Mapping[str, Any]) -> Result:
        return Result(
            execution_id=raw["execution_id"],
            status=raw["status"],
            exit_code=raw.get("exit_code"),
            stdout=raw.get("stdout") or "",
            stderr=raw.get("stderr") or "",
            message=raw.get("message") or raw.get("error"),
            data=(raw.get("result") or {}).get("data"),
            files=tuple(File.of(one) for one in raw.get("files") or ()),
            duration_ms=raw.get("duration_ms"),
            raw=raw,
        )


@dataclass(frozen=True)
class Started:
    execution_id: str
    language: str


@dataclass(frozen=True)
class Output:
    #: `stdout` or `stderr`.
    stream: str
    text: str
    #: Where its bytes begin in the stream, and where the next ones will.
    offset: int
    next_offset: int


@dataclass(frozen=True)
class FileEvent:
    """A file that the run created or changed."""

    file: File


@dataclass(frozen=True)
class Finished:
    result: Result


Event = Union[Started, Output, FileEvent, Finished]


def event(raw: Mapping[str, Any]) -> Event | None:
    """The event of one line of a stream; None for those without news, and for unknown ones."""
    kind = raw.get("event")
    if kind == "started":
        return Started(raw["execution_id"], raw["language"])
    if kind in ("stdout", "stderr"):
        return Output(kind, raw["text"], raw["offset"], raw["next_offset"])
    if kind == "file":
        return FileEvent(File.of(raw))
    if kind == "result":
        return Finished(Result.of(raw["result"]))
    return None
