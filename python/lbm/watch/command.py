# SPDX-License-Identifier: Apache-2.0
"""`lbm watch DIR`: serves the page until Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import socket
from collections.abc import Sequence
from pathlib import Path

from lbm._arguments import fail
from lbm._lbm import Error, ResourceError, UsageError

_PORT = 8765
_INSTALL = "pip install './python[watch]' in the source tree, or 'lbm-FILE.whl[watch]'"


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code. An error is one line on stderr."""
    parser = argparse.ArgumentParser("lbm watch", description="Shows runs in a browser.")
    parser.add_argument("directory", metavar="DIR", help="results of a run, or a folder of runs")
    where = f"port on 127.0.0.1 (default: {_PORT}, or any free one)"
    parser.add_argument("--port", type=int, metavar="N", help=where)
    parser.add_argument("--allow-control", action="store_true", help="can save and stop runs")
    given = parser.parse_args(arguments)
    if given.port is not None and not 0 <= given.port < 65536:
        parser.error(f"--port: found {given.port}, must be 0 to 65535")
    try:
        import uvicorn

        from lbm.watch.app import Site, application

        site = Site(Path(given.directory), given.allow_control)
        listening = _listening([_PORT, 0] if given.port is None else [given.port])
    except ModuleNotFoundError as error:
        return fail(UsageError(f"watch needs {error.name}: {_INSTALL}"))
    except Error as error:
        return fail(error)
    except OSError as error:
        return fail(ResourceError(f"--port {given.port}: {error.strerror}: take another port"))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/#key={site.key}"
    print(f"lbm watch: {site.runs.root}: open {url}")
    what = "can save and stop runs" if given.allow_control else "only reads"
    print(f"The page {what}. Ctrl-C ends it; runs go on.", flush=True)
    config = uvicorn.Config(
        application(site), log_level="error", limit_concurrency=64, timeout_graceful_shutdown=1
    )
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])
    return 0


def _listening(ports: list[int]) -> socket.socket:
    """A socket of this machine alone, at the first port that is free; 0: any."""
    try:
        return socket.create_server(("127.0.0.1", ports[0]))
    except OSError:
        if not ports[1:]:
            raise
        return _listening(ports[1:])
