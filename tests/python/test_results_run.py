# SPDX-License-Identifier: Apache-2.0
"""lbm.open: the report, series and their times, tables; and what it says of wrong directories."""

import csv
import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import lbm
from lbm.results import Table


@pytest.fixture
def copy(sample: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """Results that a test may damage."""
    return shutil.copytree(sample, tmp_path / "copy")


def one_line(error: pytest.ExceptionInfo[Exception], *parts: str) -> None:
    text = str(error.value)
    assert "\n" not in text and all(part in text for part in parts), text


def test_import_is_cheap() -> None:
    code = (
        "import sys, lbm; loaded = set(sys.modules); lbm.open; lbm.plot; "
        "print(sorted({'h5py', 'matplotlib', 'xarray', 'pandas', 'tqdm'} & loaded), "
        "sorted({'matplotlib', 'xarray', 'pandas', 'skimage'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] []"


def test_report_is_report_json(sample: pathlib.Path) -> None:
    report = lbm.open(sample).report
    expected = json.loads((sample / "report.json").read_text())
    assert report.steps == 40 and report.exit_reason == "completed"
    assert report.mlups == expected["mlups"]
    assert report.flow.reynolds == report["flow"]["reynolds"] == 20
    assert set(report.keys()) == set(expected)
    assert report.last_look.kinetic_energy == expected["last_look"]["kinetic_energy"]


@pytest.mark.skipif(not hasattr(lbm, "Case"), reason="this package has no lbm.Case")
def test_case_is_the_one_that_was_run(sample: pathlib.Path) -> None:
    assert list(lbm.open(sample).case.grid.cells) == [16, 12, 20]


def test_series_are_those_of_the_case(sample: pathlib.Path) -> None:
    results = lbm.open(str(sample))
    assert set(results.series) == {
        "across", "coarse_twin", "fields", "floor", "half", "lattice", "mean", "means", "mid",
        "packed", "twin",
    }  # fmt: skip
    assert results["mid"].steps.tolist() == [10, 20, 30, 40]
    np.testing.assert_allclose(results["mid"].times, np.array([10, 20, 30, 40]) * 0.1 / 16)
    assert results.steps.tolist() == [20, 40] and results.times.tolist() == [0.125, 0.25]
    assert [image.step for image in results["mid"]] == [10, 20, 30, 40]
    assert [image.step for image in results["mid"][1:3]] == [20, 30]
    assert results["mid"][-1].step == 40 and len(results["mid"]) == 4
    assert results["lattice"].times.tolist() == [40]
    assert "mid" in results and "nothing" not in results
    with pytest.raises(IndexError):
        results["mid"][4]


def test_times_need_no_look_into_the_files(copy: pathlib.Path) -> None:
    for path in copy.glob("mid_*.hdf"):
        path.write_bytes(b"")
    series = lbm.open(copy)["mid"]
    assert series.steps.tolist() == [10, 20, 30, 40]
    assert series[2].time == series.times[2] == pytest.approx(30 * 0.1 / 16)
    with pytest.raises(lbm.UsageError) as error:
        series[2].step
    one_line(error, "mid_000000030.hdf", "damaged")


def test_at_finds_steps_and_times(sample: pathlib.Path) -> None:
    series = lbm.open(sample)["mid"]
    assert series.at(step=30).step == 30
    assert series.at(time=0.19).step == 30  # 0.1875
    assert series.at(time=0.25).step == 40 and series.at(time=0.0625).step == 10
    for wrong in ({"step": 15}, {"time": 0.06}, {"time": 0.26}, {}, {"step": 10, "time": 0.1}):
        with pytest.raises(lbm.UsageError) as error:
            series.at(**wrong)
        one_line(error)


def test_a_series_without_index_is_found_by_its_files(copy: pathlib.Path) -> None:
    expected = lbm.open(copy)["mid"].times
    (copy / "mid.hdf.series").unlink()
    series = lbm.open(copy)["mid"]
    assert series.steps.tolist() == [10, 20, 30, 40]
    np.testing.assert_array_equal(series.times, expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1]",
        '{"files": [{"name": "mid_000000010.hdf"}]}',
        '{"files": [{"name": "../mid_000000010.hdf", "time": 1}]}',
        '{"files": [{"name": "mid_000000010.hdf", "time": "soon"}]}',
        '{"files": 3}',
        "[" * 100000,
    ],
)
def test_a_damaged_index_is_refused(copy: pathlib.Path, text: str) -> None:
    (copy / "mid.hdf.series").write_text(text)
    with pytest.raises(lbm.UsageError) as error:
        lbm.open(copy)["mid"]
    one_line(error, "mid.hdf.series", "damaged")


