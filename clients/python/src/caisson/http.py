"""Requests to the server, with the standard library alone."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any, Iterator, Mapping
from urllib.parse import urlencode, urlsplit

from .errors import Unreachable, api_error, stream_error

#: Streams are never silent for so long: the server sends a beat every few seconds.
SILENCE_SECONDS = 60

NDJSON = "application/x-ndjson"


class Http:
    def __init__(self, url: str, key: str | None) -> None:
        self._url = url.rstrip("/")
        self._key = key

    def json(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """The answer, read as JSON; None when it has no body."""
        data = None if body is None else json.dumps(body).encode()
        with self._open(method, self._address(path, query), data, headers or {}) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def events(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[Mapping[str, Any]]:
        """The objects of a stream as they come. An error in it is raised."""
        data = None if body is None else json.dumps(body).encode()
        more = {**(headers or {}), "Accept": NDJSON}
        with self._open(method, self._address(path, query), data, more) as answer:
            for line in answer:
                event = json.loads(line)
                if event.get("event") == "error":
                    raise stream_error(event)
                yield event

    def follow(self, link: Mapping[str, Any], data: bytes | None = None) -> bytes:
        """Fetches or stores by a signed link, at the address by which we know the server."""
        parts = urlsplit(link["url"])
        headers = {one["name"]: one["value"] for one in link["headers"]}
        address = f"{self._url}{parts.path}?{parts.query}"
        with self._open(link["method"], address, data, headers, key=False) as answer:
            return answer.read()

    def _address(self, path: str, query: Mapping[str, Any] | None) -> str:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        return self._url + path + (f"?{urlencode(given)}" if given else "")

    @contextmanager
    def _open(
        self,
        method: str,
        address: str,
        data: bytes | None,
        headers: Mapping[str, str],
        key: bool = True,
    ) -> Iterator[Any]:
        request = urllib.request.Request(address, data=data, method=method, headers=dict(headers))
        if key and self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        if data is not None and not request.has_header("Content-type"):
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=SILENCE_SECONDS) as answer:
                yield answer
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise api_error(refusal.code, _object(refusal.read())) from None
        except (OSError, HTTPException) as trouble:
            raise Unreachable(f"{self._url}: {trouble}") from trouble


def _object(text: bytes) -> Mapping[str, Any]:
    """What a refusal says; empty when it is not from Caisson, but from a proxy before it."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
