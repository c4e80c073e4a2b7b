# SPDX-License-Identifier: Apache-2.0
"""Simulations on a GPU; skipped where there is none (ctest label gpu)."""

import json
import subprocess

import lbm
import numpy
import pytest
from conftest import SMALL_CASE, come_and_go
from test_same_as_program import CASES, results_of


@pytest.fixture(scope="module", autouse=True)
def gpu(program):
    info = json.loads(subprocess.run([program, "info", "--json"], capture_output=True, check=True).stdout)
    if all(device["backend"] != "cuda" for device in info["devices"]):
        pytest.skip("no GPU here")


def used_bytes() -> float:
    text = subprocess.run(
        ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits", "--id=0"],
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    return float(text) * 2**20


def on_gpu(**changes: object) -> lbm.Case:
    case = lbm.Case.from_text(SMALL_CASE.replace("backend: cpu", "backend: cuda"))
    return case.replace({key.replace("__", "."): value for key, value in changes.items()})


@pytest.mark.parametrize("scheme", ["in_core", "wavefront", "halo"])
@pytest.mark.parametrize("name", CASES)
def test_files_are_those_of_the_program(name, scheme, run_case, tmp_path):
    text = CASES[name].replace("backend: cpu", "backend: cuda")
    program = run_case(text, f"tiling.scheme={scheme}")
    case = lbm.Case.from_yaml(tmp_path / "out.yaml", {"tiling.scheme": scheme})
    with lbm.Simulation(case, out=tmp_path / "python") as simulation:
        assert simulation.report.backend == "cuda"
        while not simulation.done:
            simulation.advance(min(17, simulation.steps - simulation.step))
            simulation.velocity(((3, 9), None, 5))
    want, got = results_of(program), results_of(tmp_path / "python")
    assert [file for file in want if want[file] != got.get(file)] == []


@pytest.mark.parametrize("storage", ["fp32", "fp16", "fp64"])
def test_fields_are_the_same_wherever_the_planes_are(storage):
    flows = []
    for scheme in ("in_core", "wavefront", "halo"):
        case = on_gpu(lattice__storage=storage, tiling__scheme=scheme, grid__cells=[40, 24, 70])
        with lbm.Simulation(case) as simulation:
            simulation.advance(33)
            fields = [simulation.velocity(), simulation.density(), simulation.field("vorticity")]
            assert numpy.array_equal(simulation.velocity(((5, 21), None, (30, 64)), 3), fields[0][30:64:3, ::3, 5:21:3])
            simulation.advance(2)
            fields.append(simulation.velocity())
            flows.append(fields)
    assert flows[0][0].any()
    for other in flows[1:]:
        for a, b in zip(flows[0], other):
            assert numpy.array_equal(a, b)
    case = on_gpu(lattice__storage=storage, device__backend="cpu", grid__cells=[40, 24, 70])
    with lbm.Simulation(case) as simulation:
        simulation.advance(33)
        tolerance = {"fp32": 1e-5, "fp16": 2e-2, "fp64": 1e-6}[storage]
        assert numpy.abs(simulation.velocity() - flows[0][0]).max() < tolerance


def test_a_hundred_simulations_leave_no_device_memory():
    """Each takes 160 MB."""
    case = on_gpu(grid__cells=[128, 128, 128], run__steps=8)

    come_and_go(case, 3)
    before = used_bytes()
    come_and_go(case, 100)
    assert used_bytes() - before < 10e6


def test_two_simulations_share_a_device():
    with lbm.Simulation(on_gpu()) as a, lbm.Simulation(on_gpu(device__memory="1 GB")) as b:
        for _ in range(4):
            a.advance(5)
            b.advance(5)
        assert numpy.array_equal(a.velocity(), b.velocity())


def test_a_simulation_that_goes_makes_room():
    case = on_gpu(grid__cells=[256, 256, 256], run__steps=2)
    need = case.plan().device_bytes
    assert need > 1.2e9
    with lbm.Simulation(case):
        held = used_bytes()
    assert held - used_bytes() > 0.95 * need
