# SPDX-License-Identifier: Apache-2.0
"""Boxes of cells by named axes: of a simulation, and of an image."""

import pathlib
import typing

import numpy as np
import pytest
from conftest import SMALL_CASE

import lbm

# The same cells by name and as a tuple x, y, z.
WAYS: list[tuple[dict[str, typing.Any], tuple[typing.Any, ...]]] = [
    ({"y": 5}, (None, 5, None)),
    ({"x": slice(2, 9), "z": 4}, ((2, 9), None, 4)),
    ({"x": -1, "y": slice(3, None), "z": (0, -2)}, (-1, slice(3, None), (0, -2))),
    ({"z": np.int64(3), "x": [1, None]}, ([1, None], None, 3)),
    ({}, (None, None, None)),
]
KEYS = [
    np.s_[:, 5:6, :],
    np.s_[4:5, :, 2:9],
    np.s_[0:18, 3:, 15:],
    np.s_[3:4, :, 1:],
    np.s_[:, :, :],
]


@pytest.fixture(scope="module")
def simulation() -> typing.Iterator[lbm.Simulation]:
    with lbm.Simulation(lbm.Case.from_text(SMALL_CASE)) as simulation:
        simulation.advance(20)
        yield simulation


@pytest.mark.parametrize(("way", "key"), list(zip(WAYS, KEYS)), ids=str)
def test_named_axes_of_a_simulation_are_the_tuple(
    simulation: lbm.Simulation, way: tuple[dict[str, typing.Any], typing.Any], key: typing.Any
) -> None:
    named, box = way
    expected = simulation.velocity()[key]
    np.testing.assert_array_equal(simulation.velocity(**named), expected)
    np.testing.assert_array_equal(simulation.velocity(box), expected)
    np.testing.assert_array_equal(simulation.field("velocity", **named), expected)
    np.testing.assert_array_equal(np.stack(list(simulation.planes("velocity", **named))), expected)
    np.testing.assert_array_equal(simulation.pressure(**named), simulation.pressure()[key])
    strided = simulation.density(**named, stride=2)
    np.testing.assert_array_equal(strided, simulation.density()[key][::2, ::2, ::2])


@pytest.mark.parametrize("stride", [1, 3])
@pytest.mark.parametrize(("way", "key"), list(zip(WAYS, KEYS)), ids=str)
def test_boxes_of_an_image_are_images(
    sample: pathlib.Path,
    way: tuple[dict[str, typing.Any], typing.Any],
    key: typing.Any,
    stride: int,
) -> None:
    named, box = way
    image = lbm.open(sample).fields[-1]
    every = (slice(None, None, stride),) * 3
    expected = np.asarray(image["velocity"])[key][every]
    for part in (image.box(**named, stride=stride), image.box(box, stride)):
        assert part["velocity"].shape == expected.shape and part.shape == expected.shape[:3]
        np.testing.assert_array_equal(part["velocity"], expected)
        np.testing.assert_array_equal(part["velocity"][-1, ..., 1], expected[-1, ..., 1])
        np.testing.assert_array_equal(part["velocity"][::-2, 4:4], expected[::-2, 4:4])
        for axis, cells in zip("zyx", key):
            np.testing.assert_allclose(part.centres(axis), image.centres(axis)[cells][::stride])
        assert (part.time, part.step, part.attrs) == (image.time, image.step, image.attrs)
        np.testing.assert_array_equal(part.to_xarray().velocity, expected)


def test_a_box_of_a_box_counts_from_its_corner(sample: pathlib.Path) -> None:
    image = lbm.open(sample).fields[-1]
    part = image.box(x=slice(3, 15), z=slice(2, 18), stride=2).box(x=slice(1, 5), y=-1, stride=3)
    expected = np.asarray(image["density"])[2:18:2, ::2, 3:15:2][::3, -1:, 1:5:3]
    np.testing.assert_array_equal(part["density"], expected)
    cut = image.box(x=slice(3, 15)).slice("x", index=0)
    np.testing.assert_array_equal(cut["density"], image["density"][:, :, 3])
    assert cut.at["x"] == image.x[3]


def test_packed_images_have_boxes(sample: pathlib.Path) -> None:
    results = lbm.open(sample)
    expected = np.asarray(results.fields[-1]["velocity"])[3:9:2, 4:5]
    part = results["packed"][-1].box(z=slice(3, 9), y=slice(4, 6), stride=2)
    np.testing.assert_array_equal(part["velocity"], expected[:, :, ::2])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"y": 12}, "box: found cells 12 to 13 along y, must be a part of 0 to 12"),
        ({"z": (5, 5)}, "box: found cells 5 to 5 along z"),
        ({"x": -20}, "box: found cells -4 to -3 along x"),
        ({"x": "a"}, "box: found 'a' along x"),
        ({"x": slice(0, 4, 2)}, "along x, must be stride= instead"),
        ({"y": 1, "z": 2, "box": (1, 2, 3)}, "box: found box= and y=, z=, must be one way"),
        ({"stride": 0}, "stride: found 0, must be at least 1"),
    ],
)
def test_wrong_boxes_are_one_line(
    simulation: lbm.Simulation, sample: pathlib.Path, how: dict[str, typing.Any], message: str
) -> None:
    image = lbm.open(sample).fields[-1]
    for ask in (
        lambda: simulation.velocity(**how),
        lambda: simulation.to_xarray(**how),
        lambda: image.box(**how),
    ):
        with pytest.raises(lbm.UsageError, match=message) as error:
            ask()
        assert "\n" not in str(error.value)
