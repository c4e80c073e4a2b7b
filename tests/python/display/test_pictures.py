# SPDX-License-Identifier: Apache-2.0
"""Pictures that runs draw: limits of colours, planes, surfaces; pictures that were left out; previews."""

import json
import pathlib
import subprocess
import sys
import typing

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from lbm.pictures import command
from lbm.pictures.page import limits_of
from lbm.pictures.surface import faces_of, view_of

CASE = """\
name: stream
grid: {cells: [24, 16, 12]}
boundaries:
  x_min: {type: velocity, velocity: [1, 0, 0]}
  x_max: outflow
bodies: {ball: {shape: sphere, center: [9, 8, 6], radius: 3}}
fluid: {reynolds: 20, length: 6, lattice_velocity: 0.05}
run: {steps: 40}
device: {backend: cpu}
output: {at_end: false, profiles: false}
"""
CUT = "pictures:\n  cut: {slice: y, every_steps: 20, size: [480, 360], range: [0, 1.2]}\n"
SURFACE = "pictures:\n  fast: {surface: speed, value: 0.5, size: [480, 360], view: [-60, 25]}\n"

RunCase = typing.Callable[..., pathlib.Path]


def pixels(path: pathlib.Path) -> npt.NDArray[np.int64]:
    return np.asarray(Image.open(path).convert("RGB")).astype(np.int64)


def share_of(colour: tuple[int, int, int], picture: npt.NDArray[np.int64]) -> float:
    return float((np.abs(picture - colour).max(axis=2) < 12).mean())


def test_limits_are_round_and_stay_where_they_fit() -> None:
    first = limits_of(np.linspace(0.03, 1.13, 1000), "positive", None)
    assert first == pytest.approx((0, 1.2))
    assert limits_of(np.linspace(0, 1.24, 1000), "positive", first) == first, "5 % beyond"
    assert limits_of(np.linspace(0, 0.5, 1000), "positive", first) == first, "fills 40 %"
    assert limits_of(np.linspace(0, 0.4, 1000), "positive", first) == pytest.approx((0, 0.4))
    assert limits_of(np.linspace(0, 2, 1000), "positive", first) == pytest.approx((0, 2))
    assert limits_of(np.array([-3.0, 1.0]), "signed", None) == pytest.approx((-3, 3))
    assert limits_of(np.full(9, 1.0), "any", None)[1] > 1
    assert limits_of(np.array([np.nan, np.inf]), "any", first) == first
    assert limits_of(np.zeros(4), "positive", None)[1] > 0


def test_a_run_draws_its_pictures(run_case: RunCase) -> None:
    out = run_case(CASE + CUT)
    names = ["cut_000000020.png", "cut_000000040.png"]
    assert sorted(path.name for path in out.glob("cut_*")) == names
    report = json.loads((out / "report.json").read_text())
    assert set(names) <= set(report["files"]) and not any("*.picture" in w for w in report["warnings"])
    picture = pixels(out / names[1])
    assert picture.shape == (360, 480, 3)
    assert share_of((96, 96, 96), picture) == pytest.approx(28 / (24 * 12) * 0.4, rel=0.5), "the body"
    assert share_of((68, 1, 84), picture) > 0.0001, "viridis: no speed at the walls"


def test_limits_are_those_of_the_picture_before_also_after_a_restart(
    run_case: RunCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run_case(CASE + CUT))
    assert command.limits_before("cut", 40) == (0, 1.2)
    assert command.limits_before("cut", 20) is None
    assert command.limits_before("cu", 40) is None


