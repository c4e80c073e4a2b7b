# SPDX-License-Identifier: Apache-2.0
"""`python -m lbm watch DIR`: serves the page until Ctrl-C."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from lbm._lbm import Error
from lbm.results.errors import need
from lbm.watch.server import Server
from lbm.watch.site import Site

_WRONG_USE, _NO_RESOURCE = 2, 4  # the exit codes of the program (docs/cli.md)
_PORT = 8765


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code. An error is one line on stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m lbm watch",
        description="Serves a page on this machine that shows runs while they run, and after.",
    )
    parser.add_argument("directory", metavar="DIR", help="results of a run, or a folder of runs")
    parser.add_argument(
        "--port", type=int, help=f"port on 127.0.0.1 (default: {_PORT}, or any free one)"
    )
    parser.add_argument(
        "--allow-control", action="store_true", help="the page can save and stop runs"
    )
    given = parser.parse_args(arguments)
    if given.port is not None and not 0 <= given.port < 65536:
        parser.error(f"--port: found {given.port}, must be 0 to 65535")
    try:
        need("matplotlib", "matplotlib", "lbm watch")
        need("jinja2", "jinja2", "lbm watch")
        site = Site(Path(given.directory), given.allow_control)
        server = _server(site, given.port)
    except Error as error:
        print(f"lbm: {error}", file=sys.stderr)
        return _WRONG_USE
    except OSError as error:
        print(f"lbm: --port {given.port}: {error.strerror}: take another port", file=sys.stderr)
        return _NO_RESOURCE
    print(f"lbm watch: {site.runs.root}: open {server.url}")
    what = "can save and stop runs" if given.allow_control else "only reads"
    print(f"The page {what}. Ctrl-C ends it; runs go on.", flush=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(1.0)
    except KeyboardInterrupt:
        print()
    server.server_close()
    return 0


def _server(site: Site, port: int | None) -> Server:
    if port is not None:
        return Server(site, port)
    try:
        return Server(site, _PORT)
    except OSError:  # another page is there
        return Server(site, 0)
