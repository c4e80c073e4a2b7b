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

import pytest
from served import HOST, Served

READS = ["runs", "run", "case", "curves", "plane", "surface", "picture", "report"]


@pytest.fixture
def served(sample: pathlib.Path) -> Served:
    return Served(sample)


def digests(directory: pathlib.Path) -> dict[str, str]:
    there = [path for path in sorted(directory.rglob("*")) if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in there}


def test_all_of_a_run_is_answered_and_nothing_is_written(
    sample: pathlib.Path, served: Served
) -> None:
    before = digests(sample)
    (line,) = served.api("runs")["runs"]
    assert line["id"] == "." and "sample" in served.api("runs")["html"]
    run = served.api("run")
    assert (run["word"], run["mark"], run["running"]) == ("Complete", "good", False)
    assert run["step"] == run["asked"] == 40 and run["share"] == 1
    assert run["cells"] == [16, 12, 20] and run["reynolds"] == 20
    assert "16 × 12 × 20" in run["html"] and "100 %" in run["html"]
    found = served.api("curves")
    for kind, title in (("monitor", "Kinetic energy"), ("forces", "Force on ball"),
                        ("probe", "Probe behind"), ("quantity", "drag")):  # fmt: skip
        assert title in [chart["title"] for chart in found[kind]["charts"]]
    assert "name: " in served.api("case")["text"]
    page = served.api("report")["html"]
    assert "<h1>sample</h1>" in page and "Provenance" in page
    assert digests(sample) == before


@pytest.mark.parametrize("name", READS)
def test_nothing_is_told_without_the_key(served: Served, name: str) -> None:
    key = served.site.key
    for headers in ({"X-Lbm-Key": ""}, {"X-Lbm-Key": key[:-1]}, {"X-Lbm-Key": "x"},
                    {"X-Lbm-Key": "", "Authorization": key}):  # fmt: skip
        answer = served.get(f"/api/{name}?run=.&key={key}", **headers)
        assert answer.status_code == 401 and "key is missing" in answer.json()["error"]
    assert served.ask(name).status_code in (200, 422)
    assert len(key) >= 32 and Served(served.site.runs.root).site.key != key


@pytest.mark.parametrize("host", ["evil.example:8765", "127.0.0.1.evil.example", "", "[::1]"])
def test_other_hosts_are_refused(served: Served, host: str) -> None:
    """A site that gives its own name the address 127.0.0.1 (DNS rebinding)."""
    for path in ("/", "/page.js", "/api/runs"):
        assert served.get(path, Host=host).status_code == 400, path
    assert served.post("stop", Host=host, Origin=f"http://{host}").status_code == 400
    for own in ("127.0.0.1", "localhost", "localhost:9000"):  # that of a tunnel
        assert served.get("/api/runs", Host=own).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", f"https://{HOST}"])
def test_other_origins_change_nothing(sample: pathlib.Path, origin: str) -> None:
    served = Served(sample, control=True)
    answer = served.post("stop", Origin=origin)
    assert answer.status_code == 403 and "another page" in answer.json()["error"]
    assert served.post("stop").status_code == 409, "its own page reaches the run, which has ended"


def test_changes_need_post_key_and_permission(sample: pathlib.Path) -> None:
    answer = Served(sample).post("stop")
    assert answer.status_code == 409 and "--allow-control" in answer.json()["error"]
    served = Served(sample, control=True)
    assert served.get("/api/stop?run=.").status_code == 404
    assert served.post("stop", **{"X-Lbm-Key": "x"}).status_code == 401
    assert served.post("run").status_code == 404, "reads are no changes"
    assert "No process" in served.post("stop").json()["error"]
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        answer = served.client.request(method, "/api/runs", headers=served.own)
        assert answer.status_code == 405 and "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/..%2f..%2fetc/passwd", "/report.json", "/run.log", "/app.py",
                                  "/page.html", "/run.html", "//etc/passwd", "/api/",
                                  "/api/..%2frun.log", "/api/run.log", "/%00"])  # fmt: skip
def test_no_other_file_is_served(served: Served, path: str) -> None:
    assert served.get(path).status_code == 404


@pytest.mark.parametrize("run", ["..", "../sample", "/etc", "./.", "", "x", "\0", "." * 5000])
def test_a_run_is_one_of_the_list(served: Served, run: str) -> None:
    for name in READS[1:]:
        assert served.ask(name, run).status_code == 404


def test_pages_forbid_what_they_do_not_need(served: Served) -> None:
    for path in ("/", "/page.js", "/page.css", "/plotly.js", "/api/runs"):
        headers = served.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; connect-src 'self'" in policy
        assert "unsafe-eval" not in policy and "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store" or path == "/plotly.js"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in headers
    page = served.get("/").text
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|style=|https?:", page)


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
    port = int(found[1])
    assert "only reads" in process.stdout.readline()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/api/runs", headers={"X-Lbm-Key": found[2]})
    assert connection.getresponse().status == 200
    name = socket.gethostbyname(socket.gethostname())
    if not name.startswith("127."):
        with pytest.raises(OSError):  # only this machine is listened to
            socket.create_connection((name, port), timeout=5)
    taken = command(sample, "--port", port)
    assert "take another port" in taken.communicate()[1] and taken.returncode == 4
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == "" and process.returncode == 0
    for wrong in (tmp_path / "none", sample / "report.json"):
        done = command(wrong)
        error = done.communicate(timeout=60)[1]
        assert done.returncode == 2 and error.startswith("lbm: ") and error.count("\n") == 1


def test_without_its_packages(sample: pathlib.Path) -> None:
    """One line says how to get them."""
    code = "import sys; sys.modules['starlette'] = None; sys.modules['starlette.applications'] = None\n"
    code += f"from lbm.watch.command import main; sys.exit(main([{str(sample)!r}]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2 and "pip install './python[watch]'" in done.stderr
    assert done.stderr.count("\n") == 1
