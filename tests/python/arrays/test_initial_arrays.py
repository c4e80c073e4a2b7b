# SPDX-License-Identifier: Apache-2.0
"""Simulations that start from arrays: a flow with a known answer, and what is refused."""

import gc
import math

import lbm
import numpy
import pytest

from conftest import SMALL_CASE

N = 32
REYNOLDS = 50


def vortices(**fluid) -> lbm.Case:
    """Vortices that keep their shape and decay as exp(-2 nu k^2 t) (Taylor 1923)."""
    periodic = {face: "periodic" for face in ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max")}
    return lbm.Case(
        grid=lbm.Grid(cells=[N, N, 3]),
        boundaries=lbm.Boundaries(**periodic),
        fluid=lbm.Fluid(**{"reynolds": REYNOLDS, "lattice_velocity": 0.032, **fluid}),
        run=lbm.Run(convective_times=0.5),
        device=lbm.Device(backend="cpu"),
    )


def flow() -> dict[str, numpy.ndarray]:
    a = 2 * math.pi * (numpy.arange(N) + 0.5) / N
    x, y = a[None, None, :], a[None, :, None]
    velocity = numpy.zeros((3, N, N, 3))
    velocity[..., 0] = numpy.sin(x) * numpy.cos(y)
    velocity[..., 1] = -numpy.cos(x) * numpy.sin(y)
    pressure = numpy.zeros((3, N, N)) + (numpy.cos(2 * x) + numpy.cos(2 * y)) / 4
    return {"velocity": velocity, "pressure": pressure}


def decay(time: float) -> float:
    return math.exp(-2 * (2 * math.pi) ** 2 / REYNOLDS * time)


@pytest.fixture
def small() -> lbm.Case:
    return lbm.Case.from_text(SMALL_CASE)


def test_the_flow_is_that_of_the_arrays():
    initial = flow()
    with lbm.Simulation(vortices(), initial=initial) as simulation:
        assert simulation.step == 0
        assert simulation.velocity() == pytest.approx(initial["velocity"], abs=2e-6)
        assert simulation.pressure() == pytest.approx(initial["pressure"], abs=2e-4)


def test_vortices_decay_at_the_known_rate():
    initial = flow()
    with lbm.Simulation(vortices(), initial=initial) as simulation:
        simulation.advance()
        expected = initial["velocity"] * decay(simulation.time)
        assert numpy.abs(simulation.velocity() - expected).max() < 3e-3 * decay(simulation.time)


def test_a_simulation_continues_the_flow_of_another():
    with lbm.Simulation(vortices(), initial=flow()) as first:
        first.advance(300)
        state = {"velocity": first.velocity(), "density": first.density()}
        first.advance(100)
        with lbm.Simulation(vortices(), initial=state) as second:
            second.advance(100)
            difference = numpy.abs(first.velocity() - second.velocity()).max()
    assert 0 < difference < 2e-4 * decay(0.4)


def test_values_are_in_units_of_the_case():
    case = lbm.Case.from_text(
        "units: si\ngrid: {cells: [6, 5, 4], spacing: 0.01}\n"
        "fluid: {reynolds: 10, lattice_velocity: 0.05, velocity: 2, density: 1.2}\n"
        "run: {steps: 1}\ndevice: {backend: cpu}\n"
    )
    velocity = numpy.zeros((4, 5, 6, 3), numpy.float32)
    velocity[..., 2] = 1.5
    density = numpy.full((4, 5, 6), 1.212)
    with lbm.Simulation(case, initial={"velocity": velocity, "density": density}) as simulation:
        assert simulation.velocity()[..., 2] == pytest.approx(1.5, rel=1e-5)
        assert simulation.density() == pytest.approx(1.212, rel=1e-6)
        # Pa: the density over 1.2 times the square of the speed of sound
        assert simulation.pressure() == pytest.approx(0.012 * 40**2 / 3, rel=1e-4)


def test_all_layouts_and_types_give_the_same_flow():
    exact = flow()
    single = {name: array.astype(numpy.float32) for name, array in exact.items()}
    wide = numpy.zeros((3, N, N, 6))
    wide[..., ::2] = single["velocity"]
    forms = [
        single,
        {name: array.astype(numpy.float64) for name, array in single.items()},
        {name: numpy.asfortranarray(array) for name, array in single.items()},
        {name: array.astype(">f4") for name, array in single.items()},
        {"velocity": wide[..., ::2], "pressure": single["pressure"]},
    ]
    flows = []
    for form in forms:
        with lbm.Simulation(vortices(), initial=form) as simulation:
            simulation.advance(5)
            flows.append(simulation.velocity())
    for other in flows[1:]:
        assert numpy.array_equal(flows[0], other)


def test_the_simulation_holds_the_arrays():
    with lbm.Simulation(vortices(), initial=flow()) as simulation:
        simulation.advance(3)
        expected = simulation.velocity()
    initial = {name: array.copy() for name, array in flow().items()}
    simulation = lbm.Simulation(vortices(), initial=initial)
    del initial
    gc.collect()
    hidden = [numpy.full((3, N, N, 3), numpy.nan) for _ in range(20)]  # where they were
    simulation.advance(3)
    assert numpy.array_equal(simulation.velocity(), expected)
    assert len(hidden) == 20


def test_a_run_with_files_can_be_restarted(tmp_path, program):
    import subprocess

    case = vortices()
    case.checkpoint.every_steps = 100
    with lbm.Simulation(case, initial=flow(), out=tmp_path / "a") as simulation:
        simulation.advance()
        expected = simulation.velocity()
    assert "flow: arrays" in (tmp_path / "a" / "effective_case.yaml").read_text()
    saved = tmp_path / "a" / "checkpoint_000000400.h5"
    case.initial.flow = "arrays"
    with lbm.Simulation(case, restart=saved) as again:
        again.advance()
        assert numpy.array_equal(again.velocity(), expected)
    run = subprocess.run(
        [program, "run", tmp_path / "a" / "effective_case.yaml", "--out", tmp_path / "b"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert "initial.flow: found arrays, which only Python gives" in run.stderr


def test_a_restart_with_other_physics(tmp_path):
    case = vortices()
    with lbm.Simulation(case, initial=flow()) as simulation:
        simulation.advance(100)
        simulation.checkpoint(tmp_path / "state.h5")
    case.initial.flow = "arrays"
    case.fluid.reynolds = 2 * REYNOLDS
    with pytest.raises(lbm.UsageError, match="fluid.reynolds: 50 -> 100.*--change"):
        lbm.Simulation(case, restart=tmp_path / "state.h5")
    with lbm.Simulation(case, restart=tmp_path / "state.h5", change=True) as simulation:
        assert simulation.report.changed == ["fluid.reynolds: 50 -> 100"]
        before = numpy.abs(simulation.velocity()).max()
        simulation.advance(300)
        left = numpy.abs(simulation.velocity()).max() / before
        assert left == pytest.approx(math.sqrt(decay(0.3)), rel=5e-3)  # half the viscosity


def zeros(*shape: int, **kind) -> numpy.ndarray:
    return numpy.zeros(shape, **kind)


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        ([1], "initial: found list, must be a dict"),
        ({}, "initial: missing: velocity"),
        ({"pressure": zeros(20, 12, 16)}, "initial: missing: velocity"),
        ({"speed": 1}, "initial: found 'speed', must be velocity, pressure or density"),
        (
            {"velocity": zeros(16, 12, 20, 3)},
            r"initial\[\"velocity\"\]: found an array \(16, 12, 20, 3\), must be \(nz, ny, nx, 3\), "
            r"here \(20, 12, 16, 3\)",
        ),
        ({"velocity": zeros(20, 12, 16)}, r"must be \(nz, ny, nx, 3\)"),
        (
            {"velocity": zeros(20, 12, 16, 3), "pressure": zeros(20, 12, 16, 1)},
            r"must be \(nz, ny, nx\), here",
        ),
        (
            {"velocity": zeros(20, 12, 16, 3, dtype=complex)},
            "found dtype complex128, must be float32 or float64",
        ),
        ({"velocity": "rest"}, "must be float32 or float64"),
        (
            {name: zeros(20, 12, 16, *more) for name, more in
             [("velocity", (3,)), ("pressure", ()), ("density", ())]},
            "found pressure and density, must be at most one of them",
        ),
        ({"velocity": zeros(20, 12, 16, 3) + numpy.nan}, "its velocity is not finite at x = 0.5"),
        ({"velocity": zeros(20, 12, 16, 3) + 5}, "its velocity has Mach 1.5"),
    ],
)
def test_wrong_arrays_are_refused_in_one_line(small, initial, message):
    with pytest.raises(lbm.UsageError, match=message) as error:
        lbm.Simulation(small, initial=initial)
    assert "\n" not in str(error.value)


def test_what_does_not_go_together_is_refused(small, tmp_path):
    velocity = {"velocity": zeros(20, 12, 16, 3)}
    with pytest.raises(lbm.UsageError, match="initial: conflicts with restart"):
        lbm.Simulation(small, initial=velocity, restart=tmp_path)
    with pytest.raises(lbm.UsageError, match="change: missing: restart"):
        lbm.Simulation(small, change=True)
    small.initial.flow = "arrays"
    with pytest.raises(lbm.UsageError, match="which only Python gives"):
        lbm.Simulation(small)
