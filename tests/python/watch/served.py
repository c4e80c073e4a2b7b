# SPDX-License-Identifier: Apache-2.0
"""A server of the live page, and requests to it."""

import contextlib
import http.client
import json
import pathlib
import subprocess
import threading
import time
import typing
import urllib.parse

from lbm.watch.server import Server
from lbm.watch.site import Site

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


class Answer:
    """status, headers (names in small letters), content; `data`: its JSON."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = {name.lower(): value for name, value in answer.getheaders()}
        self.content = answer.read()

    @property
    def data(self) -> typing.Any:
        def refuse(name: str) -> None:
            raise AssertionError(f"{name} is no JSON")

        return json.loads(self.content, parse_constant=refuse)

    @property
    def text(self) -> str:
        return self.content.decode()


class Served:
    """A server, as the page sees it."""

    def __init__(self, server: Server) -> None:
        self.server, self.site = server, server.site
        self.port = server.server_port
        self.key = server.site.access.key

    def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: str | None = None
    ) -> Answer:
        """A request with exactly these headers, but that Host is of this server unless given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, headers or {})
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, {"X-Lbm-Key": self.key, **headers})

    def api(self, name: str, run: str = ".", **wish: object) -> typing.Any:
        """The answer for a run; fails where it is an error."""
        answer = self.get(f"/api/{name}?{urllib.parse.urlencode({'run': run, **wish})}")
        assert answer.status == 200, answer.text
        return answer.data

    def post(self, name: str, run: str = ".", **headers: str) -> Answer:
        own = {"X-Lbm-Key": self.key, "Origin": f"http://127.0.0.1:{self.port}", **headers}
        return self.ask("POST", f"/api/{name}", own, json.dumps({"run": run}))


PANELS = ("run", "curves", "series", "about", "pictures")


def all_of(served: Served, run: str = "run") -> str:
    """All that the page asks for, pictures and surfaces with it; each answer is strict JSON."""
    parts = []
    for name in PANELS:
        answer = served.get(f"/api/{name}?{urllib.parse.urlencode({'run': run})}")
        assert answer.status in (200, 422), (name, answer.text)
        parts.append(json.dumps(answer.data))
    for one in json.loads(parts[2]).get("series", []):
        for quantity in one.get("quantities", []):
            for axis in one["axes"] if one["name"] == "fields" else []:
                wish = {"run": run, "series": one["name"], "axis": axis["name"]}
                query = urllib.parse.urlencode({**wish, "quantity": quantity["name"]})
                answer = served.get(f"/api/slice?{query}")
                assert answer.status in (200, 422), answer.text
                parts.append(json.dumps(answer.data))
        for quantity in one.get("surfaces", []) if one["name"] == "fields" else []:
            wish = {"run": run, "series": one["name"], "quantity": quantity["name"]}
            query = urllib.parse.urlencode({**wish, "colour": quantity["name"], "bodies": 1})
            answer = served.get(f"/api/surface?{query}")
            assert answer.status in (200, 422), answer.text
            words = {k: v for k, v in answer.data.items() if k not in ("surface", "bodies")}
            parts.append(json.dumps(words))  # without the points, in which any text may be
    return "".join(parts)


@contextlib.contextmanager
def serve(root: pathlib.Path, allow_control: bool = False) -> typing.Iterator[Served]:
    """A server of a directory on a free port."""
    server = Server(Site(root, allow_control), 0)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield Served(server)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def running(
    program: str, folder: pathlib.Path, name: str = "live", case: str = LIVE_CASE, *options: str
) -> typing.Iterator["subprocess.Popen[str]"]:
    """`lbm run` in folder/name, from its first field file on; killed at the end."""
    path = folder.parent / f"{name}.yaml"
    path.write_text(case)
    command = [program, "run", str(path), "--quiet", "--out", str(folder / name), *options]
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
