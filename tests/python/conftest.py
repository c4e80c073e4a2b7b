# SPDX-License-Identifier: Apache-2.0
"""Fixtures and helpers that the tests of the Python package share."""

import gc
import os
import pathlib
import shutil
import subprocess
import typing

import pytest
import sample_run

import lbm

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A run of a second or less that writes what results are made of.
SMALL_CASE = """\
name: small
grid: {cells: [16, 12, 20]}
boundaries:
  z_max: {type: wall, velocity: [1, 0, 0]}
fluid: {reynolds: 20, lattice_velocity: 0.1}
run: {steps: 40}
device: {backend: cpu}
"""


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def program() -> str:
    """The program `lbm`: of LBM_PROGRAM, or the one on PATH."""
    found = os.environ.get("LBM_PROGRAM") or shutil.which("lbm")
    assert found, "no program lbm: set LBM_PROGRAM, or install the package"
    return found


def come_and_go(case: lbm.Case, count: int) -> None:
    """So many simulations, one after the other; half of them are closed."""
    for i in range(count):
        simulation = lbm.Simulation(case)
        simulation.advance(2)
        simulation.velocity((None, None, 3))
        if i % 2:
            simulation.close()  # the others go with their last reference
    del simulation
    gc.collect()


RunCase = typing.Callable[..., pathlib.Path]


@pytest.fixture
def run_case(program: str, tmp_path: pathlib.Path) -> RunCase:
    """run_case(yaml, *sets, out="out"): the directory that `lbm run` has written."""

    def run(yaml: str, *sets: str, out: str = "out") -> pathlib.Path:
        case = tmp_path / f"{out}.yaml"
        case.write_text(yaml)
        command = [program, "run", str(case), "--quiet", "--out", str(tmp_path / out)]
        for one in sets:
            command += ["--set", one]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return tmp_path / out

    return run


@pytest.fixture(scope="session")
def sample(program: str, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The directory of a run with results of all kinds; not to be changed."""
    return sample_run.make(program, tmp_path_factory.mktemp("sample"), vtk=False)


@pytest.fixture(scope="session")
def sample_vtk(program: str, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """The same with .vti and .vtp files."""
    return sample_run.make(program, tmp_path_factory.mktemp("sample_vtk"), vtk=True)
