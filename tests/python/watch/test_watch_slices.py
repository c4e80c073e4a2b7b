# SPDX-License-Identifier: Apache-2.0
"""Pictures of planes: the right cells, colours and units."""

import base64
import io
import pathlib
import typing

import numpy as np
import pytest
from field_files import write, write_sparse
from served import serve

from lbm.watch.colours import steady_range
from lbm.watch.slices import Slices, smoothed

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")


def pixels(answer: dict[str, typing.Any]) -> typing.Any:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(base64.b64decode(answer["png"]))).convert("RGB"))


@pytest.fixture
def stairs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Fields whose values tell x, y and z: ux = x, uy = 100 y, uz = 10000 z (numbers of cells)."""
    z, y, x = np.meshgrid(np.arange(8), np.arange(6), np.arange(10), indexing="ij")
    velocity = np.stack([x, 100 * y, 10000 * z], axis=-1).astype("f4")
    write(tmp_path / "fields_000000007.hdf", (8, 6, 10), velocity=velocity, density=1 + x * 0.01)
    return tmp_path


def test_a_plane_moves(stairs: pathlib.Path) -> None:
    """Position and axis pick the cells; the others are not on the picture."""
    with serve(stairs) as served:
        def ask(axis: str, index: object, quantity: str) -> typing.Any:
            return served.api("slice", series="fields", axis=axis, index=index, quantity=quantity)

        for axis, quantity, unit in (("x", "velocity_x", 1), ("y", "velocity_y", 100),
                                     ("z", "velocity_z", 10000)):  # fmt: skip
            for index in (0, 1, 5):
                answer = ask(axis, index, quantity)
                assert answer["values"] == [unit * index] * 2 and answer["index"] == index
                place = f"{axis} = {(index + 0.5) / 10:.4g} L, t = 2.5 L/U"
                assert answer["place"] == place
        assert ask("y", "", "velocity_y")["index"] == 3, "the middle"
        answer = ask("y", 2, "velocity_x")
        assert answer["values"] == [0, 9] and answer["axes"] == ["x / L", "z / L"]
        assert answer["extent"] == pytest.approx([0, 1, 0, 0.8])
        assert answer["label"] == "velocity along x / U" and answer["step"] == 7
        image = pixels(answer)
        assert image.shape[0] / image.shape[1] == pytest.approx(0.8)
        green = image[:, :, 1].astype(int)  # it grows along the colours for values of one sign
        assert (green[:, -1] > green[:, 0] + 50).all(), "x grows to the right"
        up = pixels(ask("y", 2, "velocity_z"))[:, :, 1].astype(int)
        assert (up[0] > up[-1] + 50).all(), "z grows upwards"


def test_the_first_plane_meets_a_body(tmp_path: pathlib.Path) -> None:
    """A car on the ground lies below the middle; walls of a pipe are on all planes but some."""
    solids = {"car": np.zeros((12, 24, 10), "u1"), "pipe": np.zeros((12, 24, 10), "u1")}
    solids["car"][4:8, :3, 3:7] = 1
    solids["pipe"][:, :, [0, 1, 8, 9]] = 1
    solids["pipe"][:, [0, 1, 22, 23]] = 1
    solids["none"] = np.zeros((12, 24, 10), "u1")
    for name, solid in solids.items():
        velocity = np.full((12, 24, 10, 3), 0.5, "f4")
        write(tmp_path / f"{name}_000000007.hdf", (12, 24, 10), velocity=velocity, solid=solid)
    with serve(tmp_path) as served:
        def first(series: str, axis: str = "y") -> typing.Any:
            return served.api("slice", series=series, axis=axis, quantity="speed")

        assert first("car")["index"] < 3 and first("car")["bodies"]
        assert (first("car", "x")["index"], first("car", "z")["index"]) == (5, 6), "the middle"
        assert first("pipe")["index"] == first("none")["index"] == 12


def test_wishes_that_cannot_be_met(stairs: pathlib.Path) -> None:
    good = {"series": "fields", "axis": "y", "index": "1", "quantity": "speed"}
    with serve(stairs) as served:
        import urllib.parse

        for change in ({"axis": "w"}, {"axis": ""}, {"index": "-1"}, {"index": "6"},
                       {"index": "1e3"}, {"index": "9" * 50}, {"quantity": "x"},
                       {"quantity": "../velocity"}, {"series": "../fields"}, {"series": "x"},
                       {"step": "8"}, {"step": "../7"}, {"quantity": "__class__"},
                       {"index": "٣x"}):  # fmt: skip
            query = urllib.parse.urlencode({"run": ".", **good, **change})
            answer = served.get(f"/api/slice?{query}")
            assert answer.status == 422 and answer.data["error"], change
        for low, high in (("nan", "inf"), ("x", ""), ("1e999", "2"), ("5", "1")):
            answer = served.api("slice", **good, low=low, high=high)
            assert answer["range"][0] <= 0 < answer["range"][1]


def test_bodies_are_grey_and_do_not_count(tmp_path: pathlib.Path) -> None:
    values = np.full((4, 1, 6), 2.0)
    solid = np.zeros((4, 1, 6), "u1")
    solid[:, :, :2], values[:, :, :2] = 1, 1e9
    values[:, :, 4] = 3
    write(tmp_path / "mid_000000007.hdf", (4, 1, 6), solid=solid, pressure=values)
    answer = Slices().slice(
        tmp_path, {"series": "mid", "axis": "y", "index": "0", "quantity": "pressure"}
    )
    assert answer["values"] == [2, 3] and answer["bodies"]
    image = pixels(answer)
    third = image.shape[1] // 3
    assert (image[:, :third] == (154, 161, 168)).all()
    assert not (image[:, third:] == (154, 161, 168)).all(axis=-1).any()


def test_values_between_cells_do_not_mix_with_bodies() -> None:
    values = np.ma.masked_array([[5.0, 5.0, 99.0], [5.0, 5.0, 99.0]], [[0, 0, 1], [0, 0, 1]])
    fine, solid = smoothed(values)
    assert fine.shape == solid.shape and np.allclose(fine[~solid], 5)
    assert solid.mean() == pytest.approx(1 / 3)
    ramp, _ = smoothed(np.ma.masked_array(np.arange(12.0).reshape(1, 12)))
    assert ramp.min() == 0 and ramp.max() == 11 and (np.diff(ramp[0]) >= 0).all()
    assert np.diff(ramp[0]).max() < 0.1, "no steps"


def test_colours_do_not_flicker() -> None:
    low, high = steady_range((0.013, 1.187), None, None)
    assert low == 0 and high == pytest.approx(1.2)
    for own in ((0.02, 1.19), (0.0, 1.0), (0.1, 0.9)):
        assert steady_range(own, low, high) == (low, high), "it fits"
    assert steady_range((0.0, 1.3), low, high)[1] >= 1.3, "too small"
    assert steady_range((0.0, 0.3), low, high)[1] < 0.5, "too large"


def test_the_newest_file_is_shown(stairs: pathlib.Path) -> None:
    slices = Slices()
    wish = {"series": "fields", "axis": "y", "quantity": "velocity_x"}
    assert slices.slice(stairs, wish)["values"] == [0, 9]
    velocity = np.full((8, 6, 10, 3), 4, "f4")
    write(stairs / "fields_000000009.hdf", (8, 6, 10), velocity=velocity)
    assert slices.series(stairs)[0]["steps"] == [7, 9]
    assert slices.slice(stairs, wish)["values"] == [4, 4]
    assert slices.slice(stairs, {**wish, "step": "7"})["values"] == [0, 9]
    write(stairs / "fields_000000009.hdf", (8, 6, 10), velocity=2 * velocity)
    assert slices.slice(stairs, wish)["values"] == [8, 8], "a restarted run wrote it again"


def test_a_billion_cells(tmp_path: pathlib.Path) -> None:
    """Planes of a sparse file of 12 GB; not across x, where all of it would be read."""
    write_sparse(tmp_path / "fields_000001000.hdf", 1000)
    if (tmp_path / "fields_000001000.hdf").stat().st_blocks * 512 > 1e9:
        pytest.skip("the disk of the temporary files stores zeros")
    slices = Slices()
    assert [axis["name"] for axis in slices.series(tmp_path)[0]["axes"]] == ["y", "z"]
    wish = {"series": "fields", "axis": "z", "index": "700", "quantity": "velocity_x"}
    assert slices.slice(tmp_path, wish)["values"] == [2, 2]
    assert len(slices.slice(tmp_path, {**wish, "axis": "y"})["png"]) < 4e6
    (tmp_path / "fields_000001000.hdf").unlink()