def columns_of(path: pathlib.Path) -> dict[str, list[float]]:
    """A CSV file as the module csv sees it."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    rows = list(csv.reader(lines))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def test_tables_are_the_csv_files(sample: pathlib.Path) -> None:
    results = lbm.open(sample)
    for table in (results.forces["ball"], results.probes["behind"], results.monitor,
                  results.quantities["drag"],
                  results.profiles["y"]):  # fmt: skip
        expected = columns_of(table.path)
        assert list(table) == table.columns == list(expected)
        for name, values in expected.items():
            np.testing.assert_array_equal(table[name], values)
    assert results.forces["ball"].step.dtype == np.int64
    assert results.forces["ball"].step[-1] == 40
    assert results.monitor.comments[0] == "sample: means over the fluid and extremes"
    assert list(results.profiles) == ["x", "y", "z"]


def test_forces_and_probes_have_vectors(sample: pathlib.Path) -> None:
    results = lbm.open(sample)
    body = results.report.bodies[0]
    force = results.forces["ball"]
    assert force.force.shape == (40, 3)
    for quantity in ("force", "torque", "coefficient", "torque_coefficient"):
        np.testing.assert_allclose(getattr(force, quantity)[-1], body[quantity], rtol=1e-12)
    drag = results.quantities["drag"]
    assert list(results.quantities) == ["drag"]
    np.testing.assert_allclose(drag["value"], force.force[3::4, 2], rtol=1e-12)
    assert [q.name for q in results.report.quantities] == ["drag", "open"]
    behind = results.probes["behind"]
    np.testing.assert_array_equal(behind.places, [[8, 6, 15], [4.5, 6.5, 15.5]])
    at_centre = results.fields[-1].velocity[15, 6, 4]
    np.testing.assert_allclose(behind.velocity[-1, 1], at_centre, rtol=1e-6)
    assert behind.pressure.shape == (40, 2) and results.probes["along"].places.shape == (8, 3)
    assert results.probes["along"].step.tolist() == [10, 20, 30, 40]


def test_phase_tables_have_the_name_of_the_quantity(copy: pathlib.Path) -> None:
    (copy / "phase_thrust.csv").write_text("angle,samples,mean,rms\n0,3,2.5,0.5\n180,0,nan,nan\n")
    results = lbm.open(copy)
    assert list(results.phases) == ["thrust"]
    assert results.phases["thrust"]["angle"].tolist() == [0, 180]
    np.testing.assert_array_equal(results.phases["thrust"]["mean"], [2.5, np.nan])
    assert "thrust" in repr(results)


def test_a_torn_line_at_the_end_does_not_count(copy: pathlib.Path) -> None:
    path = copy / "forces_ball.csv"
    text = path.read_text().rstrip("\n")
    path.write_text(text[:-7])
    assert Table(path).step.tolist() == list(range(1, 40))
    path.write_text("".join(text.splitlines(keepends=True)[:4]))
    assert Table(path).step.shape == (0,)


@pytest.mark.parametrize("text", ["", "a,b\n1\n", "a,b\n1,x\n", "# only\n", "a\n1,2\n"])
def test_a_damaged_table_is_refused(copy: pathlib.Path, text: str) -> None:
    (copy / "monitor.csv").write_text(text)
    with pytest.raises(lbm.UsageError) as error:
        lbm.open(copy).monitor["step"]
    one_line(error, "monitor.csv", "damaged")


def test_to_pandas(sample: pathlib.Path) -> None:
    pytest.importorskip("pandas")
    table = lbm.open(sample).forces["ball"]
    frame = table.to_pandas()
    assert list(frame.columns) == table.columns and len(frame) == 40
    np.testing.assert_array_equal(frame["fx"], table["fx"])


def test_names_that_are_not_there(sample: pathlib.Path) -> None:
    results = lbm.open(sample)
    for wrong in (
        lambda: results["middle"],
        lambda: results.forces["cube"],
        lambda: results.probes["x"],
        lambda: results.monitor["u"],
    ):
        with pytest.raises(KeyError) as error:
            wrong()
        assert isinstance(error.value, lbm.UsageError)
        one_line(error, "there are: ")
    assert results.forces.get("cube") is None


def test_checkpoints_and_files(sample: pathlib.Path) -> None:
    results = lbm.open(sample)
    assert [p.name for p in results.checkpoints] == [
        "checkpoint_000000020.h5",
        "checkpoint_000000040.h5",
    ]
    names = {path.name for path in results.files}
    assert set(results.report.files) < names
    assert {"report.json", "effective_case.yaml", "fields.hdf.series"} < names


def test_a_run_that_is_not_at_its_end(copy: pathlib.Path) -> None:
    (copy / "report.json").unlink()
    (copy / "monitor.csv").unlink()
    (copy / "fields_000000060.hdf.partial").write_bytes(b"")
    results = lbm.open(copy)
    assert results.steps.tolist() == [20, 40]
    for wrong in (lambda: results.report, lambda: results.monitor):
        with pytest.raises(FileNotFoundError) as error:
            wrong()
        assert isinstance(error.value, lbm.UsageError)
        one_line(error)


@pytest.mark.parametrize("text", ["", "[]", '{"a": '])
def test_a_damaged_report_is_refused(copy: pathlib.Path, text: str) -> None:
    (copy / "report.json").write_text(text)
    with pytest.raises(lbm.UsageError) as error:
        lbm.open(copy).report
    one_line(error, "report.json", "damaged")


def test_what_is_no_directory_of_a_run(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        lbm.open(tmp_path / "none")
    assert isinstance(missing.value, lbm.MissingFileError)
    one_line(missing, str(tmp_path / "none"), "directory of a run")
    (tmp_path / "notes.txt").write_text("no results")
    for wrong in (tmp_path, sample / "report.json"):
        with pytest.raises(lbm.UsageError) as error:
            lbm.open(wrong)
        one_line(error, str(wrong), "directory of a run")


def test_a_restarted_run_is_one(program: str, tmp_path: pathlib.Path) -> None:
    yaml = """\
