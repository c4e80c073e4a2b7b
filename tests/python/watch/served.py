# SPDX-License-Identifier: Apache-2.0
"""Requests to the live page, and runs to look at."""

import base64
import contextlib
import json
import pathlib
import subprocess
import time
import typing

import numpy as np
from starlette.testclient import TestClient

from lbm.watch.app import Site, application

# It computes until it is stopped, and writes all that the page shows.
LIVE_CASE = """\
name: live
grid: {cells: [32, 16, 16]}
boundaries:
  x_min: {type: velocity, velocity: [1, 0, 0]}
  x_max: {type: outflow}
bodies: {ball: {shape: sphere, center: [9, 8, 8], radius: 3}}
fluid: {reynolds: 30, lattice_velocity: 0.05, length: 6}
lattice: {collision: regularised_filtered}
run: {steps: 2000000}
device: {backend: cpu, threads: 1}
output: {every_steps: 200, monitor: 1, forces: 1}
pictures:
  wake: {slice: y, every_steps: 400, size: [320, 240]}
  depth: {project: y, every_steps: 400, size: [320, 240]}
probes: {behind: {points: [[20, 8, 8]]}}
quantities: {drag: {kind: force, bodies: [ball], direction: [1, 0, 0], every_steps: 1}}
"""
HOST = "127.0.0.1:8765"


def numbers(packed: dict[str, str]) -> typing.Any:
    """An array as plotly.js reads it."""
    found = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"])
    return found.reshape([int(n) for n in packed["shape"].split(",")]) if "shape" in packed else found


class Served:
    """A site, as the page sees it."""

    def __init__(self, root: pathlib.Path, control: bool = False) -> None:
        self.site = Site(root, control)
        self.client = TestClient(application(self.site), base_url=f"http://{HOST}")
        self.own = {"X-Lbm-Key": self.site.key, "Origin": f"http://{HOST}"}

    def get(self, path: str, **headers: str) -> typing.Any:
        return self.client.get(path, headers={**self.own, **headers})

    def post(self, name: str, run: str = ".", **headers: str) -> typing.Any:
        how = {"params": {"run": run}, "headers": {**self.own, **headers}}
        return self.client.post(f"/api/{name}", **how)

    def ask(self, name: str, run: str = ".", **wish: object) -> typing.Any:
        """The answer to a wish."""
        given = {"run": run, **{k: str(v) for k, v in wish.items()}}
        return self.client.get(f"/api/{name}", params=given, headers=self.own)

    def api(self, name: str, run: str = ".", **wish: object) -> typing.Any:
        """The same as data; fails where it is an error, or no strict JSON."""
        answer = self.ask(name, run, **wish)
        assert answer.status_code == 200, answer.text
        return json.loads(answer.text, parse_constant=lambda name: int(name))

    def refused(self, name: str, run: str = ".", **wish: object) -> str:
        """Why it is refused."""
        answer = self.ask(name, run, **wish)
        assert answer.status_code == 422, answer.text
        return str(answer.json()["error"])

    def all_of(self, run: str = "run") -> str:
        """All that the page asks for. No answer is an error of the server."""
        parts = []
        for name in ("run", "curves", "plane", "surface", "picture", "case", "report"):
            answer = self.ask(name, run)
            assert answer.status_code in (200, 422), (name, answer.text)
            parts.append(answer.text)
        return "".join(parts)


@contextlib.contextmanager
def running(
    program: str, folder: pathlib.Path, name: str = "live", case: str = LIVE_CASE
) -> typing.Iterator["subprocess.Popen[str]"]:
    """`lbm run` in folder/name, from its first field file on; killed at the end."""
    path = folder.parent / f"{name}.yaml"
    path.write_text(case)
    command = [program, "run", str(path), "--quiet", "--out", str(folder / name)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
    try:
        wait(lambda: any((folder / name).glob("fields_*.hdf")) or process.poll() is not None)
        assert process.poll() is None, process.communicate()
        yield process
    finally:
        process.kill()
        process.communicate()


def wait(done: typing.Callable[[], typing.Any], seconds: float = 60) -> typing.Any:
    """Waits until something is true; returns it."""
    until = time.monotonic() + seconds
    while not (value := done()):
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)
    return value
