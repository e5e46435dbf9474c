"""A page on this machine that follows a run: the report of what is there, again and again."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from evo.checks import must, whole
from experiments.report import render_page
from experiments.report.story import read_story

__all__ = ["LivePage"]

HOST = "127.0.0.1"
FOLLOWED = ("log.csv", "hall_of_fame.json")
LAST_LOOK = 4.0
"""Seconds that an ended run waits for a page that follows it to fetch the end."""

_log = logging.getLogger(__name__)


class LivePage:
    """Serves the page of one run to this machine alone.

    Parameters
    ----------
    port : int
        0: any free one.

    Raises
    ------
    ValueError
        If the port is not one, or is taken.
    """

    def __init__(self, port: int = 0) -> None:
        port = whole("port", port, 0, 65535)
        try:
            self._server = ThreadingHTTPServer((HOST, port), self._handler())
        except OSError as error:
            raise must("port", f"be free ({error.strerror})", port) from error
        self._server.daemon_threads = True
        self._path: Path | None = None
        self._lock = threading.Lock()
        self._page = (b"", "")  # the page, and the version that it shows
        self._asked = 0.0  # when a page last asked how the run goes
        self._done = False
        self._end_seen = threading.Event()

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self._server.server_address[1]}/"

    @contextmanager
    def follow(self, run: Path) -> Iterator[None]:
        """Serve the page of a run directory while the block runs."""
        self._path = run
        thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
        thread.start()
        try:
            yield
            self._done = True
            if time.monotonic() - self._asked < LAST_LOOK:
                self._end_seen.wait(LAST_LOOK)
                time.sleep(0.2)  # for the answer to leave
        finally:
            self._server.shutdown()
            thread.join()
            self.close()

    def close(self) -> None:
        """Give the port back."""
        self._server.server_close()

    def _version(self) -> str:
        """Return a text that changes with the files of the run."""
        marks = []
        for name in FOLLOWED:
            try:
                stat = (self._path / name).stat() if self._path else None
            except OSError:
                stat = None
            marks.append(f"{stat.st_mtime_ns}-{stat.st_size}" if stat else "0")
        return " ".join(marks)

    def _state(self) -> bytes:
        self._asked = time.monotonic()
        done, version = self._done, self._version()
        if done and self._page[1] == version:
            self._end_seen.set()
        return json.dumps({"version": version, "done": done}).encode()

    def _html(self) -> bytes:
        with self._lock:
            version = self._version()
            if self._path is not None and (not self._page[0] or self._page[1] != version):
                try:
                    page = render_page(read_story(self._path), live=True).encode()
                except (ValueError, OSError) as error:  # a file is being replaced: next time
                    _log.warning("the live page could not be drawn (%s)", error)
                    page = self._page[0] or b"<main><p id=status>Wait a moment.</p></main>"
                self._page = (page, version)
            if self._done:
                self._end_seen.set()
            return self._page[0]

    def _handler(page: LivePage) -> type[BaseHTTPRequestHandler]:  # noqa: N805  # self is the request
        class Handler(BaseHTTPRequestHandler):
            server_version = "evogarden"
            sys_version = ""

            def do_GET(self) -> None:
                names = {f"{host}:{page._server.server_address[1]}" for host in (HOST, "localhost")}
                if self.headers.get("Host") not in names:  # a foreign name that leads here
                    self.send_error(403)
                elif self.path == "/":
                    self._send("text/html; charset=utf-8", page._html())
                elif self.path == "/state.json":
                    self._send("application/json", page._state())
                else:
                    self.send_error(404)

            def _send(self, kind: str, data: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.send_header("Cache-Control", "no-store")
                self.send_header("X-Content-Type-Options", "nosniff")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # as inherited
                _log.debug(format, *args)

        return Handler
