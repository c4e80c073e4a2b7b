# SPDX-License-Identifier: Apache-2.0
"""Dispersion of a solute in the flow through images: known answers, and what is refused."""

import pathlib
import typing

import numpy as np
import pytest

import lbm
from lbm import porous
from lbm.porous import pore_dispersion


def case_of(image: np.ndarray, file: pathlib.Path) -> lbm.Case:
    case = porous.image_case(porous.save(file, image, overwrite=True), along="x")
    return case.replace({"device.threads": 1, "device.backend": "cpu"})


def test_dispersion_between_plates(tmp_path: pathlib.Path) -> None:
    """Taylor and Aris: 1 + 2/105 Pe^2 with half the distance, and nothing passes across."""
    errors = []
    for cells in (8, 16):
        image = np.zeros((2, cells + 1, 2), dtype=np.uint8)
        image[:, 0] = 1
        case = case_of(image, tmp_path / "a.npy")
        found = porous.dispersion(case, peclet=10, length=cells / 2, gradients="xy")
        assert found.status == "steady" and found.reynolds < 0.51
        assert found.peclet == pytest.approx(10, rel=1e-3)
        errors.append((found.longitudinal - 1) / (2 / 105 * found.peclet**2) - 1)
        assert np.abs(found.tensor[:, 1]).max() < 1e-3 and np.isnan(found.tensor[:, 2]).all()
        assert found.longitudinal == found.tensor[0, 0] and np.isnan(found.transverse)
        assert found.direction == pytest.approx([1, 0, 0], abs=1e-6)
        assert case.fluid.length != cells / 2, "the case of the caller is left alone"
    assert errors == pytest.approx([-0.150, -0.034], abs=0.004)  # second order


def test_slow_flow_leaves_diffusion(tmp_path: pathlib.Path) -> None:
    """An image with mirror planes: what diffuses between faces is what diffuses in the periodic image."""
    half = 6
    image = porous.spheres(2 * half, [[half] * 3], half - 0.7)
    found = porous.dispersion(case_of(image, tmp_path / "a.npy"), peclet=0.01, length=2 * half)
    still = porous.diffusion(case_of(image[:half, :half, :half], tmp_path / "b.npy"), along="x")
    assert np.diag(found.tensor) == pytest.approx([1 / still.tortuosity] * 3, rel=2e-3)
    assert np.abs(found.tensor - np.diag(np.diag(found.tensor))).max() < 1e-5
    assert found.transverse == pytest.approx(found.tensor[1, 1], rel=1e-5)
    assert found.porosity == still.porosity


def test_only_pores_are_stored(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the result of all cells, bit for bit."""
    case = case_of(porous.overlapping_spheres(10, 2.5, 0.6, seed=4), tmp_path / "a.npy")
    own, found = pore_dispersion._solute_case, {}
    changes: dict[str, dict[str, typing.Any]] = {"fluid": {}, "all": {"lattice.cells": "all"}}
    for stored in changes:

        def made(*arguments: typing.Any, stored: str = stored) -> lbm.Case:
            changed = own(*arguments).replace(changes[stored])
            assert changed.replace({"run.steps": 1}).check().stored_cells == stored
            return changed

        monkeypatch.setattr(pore_dispersion, "_solute_case", made)
        found[stored] = porous.dispersion(case, peclet=1, length=5, steps=300)
    assert np.array_equal(found["fluid"].tensor, found["all"].tensor)


@pytest.mark.parametrize(
    ("keys", "arguments", "message"),
    [
        ({"boundaries.y_min": "slip"}, {}, "boundaries.y_min: found slip, must be periodic"),
        ({}, {"gradients": "xx"}, "gradients: found 'xx', must be axes"),
        ({}, {"peclet": 0}, "found peclet 0, length 4, must be > 0"),
        ({"force.acceleration": [0, 0, 0]}, {}, "missing: force.acceleration"),
        ({"units": "si"}, {}, "units: found si, must be lattice"),
    ],
)
def test_what_is_refused(
    tmp_path: pathlib.Path,
    keys: dict[str, typing.Any],
    arguments: dict[str, typing.Any],
    message: str,
) -> None:
    image = np.zeros((2, 5, 2), dtype=np.uint8)
    image[:, 0] = 1
    case = case_of(image, tmp_path / "a.npy").replace(keys)
    with pytest.raises(lbm.UsageError) as caught:
        porous.dispersion(case, **{"peclet": 1, "length": 4, **arguments})
    assert message in str(caught.value) and "\n" not in str(caught.value)
