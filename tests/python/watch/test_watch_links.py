# SPDX-License-Identifier: Apache-2.0
"""Files that lead elsewhere: links, pipes, devices, HDF5 files with data in others, cases."""

import json
import os
import pathlib
import shutil
import time
import typing
import urllib.parse

import h5py
import numpy as np
import pytest
from served import PANELS, all_of, serve

from lbm.watch import files

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

SECRET = "the secret of another folder"


LINKS = ["run.log", "report.json", "effective_case.yaml", "monitor.csv", "forces_ball.csv",
         "probe_behind.csv", "quantity_drag.csv", "fields_000000040.hdf"]  # fmt: skip


@pytest.mark.parametrize("name", LINKS)
def test_links_are_not_followed(run: pathlib.Path, tmp_path: pathlib.Path, name: str) -> None:
    """Neither out of the folder nor within it: the program follows none, either."""
    secret = tmp_path / "secret"
    shutil.copy(run / name, secret)
    if name.endswith(".hdf"):
        with h5py.File(secret, "r+") as file:
            file["VTKHDF/PointData/velocity"][...] = 4321.0
    else:
        with secret.open("a") as text:
            text.write(f"2026-01-01 00:00:00 warning: {SECRET}\n# {SECRET}\n4321,4321,4321\n")
    (run / name).unlink()
    (run / name).symlink_to(secret)
    with serve(run.parent) as served:
        text = all_of(served)
        assert SECRET not in text and "4321" not in text
        ticket = served.api("ticket", "run")["ticket"]
        page = served.ask("GET", f"/report?ticket={ticket}")
        assert page.status == 422 and SECRET not in page.text and "link" in page.text


def test_linked_folders_are_no_runs(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    outside = pathlib.Path(shutil.copytree(run, tmp_path / "outside"))
    (run.parent / "linked").symlink_to(outside)
    (run.parent / "loop").symlink_to(run.parent)
    with serve(run.parent) as served:
        assert [one["id"] for one in served.api("runs")["runs"]] == ["run"]
        for name in ("linked", "loop", "loop/run", "run/../../outside"):
            assert served.get(f"/api/run?{urllib.parse.urlencode({'run': name})}").status == 404
        # A folder that becomes a link while the page is open.
        shutil.rmtree(run)
        run.symlink_to(outside)
        for name in (*PANELS, "ticket"):
            assert served.get(f"/api/{name}?run=run").status == 404
    with serve(run) as served:
        assert served.api("run")["word"] == "Complete", "whoever names the link means its target"


@pytest.mark.parametrize("name", [*LINKS, ".lbm-lock"])
def test_pipes_and_devices_keep_nobody_waiting(run: pathlib.Path, name: str) -> None:
    (run / name).unlink(missing_ok=True)
    os.mkfifo(run / name)
    begin = time.monotonic()
    with serve(run.parent) as served:
        all_of(served)
        assert served.api("runs")["runs"]
        ticket = served.api("ticket", "run")["ticket"]
        assert served.ask("GET", f"/report?ticket={ticket}").status == 422
    assert time.monotonic() - begin < 60
    with pytest.raises(OSError):
        files.open_regular(run / name)
    with pytest.raises(OSError):
        files.open_regular(pathlib.Path("/dev/zero"))
    assert files.regular(pathlib.Path("/dev/zero")) is None


def test_files_of_hdf5_that_lead_elsewhere(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """External links, external storage, virtual data: each could show any file as a picture."""
    target = run / "fields_000000040.hdf"
    shape = (20, 12, 16, 3)
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as file:
        file["velocity"] = np.full(shape, 4321.0, "f4")
    raw = tmp_path / "secret.raw"
    raw.write_bytes(np.full(shape, 4321.0, "f4").tobytes())

    def linked(data: typing.Any) -> None:
        data["velocity"] = h5py.ExternalLink(str(secret), "/velocity")

    def stored(data: typing.Any) -> None:
        size = raw.stat().st_size
        data.create_dataset("velocity", shape, "f4", external=[(str(raw), 0, size)])

    def virtual(data: typing.Any) -> None:
        layout = h5py.VirtualLayout(shape, "f4")
        layout[...] = h5py.VirtualSource(str(secret), "velocity", shape)
        data.create_virtual_dataset("velocity", layout)

    def group(data: typing.Any) -> None:
        with h5py.File(secret, "a") as file:
            file["PointData/velocity"] = file["velocity"]
        root = data.parent
        del root["PointData"]
        root["PointData"] = h5py.ExternalLink(str(secret), "/PointData")

    for trick in (linked, stored, virtual, group):
        shutil.copy(run / "fields_000000020.hdf", target)
        with h5py.File(target, "r+") as file:
            del file["VTKHDF/PointData/velocity"]
            trick(file["VTKHDF/PointData"])
        with serve(run.parent) as served:
            text = all_of(served)
            assert "4321" not in text, trick.__name__
            found = {one["name"]: one for one in served.api("series", "run")["series"]}
            assert found["fields"]["problem"] and "mid" in found
            page = served.ask("GET", f"/report?ticket={served.api('ticket', 'run')['ticket']}")
            assert page.status == 422, trick.__name__


def test_a_case_that_names_files_elsewhere(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The page opens none of them: these are pipes, which would keep it waiting."""
    for name in ("a.csv", "b.csv", "c.stl", "d.hdf", "e.yaml"):
        os.mkfifo(tmp_path / name)
    case = (run / "effective_case.yaml").read_text()
    case = case.replace("shape: sphere", f"shape: stl\n    file: {tmp_path}/c.stl")
    case += (
        f"expect:\n  p: {{quantity: profile, profile: x, column: ux, file: {tmp_path}/b.csv, "
        "tolerance: 0.1}\n"
    )
    (run / "effective_case.yaml").write_text(case)
    report = json.loads((run / "report.json").read_text())
    del report["units"], report["flow"]
    (run / "report.json").write_text(json.dumps({**report, "case_file": f"{tmp_path}/e.yaml"}))
    with serve(run.parent) as served:
        assert "c.stl" in served.api("about", "run")["case"]
        page = served.ask("GET", f"/report?ticket={served.api('ticket', 'run')['ticket']}")
        assert page.status == 200, page.text
