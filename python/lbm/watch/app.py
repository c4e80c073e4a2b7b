# SPDX-License-Identifier: Apache-2.0
"""The page over HTTP: reads by GET, changes by POST, each with the key in a header."""

from __future__ import annotations

import hmac
import math
import secrets
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
import plotly  # type: ignore[import-untyped,unused-ignore]
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from lbm._lbm import Error, UsageError
from lbm.report_page.page import duration, number
from lbm.report_page.source import Source
from lbm.report_page.write import page_text
from lbm.results import Results
from lbm.watch import flow, process, state
from lbm.watch.curves import curves
from lbm.watch.files import text
from lbm.watch.runs import Runs

KEY_HEADER = "X-Lbm-Key"
HOSTS = ["127.0.0.1", "localhost"]  # others are names of other sites (DNS rebinding)
_HERE = Path(__file__).parent
_STATIC = {
    **{"/": _HERE / "page.html", "/page.css": _HERE / "page.css", "/page.js": _HERE / "page.js"},
    "/plotly.js": Path(plotly.__file__).parent / "package_data/plotly.min.js",
}
# The page runs its own scripts alone, loads nothing from elsewhere, and stands in no frame.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
Wish = dict[str, str]


class Site:
    """One watched directory. key: who has it may read, and change where control allows it."""

    def __init__(self, root: Path, control: bool = False) -> None:
        self.runs, self.control, self.key = Runs(root), control, secrets.token_urlsafe(24)
        self._heavy = threading.Lock()  # one figure or report at a time: memory has a limit
        self._pages = jinja2.Environment(loader=jinja2.FileSystemLoader(_HERE), autoescape=True)
        self._pages.filters.update(number=number, duration=duration, percent=_percent, date=_date)
        self._figures: dict[str, Callable[[Path, Wish], Any]] = {
            "curves": lambda run, _: curves(run),
            "plane": flow.plane,
            "surface": flow.surface,
            "picture": flow.picture,
            "report": lambda run, _: {"html": _report(run)},
        }

    def _read(self, name: str, wish: Wish) -> Any:
        """An answer that changes nothing. Raises KeyError, lbm.Error."""
        if name == "runs":
            locks = process.Locks()
            runs = [state.status(path, run, locks) for run, path in self.runs.find().items()]
            page = self._pages.get_template("runs.html").render(runs=runs, root=self.runs.root)
            return {"runs": [{**run, "log": []} for run in runs], "html": page}
        run = self.runs.run(wish.get("run", ""))
        if name == "case":
            return {"text": text(run / "effective_case.yaml", 1 << 18)}
        if name == "run":
            status = state.status(run, wish["run"], process.Locks())
            page = self._pages.get_template("run.html").render(run=status, control=self.control)
            return {**status, "html": page}
        make = self._figures[name]
        with self._heavy:
            return make(run, wish)

    def _change(self, name: str, wish: Wish) -> Any:
        if not self.control:
            raise process.RefusedError("The page was started without --allow-control.")
        return {"done": process.send(self.runs.run(wish.get("run", "")), process.SIGNALS[name])}

    def answer(self, request: Request) -> Response:
        """The answer to a request of the page, as JSON."""
        headers, change = request.headers, request.method == "POST"
        if not hmac.compare_digest(headers.get(KEY_HEADER, "").encode(), self.key.encode()):
            why = "The key is missing, or of another start: open the address that lbm watch prints"
            return JSONResponse({"error": why}, 401, HEADERS)
        if change and headers.get("origin") != f"http://{headers['host']}":
            return JSONResponse({"error": "The request came from another page."}, 403, HEADERS)
        status, why = 422, "These files cannot be shown."
        try:
            name, wish = request.path_params["name"], dict(request.query_params)
            found = self._change(name, wish) if change else self._read(name, wish)
            return JSONResponse(found, 200, HEADERS)
        except Error as error:
            why = str(error)[:500]
        except process.RefusedError as error:
            status, why = 409, str(error)
        except KeyError:
            status, why = 404, "There is no such run, or no such part of its page."
        except Exception:  # noqa: BLE001 - anybody may have written the files
            traceback.print_exc(limit=-3)
        return JSONResponse({"error": why}, status, HEADERS)


def application(site: Site) -> Starlette:
    """The pages of a site."""

    def static(request: Request) -> Response:
        path = request.url.path
        kept = {"Cache-Control": "private, max-age=86400"} if path == "/plotly.js" else {}
        return FileResponse(_STATIC[path], headers={**HEADERS, **kept})

    pages = [Route(path, static) for path in _STATIC]
    api = Route("/api/{name}", site.answer, methods=["GET", "POST"])
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS)
    return Starlette(routes=[*pages, api], middleware=[hosts])


def _report(run: Path) -> str:
    """The report as a page of HTML (docs/report_page.md)."""
    for path in run.iterdir():
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise UsageError(f"{path.name} is a link or no file: it is not followed.")
    return page_text(Source(Results(run)))


def _percent(share: float | None) -> str:
    if share is None:
        return "–"
    return f"{number(100 * share, 2)} %" if 0 < share < 0.0995 else f"{math.floor(100 * share)} %"


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds)) if seconds else "–"
