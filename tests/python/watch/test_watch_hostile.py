# SPDX-License-Identifier: Apache-2.0
"""Files that anybody may have written: texts, values, damage, sizes."""

import json
import pathlib
import random
import time
import urllib.parse

import h5py
import numpy as np
import pytest
from served import all_of, serve

import lbm
from lbm.watch.run_log import RunLog

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

EVIL = '<script>alert("x")</script><img src=x onerror=alert(1)> {{ 7 * 7 }} ../../etc/passwd'


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
        for quantity in ("text", "pair", "deep", "size:deep", "size:", "size:x"):
            query = urllib.parse.urlencode({"run": "run", **wish, "quantity": quantity})
            assert served.get(f"/api/slice?{query}").status == 422, quantity
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


def test_a_folder_without_runs(tmp_path: pathlib.Path) -> None:
    with serve(tmp_path) as served:
        assert served.api("runs")["runs"] == []
    with pytest.raises(lbm.UsageError, match="must be a directory"):
        with serve(tmp_path / "none"):
            pass
