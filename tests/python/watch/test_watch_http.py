# SPDX-License-Identifier: Apache-2.0
"""The live page over HTTP: who may read, who may change, what comes with an answer."""

import hashlib
import http.client
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import typing
import urllib.parse

import pytest
from served import Served, serve

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

READS = ["runs", "run", "curves", "series", "slice", "surface", "pictures", "picture", "about", "ticket"]


@pytest.fixture
def served(sample: pathlib.Path) -> typing.Iterator[Served]:
    with serve(sample) as one:
        yield one


def digests(directory: pathlib.Path) -> dict[str, str]:
    found = {}
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def test_all_of_a_run_is_answered_and_nothing_is_written(sample: pathlib.Path) -> None:
    before = digests(sample)
    with serve(sample) as served:
        runs = served.api("runs")["runs"]
        assert [run["id"] for run in runs] == ["."]
        run = served.api("run")
        assert (run["word"], run["mark"], run["running"]) == ("Complete", "good", False)
        assert run["progress"]["step"] == run["progress"]["asked"] == 40
        assert run["cells"] == [16, 12, 20] and run["reynolds"] == 20
        curves = served.api("curves")
        for panel, title in (
            ("monitor", "Kinetic energy"),
            ("forces", "Force on ball"),
            ("probes", "Probe behind"),
            ("quantities", "drag"),
        ):
            titles = [chart["title"] for chart in curves[panel]["charts"]]
            assert title in titles, (panel, titles)
        assert curves["monitor"]["charts"][0]["lines"][0]["x"], "there are points"
        series = served.api("series")["series"]
        assert series[0]["name"] == "fields" and series[0]["steps"] == [20, 40]
        picture = served.api("slice", series="fields", axis="y", quantity="speed")
        assert picture["png"].startswith("iVBOR") and picture["label"] == "speed / U"
        about = served.api("about")
        assert "name: " in about["case"]
        ticket = served.api("ticket")["ticket"]
        page = served.ask("GET", f"/report?ticket={ticket}")
        assert page.status == 200 and "<h1>sample</h1>" in page.text
    assert digests(sample) == before


@pytest.mark.parametrize("name", READS)
def test_nothing_is_told_without_the_key(served: Served, name: str) -> None:
    path = f"/api/{name}?run=."
    for headers in ({}, {"X-Lbm-Key": ""}, {"X-Lbm-Key": served.key[:-1]}, {"X-Lbm-Key": "x"},
                    {"Authorization": served.key}, {"Cookie": f"X-Lbm-Key={served.key}"},
                    ):  # fmt: skip
        answer = served.ask("GET", path, headers)
        assert answer.status == 401 and "key is missing" in answer.data["error"]
    assert served.ask("GET", f"{path}&X-Lbm-Key={served.key}&key={served.key}").status == 401
    assert served.ask("GET", path, {"X-Lbm-Key": served.key}).status in (200, 422)


def test_the_key_is_long_and_new_at_each_start(sample: pathlib.Path) -> None:
    keys = set()
    for _ in range(5):
        with serve(sample) as served:
            keys.add(served.key)
    assert len(keys) == 5 and min(map(len, keys)) >= 32


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example",
                                  "localhost.evil.example", "", "localhost:80:80", "[::1]",
                                  "127.0.0.1@evil.example", "127.0.0.1:x"])  # fmt: skip
def test_other_hosts_are_refused(served: Served, host: str) -> None:
    """A site that gives its own name the address 127.0.0.1 (DNS rebinding)."""
    for path in ("/", "/app.js", "/api/runs", "/report?ticket=x"):
        answer = served.get(path, Host=host)
        assert answer.status == 403, path
    assert served.post("stop", Host=host, Origin=f"http://{host}").status == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "localhost:9000"])
def test_tunnels_have_other_ports(served: Served, host: str) -> None:
    assert served.get("/api/runs", Host=host).status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://localhost",
                                    "https://127.0.0.1", "http://127.0.0.1:1"])  # fmt: skip
def test_other_origins_change_nothing(sample: pathlib.Path, origin: str) -> None:
    with serve(sample, allow_control=True) as served:
        answer = served.post("stop", Origin=origin)
        assert answer.status == 403 and "another page" in answer.data["error"]
        key = {"X-Lbm-Key": served.key}
        assert served.ask("POST", "/api/stop", key, '{"run": "."}').status == 403, "none at all"
        assert served.post("stop").status == 409, "its own page reaches the run, which has ended"


def test_changes_need_post_key_and_permission(sample: pathlib.Path) -> None:
    with serve(sample) as served:
        answer = served.post("stop")
        assert answer.status == 409 and "--allow-control" in answer.data["error"]
        assert served.api("runs")["control"] is False
    with serve(sample, allow_control=True) as served:
        assert served.api("runs")["control"] is True
        assert served.get("/api/stop?run=.").status == 404
        assert served.get("/api/save?run=.").status == 404
        assert served.post("stop", **{"X-Lbm-Key": "x"}).status == 401
        assert served.post("run").status == 404, "reads are no changes"
        assert "No process" in served.post("stop").data["error"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "X"])
