# SPDX-License-Identifier: Apache-2.0
"""Bodies and inlets of a case from arrays, and whole runs from initial arrays."""

import pathlib
import subprocess
import sys
import typing
import warnings

import numpy as np
import pytest
from conftest import SMALL_CASE

import lbm

Z, Y, X = np.indices((20, 12, 16))
BALL = (X - 7) ** 2 + (Y - 6) ** 2 + (Z - 10) ** 2 < 9


def small() -> lbm.Case:
    case = lbm.Case.from_text(SMALL_CASE)
    case.lattice.cells = "all"
    return case


def test_the_solid_cells_are_those_of_the_mask() -> None:
    case = small()
    case.bodies["rock"] = lbm.mask(BALL)
    with lbm.Simulation(case) as simulation:
        simulation.advance(4)
        np.testing.assert_array_equal(simulation.field("solid"), BALL)
        assert not simulation.velocity()[BALL].any() and simulation.velocity()[~BALL].any()


def test_the_mask_gives_the_size_of_the_grid_and_takes_other_keys() -> None:
    case = small()
    case.grid.cells = None
    case.bodies["rock"] = lbm.mask(BALL, reservoir=(0, 0, 3))
    assert case.check().cells == [16, 12, 26]
    with pytest.raises(lbm.UsageError, match="Body.leaky: unknown key"):
        lbm.mask(BALL, leaky=True)


@pytest.mark.parametrize(
    ("dtype", "kept"),
    [("int64", "uint8"), ("uint16", "uint16"), (">i4", "int32"), ("bool", "uint8")],
)
def test_labels_keep_their_values(tmp_path: pathlib.Path, dtype: str, kept: str) -> None:
    labels = np.asfortranarray(np.where(BALL, 1, 0).astype(dtype))
    body = lbm.mask(labels, tmp_path / "rock.npy", fluid=[0, 5])
    stored = np.load(tmp_path / "rock.npy")
    assert stored.dtype == kept and stored.flags.c_contiguous
    np.testing.assert_array_equal(stored, labels)
    assert body == lbm.Body(shape="voxels", file=tmp_path / "rock.npy", fluid=[0, 5])
    assert np.load(str(lbm.mask(labels.astype(np.int64) - 300).file)).dtype == np.int16


def test_an_equal_file_stays_and_another_is_not_replaced(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "rock.npy"
    lbm.mask(BALL, file)
    before = file.stat().st_mtime_ns
    lbm.mask(BALL, file)
    assert file.stat().st_mtime_ns == before
    with pytest.raises(lbm.UsageError, match="overwrite=True"):
        lbm.mask(~BALL, file)
    np.testing.assert_array_equal(np.load(file), BALL)
    lbm.mask(~BALL, file, overwrite=True)
    np.testing.assert_array_equal(np.load(file), ~BALL)
    assert lbm.mask(BALL) == lbm.mask(BALL) != lbm.mask(~BALL), "equal arrays: equal cases"
    assert [path.name for path in tmp_path.iterdir()] == ["rock.npy"]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((3, 4)), r"mask: found an array of float64 \(3, 4\), must be"),
        (np.zeros((3, 4, 5)), "must be booleans or whole numbers"),
        (np.zeros((0, 4, 5), int), "must be booleans or whole numbers"),
        (np.full((2, 2, 2), 2**40), "must be numbers of at most 32 bits"),
    ],
)
def test_arrays_that_are_no_masks(array: np.ndarray, message: str) -> None:
    with pytest.raises(lbm.UsageError, match=message) as error:
        lbm.mask(array)
    assert "\n" not in str(error.value)


def test_wrong_files_of_masks(tmp_path: pathlib.Path) -> None:
    with pytest.raises(lbm.UsageError, match="must end in .npy"):
        lbm.mask(BALL, tmp_path / "rock.raw")
    with pytest.raises(lbm.ResourceError, match="cannot be written: No such file"):
        lbm.mask(BALL, tmp_path / "none" / "rock.npy")


def test_a_temporary_file_goes_with_python_and_a_run_says_so(tmp_path: pathlib.Path) -> None:
    code = (
        "import numpy, lbm\n"
        "solid = numpy.zeros((20, 12, 16), bool)\n"
        "solid[4:8, 4:8, 4:8] = True\n"
        "print(lbm.mask(solid).file)\n"
    )
    file = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    ).stdout.strip()
    assert file.endswith(".npy") and not pathlib.Path(file).exists()
    case = small()
    case.bodies["rock"] = lbm.mask(BALL)
    with pytest.warns(lbm.CaseWarning, match="^bodies.rock.file: a temporary file, which goes"):
        lbm.Simulation(case, out=tmp_path / "a").close()
    case.bodies["rock"] = lbm.mask(BALL, tmp_path / "rock.npy")
    with warnings.catch_warnings():
        warnings.simplefilter("error", lbm.CaseWarning)
        lbm.Simulation(case, out=tmp_path / "b").close()


