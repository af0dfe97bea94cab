"""Files of a thread or a volume."""

from __future__ import annotations

from pathlib import Path
from typing import Iterator

from .http import Http
from .models import File


class Files:
    def __init__(self, http: Http, source: str, id: str) -> None:
        self._http = http
        self._place = {"source": source, "id": id}

    def list(self, path: str = "", recursive: bool = True) -> Iterator[File]:
        """All files, or those below a directory; fetched page by page."""
        body = {**self._place, "recursive": recursive}
        if path:
            body["path"] = path
        while True:
            page = self._http.json("POST", "/v1/files/list", body)
            yield from (File.of(one) for one in page["files"] if not one["is_directory"])
            if page["next_cursor"] is None:
                return
            body["cursor"] = page["next_cursor"]

    def read(self, path: str) -> bytes:
        link = self._http.json("POST", "/v1/files/download", {**self._place, "path": path})
        return self._http.follow(link)

    def read_text(self, path: str) -> str:
        return self.read(path).decode()

    def write(self, path: str, content: bytes | str | Path) -> None:
        """Stores a file: bytes, text, or the content of a local file."""
        if isinstance(content, Path):
            content = content.read_bytes()
        data = content.encode() if isinstance(content, str) else content
        link = self._http.json("POST", "/v1/files/upload", {**self._place, "path": path})
        self._http.follow(link, data)

    def delete(self, path: str, recursive: bool = False) -> None:
        body = {**self._place, "path": path, "recursive": recursive}
        self._http.json("POST", "/v1/files/delete", body)
