# SPDX-License-Identifier: Apache-2.0
"""Planes, isosurfaces and pictures: the right cells, values and units; limits and refusals."""

import base64
import os
import pathlib
import random
import typing

import h5py
import numpy as np
import pytest
from field_files import write, write_sparse
from served import Served, numbers

from lbm.watch import flow

Answer = dict[str, typing.Any]
PNG = b"\x89PNG\r\n\x1a\n"


def points(answer: Answer, which: int = 0) -> typing.Any:
    """Points of a surface, [n, 3], along the axes as they are drawn."""
    return np.stack([numbers(answer["data"][which][on]) for on in "xyz"], axis=-1)


def chosen(answer: Answer, name: str) -> typing.Any:
    return next(one for one in answer["controls"] if one["name"] == name)


@pytest.fixture
def stairs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Fields whose values tell x, y and z: ux = x, uy = 100 y, uz = 10000 z (numbers of cells)."""
    z, y, x = np.meshgrid(np.arange(8), np.arange(6), np.arange(10), indexing="ij")
    velocity = np.stack([x, 100 * y, 10000 * z], axis=-1).astype("f4")
    write(tmp_path / "fields_000000007.hdf", (8, 6, 10), velocity=velocity, density=1 + x * 0.01)
    return tmp_path


def test_a_plane_moves(stairs: pathlib.Path) -> None:
    """Position and axis pick the cells; the others are not on the picture."""
    served = Served(stairs)
    for axis, unit in (("x", 1), ("y", 100), ("z", 10000)):
        for index in (0, 1, 5):
            answer = served.api("plane", axis=axis, index=index, quantity=f"velocity_{axis}")
            assert answer["values"] == [unit * index] * 2
            place = chosen(answer, "index")
            assert place["options"][index] == [str(index), f"{axis} = {(index + 0.5) / 10:.4g} L"]
    answer = served.api("plane")
    assert chosen(answer, "quantity")["value"] == "speed" and chosen(answer, "index")["value"] == "3"
    answer = served.api("plane", axis="y", index=2, quantity="velocity_x")
    (trace,) = answer["data"]
    z = numbers(trace["z"])
    assert z.shape == (8, 10) and (z == np.arange(10)).all(), "x to the right, z upwards"
    assert (trace["x0"], trace["dx"]) == (pytest.approx(0.05), pytest.approx(0.1))
    assert answer["layout"]["xaxis"]["title"]["text"] == "x / L"
    assert trace["colorbar"]["title"]["text"] == "velocity along x / U"
    assert "t = 2.5 L/U, step 7" in answer["words"]
    turn = served.api("plane", axis="z", quantity="vorticity")
    assert turn["values"] == pytest.approx([0, 0], abs=1e-9), "curl of (x, 100 y)"


def test_the_first_plane_meets_a_body(tmp_path: pathlib.Path) -> None:
    """A car on the ground lies below the middle; bodies are no values."""
    solid, speed = np.zeros((12, 24, 10), "u1"), np.full((12, 24, 10, 3), 0.5, "f4")
    solid[4:8, :3, 3:7] = 1
    speed[solid > 0] = 1e6
    write(tmp_path / "car_000000007.hdf", solid.shape, velocity=speed, solid=solid)
    answer = Served(tmp_path).api("plane", axis="y", quantity="velocity_x")
    assert int(chosen(answer, "index")["value"]) < 3 and "Grey" in answer["words"]
    assert answer["values"] == [0.5, 0.5] and np.isnan(numbers(answer["data"][0]["z"])).sum() == 16


def test_wishes_that_cannot_be_met(stairs: pathlib.Path) -> None:
    served = Served(stairs)
    for wish in ({"axis": "w"}, {"index": "-1"}, {"index": "6", "axis": "y"}, {"index": "1e3"},
                 {"index": "9" * 50}, {"quantity": "x"}, {"quantity": "../velocity"},
                 {"series": "../fields"}, {"series": "x"}, {"step": "8"}, {"step": "../7"},
                 {"quantity": "__class__"}, {"index": "٣x"}):  # fmt: skip
        assert served.refused("plane", **wish), wish
    for wish in ({"series": "x"}, {"step": "8"}, {"quantity": "x"}, {"quantity": "vorticity"},
                 {"colour": "<script>"}, {"value": "nan"}, {"value": "inf"}, {"value": "1e39"},
                 {"value": "x"}, {"value": "9" * 3000}):  # fmt: skip
        assert served.refused("surface", **wish), wish


def test_the_newest_file_is_shown(stairs: pathlib.Path) -> None:
    served, wish = Served(stairs), {"axis": "y", "quantity": "velocity_x"}
    assert served.api("plane", **wish)["values"] == [0, 9]
    velocity = np.full((8, 6, 10, 3), 4, "f4")
    write(stairs / "fields_000000009.hdf", (8, 6, 10), velocity=velocity)
    answer = served.api("plane", **wish)
    assert answer["values"] == [4, 4]
    assert [one for one, _ in chosen(answer, "step")["options"]] == ["7", ""]
    assert served.api("plane", **wish, step=7)["values"] == [0, 9]
    write(stairs / "fields_000000009.hdf", (8, 6, 10), velocity=2 * velocity)
    assert served.api("plane", **wish)["values"] == [8, 8], "a restarted run wrote it again"


@pytest.fixture
def ball(tmp_path: pathlib.Path) -> pathlib.Path:
    """The speed is the distance from (0.4, 0.3, 0.55) L in a box of 1 x 0.75 x 1.25 L."""
    z, y, x = np.meshgrid(*((np.arange(n) + 0.5) / 32 for n in (40, 24, 32)), indexing="ij")
    far = np.stack([x - 0.4, y - 0.3, z - 0.55], axis=-1)
    write(tmp_path / "fields_000000007.hdf", (40, 24, 32), velocity=far, density=1 + 0.01 * x)
    return tmp_path


def test_a_surface_lies_where_the_value_is(ball: pathlib.Path) -> None:
    answer = Served(ball).api("surface", quantity="speed", colour="velocity_x", value=0.2)
    away = points(answer) - [0.4, 0.3, 0.55]
    assert len(away) > 300
    assert np.linalg.norm(away, axis=-1) == pytest.approx(0.2, abs=0.003)
    (trace,) = answer["data"]
    assert trace["cmin"] == -trace["cmax"] and trace["colorscale"] == "RdBu"
    assert numbers(trace["intensity"]) == pytest.approx(away[:, 0], abs=0.01)
    assert trace["colorbar"]["title"]["text"] == "velocity along x / U"
    scene = answer["layout"]["scene"]
    assert [scene[f"{on}axis"]["title"]["text"] for on in "xyz"] == ["x / L", "y / L", "z / L"]
    none = Served(ball).api("surface", value=-1e9)
    assert none["data"] == [], "there is no such surface"
    half = Served(ball).api("surface", quantity="density")
    assert half["value"] == pytest.approx(1.005, abs=0.0005), "half of the range"
    assert len(chosen(half, "value")["options"]) > 90


def test_a_box_that_is_tall_along_z_lies_down(tmp_path: pathlib.Path) -> None:
    """As in a wind tunnel: z to the right, y upwards."""
    z, y, x = np.meshgrid(*((np.arange(n) + 0.5) / 32 for n in (60, 24, 32)), indexing="ij")
    far = np.stack([x - 0.4, y - 0.3, z - 0.9], axis=-1)
    write(tmp_path / "fields_000000007.hdf", (60, 24, 32), velocity=far)
    answer = Served(tmp_path).api("surface", quantity="speed", value=0.2)
    assert answer["layout"]["scene"]["xaxis"]["title"]["text"] == "z / L"
    away = points(answer) - [0.9, 0.4, 0.3]
    assert np.linalg.norm(away, axis=-1) == pytest.approx(0.2, abs=0.003)


def test_vortices_come_first(ball: pathlib.Path) -> None:
    q = np.random.default_rng(2).normal(size=(12, 12, 12)) ** 3
    write(ball / "q_000000001.hdf", (12, 12, 12), q_criterion=q)
    answer = Served(ball).api("surface")
    assert (chosen(answer, "series")["value"], chosen(answer, "quantity")["value"]) == (
        "q", "q_criterion",
    )  # fmt: skip
    assert answer["value"] == pytest.approx(np.quantile(q, 0.97), rel=0.02)
    z, y, x = np.meshgrid(*((np.arange(n) + 0.5) / 9 for n in (7, 8, 9)), indexing="ij")
    turn, shear = np.stack([-3 * y, 3 * x, 0 * x], -1), np.stack([5 * z, 0 * x, 0 * x], -1)
    for velocity, value in ((turn, 9), (shear, 0)):
        write(ball / "fields_000000008.hdf", (7, 8, 9), velocity=velocity)
        answer = Served(ball).api("surface", series="fields", quantity="q_of_samples")
        assert answer["values"] == pytest.approx([value, value], abs=1e-4)


def test_bodies(tmp_path: pathlib.Path) -> None:
    """They are closed, and have no value; surfaces end in them."""
    solid, speed = np.zeros((20, 16, 24), "u1"), np.ones((20, 16, 24))
    solid[5:11, 4:12, 6:16] = 1
    speed[:, :, 12:] = 3.0
    speed[solid > 0] = 1e6
    velocity = np.stack([speed, 0 * speed, 0 * speed], axis=-1)
    write(tmp_path / "fields_000000007.hdf", solid.shape, velocity=velocity, solid=solid)
    served = Served(tmp_path)
    answer = served.api("surface", quantity="speed", value=2)
    assert answer["values"] == [1, 3], "what is in bodies does not count"
    block = points(answer, 1) * 24
    assert block.min(axis=0) == pytest.approx([6, 4, 5], abs=0.3)
    assert block.max(axis=0) == pytest.approx([16, 12, 11], abs=0.3)
    corners = np.stack([numbers(answer["data"][1][k]) for k in "ijk"], axis=-1)
    edges = np.sort(np.stack([corners, np.roll(corners, 1, 1)], -1).reshape(-1, 2))
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all(), "closed"
    near = np.abs(points(answer) * 24 - [12, 8, 8]).max(axis=-1)
    assert near.min() > 1.4, "it goes a cell into bodies, and not on"
    assert len(served.api("surface", quantity="speed", value=2, bodies=0)["data"]) == 1
    velocity[solid > 0] = 0
    write(tmp_path / "fields_000000007.hdf", solid.shape, velocity=velocity)
    assert len(served.api("surface", value=2)["data"]) == 1, "step 7: all may be at rest yet"
    with h5py.File(tmp_path / "fields_000000007.hdf", "r+") as file:
        file["VTKHDF"].attrs["step"] = 96
    assert len(served.api("surface", value=2)["data"]) == 2, "where nothing moves"


def test_damaged_files_and_arrays_that_do_not_fit(ball: pathlib.Path) -> None:
    path, served, draw = ball / "fields_000000007.hdf", Served(ball), random.Random(1)
    write(ball / "thin_000000007.hdf", (1, 9, 9), pressure=np.arange(81.0).reshape(1, 9, 9))
    assert "three layers" in served.refused("surface", series="thin")
    whole = path.read_bytes()
    for content in (b"", b"\x89HDF", whole[:1000], whole[: len(whole) // 2], b"x" * 10_000):
        path.write_bytes(content)
        served.all_of(".")
        assert "fields_000000007.hdf" in served.refused("plane", series="fields")
    assert served.api("plane")["values"] == [0, 80], "the other one is shown"
    for _ in range(12):
        damaged = bytearray(whole)
        for _ in range(30):
            damaged[draw.randrange(4096)] = draw.randrange(256)
        path.write_bytes(damaged)
        served.all_of(".")
    path.write_bytes(whole)
    with h5py.File(path, "r+") as file:
        data = file["VTKHDF/PointData"]
        data["text"] = np.array([b"a"] * 40 * 24 * 32).reshape(40, 24, 32)
        data["pair"], data["deep"] = np.zeros((40, 24, 32, 2)), np.zeros((40, 24, 32, 3, 3))
        data["<img>"] = np.zeros((40, 24, 32))
        data["velocity"][:, :, 13:15] = np.nan
        data["density"][...] = np.inf
    for name in ("text", "pair", "deep", "size:deep", "size:x", "solid"):
        assert served.refused("plane", quantity=name) and served.refused("surface", quantity=name)
    assert "&lt;img&gt;" in str(served.api("plane", quantity="<img>")["controls"])
    assert served.api("plane", quantity="density")["values"] is None
    assert served.api("surface", quantity="speed", value=0.2, colour="density")["data"]


def test_large_files_and_noise_are_thinned(tmp_path: pathlib.Path) -> None:
    noise = np.random.default_rng(1).normal(size=(90, 90, 90))
    write(tmp_path / "fields_000000007.hdf", noise.shape, pressure=noise)
    served = Served(tmp_path)
    answer = served.ask("surface")
    assert len(answer.content) < 10e6
    assert 10_000 < len(numbers(answer.json()["data"][0]["i"])) <= flow.MOST_TRIANGLES
    path = tmp_path / "fields_000000008.hdf"
    write_sparse(path, 1000)  # 12 GB
    if path.stat().st_blocks * 512 > 1e9:
        pytest.skip("the disk of the temporary files stores zeros")
    answer = served.api("plane", axis="z", index=700, quantity="velocity_x")
    assert answer["values"] == [2, 2] and "Of 2 cells" in answer["words"]
    assert [one for one, _ in chosen(answer, "axis")["options"]] == ["y", "z"], "x: all of the file"
    assert "Of 13 cells" in served.api("surface")["words"]


def test_pictures(tmp_path: pathlib.Path) -> None:
    for name in ("mid_000000050", "mid_000000100", "top_view_000000007"):
        (tmp_path / f"{name}.png").write_bytes(PNG + name.encode())
    (tmp_path / "run.log").touch()
    (tmp_path / "text_000000050.png").write_text("secret")
    (tmp_path.parent / "secret.png").write_bytes(PNG + b"secret")
    (tmp_path / "link_000000050.png").symlink_to(tmp_path.parent / "secret.png")
    os.mkfifo(tmp_path / "pipe_000000050.png")
    served = Served(tmp_path)
    newest = served.api("picture")
    assert newest["words"] == "mid, step 100"
    data = base64.b64decode(newest["png"].removeprefix("data:image/png;base64,"))
    assert data == (tmp_path / "mid_000000100.png").read_bytes()
    assert served.api("picture", picture="mid", step=50)["words"] == "mid, step 50"
    names = [name for name, _ in chosen(newest, "picture")["options"]]
    assert names == ["mid", "text", "top_view"]
    for wish in ({"picture": "text"}, {"picture": "link"}, {"picture": "pipe"}, {"picture": "x"},
                 {"picture": "../secret"}, {"picture": "mid", "step": "51"}):  # fmt: skip
        assert "secret" not in served.refused("picture", **wish).replace("../secret", "")
