# SPDX-License-Identifier: Apache-2.0
"""The server: 127.0.0.1 only, reads by GET, changes by POST, each with the key in a header."""

from __future__ import annotations

import json
import math
import socket
import threading
import traceback
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from lbm.watch.access import PAGE_POLICY, REPORT_POLICY, known_host, own_origin
from lbm.watch.control import RefusedError
from lbm.watch.site import Error, NotFoundError, Site

_HERE = Path(__file__).parent
_STATIC = {
    "/": ("page.html", "text/html; charset=utf-8"),
    **{f"/{name}": (name, "text/css; charset=utf-8") for name in ("page.css",)},
    **{
        f"/{name}": (name, "text/javascript; charset=utf-8")
        for name in (
            "app.js", "dom.js", "list.js", "run.js", "chart.js", "slice.js", "scale.js",
            "surface.js", "view.js", "raster.js", "pictures.js", "about.js",
        )  # fmt: skip
    },
}
_MOST_CONNECTIONS = 64
_MOST_BODY = 4096  # bytes
_SECONDS = 30.0  # without a byte, after which a connection is closed


class Server(ThreadingHTTPServer):
    """Serves a site. port 0: any free one."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, site: Site, port: int) -> None:
        self.site = site
        self._places = threading.BoundedSemaphore(_MOST_CONNECTIONS)
        super().__init__(("127.0.0.1", port), Handler)

    @property
    def url(self) -> str:
        """The address to open. What follows # stays in the browser."""
        return f"http://127.0.0.1:{self.server_port}/#key={self.site.access.key}"

    def process_request(self, request: Any, client_address: Any) -> None:
        """A thread for each connection, as long as there are not too many."""
        if not self._places.acquire(timeout=1):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection in its thread, then free its place."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away is no error."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "lbm", ""
    timeout = _SECONDS
    server: Server

    def setup(self) -> None:
        """Small answers are not held back."""
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server wants
        """Reads."""
        if not self._host_is_known():
            return
        url = urlsplit(self.path)
        wish = dict(parse_qsl(url.query, keep_blank_values=True, max_num_fields=20))
        if url.path in _STATIC:
            name, kind = _STATIC[url.path]
            self._send((_HERE / name).read_bytes(), kind, PAGE_POLICY)
        elif url.path == "/report":
            self._report(wish.get("ticket", ""))
        elif url.path.startswith("/api/"):
            self._api(lambda: self.server.site.read(url.path[5:], wish))
        else:
            self._fail(HTTPStatus.NOT_FOUND, "There is no such page.")

    do_HEAD = do_GET

    def do_POST(self) -> None:  # noqa: N802
        """Changes."""
        if not self._host_is_known():
            return
        length = self.headers.get("Content-Length") or ""
        if not length.isdecimal() or len(length) > 6 or int(length) > _MOST_BODY:
            self._fail(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request is too large.")
            return
        body = self.rfile.read(int(length))
        if not own_origin(self.headers):  # type: ignore[arg-type]
            self._fail(HTTPStatus.FORBIDDEN, "The request came from another page.")
            return
        path = urlsplit(self.path).path
        if not path.startswith("/api/"):
            self._fail(HTTPStatus.NOT_FOUND, "There is no such page.")
            return
        try:
            wish = json.loads(body)
            run = wish["run"]
        except (ValueError, KeyError, TypeError, RecursionError):
            run = None
        if not isinstance(run, str):
            self._fail(HTTPStatus.BAD_REQUEST, "The request names no run.")
            return
        self._api(lambda: self.server.site.change(path[5:], {"run": run}))

    def _host_is_known(self) -> bool:
        if known_host(self.headers.get("Host")):
            return True
        self._fail(HTTPStatus.FORBIDDEN, "Open the page as 127.0.0.1 or localhost.")
        return False

    def _api(self, make: Any) -> None:
        if not self.server.site.access.has_key(self.headers):  # type: ignore[arg-type]
            text = "The key is missing: open the address that lbm watch has printed."
            self._fail(HTTPStatus.UNAUTHORIZED, text)
            return
        try:
            text = json.dumps(_finite(make()), allow_nan=False)
        except NotFoundError as error:
            self._fail(HTTPStatus.NOT_FOUND, str(error))
        except RefusedError as error:
            self._fail(HTTPStatus.CONFLICT, str(error))
        except Error as error:
            self._fail(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)[:500])
        except Exception:  # noqa: BLE001 - anybody may have written the files
            traceback.print_exc(limit=-3)
            self._fail(HTTPStatus.INTERNAL_SERVER_ERROR, "These files cannot be shown.")
        else:
            self._send(text.encode(), "application/json", PAGE_POLICY)

    def _report(self, ticket: str) -> None:
        try:
            text = self.server.site.report(ticket)
        except NotFoundError as error:
            self._fail(HTTPStatus.NOT_FOUND, str(error))
        except Exception as error:  # noqa: BLE001
            text = str(error).splitlines()[0][:500] if str(error) else type(error).__name__
            self._fail(HTTPStatus.UNPROCESSABLE_ENTITY, f"There is no report: {text}")
        else:
            self._send(text.encode(), "text/html; charset=utf-8", REPORT_POLICY)

    def _fail(self, status: HTTPStatus, text: str) -> None:
        if status != HTTPStatus.UNAUTHORIZED:
            self.close_connection = True  # a body may be left unread
        self._send(json.dumps({"error": text}).encode(), "application/json", PAGE_POLICY, status)

    def _send(
        self, content: bytes, kind: str, policy: str, status: HTTPStatus = HTTPStatus.OK
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", policy)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cache-Control", "no-store")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing: the terminal may be that of the run."""


def _finite(value: Any) -> Any:
    """The same for JSON, which has neither nan nor infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _finite(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(one) for one in value]
    return value