def inflow(face: lbm.Face) -> np.ndarray:
    """The velocity in the first plane behind the face, [y, x, 3], of a thick layer at the inlet."""
    case = small()
    case.boundaries.x_min = case.boundaries.x_max = "slip"
    case.boundaries.y_min = case.boundaries.y_max = "slip"
    case.boundaries.z_min, case.boundaries.z_max = face, "outflow"
    case.run.steps = 400
    with lbm.Simulation(case) as simulation:
        simulation.advance()
        return np.asarray(simulation.velocity(z=0)[0], float)


def test_the_inlet_has_the_velocities_of_the_table() -> None:
    x, y = np.arange(16) + 0.5, np.arange(12) + 0.5
    w = 0.3 + 0.3 * x / 16 + 0.2 * y[:, None] / 12
    formula = lbm.Face(type="velocity", velocity=(0, 0, "0.3 + 0.3 * x / 16 + 0.2 * y / 12"))
    expected = inflow(formula)
    table = lbm.inlet_table(x, y, np.stack([0 * w, 0 * w, w], axis=-1))
    np.testing.assert_allclose(inflow(table), expected, atol=2e-6)
    assert np.ptp(expected[..., 2]) > 0.3, "a profile, not a constant"
    few = lbm.inlet_table([0.5, 15.5], [0.5, 11.5], np.stack([0 * w, 0 * w, w], -1)[::11, ::15])
    np.testing.assert_allclose(inflow(few), expected, atol=2e-6)


def test_a_profile_along_one_axis(tmp_path: pathlib.Path) -> None:
    w = 0.3 + 0.3 * np.array([0.5, 15.5]) / 16
    u = np.stack([0 * w, 0 * w, w], axis=-1)
    formula = lbm.Face(type="velocity", velocity=(0, 0, "0.3 + 0.3 * x / 16"))
    face = lbm.inlet_table([0.5, 15.5], 6, u, tmp_path / "inlet.csv", ramp_time=0.5)
    assert face.ramp_time == 0.5 and face.file == str(tmp_path / "inlet.csv")
    face.ramp_time = None
    np.testing.assert_allclose(inflow(face), inflow(formula), atol=2e-6)
    across = lbm.inlet_table(8, [0.5, 11.5], u)
    assert np.ptp(inflow(across)[..., 2], axis=0).min() > 0.2


@pytest.mark.parametrize(
    ("first", "second", "velocity", "message"),
    [
        ([1, 0], [0], np.zeros((2, 3)), "^first: .*that rise"),
        ([[1]], [0], np.zeros((2, 3)), "^first: "),
        ([0, 1], [], np.zeros((2, 3)), "^second: "),
        ([0, 1], [0, 1, 2], np.zeros((2, 3, 3)), r"^velocity: .*here \(3, 2, 3\)"),
        ([0, 1], [0, 1, 2], np.zeros((3, 2)), "^velocity: "),
        ([0, 1], 0, [[0, 0, np.nan]] * 2, "^velocity: found a value that is not finite"),
        ([0, 1], 0, "fast", "^velocity: found str, must be an array"),
    ],
)
def test_tables_that_are_none(
    first: typing.Any, second: typing.Any, velocity: typing.Any, message: str
) -> None:
    with pytest.raises(lbm.UsageError, match=message) as error:
        lbm.inlet_table(first, second, velocity)
    assert "\n" not in str(error.value)


def test_a_run_starts_from_arrays(tmp_path: pathlib.Path) -> None:
    u = np.zeros((20, 12, 16, 3), np.float32)
    u[..., 0] = 0.2 * np.sin(np.pi * (Z + 0.5) / 20)
    results = lbm.run(small(), tmp_path / "out", initial={"velocity": u}, progress=False)
    with lbm.Simulation(small(), initial={"velocity": u}) as simulation:
        simulation.advance()
        np.testing.assert_array_equal(results.fields[-1].velocity, simulation.velocity())
    still = lbm.run(small(), tmp_path / "still", progress=False).fields[-1]
    assert np.abs(still.velocity - np.asarray(results.fields[-1].velocity)).max() > 0.01
