"""Everything that can go wrong. A program that fails is not among it: its result says so, and
`Result.check()` turns that into `RunFailed` for those who prefer an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

if TYPE_CHECKING:
    from .models import Result


class CaissonError(Exception):
    """Base of all errors of this package."""


class Unreachable(CaissonError):
    """The server cannot be reached, or the connection broke."""


class RunFailed(CaissonError):
    """The program did not succeed, and the caller asked for an exception in that case."""

    def __init__(self, result: Result) -> None:
        self.result = result
        lines = result.stderr.strip().splitlines()
        why = lines[-1] if lines else result.message or f"exit code {result.exit_code}"
        super().__init__(f"{result.status}: {why}")


class ApiError(CaissonError):
    """The server refused a request. Its sentence is the text of the exception."""

    def __init__(self, http_status: int, body: Mapping[str, Any]) -> None:
        super().__init__(body.get("message") or f"HTTP status {http_status}")
        self.http_status = http_status
        #: The reason in one word, such as `thread_busy`.
        self.reason: str = body.get("error") or "unknown"
        #: Whether the same request may succeed later.
        self.retryable: bool = bool(body.get("retryable"))
        #: Seconds to wait before the next attempt, where the server knows.
        milliseconds = body.get("retry_after_ms")
        self.retry_after: float | None = None if milliseconds is None else milliseconds / 1000
        #: The execution that the refusal is about, such as the one that uses the thread.
        self.execution_id: str | None = body.get("execution_id")
        self.details: Mapping[str, Any] = body.get("details") or {}


class Unauthorized(ApiError):
    """No key, or one that is not valid."""


class Forbidden(ApiError):
    """The key may not do this."""


class NotFound(ApiError):
    """There is no such thing, or it belongs to another key."""


class InvalidRequest(ApiError):
    """The request itself is wrong; the message names the member."""


class Conflict(ApiError):
    """Something else is in the way, such as a run in the same thread."""


class Unavailable(ApiError):
    """The server has no capacity now, or the key is over a limit."""


class ServerFault(ApiError):
    """A fault of the server; its log has the number in the message."""


_BY_STATUS = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Conflict,
    412: Conflict,
    429: Unavailable,
    503: Unavailable,
}


def api_error(http_status: int, body: Mapping[str, Any]) -> ApiError:
    kind = _BY_STATUS.get(http_status, ServerFault if http_status >= 500 else InvalidRequest)
    return kind(http_status, body)


def stream_error(body: Mapping[str, Any]) -> ApiError:
    """The error that ended a stream after its status was sent."""
    if body.get("error") == "key_revoked":
        return Unauthorized(401, body)
    return (Unavailable if body.get("retryable") else ServerFault)(200, body)
