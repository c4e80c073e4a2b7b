# SPDX-License-Identifier: Apache-2.0
"""The classes of a case and the key table are one; types hold."""

import dataclasses
import os
import pathlib
import subprocess
import sys
import typing

import pytest

import lbm
from lbm import _case_classes, _key_table


def test_every_key_of_the_reference_page_is_an_attribute(root: pathlib.Path) -> None:
    page = (root / "docs/case_reference.md").read_text()
    paths = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")]
    assert len(paths) > 150
    case = lbm.Case()
    for path in paths:
        group, _, key = path.replace("FACE", "y_min").rpartition(".")
        for name in (
            "patches", "scalars", "bodies", "outputs", "pictures", "statistics", "probes", "quantities", "expect",
        ):  # fmt: skip
            if f"{name}.NAME" in path:
                case._at_path(group, make=True)
        holder = case[group] if group else case
        assert hasattr(holder, _key_table.attribute_of(key)), path


def test_no_key_hides_a_method() -> None:
    for name in _case_classes.__all__:
        cls = getattr(lbm, name)
        methods = {name for base in cls.__mro__[1:] for name in vars(base)}
        assert not methods & {field.name for field in dataclasses.fields(cls)}
    own = {name for base in (lbm.Case, *lbm.Case.__mro__[2:]) for name in vars(base)}
    assert not own & {field.name for field in dataclasses.fields(lbm.Case)}


def test_help_has_the_keys() -> None:
    assert "reynolds: Reynolds number: reference velocity x" in (lbm.Fluid.__doc__ or "")
    assert "from_: One end of the axis" in (lbm.Body.__doc__ or "")


USER = """\
import lbm

case = lbm.Case(name="a", grid=lbm.Grid(cells=[8, 8, 8]), fluid=lbm.Fluid(reynolds=100))
case.run.steps = 5
case.fluid.reynold = 5
case.lattice.storage = "fp8"
reveal_type(case.bodies["a"].radius)
reveal_type(case.check())
case.boundaries.y_min = case.boundaries.y_max = "periodic"
case.boundaries.x_min = {"type": "slip"}
case.boundaries.x_max = lbm.Face(type="wall")
case.fluid = {"reynolds": 50}
reveal_type(case.boundaries.y_min)
case.boundaries.z_max = "periodical"
lbm.Case(grid={"cells": [8, 8, 8]}, boundaries=lbm.Boundaries(y_min="slip", y_max=3))
case.bodies["a"].center = "middle"
case.bodies = {"a": 3}
"""


# A script of a user: numbers, tuples, ranges, arrays, mappings and words where a case takes them.
PROJECT = """\
import pathlib

import numpy as np

import lbm

case = lbm.Case(name="duct", grid={"cells": (16, 12, 20)}, bodies={"ball": {"shape": "sphere"}})
case.grid.cells = np.array([16, 12, 20])
case.boundaries.y_min = case.boundaries.y_max = "periodic"
case.boundaries.z_max = lbm.Face(type="wall", velocity=(1, 0, 0))
case.boundaries.z_min = {"type": "velocity", "velocity": (0, 0, "x/lx")}
case.bodies["ball"] = lbm.Body(shape="sphere", center=np.ones(3) * 6, radius=np.float32(2.5))
case.bodies["rod"] = {"shape": "capsule", "from": (2, 6, 4), "to": (14, 6, 4), "radius": 2}
case.bodies["rod"].scale = (1, 1, 0.5)
case.bodies["wing"] = lbm.Body(shape="polygon", axis="y", points=np.array([[4, 2], [9, 2], [9, 5]]))
case.bodies["ring"] = lbm.Body(shape="torus", center=(8, 6, 9), axis=np.ones(3), radii=(4, 1.5))
case.fluid = lbm.Fluid(reynolds=20)
case.fluid.reynolds = np.int64(20)
case.lattice.storage = None
case.run.steps = np.int64(4)
case.output.times = [0.01, np.float64(0.02)]
case.outputs["mid"] = {"slice": "y", "at": 6, "fields": ("velocity", "pressure")}
case.probes["axis"] = lbm.Probe(points=[(8, 6, 14), [8, 6, 15]])
case.probes["line"] = lbm.Probe(points=np.full((2, 3), 11.0))
case.output.directory = pathlib.Path("elsewhere")
case.checkpoint = {"every_steps": 2}
case.device.backend = "cpu"
cells: list[int] | None = case.grid.cells
radius: float | None = case.bodies["ball"].radius
tau: float = case.check().tau
with lbm.Simulation(case, initial={"velocity": np.zeros((20, 12, 16, 3))}) as simulation:
    simulation.advance(2)
    speed = np.linalg.norm(simulation.velocity(y=6), axis=-1)
    print(cells, radius, speed.shape, simulation.forces["ball"].coefficient.shape)
"""

Mypy = typing.Callable[..., str]


@pytest.fixture
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Mypy:
    """mypy(file or options): what `mypy --strict` prints of a user's file."""
    pytest.importorskip("mypy")
    package = pathlib.Path(lbm.__file__).parent
    # mypy knows what is installed, and does not look at PYTHONPATH.
    environment = {name: text for name, text in os.environ.items() if name != "MYPYPATH"}
    if "site-packages" not in package.parts:
        environment["MYPYPATH"] = str(package.parent)
    cache = tmp_path_factory.getbasetemp() / "mypy"

    def run(*what: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), *what],
            cwd=cache.parent,  # away from the sources
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    return run


def test_a_small_project_has_right_types_and_runs(mypy: Mypy, tmp_path: pathlib.Path) -> None:
    project = tmp_path / "project.py"
    project.write_text(PROJECT)
    said = mypy(str(project))
    assert said.startswith("Success: no issues found in 1 source file"), said
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(project)], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "[16, 12, 20] 2.5 (20, 1, 16) (3,)\n", done.stderr


def test_types_hold(mypy: Mypy, tmp_path: pathlib.Path) -> None:
    user = tmp_path / "user.py"
    user.write_text(USER)
    whole = mypy("-p", "lbm")
    assert whole.startswith("Success: no issues found"), whole
    said = mypy(str(user))
    lines = [line.partition("user.py:")[2] for line in said.splitlines()]
    assert lines[0].startswith('5: error: "Fluid" has no attribute "reynold"'), said
    assert lines[1].startswith("6: error: Incompatible types in assignment"), said
    assert "Revealed" in lines[2] and "float | None" in lines[2]
    assert "Revealed" in lines[3] and "lbm.report.Record" in lines[3]
    assert "Revealed" in lines[4] and "lbm._case_classes.Face" in lines[4]
    assert lines[5].startswith("14: error: Incompatible types in assignment"), said
    assert lines[6].startswith('15: error: Argument "y_max" to "Boundaries" has'), said
    assert lines[7].startswith("16: error: Incompatible types in assignment"), said
    assert "17: error: Dict entry 0 has incompatible type" in said, said
    assert "Found 6 errors in 1 file" in said, said
