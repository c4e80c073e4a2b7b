# SPDX-License-Identifier: Apache-2.0
"""Files that anybody may have written: names, values, links, pipes, sizes."""

import json
import os
import pathlib
import random
import shutil
import time
import typing
import urllib.parse

import h5py
import numpy as np
import pytest
from served import Served, serve

import lbm
from lbm.watch import files
from lbm.watch.run_log import RunLog

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)> {{ 7 * 7 }} ../../etc/passwd'
SECRET = "the secret of another folder"
PANELS = ("run", "curves", "series", "about")


@pytest.fixture
def run(sample: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A copy of the sample, to be changed."""
    return pathlib.Path(shutil.copytree(sample, tmp_path / "root" / "run"))


def all_of(served: Served, run: str = "run") -> str:
    """All that the page asks for, pictures of the fields with it; each answer is strict JSON."""
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
    return "".join(parts)


def test_values_that_no_run_writes(run: pathlib.Path) -> None:
    for name in ("monitor.csv", "forces_ball.csv", "probe_behind.csv", "quantity_drag.csv"):
        lines = (run / name).read_text().splitlines()
        for at, value in ((-3, "nan"), (-2, "inf"), (-1, "-inf")):
            lines[at] = ",".join([*lines[at].split(",")[:2], *[value] * (lines[at].count(",") - 1)])
        (run / name).write_text("\n".join(lines) + "\n")
    with h5py.File(sorted(run.glob("fields_*.hdf"))[-1], "r+") as file:
        file["VTKHDF/PointData/velocity"][2:5] = np.nan
        file["VTKHDF/PointData/density"][...] = np.inf
        file["VTKHDF"].attrs["time"] = np.nan
    with serve(run.parent) as served:
        all_of(served)
        for panel in served.api("curves", "run").values():
            assert panel["charts"], "the curves stay"
        wish = {"series": "fields", "axis": "y"}
        assert served.api("slice", "run", **wish, quantity="density")["values"] is None
        assert served.api("slice", "run", **wish, quantity="speed")["values"][0] >= 0


def test_texts_of_files_stay_texts(run: pathlib.Path) -> None:
    """They are JSON strings, which the page makes text nodes (test_watch_browser.py)."""
    log = f"2026-01-01 00:00:00 lbm 1.0: {EVIL}\n2026-01-01 00:00:01 warning: {EVIL}\n"
    (run / "run.log").write_text(log)
    report = json.loads((run / "report.json").read_text())
    (run / "report.json").write_text(json.dumps({**report, "warnings": [EVIL]}))
    (run / "effective_case.yaml").write_text(f"name: {EVIL}\n")
    name = EVIL.replace("/", "_")
    (run / "forces_ball.csv").rename(run / f"forces_{name}.csv")
    run.rename(run.parent / name)
    with serve(run.parent) as served:
        assert served.api("runs")["runs"][0]["id"] == name
        assert EVIL in served.api("run", name)["warnings"]
        assert name in served.api("curves", name)["forces"]["charts"][0]["title"]
        answer = served.get("/api/about?" + urllib.parse.urlencode({"run": name}))
        assert answer.headers["content-type"] == "application/json" and EVIL in answer.data["case"]
        ticket = served.api("ticket", name)["ticket"]
        page = served.ask("GET", f"/report?ticket={ticket}").text
        assert "&lt;script&gt;" in page and "<script" not in page and "<img src=x" not in page


def test_reports_of_wrong_types(run: pathlib.Path) -> None:
    report = json.loads((run / "report.json").read_text())
    values = ["x", "", [], {}, None, True, -1, 10**400, float("nan"), float("inf"), [[]], {"a": []}]
    values += [[1, 2, 3], [{}], [{"value": {}, "name": []}], ["<b>"], 1e308, "x" * 100_000]
    draw = random.Random(5)
    with serve(run.parent) as served:
        for key in report:
            for value in draw.sample(values, 1):
                (run / "report.json").write_text(json.dumps({**report, key: value}))
                shown = served.api("run", "run")
                assert shown["word"] and len(json.dumps(shown)) < 200_000
                served.api("about", "run")
        for text in ("", "[", "[1]", "null", "[" * 100_000, '{"a": NaN', "\xff\x00"):
            (run / "report.json").write_text(text)
            assert served.api("run", "run")["word"] in ("Unreadable", "Complete"), text
            assert served.api("runs")["runs"]


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


def test_damaged_fields(run: pathlib.Path) -> None:
    whole = (run / "fields_000000040.hdf").read_bytes()
    draw = random.Random(1)
    with serve(run.parent) as served:
        for content in (b"", b"\x89HDF", whole[:1000], whole[: len(whole) // 2], b"x" * 10_000):
            (run / "fields_000000040.hdf").write_bytes(content)
            all_of(served)
        for _ in range(12):
            damaged = bytearray(whole)
            for _ in range(30):
                damaged[draw.randrange(4096)] = draw.randrange(256)
            (run / "fields_000000040.hdf").write_bytes(damaged)
            all_of(served)
        assert served.api("run", "run")["word"] == "Complete"


def test_fields_whose_arrays_do_not_fit(run: pathlib.Path) -> None:
    with h5py.File(run / "fields_000000040.hdf", "r+") as file:
        data = file["VTKHDF/PointData"]
        data["text"] = np.array([b"a"] * 20 * 12 * 16).reshape(20, 12, 16)
        data["pair"] = np.zeros((20, 12, 16, 2))
        data["deep"] = np.zeros((20, 12, 16, 3, 3))
        data[EVIL.replace("/", "_")] = np.zeros((20, 12, 16))
    with serve(run.parent) as served:
        assert "speed" in all_of(served)
        wish = {"series": "fields", "axis": "y"}
        for quantity in ("text", "pair", "deep", "size:pair", "size:deep", "size:", "size:x"):
            query = urllib.parse.urlencode({"run": "run", **wish, "quantity": quantity})
            assert served.get(f"/api/slice?{query}").status in (422, 500), quantity
        assert served.api("slice", "run", **wish, quantity="speed")["png"]


def test_a_million_rows_of_a_probe(run: pathlib.Path) -> None:
    rows = 1_000_000
    times = np.arange(1, rows + 1) * 1e-3
    wave = np.sin(2 * np.pi * 0.3 * times)
    wave[123_456] = 7.5
    with (run / "probe_behind.csv").open("w") as file:
        file.write("# big\n# s\n# 1: 1 2 3\nstep,time,p_1,ux_1,uy_1,uz_1\n")
        lines = zip(range(1, rows + 1), times.tolist(), wave.tolist())
        file.writelines(f"{i},{t:.6g},0,{u:.6g},0,0\n" for i, t, u in lines)
    with serve(run.parent) as served:
        begin = time.process_time()
        found = served.api("curves", "run")
        assert time.process_time() - begin < 10
        history, power = [one for one in found["probes"]["charts"] if "behind" in one["title"]]
        assert max(history["lines"][0]["y"]) == 7.5, "a peak of one sample"
        assert power["marks"] == [pytest.approx(0.3, abs=0.01)]
        assert len(json.dumps(found)) < 300_000
        with (run / "probe_behind.csv").open("a") as file:
            file.write(f"{rows + 1},{rows * 1e-3 + 1e-3},0,0,0,0\n")
        begin = time.process_time()
        served.api("curves", "run")
        assert time.process_time() - begin < 3, "only the new row is read"


def test_a_million_places_of_a_probe(run: pathlib.Path) -> None:
    """A row of 4 million numbers: too many for a page, which says so and shows the others."""
    places = 1_000_000
    with (run / "probe_many.csv").open("w") as file:
        file.write("# many\n# s\n")
        file.writelines(f"# {i}: 1 2 3\n" for i in range(places))
        file.write("step,time," + ",".join(f"p_{i},ux_{i},uy_{i},uz_{i}" for i in range(places)))
        file.write("\n" + "1,1," + ",".join(["0"] * 4 * places) + "\n")
    with serve(run.parent) as served:
        begin = time.process_time()
        panel = served.api("curves", "run")["probes"]
        assert time.process_time() - begin < 5
        assert "probe_many.csv is not shown: it has too many columns." in panel["notes"]
        assert any("behind" in chart["title"] for chart in panel["charts"])


def test_many_and_large_files(run: pathlib.Path) -> None:
    for i in range(3000):
        (run / f"probe_many{i}.csv").write_text("step,time,p_1,ux_1,uy_1,uz_1\n1,1,0,0,0,0\n")
        (run / f"fields_{i + 100:09d}.hdf").touch()
    with (run / "run.log").open("r+b") as log:
        log.truncate(5 << 30)  # zeros, which the disk does not store
    with (run / "report.json").open("r+b") as report:
        report.truncate(5 << 30)
    with (run / "monitor.csv").open("r+b") as table:
        table.truncate(5 << 30)
    with serve(run.parent) as served:
        begin = time.process_time()
        shown = served.api("run", "run")
        assert shown["word"] == "Unreadable" and "too large" in shown["sentence"]
        found = served.api("curves", "run")
        assert any("more files probe_" in note for note in found["probes"]["notes"])
        assert found["monitor"]["notes"] and not found["monitor"]["charts"]
        assert len(served.api("series", "run")["series"][0].get("steps", [])) <= 500
        assert time.process_time() - begin < 20
        page = served.ask("GET", f"/report?ticket={served.api('ticket', 'run')['ticket']}")
        assert page.status == 422, "a report would read all of it"


def test_logs_of_noise(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "run.log"
    draw = random.Random(2)
    known = "2026-01-01 10:00:00   1 %  step 7 of 700  12 MLUPS  1:30 h left  speed 1.27 U\n"
    for _ in range(50):
        noise = bytearray(known.encode() * 20)
        for _ in range(60):
            noise[draw.randrange(len(noise))] = draw.randrange(256)
        path.write_bytes(noise)
        log = RunLog(path)
        log.update()
        assert log.now.step is None or 0 <= log.now.step < 10**18
    path.write_text("2026-99-99 99:99:99 lbm 1: a.yaml\n2026-01-01 10:00:00 predicted: .. MLUPS\n")
    log.update()
    assert log.now.begun is None


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


def test_a_folder_without_runs(tmp_path: pathlib.Path) -> None:
    with serve(tmp_path) as served:
        assert served.api("runs")["runs"] == []
    with pytest.raises(lbm.UsageError, match="must be a directory"):
        with serve(tmp_path / "none"):
            pass