name: twice
grid: {cells: [8, 8, 12]}
boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}
fluid: {reynolds: 20, lattice_velocity: 0.1}
run: {steps: 20}
device: {backend: cpu}
output: {every_steps: 10, monitor: 5}
checkpoint: {every_steps: 10}
"""
    case = tmp_path / "twice.yaml"
    case.write_text(yaml)
    out = tmp_path / "out"
    first = [program, "run", str(case), "--quiet", "--out", str(out)]
    subprocess.run(first, check=True, stdout=subprocess.DEVNULL)
    more = [program, "run", str(case), "--quiet", "--restart", str(out), "--set", "run.steps=40"]
    subprocess.run(more, check=True, stdout=subprocess.DEVNULL)
    results = lbm.open(out)
    assert results.steps.tolist() == [10, 20, 30, 40]
    assert results.monitor.step.tolist() == list(range(5, 41, 5))
    assert results.report.restarted_from_step == 20
    assert [image.step for image in results.fields] == [10, 20, 30, 40]


def test_pictures_of_a_run(copy: pathlib.Path) -> None:
    """By name, in the order of steps; a notebook shows the newest one; other PNG files are none."""
    for step in (1_000_000_000, 5, 40):
        (copy / f"wake_{step:09d}.png").write_bytes(b"picture %d" % step)
    (copy / "photo.png").write_bytes(b"")
    results = lbm.open(copy)
    assert list(results.pictures) == ["wake"]
    wake = results.pictures["wake"]
    assert wake.steps == [5, 40, 1_000_000_000] and len(wake) == 3
    assert wake._repr_png_() == b"picture 1000000000"
    assert wake.files[0] in results.files and copy / "photo.png" not in results.files
    assert "wake" in repr(results)
    with pytest.raises(lbm.UsageError) as error:
        results.pictures["wke"]
    one_line(error, "wake")
