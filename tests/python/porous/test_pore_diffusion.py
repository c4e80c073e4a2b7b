# SPDX-License-Identifier: Apache-2.0
"""Effective diffusivity of images: known answers, and what is refused."""

import pathlib
import typing

import numpy as np
import pytest

import lbm
from lbm import porous
from lbm.porous import pore_diffusion


def case_of(image: np.ndarray, file: pathlib.Path, **keys: typing.Any) -> lbm.Case:
    case = porous.image_case(porous.save(file, image, overwrite=True), **keys)
    return case.replace({"device.threads": 1, "device.backend": "cpu"})


def of_finite_volumes(pores: np.ndarray) -> float:
    """D_eff / D_0 along axis 0 from a dense matrix: conductances 1 between pores, 2 at the two faces."""
    number = np.full(pores.shape, -1)
    number[pores] = np.arange(pores.sum())
    matrix, right = np.zeros((pores.sum(),) * 2), np.zeros(pores.sum())
    for axis in range(3):
        low = np.moveaxis(number, axis, 0)[:-1].ravel()
        high = np.moveaxis(number, axis, 0)[1:].ravel()
        for a, b in zip(low, high):
            if min(a, b) >= 0:
                matrix[[a, b], [a, b]] += 1
                matrix[[a, b], [b, a]] -= 1
    ends = number[0][pores[0]], number[-1][pores[-1]]
    for end in ends:
        matrix[end, end] += 2
    right[ends[0]] = 2
    solution = np.linalg.lstsq(matrix, right)[0]  # closed pores have any value
    flux = 2 * (1 - solution[ends[0]]).sum()
    return float(flux * pores.shape[0] / pores[0].size)


@pytest.mark.parametrize("along", ["x", "y", "z"])
def test_it_solves_the_equations_of_finite_volumes(tmp_path: pathlib.Path, along: str) -> None:
    image = porous.overlapping_spheres((9, 10, 11), 2.5, 0.6, seed=4)
    closed = image[3:6, 3:6, 3:6]
    closed[:], closed[1, 1, 1] = 1, 0  # a pore without a way out
    case = case_of(image, tmp_path / "a.npy")
    found = porous.diffusion(case, along=along, tolerance=1e-5)
    through = image == 0
    through[4, 4, 4] = False
    known = of_finite_volumes(np.moveaxis(through, "zyx".index(along), 0))
    assert found.effective_diffusivity == pytest.approx(known, rel=3e-5)
    assert (found.along, found.status) == (along, "steady") and found.spread <= 1e-5
    assert found.formation_factor == 1 / found.effective_diffusivity
    assert found.tortuosity == found.porosity * found.formation_factor
    assert found.porosity == pytest.approx(through.mean(), abs=0.02)  # less what is closed elsewhere
    assert case.boundaries.z_min.type == "periodic", "the case of the caller is left alone"