def test_other_methods(served: Served, method: str) -> None:
    answer = served.ask(method, "/api/runs", {"X-Lbm-Key": served.key})
    assert answer.status == 501 and "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("body", ["", "[", "[]", '{"run": 1}', '{"run": null}', "null", "[" * 4000])
def test_damaged_changes(sample: pathlib.Path, body: str) -> None:
    with serve(sample, allow_control=True) as served:
        headers = {"X-Lbm-Key": served.key, "Origin": f"http://127.0.0.1:{served.port}"}
        assert served.ask("POST", "/api/stop", headers, body).status == 400
        assert served.ask("POST", "/api/stop", headers, "x" * 5000).status == 413
        headers["Content-Length"] = "-1"
        assert served.ask("POST", "/api/stop", headers, "").status == 413


@pytest.mark.parametrize("path", ["/../../../../etc/passwd", "/..%2f..%2fetc/passwd",
                                  "/report.json", "/run.log", "/server.py", "/page.html",
                                  "//etc/passwd", "/api/",
                                  "/api/../run.log", "/api/run.log", "/%00"])  # fmt: skip
def test_no_other_file_is_served(served: Served, path: str) -> None:
    assert served.get(path).status == 404


@pytest.mark.parametrize(
    "run", ["..", "../sample", "/etc", "./.", "", "x", "%2e%2e", "\0", "." * 5000]
)
def test_a_run_is_one_of_the_list(served: Served, run: str) -> None:
    for name in READS[1:]:
        answer = served.get(f"/api/{name}?run={urllib.parse.quote(run)}")
        assert answer.status == 404 and answer.data == {"error": "There is no such run."}


def test_pages_forbid_what_they_do_not_need(served: Served) -> None:
    for path in ("/", "/app.js", "/page.css", "/api/runs", "/nothing"):
        headers = served.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers and "python" not in str(headers).lower()
    page = served.get("/").text
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|style=|https?:", page)


def test_a_ticket_opens_one_report_once(served: Served) -> None:
    ticket = served.api("ticket")["ticket"]
    first = served.ask("GET", f"/report?ticket={ticket}")
    assert first.status == 200
    policy = first.headers["content-security-policy"]
    assert "sandbox" in policy and "script-src" not in policy and "default-src 'none'" in policy
    assert served.ask("GET", f"/report?ticket={ticket}").status == 404
    assert served.ask("GET", "/report?ticket=").status == 404
    assert served.ask("GET", f"/report?ticket={served.key}").status == 404


def test_only_this_machine_is_listened_to(served: Served) -> None:
    assert served.server.server_address[0] == "127.0.0.1"
    name = socket.gethostbyname(socket.gethostname())
    if not name.startswith("127."):
        with pytest.raises(OSError):
            socket.create_connection((name, served.port), timeout=5)


def test_slow_and_many_connections(served: Served) -> None:
    """Whoever says nothing keeps nobody waiting; beyond 64 connections new ones are closed."""
    silent = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(40)]
    assert served.get("/api/runs").status == 200
    answers: list[int] = []
    ask = [threading.Thread(target=lambda: answers.append(served.get("/api/run?run=.").status))
           for _ in range(16)]  # fmt: skip
    for thread in ask:
        thread.start()
    for thread in ask:
        thread.join()
    assert answers == [200] * 16
    silent += [socket.create_connection(("127.0.0.1", served.port)) for _ in range(25)]
    silent[-1].settimeout(10)
    assert silent[-1].recv(1) == b"", "closed"
    for one in silent:
        one.close()
    assert served.get("/api/runs").status == 200


def command(*arguments: object) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    whole = [sys.executable, "-m", "lbm", "watch", *map(str, arguments)]
    return subprocess.Popen(whole, stdout=pipe, stderr=pipe, text=True)


def test_the_command(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    process = command(sample, "--port", 0)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"open http://127\.0\.0\.1:(\d+)/#key=(\S+)$", line)
    assert found, line
    assert "only reads" in process.stdout.readline()
    connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
    connection.request("GET", "/api/runs", headers={"X-Lbm-Key": found[2]})
    assert connection.getresponse().status == 200
    taken = command(sample, "--port", found[1])
    assert "take another port" in taken.communicate()[1] and taken.returncode == 4
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == "" and process.returncode == 0
    for wrong in (tmp_path / "none", sample / "report.json"):
        done = command(wrong)
        error = done.communicate(timeout=60)[1]
        assert done.returncode == 2 and error.startswith("lbm: ") and error.count("\n") == 1
