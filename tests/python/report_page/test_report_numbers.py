# SPDX-License-Identifier: Apache-2.0
"""Statistics, spectra and fields of a report against known answers."""

import math
import pathlib
import typing

import numpy as np
import numpy.typing as npt
import pytest
from conftest import RunCase

import lbm
from lbm.report_page import page
from lbm.report_page.planes import middle_plane
from lbm.report_page.statistics import correlation_samples, envelope, settled, spectrum, summary

Array = npt.NDArray[np.float64]


def autoregressive(count: int, share: float, seed: int) -> Array:
    """x_i = share x_(i-1) + noise: its integrated correlation time is (1 + share) / (1 - share)."""
    noise = np.random.default_rng(seed).normal(size=count)
    values = np.empty(count)
    values[0] = noise[0] / math.sqrt(1 - share**2)
    for i in range(1, count):
        values[i] = share * values[i - 1] + noise[i]
    return values


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_the_autocorrelation_time_of_an_autoregressive_series(share: float) -> None:
    found = [correlation_samples(autoregressive(20_000, share, seed)) for seed in range(10)]
    known = (1 + share) / (1 - share)
    assert np.mean([one or math.nan for one in found]) == pytest.approx(known, rel=0.06)


def test_the_error_of_a_mean_is_that_of_many_series() -> None:
    count, share, series = 4000, 0.9, 300
    found = [
        summary(np.arange(count) * 0.1, 5 + autoregressive(count, share, seed))
        for seed in range(series)
    ]
    means = np.array([one.mean for one in found if one is not None])
    errors = np.array([one.error for one in found if one is not None], np.float64)
    inside = (np.abs(means - 5) <= errors).mean()
    assert 0.6 < inside < 0.76, "68 % of the means are within one error"
    assert errors.mean() == pytest.approx(means.std(), rel=0.12)
    one = found[0]
    assert one is not None and one.correlation == pytest.approx(
        1.9, rel=0.3
    ), "in times, not samples"
    assert one.state == "fluctuating"


def test_series_that_have_no_error() -> None:
    times = np.arange(400.0)
    steady = summary(times, np.full(400, 2.0))
    assert steady is not None and (steady.mean, steady.deviation, steady.error) == (2, 0, None)
    assert steady.state == "steady"
    drift = summary(times, times)
    assert drift is not None and drift.error is None and "changing" in drift.state
    assert summary(times, np.full(400, math.nan)) is None
    some = summary(times, np.where(times % 2 == 0, 1.0, math.nan))
    assert some is not None and some.mean == 1
    assert summary(np.empty(0), np.empty(0)) is None
    step = summary(times, np.random.default_rng(1).normal(size=400) + 30 * (times > 200))
    assert step is not None and "changing" in step.state


def test_the_second_half_counts() -> None:
    assert settled(np.array([1.0, 2, 3, 4, 5])).tolist() == [False, False, True, True, True]
    assert settled(np.empty(0)).tolist() == []


def test_an_envelope_keeps_extremes() -> None:
    times = np.arange(100_000.0)
    values = np.sin(times)
    values[31_415], values[77_777], values[50_000] = 9, -8, math.nan
    at, some = envelope(times, values, 500)
    assert len(at) == len(some) == 1000 and (np.diff(at) >= 0).all()
    assert np.nanmax(some) == 9 and np.nanmin(some) == -8
    assert at[np.nanargmax(some)] == pytest.approx(31_415, abs=200)
    assert envelope(times[:9], values[:9], 500)[1].tolist() == values[:9].tolist()


def test_the_peak_of_a_spectrum() -> None:
    times = np.arange(6000) * 0.02
    noise = np.random.default_rng(2).normal(size=6000)
    found = spectrum(times, 3 + np.sin(2 * np.pi * 0.4321 * times) + 0.2 * noise)
    assert found is not None and found.peak == pytest.approx(0.4321, abs=found.width / 5)
    only_noise = spectrum(times, noise)
    assert only_noise is not None and only_noise.peak is None
    assert only_noise.power.mean() * only_noise.frequencies[-1] == pytest.approx(1, rel=0.1)
    assert spectrum(times, np.ones(6000)) is None and spectrum(times[:20], noise[:20]) is None


