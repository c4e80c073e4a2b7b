# SPDX-License-Identifier: Apache-2.0
"""Figures of scaling studies and benchmarks against the numbers in their files.

data/scale.json: by `lbm scale cav.yaml --processes 1,2 --planes 16,32 --steps 20`, a cavity of
32 x 32 cells a plane, on two shared cores: its numbers are real and worth nothing.
"""

import json
import pathlib
import subprocess
import typing

import pytest

import lbm

pytest.importorskip("matplotlib")
from matplotlib.figure import Figure  # noqa: E402

from lbm import plot  # noqa: E402

Json = dict[str, typing.Any]


def axes() -> typing.Any:
    return Figure().subplots()


def curves(ax: typing.Any) -> dict[str, list[list[float]]]:
    """Points of each labelled curve."""
    return {line.get_label(): line.get_xydata().tolist() for line in ax.lines}


@pytest.fixture
def scale(root: pathlib.Path) -> pathlib.Path:
    return root / "tests" / "python" / "data" / "scale.json"


@pytest.fixture
def h100(root: pathlib.Path) -> pathlib.Path:
    return root / "docs" / "figures" / "data" / "bench_h100.json"


def points(rows: list[Json], x: str, y: str, **of: object) -> list[list[float]]:
    some = [r for r in rows if all(r.get(k) == v for k, v in of.items()) and r.get(y) is not None]
    return sorted([float(r[x]), float(r[y])] for r in some)


def test_scaling_beside_the_model(scale: pathlib.Path) -> None:
    runs = json.loads(scale.read_text())["runs"]
    drawn = curves(plot.scaling(scale, ax=axes()))
    assert len(drawn) == 8
    for kind, each in (("weak", " each"), ("strong", "")):
        for planes in (16, 32):
            of = {"scaling": kind, "planes": planes}
            label = f"{kind}, {planes} planes{each}"
            assert drawn[label] == points(runs, "processes", "mlups", **of)
            model = points(runs, "processes", "predicted_mlups", **of)
            assert drawn[f"{label}, model"] == model and len(model) == 2


def test_scaling_of_one_kind(scale: pathlib.Path) -> None:
    runs = json.loads(scale.read_text())["runs"]
    ax = plot.scaling(json.loads(scale.read_text()), "weak", quantity="efficiency", ax=axes())
    drawn = curves(ax)
    assert len(drawn) == 4 and not any("strong" in label for label in drawn)
    of = {"scaling": "weak", "planes": 16}
    assert drawn["weak, 16 planes each"] == points(runs, "processes", "efficiency", **of)
    assert ax.get_xticks().tolist() == [1, 2]


def test_runs_that_failed_are_left_out(scale: pathlib.Path) -> None:
    content = json.loads(scale.read_text())
    content["runs"] = [
        {"scaling": "weak", "processes": 4, "planes": 16, "nz": 64, "failure": "exit code 4"},
        content["runs"][0],
    ]
    drawn = curves(plot.scaling(content, ax=axes()))
    assert [len(p) for p in drawn.values()] == [1, 1]
    with pytest.raises(lbm.UsageError, match="strong"):
        plot.scaling(content, "strong")


def test_out_of_core_against_in_core(h100: pathlib.Path) -> None:
    rows = json.loads(h100.read_text())["rows"]
    ax = plot.bench(h100, ax=axes())
    drawn = curves(ax)
    of = {"group": "out_of_core", "scheme": "wavefront", "storage": "fp32", "auto": False}
    expected = [[k, 100 * share] for k, share in points(rows, "k", "share_of_in_core", **of)]
    assert drawn["fp32 wavefront"] == expected and len(expected) == 4
    auto = "fp16 wavefront, k and B by the program"
    assert [k for k, _ in drawn[auto]] == [112, 143]
    predicted = {
        r["k"]: 100 * r["share_of_in_core"] * r["predicted_mlups"] / r["mlups"]
        for r in rows
        if all(r.get(k) == v for k, v in of.items())
    }
    assert drawn["_fp32 wavefront, model"] == [[k, v] for k, v in sorted(predicted.items())]
    assert "fp32 halo" in drawn


def test_speed_by_size(h100: pathlib.Path) -> None:
    rows = json.loads(h100.read_text())["rows"]
    drawn = curves(plot.bench(h100, "size", ax=axes()))
    limits = sorted({r["device_limit"] for r in rows if r["group"] == "size"})
    of = {"group": "size", "device_limit": limits[0]}
    inside = points(rows, "cell_count", "mlups", scheme="in_core", **of)
    outside = points(rows, "cell_count", "mlups", scheme="wavefront", **of)
    assert drawn["in core, 16 GB of device memory"] == inside
    assert drawn["out of core, 16 GB of device memory"] == outside and len(outside) == 3
    drawn = curves(plot.bench(h100, "in_core", ax=axes()))
    of = {"group": "in_core", "storage": "fp16", "box": "sphere"}
    assert drawn["fp16 sphere"] == points(rows, "cell_count", "mlups", **of)


def test_a_benchmark_of_now(program: str, tmp_path: pathlib.Path) -> None:
    command = [program, "bench", "--quick", "--backend", "cpu", "--only", "threads", "--steps", "2"]
    file = tmp_path / "b.json"
    more = ["--memory", "100MB", "--json", str(file)]
    subprocess.run([*command, *more], check=True, capture_output=True)
    rows = [r for r in json.loads(file.read_text())["rows"] if "mlups" in r]
    drawn = curves(plot.bench(file, ax=axes()))
    expected = [[r["threads"], r["mlups"]] for r in rows if r["group"] == "threads"]
    assert drawn["fp32, one step a visit"] == sorted(expected)
    with pytest.raises(lbm.UsageError, match="size was not measured; there are: threads"):
        plot.bench(file, "size")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"runs": 1, "rows": [1]}'])
def test_other_files_are_refused(tmp_path: pathlib.Path, text: str) -> None:
    file = tmp_path / "a.json"
    file.write_text(text)
    for draw in (plot.scaling, plot.bench):
        with pytest.raises(lbm.UsageError) as error:
            draw(file)
        assert str(file) in str(error.value) and "\n" not in str(error.value)
        with pytest.raises(FileNotFoundError):
            draw(tmp_path / "none.json")


def test_wrong_arguments_are_refused(scale: pathlib.Path, h100: pathlib.Path) -> None:
    for wrong in (
        lambda: plot.scaling(scale, "strange"),
        lambda: plot.scaling(scale, quantity="seconds"),
        lambda: plot.bench(h100, "speed"),
        lambda: plot.bench(h100, "threads"),
        lambda: plot.bench({"rows": []}),
    ):
        with pytest.raises(lbm.UsageError) as error:
            wrong()
        assert "\n" not in str(error.value)
