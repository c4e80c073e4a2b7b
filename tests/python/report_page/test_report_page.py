# SPDX-License-Identifier: Apache-2.0
"""The report of a run as one page: what is on it, where it is written, how runs ended."""

import base64
import hashlib
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import RunCase

import lbm
from lbm.report_page import browser, outcome, source
from lbm.report_page.page import number

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

LOADING = ("src", "href", "data", "action", "poster", "srcset", "background", "formaction")


class Page(html.parser.HTMLParser):
    """Text, pictures and tags of a page. Fails on all that a browser would load or run."""

    def __init__(self, path: pathlib.Path) -> None:
        super().__init__()
        self.html = path.read_text(encoding="utf-8")
        self.text, self.pictures, self.titles = "", [""] * 0, [""] * 0
        self._inside: list[str] = []
        self.feed(self.html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "iframe", "object", "embed", "link", "form", "base")
        self._inside.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), f"{tag} {name}"
            if name == "src":
                self.pictures.append(value or "")
            assert name not in LOADING or (value or "").startswith(("data:image/", "#")), value

    def handle_data(self, data: str) -> None:
        if self._inside[-1:] == ["h2"]:
            self.titles.append(data)
        if self._inside[-1:] != ["style"]:
            self.text += data + "\n"

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass


def made(directory: pathlib.Path, tmp_path: pathlib.Path) -> Page:
    return Page(lbm.write_report(directory, tmp_path / "page.html", overwrite=True))


def copied(directory: pathlib.Path, to: pathlib.Path) -> pathlib.Path:
    return pathlib.Path(shutil.copytree(directory, to))