CASE = """\
grid: {cells: [24, 6, 32]}
boundaries: {y_min: periodic, y_max: periodic, z_max: {type: wall, velocity: [1, 0, 0]}}
fluid: {reynolds: 50, lattice_velocity: 0.1}
bodies: {box: {shape: sphere, center: [12, 3, 10], radius: 2.5}}
run: {steps: 200}
device: {backend: cpu}
outputs: {mid: {slice: y, at: 3.5, fields: [velocity, density, pressure, vorticity, solid]}}
"""
SI = """\
units: si
grid: {cells: [24, 6, 32], spacing: 0.002}
boundaries: {y_min: periodic, y_max: periodic, z_max: {type: wall, velocity: [3, 0, 0]}}
fluid: {length: 0.048, velocity: 3, viscosity: 3e-3, density: 1.2, lattice_velocity: 0.1}
run: {steps: 200}
device: {backend: cpu}
outputs: {mid: {slice: y, at: 0.007, fields: [velocity, density, pressure, vorticity, solid]}}
"""


@pytest.mark.parametrize("case", [CASE, SI], ids=["lattice", "si"])
def test_pressure_and_vorticity_are_those_of_the_program(run_case: RunCase, case: str) -> None:
    results = lbm.open(run_case(case))
    plane = middle_plane(results.fields[-1], "y")
    known = results["mid"][-1].slice("y", index=0)
    assert plane.at == pytest.approx(known.at["y"])
    pressure: typing.Any = plane.values("pressure")
    expected = np.asarray(known["pressure"])
    fluid = np.asarray(known["solid"]) == 0
    assert expected.std() > 0 and np.array_equal(plane.solid, ~fluid)
    # The density of the file is float32: its last digit counts more than that of the pressure.
    assert np.allclose(pressure[fluid], expected[fluid], atol=1e-4 * np.abs(expected).max())
    vorticity: typing.Any = plane.values("vorticity")
    expected = np.asarray(known["vorticity"])[..., 1]
    near = np.zeros_like(fluid)
    for shift in (-1, 0, 1):  # cells beside walls and bodies have one-sided differences
        for axis in (0, 1):
            near |= np.roll(~fluid, shift, axis)
    near[[0, -1]] = near[:, [0, -1]] = True
    assert np.allclose(vorticity[~near], expected[~near], atol=1e-4 * np.abs(expected).max())


def test_numbers_for_readers() -> None:
    shown = [page.number(one) for one in (32768, 0.012345, 1.43e-6, -2, 1e-5, 123456.7)]
    space = page.NO_BREAK
    assert shown == ["32,768", "0.01235", f"1.43{space}×{space}10⁻⁶", "−2", "10⁻⁵", "123,457"]
    assert [page.number(one) for one in (None, math.nan, math.inf, "7", True, [])] == ["–"] * 6
    assert page.with_error(0.29900035, 0.0027283) == "0.299 ± 0.0027"
    assert page.with_error(3.30512, 0.011) == "3.305 ± 0.011"
    assert page.with_error(-0.0197, 0.284) == "−0.02 ± 0.28"
    assert page.with_error(5.0, None) == "5" and page.with_error(None, 1) == "–"
    assert [page.size(one) for one in (5, 2951168, None)] == ["5 bytes", "2.81 MiB", "–"]
    assert [page.duration(one) for one in (0.0123, 6.155, 266, 11100)] == [
        "0.012 s", "6.16 s", "4 min 26 s", "3 h 5 min"]  # fmt: skip
    assert page.unit_text("rho0 U^2 L^-1") == f"ρ₀{space}U²{space}L⁻¹"
    assert [page.power_of_ten(one) for one in (0.01, 100, 1e-6, 1e4)] == [
        "0.01",
        "100",
        "10⁻⁶",
        "10⁴",
    ]


def test_rounding_errors_are_no_forces(run_case: RunCase, tmp_path: pathlib.Path) -> None:
    """A sphere in the middle of a symmetric tunnel: one force along the stream, no torque."""
    case = """\
grid: {cells: [16, 16, 24]}
boundaries: {x_min: slip, x_max: slip, y_min: slip, y_max: slip,
  z_min: {type: velocity, velocity: [0, 0, 1], ramp_time: 1}, z_max: outflow}
bodies: {ball: {shape: sphere, center: [8, 8, 9], radius: 3}}
fluid: {reynolds: 10, length: 6, lattice_velocity: 0.05}
run: {steps: 400}
device: {backend: cpu}
"""
    text = lbm.write_report(run_case(case), tmp_path / "a.html").read_text()
    for words, count in (("coefficient along z", 1), ("force along z", 1), ("along x</th>", 0),
                         ("torque about", 0)):  # fmt: skip
        assert text.count(words) == count, words
