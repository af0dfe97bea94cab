"""The client: runs programs, at once, streamed or in the background, and keeps their files."""

from __future__ import annotations

import os
import re
import time
from typing import Any, Iterator, Mapping

from .errors import CaissonError
from .files import Files
from .http import Http
from .models import Event, Finished, Result, event

LOCAL = "http://127.0.0.1:8080"
POLL_SECONDS_MAX = 2.0
_PLAIN = re.compile("[A-Za-z0-9_-]+")


class Caisson:
    """A server, by its address and a key.

    Both default to the variables `CAISSON_URL` and `CAISSON_KEY`.
    """

    def __init__(self, url: str | None = None, key: str | None = None) -> None:
        self._http = Http(
            url or os.environ.get("CAISSON_URL") or LOCAL, key or os.environ.get("CAISSON_KEY")
        )

    def run(self, code: str, language: str = "python", **options: Any) -> Result:
        """Runs a program and returns how it ended; a failure is a result, too.

        Options are members of the request, such as `timeout` (seconds), `thread_id`, `env_vars`,
        `secret_env_vars`, `volumes`, `stdin`, `files`, `environment`, `metadata` or `wait_seconds`. With `idempotency_key` the same
        request runs once, however often it is sent.
        """
        for one in self.stream(code, language, **options):
            if isinstance(one, Finished):
                return one.result
        raise CaissonError("the server ended the stream without a result")

    def stream(self, code: str, language: str = "python", **options: Any) -> Iterator[Event]:
        """Runs a program and yields what happens, as it happens; `Finished` comes last.

        To stop reading ends the program.
        """
        headers = _headers(options)
        body = {"code": code, "language": language, **options}
        for raw in self._http.events("POST", "/v1/sandbox/execute", body, headers=headers):
            one = event(raw)
            if one is not None:
                yield one

    def start(self, code: str, language: str = "python", **options: Any) -> Execution:
        """Starts a program in the background, where it goes on without this client."""
        headers = {**_headers(options), "Prefer": "respond-async"}
        body = {"code": code, "language": language, **options}
        accepted = self._http.json("POST", "/v1/sandbox/execute", body, headers=headers)
        return Execution(self._http, accepted["execution_id"])

    def execution(self, id: str) -> Execution:
        """An execution that was started before, by whichever client of the same key."""
        return Execution(self._http, id)

    def executions(self, **filters: Any) -> Iterator[Mapping[str, Any]]:
        """Executions of this key, the newest first; `status`, `language`, `thread_id`, `q`."""
        return self._pages("/v1/executions", "executions", filters)

    def thread(self, id: str) -> Thread:
        """A workspace whose files stay from run to run; it is made by its first use."""
        return Thread(self, id)

    def threads(self) -> Iterator[Thread]:
        return (Thread(self, one["id"]) for one in self._pages("/v1/threads", "threads", {}))

    def sessions(self) -> list[Mapping[str, Any]]:
        """The live interpreters of this key: thread, language, memory, whether one is busy."""
        return self._http.json("GET", "/v1/sessions")["sessions"]

    def volume(self, name: str) -> Files:
        """The files of a volume that this key may use."""
        return Files(self._http, "volume", name)

    def runners(self) -> Mapping[str, Any]:
        """The languages, with their versions, and the limits of runs."""
        return self._http.json("GET", "/v1/runners")

    def whoami(self) -> Mapping[str, Any]:
        """Which key this is, and what it may do."""
        return self._http.json("GET", "/v1/whoami")

    def _pages(self, path: str, member: str, query: Mapping[str, Any]) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            page = self._http.json("GET", path, query={**query, "cursor": cursor})
            yield from page[member]
            cursor = page["next_cursor"]
            if cursor is None:
                return


class Execution:
    """A run in the background."""

    def __init__(self, http: Http, id: str) -> None:
        self._http = http
        self.id = id

    def result(self) -> Result:
        """How it is now; its status is `running` until it has ended."""
        return Result.of(self._http.json("GET", f"/v1/executions/{self.id}"))

    def wait(self, timeout: float | None = None) -> Result:
        """Waits for its end.

        Raises `TimeoutError` when that takes longer than `timeout` seconds; the program goes on.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = 0.05
        while True:
            result = self.result()
            if not result.running:
                return result
            left = pause if deadline is None else deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"execution {self.id} is still running after {timeout} s")
            time.sleep(min(pause, left))
            pause = min(pause * 2, POLL_SECONDS_MAX)

    def output(self, stdout_offset: int = 0, stderr_offset: int = 0) -> Iterator[Event]:
        """What it writes, from the start or from the offsets given, until it has ended."""
        query = {"stdout_offset": stdout_offset, "stderr_offset": stderr_offset}
        for raw in self._http.events("GET", f"/v1/executions/{self.id}/output", query=query):
            one = event(raw)
            if one is not None:
                yield one

    def cancel(self) -> None:
        """Ends the program."""
        self._http.json("DELETE", f"/v1/executions/{self.id}")


class Thread:
    """A workspace with its files."""

    def __init__(self, client: Caisson, id: str) -> None:
        self._client = client
        self.id = id
        self.files = Files(client._http, "thread", id)

    def run(self, code: str, language: str = "python", **options: Any) -> Result:
        return self._client.run(code, language, thread_id=self.id, **options)

    def stream(self, code: str, language: str = "python", **options: Any) -> Iterator[Event]:
        return self._client.stream(code, language, thread_id=self.id, **options)

    def start(self, code: str, language: str = "python", **options: Any) -> Execution:
        return self._client.start(code, language, thread_id=self.id, **options)

    def session(self, language: str = "python") -> Session:
        """An interpreter of this thread that keeps its variables from run to run."""
        return Session(self, language)

    def delete(self) -> None:
        """Deletes the thread with all its files."""
        self._client._http.json("DELETE", f"/v1/threads/{self._key()}")

    def _key(self) -> str:
        """What stands for the thread in a path: its id, or its key where the id cannot stand there."""
        if _PLAIN.fullmatch(self.id):
            return self.id
        threads = self._client._pages("/v1/threads", "threads", {})
        return next((one["key"] for one in threads if one["id"] == self.id), "none")


class Session:
    """A live interpreter: variables, imports and background processes stay between runs."""

    def __init__(self, thread: Thread, language: str) -> None:
        self.thread = thread
        self.language = language

    def run(self, code: str, **options: Any) -> Result:
        return self.thread.run(code, self.language, session=True, **options)

    def stream(self, code: str, **options: Any) -> Iterator[Event]:
        return self.thread.stream(code, self.language, session=True, **options)

    def restart(self, code: str, **options: Any) -> Result:
        """Ends the interpreter, and runs a program in a new one."""
        return self.run(code, session_reset=True, **options)

    def end(self) -> None:
        """Ends the interpreter; the files of its thread stay."""
        for one in self.thread._client.sessions():
            if one["thread_id"] == self.thread.id and one["language"] == self.language:
                self.thread._client._http.json("DELETE", f"/v1/sessions/{one['id']}")


def _headers(options: dict[str, Any]) -> dict[str, str]:
    """Takes what is no member of the body out of the options."""
    key = options.pop("idempotency_key", None)
    return {} if key is None else {"Idempotency-Key": key}
