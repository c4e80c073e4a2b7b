# SPDX-License-Identifier: Apache-2.0
"""lbm.run and lbm.sweep: whole runs, families of them, and what is left when they are stopped."""

import csv
import json
import pathlib

import numpy as np
import pytest
from conftest import SMALL_CASE, RunCase

import lbm
from lbm.studies.parameter_study import Family


@pytest.fixture
def case() -> lbm.Case:
    return lbm.Case.from_text(SMALL_CASE).replace({"device.threads": 1})


def stamps(directory: pathlib.Path) -> dict[str, int]:
    """When each report was written."""
    return {str(file): file.stat().st_mtime_ns for file in directory.glob("*/report.json")}


# One run.


def test_run_is_what_the_program_computes(
    case: lbm.Case, run_case: RunCase, tmp_path: pathlib.Path
) -> None:
    theirs = lbm.open(run_case(SMALL_CASE))
    ours = lbm.run(case, tmp_path / "ours")
    assert ours.report.exit_reason == "completed"
    assert ours.path == tmp_path / "ours"
    assert ours.report.last_look == theirs.report.last_look
    np.testing.assert_array_equal(ours.fields[-1].velocity, theirs.fields[-1].velocity)


def test_run_refuses_earlier_results(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    lbm.run(case, tmp_path / "r")
    before = stamps(tmp_path)
    with pytest.raises(lbm.UsageError, match="holds the results"):
        lbm.run(case, tmp_path / "r")
    assert stamps(tmp_path) == before
    lbm.run(case, tmp_path / "r", overwrite=True)
    assert (tmp_path / "r" / "old-1" / "report.json").exists()


def test_run_goes_on_from_a_checkpoint(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    whole = lbm.run(case, tmp_path / "whole")
    with lbm.Simulation(case, out=tmp_path / "parts") as simulation:
        simulation.advance(15)
        simulation.checkpoint()
    parts = lbm.run(case, tmp_path / "parts", restart=tmp_path / "parts")
    assert parts.report.restarted_from_step == 15
    assert parts.report.last_look == whole.report.last_look


def test_where_nobody_says_where(
    case: lbm.Case, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert lbm.run(case).path == pathlib.Path("out/small")
    with pytest.raises(lbm.UsageError, match="out/small: holds the results"):
        lbm.run(case)
    case.output.directory = "mine"
    assert lbm.run(case).path == pathlib.Path("mine")
    case.output.directory = None
    table = lbm.sweep(case, {"run.steps": [2, 3]})
    assert [row["directory"] for row in table.rows] == ["out/small_sweep/steps=2", "out/small_sweep/steps=3"]


# A family.


def test_all_combinations_in_order(
    case: lbm.Case, run_case: RunCase, tmp_path: pathlib.Path
) -> None:
    family = {"fluid.reynolds": [10, 20.0], "lattice.collision": ["bgk", "trt"]}
    study = lbm.sweep(case, family, tmp_path / "s")
    assert study["fluid.reynolds"].tolist() == [10, 10, 20, 20]
    assert study["lattice.collision"].tolist() == ["bgk", "trt", "bgk", "trt"]
    assert [pathlib.Path(d).name for d in study["directory"]] == [
        "reynolds=10_collision=bgk",
        "reynolds=10_collision=trt",
        "reynolds=20_collision=bgk",
        "reynolds=20_collision=trt",
    ]
    assert study["status"].tolist() == ["completed"] * 4
    assert study["steps"].tolist() == [40] * 4
    alone = run_case(SMALL_CASE, "fluid.reynolds=10", "lattice.collision=trt")
    energy = lbm.open(alone).report.last_look.kinetic_energy
    assert study["kinetic_energy"][1] == energy
    assert len(set(study["kinetic_energy"])) == 4


def test_what_is_finished_is_not_run_again(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    first = lbm.sweep(case, {"fluid.reynolds": [10, 20]}, tmp_path / "s")
    before = stamps(tmp_path / "s")
    again = lbm.sweep(
        case,
        {"fluid.reynolds": [20.0, 30, 10]},
        tmp_path / "s",
        measure=lambda results: {"speed": results.report.last_look.speed_max},
        checkpoint_minutes=None,
    )
    after = stamps(tmp_path / "s")
    assert len(after) == 3
    assert before.items() <= after.items()
    assert again["kinetic_energy"][[2, 0]].tolist() == first["kinetic_energy"].tolist()
    assert np.all(again["speed"] > 0) and len(set(again["speed"])) == 3


def test_a_chosen_representation_is_known_again(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    auto = case.replace({"lattice.collision": "regularised", "lattice.representation": "auto"})
    family = {"fluid.reynolds": [10]}
    lbm.sweep(auto, family, tmp_path / "s")
    before = stamps(tmp_path / "s")
    (report,) = (json.loads(pathlib.Path(file).read_text()) for file in before)
    stored = report["representation"]
    lbm.sweep(auto, family, tmp_path / "s")
    assert stamps(tmp_path / "s") == before
    other = {"moments": "populations", "populations": "moments"}[stored]
    with pytest.raises(lbm.UsageError, match=f"lattice.representation: '{stored}' -> '{other}'"):
        lbm.sweep(auto.replace({"lattice.representation": other}), family, tmp_path / "s")


def test_a_list_of_settings_of_any_kind(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    settings: list[dict[str, object]] = [
        {},
        {"grid.cells": [12, 12, 20], "device.memory": "64 MB"},
        {"bodies.ball": {"shape": "sphere", "center": [8, 6, 10], "radius": 3}},
        {"name": "a" * 90, "fluid.reynolds": np.float64(25)},
    ]
    study = lbm.sweep(case, settings, tmp_path / "s")
    assert study["status"].tolist() == ["completed"] * 4
    names = [pathlib.Path(d).name for d in study["directory"]]
    assert names[0] == "as_given"
    assert names[1].startswith("cells=12x12x20_memory=")
    assert all(len(name) < 120 and not set(name) & set("/ {}'\"*?") for name in names)
    ball = lbm.open(study.rows[2]["directory"]).report.bodies[0]
    assert [study[f"ball.c{axis}"][2] for axis in "xyz"] == ball["coefficient"]
    assert np.isnan(study["ball.cx"][0])


@pytest.mark.parametrize(
    ("family", "said"),
    [
        ({"fluid.reynold": [10]}, "reynold.*unknown key.*reynolds"),
        ({"fluid.reynolds": [10, -1]}, "reynolds=-1.*must be"),
        ({"lattice.collision": ["bgk", "mrt"]}, "collision.*mrt"),
        ({"fluid.reynolds": 10}, "fluid.reynolds: found 10, must be a list"),
        ({"lattice.collision": "trt"}, "lattice.collision: found 'trt', must be a list"),
        ({"fluid.reynolds": []}, "no settings"),
        ([("fluid.reynolds", 10)], "among the settings"),
        ({"fluid.reynolds": [10, 10.0]}, "0 and 1 are the same"),
        ({"fluid.tau": [0.7], "fluid.reynolds": [10]}, "fluid"),
    ],
)
def test_wrong_settings_are_refused_before_the_first_run(
    family: Family, said: str, case: lbm.Case, tmp_path: pathlib.Path
) -> None:
    with pytest.raises(lbm.UsageError, match=said) as caught:
        lbm.sweep(case, family, tmp_path / "s")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "s").exists()


def test_a_directory_of_another_case_is_refused(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    lbm.sweep(case, {"fluid.reynolds": [10]}, tmp_path / "s")
    before = stamps(tmp_path / "s")
    longer = case.replace({"run.steps": 50})
    said = "reynolds=10: holds a run of another case: run.steps: 40 -> 50"
    with pytest.raises(lbm.UsageError, match=said):
        lbm.sweep(longer, {"fluid.reynolds": [5, 10]}, tmp_path / "s")
    assert stamps(tmp_path / "s") == before
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "table.csv").write_text("mine\n1\n")
    with pytest.raises(lbm.UsageError, match="table.csv: was not written by a sweep"):
        lbm.sweep(case, {"fluid.reynolds": [10]}, tmp_path / "foreign")
    assert (tmp_path / "foreign" / "table.csv").read_text() == "mine\n1\n"


def test_how_a_run_is_computed_may_change(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    """A finished run stays the same run with other threads, memory, schedule, checkpoints."""
    lbm.sweep(case, {"fluid.reynolds": [10]}, tmp_path / "s")
    before = stamps(tmp_path / "s")
    for change in ({"device.threads": 0}, {"tiling.scheme": "wavefront"}, {"run.walltime": 30},
                   {"host.memory_limit": "1 GB"}, {"checkpoint.keep": 1},
                   {"fluid.target_reynolds": 1e6}):  # fmt: skip
        other = case.replace(change)
        assert lbm.sweep(other, {"fluid.reynolds": [10]}, tmp_path / "s").rows, change
    assert stamps(tmp_path / "s") == before


SI_CASE = """\
units: si
grid: {size: [0.8, 0.8, 1], spacing: 0.1}
boundaries:
  z_min: {type: velocity, profile: table, file: inlet.csv}
  z_max: outflow
fluid: {velocity: 1, viscosity: 0.05, length: 0.8}
run: {time: 0.1}
device: {backend: cpu, threads: 1}
"""


def test_a_case_with_files_and_metres_is_known_again(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = [(x, y) for x in (0, 0.8) for y in (0, 0.8)]
    rows = "".join(f"{x},{y},0,0,0.5\n" for x, y in places)
    (tmp_path / "inlet.csv").write_text(rows)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "case.yaml").write_text(SI_CASE)
    family = {"fluid.viscosity": [0.05, 0.06]}
    first = lbm.sweep(lbm.Case.from_text(SI_CASE), family, "s")
    assert first["status"].tolist() == ["completed"] * 2
    before = stamps(tmp_path / "s")
    assert len(before) == 2
    monkeypatch.chdir("/")
    lbm.sweep(tmp_path / "case.yaml", family, tmp_path / "s")
    assert stamps(tmp_path / "s") == before


def test_a_run_that_fails_is_a_row(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    wild = case.replace({"run.steps": 3000, "fluid.lattice_velocity": 0.17})
    family: list[dict[str, object]] = [
        {"fluid.reynolds": 1e7},  # tau so near to 1/2 that the flow diverges
        {"device.memory": "1 kB"},
        {"fluid.reynolds": 15, "run.steps": 20},
    ]
    study = lbm.sweep(wild, family, tmp_path / "s")
    assert study["status"].tolist() == ["diverged", "failed", "completed"]
    assert "memory" in study["error"][1]
    report = lbm.open(study.rows[0]["directory"]).report
    assert report.exit_reason == study["error"][0]
    again = lbm.sweep(wild, family, tmp_path / "s", measure=lambda r: {"t": r.report.seconds})
    assert again["t"][2] > 0 and np.isnan(again["t"][:2]).all()
    before = stamps(tmp_path / "s")
    again = lbm.sweep(wild, family, tmp_path / "s")
    assert again["error"].tolist() == study["error"].tolist()
    assert stamps(tmp_path / "s") == before
    with pytest.raises(lbm.DivergedError) as caught:
        lbm.sweep(wild, family, tmp_path / "s", raise_errors=True)
    assert str(caught.value) == study["error"][0]


def test_a_measure_that_is_wrong(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    family = {"fluid.reynolds": [10]}
    with pytest.raises(lbm.UsageError, match="measure: found 3"):
        lbm.sweep(case, family, tmp_path, measure=lambda _: 3)  # type: ignore
    with pytest.raises(lbm.UsageError, match="measure: fluid.reynolds"):
        lbm.sweep(case, family, tmp_path, measure=lambda _: {"fluid.reynolds": 1})
    with pytest.raises(ZeroDivisionError):
        lbm.sweep(case, family, tmp_path, measure=lambda _: {"x": 1 / 0})
    assert lbm.sweep(case, family, tmp_path)["status"][0] == "completed"


def test_what_is_no_case(tmp_path: pathlib.Path) -> None:
    with pytest.raises(lbm.MissingFileError):
        lbm.sweep(tmp_path / "none.yaml", {"fluid.reynolds": [1]}, tmp_path / "s")
    for call in (lambda c: lbm.run(c, tmp_path / "s"), lambda c: lbm.sweep(c, {}, tmp_path / "s")):
        with pytest.raises(lbm.UsageError, match="case: found 3, must be a lbm.Case"):
            call(3)
    assert not (tmp_path / "s").exists()


# The table.


def test_the_table_as_csv_pandas_text(case: lbm.Case, tmp_path: pathlib.Path) -> None:
    study = lbm.sweep(case, {"fluid.reynolds": [10, 20]}, tmp_path / "s")
    with (tmp_path / "s" / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["kinetic_energy"]) for row in rows] == study["kinetic_energy"].tolist()
    assert list(rows[0]) == study.columns
    study.to_csv(tmp_path / "mine.csv")
    assert (tmp_path / "mine.csv").read_text() == (tmp_path / "s" / "table.csv").read_text()
    with pytest.raises(lbm.UsageError, match="already there"):
        study.to_csv(tmp_path / "mine.csv")
    assert study.to_pandas()["steps"].tolist() == [40, 40]
    assert len(repr(study).splitlines()) == 4
    with pytest.raises(KeyError, match="there is no column 'drag'"):
        study["drag"]