def test_only_pores_are_stored(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the result of all cells, bit for bit."""
    case = case_of(porous.overlapping_spheres((9, 10, 11), 2.5, 0.6, seed=4), tmp_path / "a.npy")
    own, found = pore_diffusion._case, {}
    changes: dict[str, dict[str, typing.Any]] = {"fluid": {}, "all": {"lattice.cells": "all"}}
    for stored, change in changes.items():

        def made(*arguments: typing.Any, change: dict[str, typing.Any] = change) -> lbm.Case:
            return own(*arguments).replace(change)

        assert made(case, "z").replace({"run.steps": 1}).check().stored_cells == stored
        monkeypatch.setattr(pore_diffusion, "_case", made)
        found[stored] = porous.diffusion(case)
    assert found["fluid"] == found["all"]


def test_straight_pores_and_units(tmp_path: pathlib.Path) -> None:
    """Nothing changes between plates: D_eff / D_0 is the porosity, from the start."""
    image = np.zeros((12, 8, 3), dtype=np.uint8)
    image[:, :3] = 1
    for keys in ({}, {"voxel": 2e-6, "viscosity": 3e-6}):
        found = porous.diffusion(case_of(image, tmp_path / "a.npy", **keys))
        assert found.effective_diffusivity == pytest.approx(5 / 8, rel=1e-5)
        assert (found.tortuosity, found.steps) == (pytest.approx(1, rel=1e-5), 20)


def test_touching_spheres(tmp_path: pathlib.Path) -> None:
    """Half a cube edge of a simple cubic array: 0.3437 with exact spheres (docs/diffusion.md), less with
    voxels, in the first order."""
    errors = []
    for half in (8, 16):
        image = porous.spheres(2 * half, [[half] * 3], half)[:half, :half, :half]
        found = porous.diffusion(case_of(image, tmp_path / "a.npy"))
        errors.append(found.effective_diffusivity / 0.3437 - 1)
    assert errors == pytest.approx([-0.138, -0.065], abs=0.002)


def ball_in_corner(edge: int) -> lbm.Case:
    """An eighth of a simple cubic array of touching spheres, in closed form."""
    case = lbm.Case(grid=lbm.Grid(cells=[edge] * 3), device=lbm.Device(backend="cpu", threads=1))
    case.bodies["ball"] = lbm.Body(shape="sphere", center=[edge] * 3, radius=edge)
    return case


def test_extrapolation_to_smooth_spheres() -> None:
    found = porous.extrapolated_diffusion(ball_in_corner(16))
    d, coarse = (each.effective_diffusivity / 0.3437 - 1 for each in (found.fine, found.coarse))
    assert (d, coarse) == pytest.approx((-0.065, -0.138), abs=0.002)  # as images of these cells
    assert found.effective_diffusivity / 0.3437 - 1 == pytest.approx(2 * d - coarse)
    assert found.effective_diffusivity == pytest.approx(0.3437, rel=0.01) == 1 / found.formation_factor
    assert found.error == pytest.approx(0.065 + 0.0083, abs=0.003)
    assert (found.status, found.porosity) == ("steady", found.fine.porosity)


@pytest.mark.parametrize("keys", [{}, {"voxel": 2e-6, "viscosity": 3e-6}])
def test_extrapolation_of_an_image(tmp_path: pathlib.Path, keys: dict[str, typing.Any]) -> None:
    image = porous.spheres(24, [[12] * 3], 12)[:12, :12, :12]
    case = case_of(image, tmp_path / "a.npy", **keys)
    found = porous.extrapolated_diffusion(case)
    fine, coarse = found.fine.effective_diffusivity, found.coarse.effective_diffusivity
    assert found.effective_diffusivity == fine + 0.6 * (fine - coarse)
    assert coarse < fine < found.effective_diffusivity == pytest.approx(0.3437, rel=0.08)
    assert case.bodies["image"].coarsen is None, "the case of the caller is left alone"


def test_no_extrapolation(tmp_path: pathlib.Path) -> None:
    def refused(case: lbm.Case) -> str:
        with pytest.raises(lbm.UsageError) as caught:
            porous.extrapolated_diffusion(case)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "grid.cells: found [9, 9, 9], must be even" in refused(ball_in_corner(9))
    image = np.zeros((6, 8, 6), dtype=np.uint8)
    image[:, 1:] = 1
    case = case_of(image, tmp_path / "a.npy")
    assert "with cells twice as large: " in refused(case)  # the pores are gone
    assert "bodies.image.refine" in refused(
        case.replace({"bodies.image.refine": 2, "grid.cells": [12, 16, 12]})
    )
    case.bodies["ball"] = lbm.Body(shape="sphere", center=[3] * 3, radius=2)
    assert "images of voxels beside other shapes" in refused(case)


def test_bodies_that_are_no_image() -> None:
    case = lbm.Case(grid=lbm.Grid(cells=[8, 8, 12]), device=lbm.Device(backend="cpu", threads=1))
    case.bodies["plate"] = lbm.Body(shape="box", center=[4, 2, 6], size=[8, 4, 12])
    assert porous.diffusion(case).effective_diffusivity == pytest.approx(0.5, rel=1e-5)
    case.bodies["wall"] = lbm.Body(shape="box", center=[4, 4, 6], size=[8, 8, 2])
    assert porous.diffusion(case, steps=100).status == "completed"


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"along": "y"}, "no pore leads through it along y"),
        ({"along": "w"}, "along: found 'w', must be x, y or z"),
        ({"tolerance": 0}, "tolerance: found 0, must be > 0 and < 1"),
    ],
)
def test_what_is_refused(
    tmp_path: pathlib.Path, keys: dict[str, typing.Any], message: str
) -> None:
    image = np.zeros((6, 8, 6), dtype=np.uint8)
    image[:, 3] = 1
    with pytest.raises(lbm.UsageError) as caught:
        porous.diffusion(case_of(image, tmp_path / "a.npy"), **keys)
    assert message in str(caught.value) and "\n" not in str(caught.value)