def test_pictures_that_were_not_drawn_are_drawn_later(
    run_case: RunCase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LBM_PYTHON", "none")
    out = run_case(CASE + CUT)
    data = sorted(path.name for path in out.glob("cut_*"))
    assert data == ["cut_000000020.picture", "cut_000000040.picture"]
    report = json.loads((out / "report.json").read_text())
    assert set(data) <= set(report["files"]) and "lbm pictures" in str(report["warnings"])
    (out / "cut_000000030.picture").write_bytes(b"none")
    monkeypatch.chdir(out)
    assert command.main([str(out)]) == 1
    done = capsys.readouterr()
    assert "2 pictures drawn" in done.out and "cut_000000030.picture: was not drawn" in done.err
    assert sorted(path.name for path in out.glob("cut_*")) == [
        "cut_000000020.png",
        "cut_000000030.picture",
        "cut_000000040.png",
    ]
    assert command.main([str(out / "none")]) == 2


def test_a_projection_in_si_units_of_many_cells(run_case: RunCase) -> None:
    """More cells than pixels, a size by default, words of another unit."""
    out = run_case(
        "name: wide\nunits: si\ngrid: {size: [1.5, 0.003, 0.5], spacing: 0.001}\n"
        "fluid: {length: 0.1, velocity: 1, viscosity: 0.01, density: 1}\nrun: {steps: 1}\n"
        "initial: {flow: uniform, velocity: [1, 0, 0]}\n"
        "device: {backend: cpu}\noutput: {at_end: false, profiles: false}\n"
        "pictures: {p: {project: y, by: maximum, quantity: velocity_x, colours: grey}}\n"
    )
    picture = pixels(out / "p_000000001.png")
    assert picture.shape[1] == 1280 and 360 <= picture.shape[0] <= 1440 and picture.shape[0] % 2 == 0


def test_faces_of_a_ball_are_closed() -> None:
    n = 12
    grid = np.stack(np.meshgrid(*(np.arange(n),) * 3, indexing="ij"), axis=-1)
    above = ((grid - 5.7) ** 2).sum(axis=-1) < 16
    cubes = []
    for x, y, z in np.ndindex(n - 1, n - 1, n - 1):
        corners = above[x : x + 2, y : y + 2, z : z + 2]
        if corners.any() and not corners.all():
            ends = corners[1, 0, 0], corners[0, 1, 0], corners[0, 0, 1]
            bits = sum((end != corners[0, 0, 0]) << a for a, end in enumerate(ends))
            cubes.append([x, y, z, bits + 8 * corners[0, 0, 0], x, y, z, 0])
    faces = faces_of(np.array(cubes, dtype=np.float32), [n, n, n])
    edges = np.concatenate([faces[:, [i, (i + 1) % 4]] for i in range(4)])
    there = {tuple(edge) for edge in edges.tolist()}
    assert len(there) == len(edges) and all((b, a) in there for a, b in there), "one winding"
    assert faces_of(np.zeros((0, 8), dtype=np.float32), [n, n, n]).size == 0


def test_views() -> None:
    np.testing.assert_allclose(view_of(0, 0, 2), [[0, 1, 0], [0, 0, 1], [1, 0, 0]], atol=1e-12)
    np.testing.assert_allclose(view_of(0, 0, 1), [[1, 0, 0], [0, 1, 0], [0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(view_of(90, 0, 0), [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-12)


def test_surfaces_change_with_what_they_show(run_case: RunCase) -> None:
    pytest.importorskip("vtkmodules")
    seen = []
    for number, change in enumerate(("", "view=[20, 40]", "bodies=false")):
        sets = [f"pictures.fast.{change}"] if change else []
        picture = pixels(run_case(CASE + SURFACE, *sets, out=f"o{number}") / "fast_000000040.png")
        assert (picture.min(axis=2) < 200).mean() > 0.02, "more than an empty page"
        assert not any(np.array_equal(picture, other) for other in seen), change
        seen.append(picture)


def preview(program: str, case: pathlib.Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, "check", str(case), *more], capture_output=True, text=True)


def test_previews(program: str, tmp_path: pathlib.Path) -> None:
    file, case = tmp_path / "a.png", tmp_path / "case.yaml"
    case.write_text(CASE)
    done = preview(program, case, "--json", "--preview", str(file))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["preview"] == str(file)
    picture = pixels(file)
    assert picture.shape[1] >= 900 and share_of((0xFD, 0x8D, 0x3C), picture) < 0.001
    assert "exists" in preview(program, case, "--preview", str(file)).stderr
    for change, thin in (("bodies.ball.radius=0.7", True), ("bodies=null", False)):
        done = preview(program, case, "--set", change, "--preview", str(file), "--overwrite")
        assert done.returncode == 0, done.stderr
        orange = share_of((0xFD, 0x8D, 0x3C), pixels(file))
        assert not thin or orange > 0.0005, change
    made = subprocess.run(
        [program, "init", "cavity", "--reynolds", "400", "--preview", str(file), "--overwrite", "--out", str(tmp_path / "made.yaml")],
        capture_output=True, text=True,
    )
    assert made.returncode == 0, made.stderr


def test_python_draws_the_pictures_of_its_own_runs(tmp_path: pathlib.Path) -> None:
    code = f"import lbm; c = lbm.Case.from_text({(CASE + CUT)!r}); lbm.Simulation(c, out='o').advance()"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "o" / "cut_000000040.png").exists()
