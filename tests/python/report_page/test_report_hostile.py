# SPDX-License-Identifier: Apache-2.0
"""The report of a run whose files anybody may have written, and of one with very large files."""

import base64
import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import time
import typing

import h5py
import numpy as np
import pytest

import lbm
from lbm.report_page import outcome, write
from lbm.report_page.planes import planes
from lbm.report_page.source import Source
from lbm.results import vtkhdf

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)> {{ 7 * 7 }} $\\frac{1$ ../../etc/passwd'


def evil(value: typing.Any) -> typing.Any:
    """The same JSON with hostile texts and numbers."""
    if isinstance(value, dict):
        return {key: evil(one) for key, one in value.items()}
    if isinstance(value, list):
        return [evil(one) for one in value]
    if isinstance(value, str):
        return EVIL
    return float("nan") if isinstance(value, float) else value


def text_of(directory: pathlib.Path, tmp_path: pathlib.Path) -> str:
    path = lbm.write_report(directory, tmp_path / "page.html", overwrite=True)
    return path.read_text(encoding="utf-8")


def pictures_of(page: str) -> str:
    """The text of all drawings of lines."""
    parts = page.split("data:image/svg+xml;base64,")[1:]
    return "".join(base64.b64decode(one.partition('"')[0]).decode() for one in parts)


@pytest.fixture
def run(sample: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the sample, to be changed."""
    return pathlib.Path(shutil.copytree(sample, tmp_path / "run"))


def test_nothing_gets_into_the_page_unescaped(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    report = json.loads((run / "report.json").read_text())
    (run / "report.json").write_text(json.dumps(evil(report)))
    (run / "run.log").write_text(f"2026-01-01 00:00:00 lbm {EVIL}\n" * 5)
    (run / "effective_case.yaml").write_text(f"name: {EVIL}\n# {EVIL}\n")
    name = EVIL.replace("/", "_").replace(".", "_")
    (run / "forces_ball.csv").rename(run / f"forces_{name}.csv")
    (run / "probe_behind.csv").rename(run / f"probe_{name}.csv")
    (run / "quantity_drag.csv").rename(run / f"quantity_{name}.csv")
    page = text_of(run, tmp_path)
    assert "&lt;script&gt;alert" in page, "it is shown as text"
    for tag in ("<script", "<img src=x", "49 $", "onerror=alert(1)>"):
        assert tag not in page and tag not in pictures_of(page), tag
    assert "{{ 7 * 7 }}" in page, "the text of a file is no template"
    for title in ("Forces on bodies", "Probes", "Pictures", "Quantities over time"):
        assert f"<h2>{title}</h2>" in page, "strange names leave no panel out"


def test_values_that_no_run_writes(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """nan, infinities and damaged files: the other panels stay, and each panel says why."""
    for name in ("monitor.csv", "forces_ball.csv", "probe_behind.csv"):
        lines = (run / name).read_text().splitlines()
        lines[-3] = ",".join([*lines[-3].split(",")[:2], *["nan"] * (lines[-3].count(",") - 1)])
        lines[-2] = ",".join([*lines[-2].split(",")[:2], *["inf"] * (lines[-2].count(",") - 1)])
        (run / name).write_text("\n".join(lines) + "\n")
    (run / "probe_along.csv").write_text("step,time\nx,y\n")
    (run / "profile_x.csv").write_text("x,ux\n1,2,3\n")
    (run / "quantity_drag.csv").write_bytes(b"\xff\xfe\x00")
    page = text_of(run, tmp_path)
    for title in ("Forces on bodies", "Flow over time", "Probes", "Pictures", "Profiles"):
        assert f"<h2>{title}</h2>" in page, title
    assert "probe_along.csv is left out" in page
    assert "The profile along x is left out" in page
    assert "quantity_drag.csv is left out" in page


def test_fields_of_nan_and_damaged_fields(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    last = sorted(run.glob("fields_*.hdf"))[-1]
    with h5py.File(last, "r+") as file:
        file["VTKHDF/PointData/velocity"][2:5] = np.nan
    assert "Pictures</h2>" in text_of(run, tmp_path)
    with h5py.File(last, "r+") as file:
        file["VTKHDF/PointData/velocity"][...] = np.nan
    for path in run.glob("*.hdf"):
        if not path.name.startswith("fields_"):
            path.unlink()
    assert "Planes without a finite velocity are left out" in text_of(run, tmp_path)
    last.write_bytes(b"no HDF5")
    page = text_of(run, tmp_path)
    assert "Pictures</h2>" in page, "of the field file before"
    (run / "fields.hdf.series").write_text("[")
    assert "The field files cannot be read" in text_of(run, tmp_path)


def test_reports_of_wrong_types(run: pathlib.Path) -> None:
    """Any value in place of any other: the head of the page and the panels of text are made."""
    report = json.loads((run / "report.json").read_text())
    values = ["x", "", [], {}, None, True, -1, 10**400, float("nan"), float("inf"), [[]], {"a": []}]
    values += [[1, 2, 3], [{}], [{"value": {}, "name": []}], ["<b>"]]
    draw = random.Random(3)
    environment = write.templates()
    for key in report:
        for value in draw.sample(values, 8):
            (run / "report.json").write_text(json.dumps({**report, key: value}))
            source = Source(lbm.open(run))
            said = outcome.outcome(source)
            outcome.tiles(source)
            assert said.mark in ("good", "warn", "bad") and source.name and source.dates
            outcome.warnings_panel(source)
            for name in ("results", "speed", "setup", "provenance"):
                write.text_panel(source, environment, name, name, "none")


def test_a_million_rows_of_a_probe(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Peaks of one sample are in the picture, which stays small, within 10 s."""
    rows = 1_000_000
    times = np.arange(1, rows + 1) * 1e-3
    wave = np.sin(2 * np.pi * 0.3 * times)
    wave[123_456] = 7.5
    head = "# big\n# s\n# 1: 1 2 3\nstep,time,p_1,ux_1,uy_1,uz_1\n"
    with (run / "probe_behind.csv").open("w") as file:
        file.write(head)
        lines = zip(range(1, rows + 1), times.tolist(), wave.tolist())
        file.writelines(f"{i},{t:.6g},0,{u:.6g},0,0\n" for i, t, u in lines)
    begin = time.process_time()
    page = text_of(run, tmp_path)
    assert time.process_time() - begin < 10
    assert len(page) < 4e6
    assert "the frequency 0.3 ± 0.002 U/L stands out" in page


def test_too_many_tables(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for i in range(500):
        (run / f"probe_many{i}.csv").write_text((run / "probe_behind.csv").read_text())
    begin = time.process_time()
    page = text_of(run, tmp_path)
    assert time.process_time() - begin < 20
    assert "more are not shown" in page


def large(directory: pathlib.Path, cells: int) -> None:
    """Results of cells^3 cells whose field file has no data but in the planes in the middle."""
    directory.mkdir()
    with h5py.File(directory / "fields_000001000.hdf", "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs.update(Version=[1, 0], Type=np.bytes_("ImageData"), Direction=np.eye(3).ravel())
        root.attrs.update(WholeExtent=[0, cells - 1] * 3, Origin=[0.5 / cells] * 3)
        root.attrs.update(Spacing=[1 / cells] * 3, time=1.0, step=1000)
        root.attrs.update(units="reference length", reference_length_cells=float(cells))
        data = root.create_group("PointData")
        shape = (cells, cells, cells, 3)
        velocity = data.create_dataset("velocity", shape, "f4", fill_time="never")
        wave = np.sin(np.linspace(0, 7, cells, dtype="f4"))
        velocity[cells // 2] = wave[:, None, None] * np.ones(3, "f4")
    (directory / "effective_case.yaml").write_text(f"name: large\ngrid: {{cells: [{cells}] }}\n")


def test_a_field_of_a_billion_cells(tmp_path: pathlib.Path) -> None:
    """12 GB on a disk that does not store zeros; in memory some planes."""
    large(tmp_path / "large", 1000)
    file = tmp_path / "large" / "fields_000001000.hdf"
    if file.stat().st_blocks * 512 > 1e9:
        pytest.skip("the disk of the temporary files stores zeros")
    program = (
        "import resource, sys, lbm\n"
        "lbm.write_report(sys.argv[1])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [sys.executable, "-c", program, str(tmp_path / "large")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) * 1024 < 600e6
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin < 10
    page = (tmp_path / "large" / "report.html").read_text()
    assert page.count("data:image/png") >= 2
    assert "The plane normal to x is left out" in page
    file.unlink()


def test_only_planes_are_read(run: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []

    def counted(stored: typing.Any, box: typing.Any) -> typing.Any:
        values = original(stored, box)
        read.append((stored.name, values.shape))
        return values

    original = vtkhdf._Stored.read
    monkeypatch.setattr(vtkhdf._Stored, "read", counted)
    for plane in planes(lbm.open(run))[0]:
        assert plane.has_flow
        plane.values("vorticity")
    assert len(read) == 3 and all(1 in shape[:3] for _, shape in read), read
