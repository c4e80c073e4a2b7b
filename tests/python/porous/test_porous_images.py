# SPDX-License-Identifier: Apache-2.0
"""Images of packs of spheres and random media: their statistics, and that they stay what they are."""

import importlib.util
import pathlib
import typing

import h5py
import numpy as np
import pytest

import lbm
from lbm import porous

ROOT = pathlib.Path(__file__).resolve().parents[3]


def of_studies() -> typing.Any:
    """tests/gpu/voxel_images.py, which does without NumPy."""
    path = ROOT / "tests" / "gpu" / "voxel_images.py"
    spec = importlib.util.spec_from_file_location("voxel_images", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_spheres_are_those_of_the_studies_on_gpus() -> None:
    draw = np.random.default_rng(1)
    centres, radius = draw.random((9, 3)) * 24, 5.3
    theirs = of_studies().spheres_image(24, [(*centre, radius) for centre in centres.tolist()])
    as_array = np.array([[list(row) for row in plane] for plane in theirs], dtype=np.uint8)
    ours = porous.spheres(24, centres, radius)
    assert 0.3 < ours.mean() < 0.7
    np.testing.assert_array_equal(ours, as_array)


def test_axes_are_those_of_a_case() -> None:
    image = porous.spheres((10, 14, 20), [[2, 7, 15]], 1.5)
    assert image.shape == (20, 14, 10) and image.dtype == np.uint8
    assert np.argwhere(image).mean(axis=0) == pytest.approx([14.5, 6.5, 1.5])


@pytest.mark.parametrize(
    ("kind", "most"), [("simple_cubic", 0.5235), ("body_centred", 0.6801), ("face_centred", 0.7404)]
)
def test_arrays_have_their_share_of_solid(kind: str, most: float) -> None:
    for solid in (0.1, 0.4, most):
        assert porous.sphere_array(kind, 48, solid).mean() == pytest.approx(solid, rel=0.01)
    with pytest.raises(lbm.UsageError, match="solid: found 0.75, must be > 0 and <= "):
        porous.sphere_array(kind, 48, 0.75)


def test_the_array_of_the_library(root: pathlib.Path) -> None:
    """cases/data/sphere_40.npy: a simple cubic array in the middle of the image."""
    known = np.load(root / "cases" / "data" / "sphere_40.npy")
    radius = 40 * (3 * 0.216 / (4 * np.pi)) ** (1 / 3)
    np.testing.assert_array_equal(porous.spheres(40, [[20, 20, 20]], radius), known)


def test_the_grains_of_the_library(root: pathlib.Path) -> None:
    """cases/data/grains_48.npy is what cases/overlapping_grains.yaml says."""
    text = (root / "cases" / "overlapping_grains.yaml").read_text()
    assert "lbm.porous.overlapping_spheres(48, radius=8, porosity=0.4, seed=2)" in text
    made = porous.overlapping_spheres(48, radius=8, porosity=0.4, seed=2)
    np.testing.assert_array_equal(np.load(root / "cases" / "data" / "grains_48.npy"), made)
    assert porous.overlapping_number(48, 8, 0.4) == 47
    assert porous.overlapping_porosity(48, 8, 47) == pytest.approx(0.398, abs=5e-4)


def test_sub_volumes_and_mirror_images() -> None:
    image = np.arange(4 * 5 * 6, dtype=np.uint8).reshape(4, 5, 6)
    parts = porous.sub_volumes(image, 3, 300, seed=1)
    assert all(part.shape == (3, 3, 3) for part in parts)
    corners = {int(part[0, 0, 0]) for part in parts}
    assert corners <= {image[z, y, x] for z in range(2) for y in range(3) for x in range(4)}
    assert {0, image[1, 2, 3]} <= corners, "the first and the last place are taken, too"
    both = porous.mirrored(image, "x")
    assert both.shape == (4, 5, 12)
    np.testing.assert_array_equal(both[2, 3], [*image[2, 3], *image[2, 3, ::-1]])
    with pytest.raises(lbm.UsageError, match="size: found 5"):
        porous.sub_volumes(image, 5, 1)


def test_porosity_of_overlapping_spheres() -> None:
    """The mean over seeds, within 3.5 standard errors; the seeds are fixed."""
    found = [1 - porous.overlapping_spheres(24, 4, number=60, seed=s).mean() for s in range(60)]
    expected = porous.overlapping_porosity(24, 4, 60)
    assert expected == pytest.approx(np.exp(-60 * 4 / 3 * np.pi * 4**3 / 24**3), rel=0.02)
    assert 0.005 < np.std(found) < 0.05
    assert np.mean(found) == pytest.approx(expected, abs=3.5 * np.std(found) / np.sqrt(60))


def test_two_points_of_overlapping_spheres() -> None:
    images = [porous.overlapping_spheres(32, 4, number=100, seed=s) for s in range(40)]
    found = np.array([porous.two_point(image, "zyx"[s % 3]) for s, image in enumerate(images)])
    expected = porous.overlapping_two_point(32, 4, 100, np.arange(17))
    assert expected[0] == pytest.approx(porous.overlapping_porosity(32, 4, 100))
    assert expected[16] == pytest.approx(expected[8]) != expected[7]
    error = np.std(found, axis=0) / np.sqrt(40)
    assert np.all(np.abs(found.mean(axis=0) - expected) < 3.5 * error)
    # Two pores are not independent where one sphere may hold both points.
    assert expected[2] > expected[16] + 5 * error[2]


def test_number_of_overlapping_spheres() -> None:
    image = porous.overlapping_spheres((64, 64, 32), 5, 0.3, seed=2)
    assert 1 - image.mean() == pytest.approx(0.3, abs=0.05)
    number = porous.overlapping_number((64, 64, 32), 5, 0.3)
    assert porous.overlapping_porosity((64, 64, 32), 5, number) == pytest.approx(0.3, rel=0.003)


def test_the_same_spheres_in_finer_voxels() -> None:
    coarse = porous.overlapping_spheres(24, 4, 0.4, seed=5)
    fine = porous.overlapping_spheres(48, 8, 0.4, seed=5)
    centres = fine[1::2, 1::2, 1::2] + fine[::2, ::2, ::2]
    assert np.mean((centres > 0) != (coarse > 0)) < 0.1
    assert fine.mean() == pytest.approx(coarse.mean(), abs=0.01)
    assert np.any(porous.overlapping_spheres(24, 4, 0.4, seed=6) != coarse)


def test_random_spheres_do_not_overlap() -> None:
    image = porous.random_spheres(40, 5, 0.3, seed=1)
    number = round(0.3 * 40**3 / (4 / 3 * np.pi * 5**3))
    one = 4 / 3 * np.pi * 5**3 / 40**3
    assert image.mean() == pytest.approx(number * one, rel=0.01)  # overlaps would be missing
    np.testing.assert_array_equal(image, porous.random_spheres(40, 5, 0.3, seed=1))
    with pytest.raises(lbm.UsageError, match="denser packs jam"):
        porous.random_spheres(40, 5, 0.5)


def test_a_gaussian_field_has_its_correlation() -> None:
    images = [porous.gaussian_field(32, 3, 0.5, seed=seed) for seed in range(30)]
    assert all(image.mean() == pytest.approx(0.5, abs=1e-4) for image in images)
    found = np.mean([porous.two_point(image, "x") for image in images], axis=0)
    # Two halves of a Gaussian with the correlation c are both taken with 1/4 + asin(c) / (2 pi)
    # (Sheppard 1899).
    correlation = np.exp(-(np.arange(8) ** 2) / (2 * 3**2))
    expected = 0.25 + np.arcsin(correlation) / (2 * np.pi)
    np.testing.assert_allclose(found[:8], expected, atol=0.015)
    assert porous.gaussian_field((20, 24, 28), 2, 0.3).shape == (28, 24, 20)


def test_a_case_of_every_image_that_case_files_take(tmp_path: pathlib.Path) -> None:
    """TIFF, planes in a folder or by a pattern, HDF5 and raw: the same case."""
    Image = pytest.importorskip("PIL.Image")
    image = porous.overlapping_spheres((20, 24, 28), 5, 0.5, seed=3)
    wanted = porous.image_case(porous.save(tmp_path / "a.npy", image))
    raw = porous.save(tmp_path / "a.raw", image)
    planes = [Image.fromarray(plane) for plane in image]
    (tmp_path / "planes").mkdir()
    for number, plane in enumerate(planes):
        plane.save(tmp_path / "planes" / f"p_{number:03}.tif")
    how = {"save_all": True, "append_images": planes[1:]}
    planes[0].save(tmp_path / "a.tif", **how)
    planes[0].save(tmp_path / "packed.tif", compression="tiff_lzw", **how)
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["labels"], file["others"] = image, image
    more: dict[str, dict[str, typing.Any]] = {
        "a.raw": {"cells": [20, 24, 28]},
        "a.h5": {"dataset": "labels"},
    }
    for name in ("a.tif", "packed.tif", "planes", "planes/p_*.tif", "a.h5", "a.raw"):
        keys = more.get(name, {})
        np.testing.assert_array_equal(porous.open_image(tmp_path / name, **keys), image, name)
        case = porous.image_case(tmp_path / name, **keys)
        assert case.grid.cells == wanted.grid.cells and case.fluid.tau == wanted.fluid.tau, name
        assert case.check()["voxels"][0]["fluid_share"] == wanted.check()["voxels"][0]["fluid_share"]
    assert raw.exists()
    for name, said in (("none.tif", "none.tif: does not exist"), ("b.raw", "b.raw")):
        (tmp_path / "b.raw").write_bytes(b"123")
        with pytest.raises(lbm.UsageError, match=said):
            porous.image_case(tmp_path / name)


def test_saved_images(tmp_path: pathlib.Path) -> None:
    image = np.arange(2 * 3 * 4, dtype=np.uint16).reshape(2, 3, 4)
    path = porous.save(tmp_path / "a.npy", image)
    np.testing.assert_array_equal(np.load(path), image)
    raw = porous.save(tmp_path / "a.raw", image.astype(">u2"))
    assert raw.read_bytes() == image.astype("<u2").tobytes()
    np.testing.assert_array_equal(porous.open_image(raw, (4, 3, 2), "uint16"), image)
    with pytest.raises(lbm.UsageError, match="a.npy: is already there"):
        porous.save(path, image)
    porous.save(path, image > 5, overwrite=True)
    assert np.load(path).dtype == np.uint8
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.npy", "a.raw"]
    with pytest.raises(lbm.UsageError, match="image: found float64"):
        porous.save(tmp_path / "b.npy", np.zeros((2, 2, 2)))
    with pytest.raises(lbm.ResourceError, match="cannot be written"):
        porous.save(tmp_path / "none" / "b.npy", image)


def test_packed_spheres_do_not_overlap() -> None:
    """Spheres that overlap would leave more pores; voxels alone differ by less than 0.01 %."""
    pack = porous.packed_spheres(96, 12, 0.6, seed=1)
    assert pack.mean() == pytest.approx(73 * np.pi / 6 / 64, rel=2e-4)
    np.testing.assert_array_equal(pack, porous.packed_spheres(96, 12, 0.6, seed=1))
    assert (pack != porous.packed_spheres(96, 12, 0.6, seed=2)).mean() > 0.3
    finer = porous.packed_spheres(192, 24, 0.6, seed=1)  # the same spheres
    assert (finer[::2, ::2, ::2] != pack).mean() < 0.05
    with pytest.raises(lbm.UsageError, match="76 spheres still overlap after 5000 moves"):
        porous.packed_spheres(96, 12, 0.62, seed=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: porous.packed_spheres(8, 1, 0.63), "solid: found 0.63, must be > 0 and <= 0.62"),
        (lambda: porous.spheres(0, [], 1), "cells: found 0, must be"),
        (lambda: porous.spheres((8, 8), [], 1), "cells: found "),
        (lambda: porous.spheres((8, 8, 6), [], 3.5), "radius: found 3.5, must be > 0 and <= 3"),
        (lambda: porous.sphere_array("cubic", 8, 0.1), "kind: found 'cubic'"),
        (lambda: porous.overlapping_spheres(8, 2), "must have one of porosity and number"),
        (lambda: porous.overlapping_spheres(8, 2, 1.5), "porosity: found 1.5"),
        (lambda: porous.gaussian_field(8, 9, 0.5), "length: found 9"),
        (lambda: porous.two_point(np.zeros((2, 2, 2)), "w"), "axis: found 'w'"),
    ],
)
def test_what_is_refused(call: typing.Callable[[], object], message: str) -> None:
    with pytest.raises(lbm.UsageError) as caught:
        call()
    assert str(caught.value).startswith(message) or message in str(caught.value)
    assert "\n" not in str(caught.value)