def digests(directory: pathlib.Path) -> dict[str, str]:
    files = [path for path in directory.rglob("*") if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_page_has_all_that_the_run_has(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    before = digests(sample)
    page = made(sample, tmp_path)
    assert digests(sample) == before, "nothing is written among the results unasked"
    for title in ("Results and expectations", "Pictures", "Forces on bodies", "Flow over time",
                  "Probes", "Quantities over time", "Profiles", "Setup", "Speed", "Provenance",
                  ):  # fmt: skip
        assert title in page.titles
    assert "Not on this page" not in page.titles
    for words in ("sample", "The run is complete; 40 of 40 steps", "16 × 12 × 20", "wall that slides",
                  "sphere", "radius 2.5 cells", "Reynolds number", "BGK", "porosity", "MLUPS",
                  "reference pressure", "ball", "lbm run effective_case.yaml", lbm.__version__,
                  ):  # fmt: skip
        assert words in page.text, words
    assert "cells: [16, 12, 20]" in page.html, "the effective case"


def test_pictures_of_the_run_are_in_the_page(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    run = shutil.copytree(sample, tmp_path / "run")
    png = b"\x89PNG\r\n\x1a\n"
    for step in (20, 40):
        (run / f"wake_{step:09d}.png").write_bytes(png + b"%d" % step)
    (run / "broken_000000040.png").write_bytes(b"text")
    page = Page(lbm.write_report(run))
    wanted = "data:image/png;base64," + base64.b64encode(png + b"40").decode()
    assert wanted in page.pictures
    assert "wake: the last of 2 pictures, of step 40." in page.text
    assert "broken_000000040.png is no PNG file" in page.text
    assert "Pictures of the run" in page.titles or "Pictures of the run" in page.text


def test_pictures_are_in_the_page(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    page = made(sample, tmp_path)
    png = [one for one in page.pictures if one.startswith("data:image/png;base64,")]
    svg = [one for one in page.pictures if one.startswith("data:image/svg+xml;base64,")]
    assert len(png) == 5, "speed on three planes, vorticity and pressure on one"
    assert len(svg) == 9, "forces, two of the monitor, two probes, a quantity, three profiles"
    assert len(page.pictures) == 14
    for one in png:
        content = base64.b64decode(one.partition(",")[2], validate=True)
        assert content.startswith(b"\x89PNG\r\n") and content.endswith(b"IEND\xaeB`\x82")
    for one in svg:
        root = ElementTree.fromstring(base64.b64decode(one.partition(",")[2], validate=True))
        assert root.tag.endswith("svg") and not root.findall(".//{*}script")


def test_the_comments_of_the_case_are_its_description(
    run_case: RunCase, tmp_path: pathlib.Path
) -> None:
    head = (
        "# A cavity <b>of nobody</b>\n# whose lid slides.\n#\n#   lbm run it.yaml\n\n# secret: 1\n"
    )
    case = head + "grid: {cells: [8, 8, 8]}\nfluid: {reynolds: 10}\nrun: {steps: 4}\n"
    page = made(
        run_case(case + "boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}\n"), tmp_path
    )
    assert "A cavity <b>of nobody</b> whose lid slides." in page.text
    assert "lbm run it.yaml" in page.text and "secret" not in page.text


def test_the_report_names_no_file_that_is_read(
    sample: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """Anybody may have written report.json: only comments at the head of a case are read."""
    run = copied(sample, tmp_path / "run")
    for name, text in (("key.pem", "# private\n"), ("key.yaml", "password: 1\n# private\n")):
        (tmp_path / name).write_text(text)
        report = json.loads((run / "report.json").read_text())
        report["case_file"] = str(tmp_path / name)
        (run / "report.json").write_text(json.dumps(report))
        page = made(run, tmp_path)
        assert "private" not in page.text and "password" not in page.text


def test_where_it_is_written(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    run = copied(sample, tmp_path / "run")
    path = lbm.write_report(run)
    assert path == run / "report.html"
    path.write_text(path.read_text().replace("MLUPS", ""))
    assert "MLUPS" in lbm.write_report(str(run)).read_text(), "a former report is replaced"
    path.write_text("mine")
    with pytest.raises(lbm.UsageError, match="report.html: is already there"):
        lbm.write_report(run)
    assert path.read_text() == "mine"
    lbm.write_report(run, overwrite=True)
    assert path.read_text() != "mine"
    with pytest.raises(lbm.UsageError, match="must end in .html or .pdf"):
        lbm.write_report(run, run / "report.json", overwrite=True)
    with pytest.raises(lbm.ResourceError, match="cannot be written"):
        lbm.write_report(run, tmp_path / "none" / "a.html")
    with pytest.raises(lbm.MissingFileError):
        lbm.write_report(tmp_path / "nowhere")
    with pytest.raises(lbm.UsageError, match="no results of lbm"):
        lbm.write_report(tmp_path)
    assert not list(tmp_path.rglob("*.partial"))


def test_si_has_its_units(run_case: RunCase, tmp_path: pathlib.Path) -> None:
    case = """\
units: si
grid: {cells: [12, 12, 24], spacing: 0.01}
boundaries: {x_min: slip, x_max: slip, y_min: slip, y_max: slip,
  z_min: {type: velocity, velocity: [0, 0, 2], ramp_time: 0.01}, z_max: outflow}
bodies: {ball: {shape: sphere, center: [0.06, 0.06, 0.08], radius: 0.02}}
fluid: {length: 0.04, velocity: 2, viscosity: 4e-3, density: 1.2, lattice_velocity: 0.05}
run: {steps: 200}
device: {backend: cpu}
output: {monitor: 20}
probes: {wake: {points: [[0.06, 0.06, 0.16]]}}
"""
    page = made(run_case(case), tmp_path)
    for words in ("All numbers are in SI units.", "0.12 × 0.12 × 0.24 m", "velocity (0, 0, 2) m/s",
                  "ramp time 0.01 s", "1.2 kg/m³", "radius 0.02 m", "In SI"):  # fmt: skip
        assert words in page.text, words
    assert "L/U" not in page.text.replace("MLUPS", "")


STREAM = """\
units: si
grid: {cells: [12, 12, 24], spacing: 0.01}
boundaries: {x_min: slip, x_max: slip, y_min: slip, y_max: slip,
  z_min: {type: velocity, velocity: [0, 0, 2], ramp_time: 0.01}, z_max: outflow}
bodies: {ball: {shape: sphere, center: [0.06, 0.06, 0.08], radius: 0.02, reference_area: 1.26e-3}}
fluid: {length: 0.04, velocity: 2, viscosity: 4e-3, density: 1.2, lattice_velocity: 0.05}
run: {steps: 200}
device: {backend: cpu}
output: {at_end: false, profiles: false}
"""
DRAG = "quantities: {drag: {kind: coefficient, bodies: [ball], direction: [0, 0, 1]}}\n"


def test_the_first_screen_has_the_force_and_its_caution(
    run_case: RunCase, tmp_path: pathlib.Path
) -> None:
    """In N and as a coefficient, with what it is not, and not in green."""
    target = STREAM.replace("fluid: {", "fluid: {target_reynolds: 5.3e6, ")
    for case, names in ((target + DRAG, ("drag",)), (target, ("Force on ball", "along z"))):
        run = run_case(case, out=names[0].replace(" ", "_"))
        report = lbm.open(run).report.as_dict()
        body = report["bodies"][0]
        coefficient = ([*report["quantities"], {"mean": None}])[0]["mean"] or body["coefficient"][2]
        force = coefficient * body["force"][2] / body["coefficient"][2]
        said = source.Source(lbm.open(run))
        found = {name: (value, hint) for name, value, hint in outcome.tiles(said)}
        value, hint = found[names[0]]
        assert value == f"{number(force)} N"
        shown = hint.partition("coefficient ")[2].split()[0].rstrip(";")
        assert float(shown) == pytest.approx(coefficient, rel=0.02)
        assert all(words in hint for words in (*names[1:], "at Re 20, target 5.3e+06"))
        assert "at Re 20, target" in found["Reynolds number"][1]
        assert outcome.outcome(said).mark == "warn"
        assert made(run, tmp_path).text.count("at Re 20, target 5.3e+06") >= 4
    plain = source.Source(lbm.open(run_case(STREAM)))
    assert not plain.caution and outcome.outcome(plain).mark == "good"
    assert all("target" not in hint for _, _, hint in outcome.tiles(plain))


def test_a_run_that_was_killed(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    run = copied(sample, tmp_path / "run")
    (run / "report.json").unlink()
    page = made(run, tmp_path)
    assert "there is no report.json" in page.text and "Did not end" in page.text
    assert "Pictures" in page.titles and "Forces on bodies" in page.titles
    assert "16 × 12 × 20" in page.text, "of the case"
    with (run / ".lbm-lock").open("w") as lock:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)
        inode = (run / ".lbm-lock").stat().st_ino
        if f":{inode} " in pathlib.Path("/proc/locks").read_text():
            assert "The run has not ended yet" in made(run, tmp_path).text


@pytest.mark.parametrize(
    "reason, words",
    [
        ("interrupted by SIGINT", "before its last step: interrupted by SIGINT and can continue"),
        ("walltime reached", "The run ended before its last step: walltime reached"),
        ("the flow diverged before step 7: <i>; the remedy", "Diverged"),
        ("steady", "The run ended because the flow was steady"),
    ],
)
def test_how_it_ended(
    sample: pathlib.Path, tmp_path: pathlib.Path, reason: str, words: str
) -> None:
    run = copied(sample, tmp_path / "run")
    report = json.loads((run / "report.json").read_text())
    report["exit_reason"] = reason
    met = {"name": "a", "quantity": "mass", "value": 1, "expected": 1, "tolerance": 1}
    report["expectations"] = [{**met, "met": True}, {**met, "met": False}]
    report["warnings"] = ["too <b>fast</b>"]
    (run / "report.json").write_text(json.dumps(report))
    page = made(run, tmp_path)
    assert words in page.text
    assert "1 of 2 expectations met; 1 warning." in page.text
    assert "too <b>fast</b>" in page.text and "✗ not met" in page.text
    if "diverged" in reason:
        assert "The flow diverged before step 7: <i>; the remedy." in page.text


def test_the_fields_before_a_divergence(
    run_case: RunCase, program: str, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "bad.yaml").write_text("""\
grid: {cells: [16, 16, 16]}
boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}
fluid: {reynolds: 1e6, lattice_velocity: 0.17}
run: {steps: 3000}
device: {backend: cpu}
output: {monitor: 10}
""")
    command = [
        program,
        "run",
        str(tmp_path / "bad.yaml"),
        "--quiet",
        "--out",
        str(tmp_path / "bad"),
    ]
    assert subprocess.run(command, capture_output=True).returncode == 3
    page = made(tmp_path / "bad", tmp_path)
    assert "Diverged" in page.text and "saved before the flow diverged" in page.text
    assert len([one for one in page.pictures if one.startswith("data:image/png")]) >= 3


def test_a_run_without_anything(run_case: RunCase, tmp_path: pathlib.Path) -> None:
    case = "grid: {cells: [8, 8, 8]}\nfluid: {reynolds: 10}\nrun: {steps: 4}\n"
    case += "output: {at_end: false, profiles: false}\n"
    page = made(run_case(case + "initial: {flow: rest}\n"), tmp_path)
    assert not page.pictures
    empty = page.text.partition("Not on this page")[2]
    for words in ("has written no image of the flow", "has no bodies", "no output.monitor",
                  "has no probes", "no named quantities"):  # fmt: skip
        assert words in empty, words


def test_only_slices(run_case: RunCase, tmp_path: pathlib.Path) -> None:
    case = """\
grid: {cells: [12, 10, 8]}
boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}
fluid: {reynolds: 10}
run: {steps: 40}
output: {at_end: false}
outputs: {mid: {slice: y, at: 5, fields: [velocity], every_steps: 20}}
"""
    page = made(run_case(case), tmp_path)
    assert len([one for one in page.pictures if one.startswith("data:image/png")]) == 2
    assert re.search(r"Speed.* at y = 0.\d+ L", page.text)


def command(*arguments: object, **env: str) -> "subprocess.CompletedProcess[str]":
    whole = [sys.executable, "-m", "lbm", "report", *map(str, arguments)]
    return subprocess.run(whole, capture_output=True, text=True, env={**os.environ, **env})


def test_the_command(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    page = tmp_path / "a.html"
    done = command(sample, "--to", page)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{page}\n", "")
    page.write_text("mine")
    done = command(sample, "--to", page)
    assert done.returncode == 2
    assert done.stderr == f"lbm: {page}: is already there; --overwrite replaces it\n"
    assert command(sample, "--to", page, "--overwrite").returncode == 0
    assert command(tmp_path / "none").returncode == 2
    done = command(sample, "--to", tmp_path / "a.pdf", PATH=str(tmp_path))
    assert done.returncode == 4 and "install chromium" in done.stderr
    assert done.stderr.count("\n") == 1


def test_pdf(sample: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that only copies what it is told to print: folded parts are open on paper."""
    path = tmp_path / "a.pdf"
    fake = tmp_path / "bin" / "chromium"
    fake.parent.mkdir()
    fake.write_text(
        "#!/bin/sh\nfor a; do case $a in --print-to-pdf=*) to=${a#*=};; file:*) page=${a#file://};; "
        'esac; done\n(printf "%%PDF-%01000d" 0; cat "$page") > "$to"\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
    assert lbm.write_report(sample, path) == path
    assert "<details open>" in path.read_text() and "<details>" not in path.read_text()
    with pytest.raises(lbm.UsageError, match="is already there"):
        lbm.write_report(sample, path)
    fake.write_text("#!/bin/sh\necho no display >&2\nexit 1\n")
    with pytest.raises(lbm.ResourceError, match="printed nothing: no display"):
        lbm.write_report(sample, tmp_path / "b.pdf")
    assert not (tmp_path / "b.pdf").exists()


@pytest.mark.skipif(browser.find_browser() is None, reason="no browser")
def test_pdf_of_a_browser(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    content = lbm.write_report(sample, tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF-") and len(content) > 50_000


def test_without_the_packages(sample: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(lbm.results.MissingPackageError, match="pip install jinja2"):
        lbm.write_report(sample)
    assert not (sample / "report.html").exists()
