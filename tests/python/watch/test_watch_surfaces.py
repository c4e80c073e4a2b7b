# SPDX-License-Identifier: Apache-2.0
"""Surfaces for the page: places, colours, bodies, limits, refusals."""

import base64
import json
import pathlib
import typing
import urllib.parse

import h5py
import numpy as np
import pytest
from field_files import write, write_sparse
from served import serve

import lbm
from lbm.results import Image
from lbm.results.lazy import Array
from lbm.watch import samples, surfaces
from lbm.watch.slices import Slices
from lbm.watch.surfaces import Surfaces

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

Answer = dict[str, typing.Any]
KINDS = {"points": "<u2", "normals": "i1", "quads": "<u4", "shades": "u1"}


def mesh(numbers: dict[str, str]) -> dict[str, Array]:
    """The arrays of a surface: points as shares of the box, [n, (x, y, z)]."""
    found = {k: np.frombuffer(base64.b64decode(v), KINDS[k]) for k, v in numbers.items()}
    found["points"] = found["points"].reshape(-1, 3) / 65535
    found["normals"] = found["normals"].reshape(-1, 3) / 127
    found["quads"] = found["quads"].reshape(-1, 4)
    assert found["quads"].max(initial=0) < max(len(found["points"]), 1)
    return found


def places(answer: Answer, which: str = "surface") -> Array:
    """Points of a surface in the unit of length of the box."""
    low, high = np.array(answer["box"]).T
    return np.asarray(low + mesh(answer[which])["points"] * (high - low))


def ask(directory: pathlib.Path, **wish: object) -> Answer:
    given = {"series": "fields", "quantity": "speed", "colour": "speed", **wish}
    return Surfaces().surface(directory, {k: str(v) for k, v in given.items()})


@pytest.fixture
def ball(tmp_path: pathlib.Path) -> pathlib.Path:
    """The speed is the distance from (0.4, 0.3, 0.55) L in a box of 1 x 0.75 x 1.25 L; ux = x."""
    z, y, x = ((np.arange(n) + 0.5) / 32 for n in (40, 24, 32))
    z, y, x = np.meshgrid(z, y, x, indexing="ij")
    far = np.stack([x - 0.4, y - 0.3, z - 0.55], axis=-1)
    along = np.stack([x, 0 * x, 0 * x], axis=-1)
    write(tmp_path / "fields_000000007.hdf", (40, 24, 32), velocity=far, density=1 + 0.01 * x)
    write(tmp_path / "along_000000007.hdf", (40, 24, 32), velocity=along)
    return tmp_path


def test_a_surface_lies_where_the_value_is(ball: pathlib.Path) -> None:
    with serve(ball) as served:
        wish = {"series": "fields", "quantity": "speed", "colour": "velocity_x", "value": 0.2}
        answer = served.api("surface", **wish)
    assert np.ravel(answer["box"]) == pytest.approx([0, 1, 0, 0.75, 0, 1.25])
    assert answer["axes"] == ["x / L", "y / L", "z / L"] and answer["every"] == [1, 1, 1]
    assert (answer["step"], answer["time"], answer["clock"]) == (7, 2.5, "L/U")
    assert answer["value"] == 0.2 and answer["label"] == "speed / U"
    assert answer["colour"]["label"] == "velocity along x / U"
    assert answer["bodies"] is None
    found = mesh(answer["surface"])
    assert len(found["quads"]) > 300
    away = places(answer) - [0.4, 0.3, 0.55]
    assert np.linalg.norm(away, axis=-1) == pytest.approx(0.2, abs=0.003)
    assert ((found["normals"] * away / 0.2).sum(axis=-1) < -0.95).all(), "towards lower values"
    low, high = answer["colour"]["range"]
    assert low == -high, "both signs: the colour of 0 is in the middle"
    assert low + found["shades"] / 254 * (high - low) == pytest.approx(away[:, 0], abs=0.01)


def test_a_box_that_is_tall_along_z_lies_down(tmp_path: pathlib.Path) -> None:
    """As in a wind tunnel: z to the right, y upwards; a right-handed system stays one."""
    z, y, x = np.meshgrid(*((np.arange(n) + 0.5) / 32 for n in (60, 24, 32)), indexing="ij")
    far = np.stack([x - 0.4, y - 0.3, z - 0.9], axis=-1)
    write(tmp_path / "fields_000000007.hdf", (60, 24, 32), velocity=far)
    answer = ask(tmp_path, value=0.2)
    assert answer["axes"] == ["z / L", "x / L", "y / L"]
    assert np.ravel(answer["box"]) == pytest.approx([0, 1.875, 0, 1, 0, 0.75])
    away = places(answer) - [0.9, 0.4, 0.3]
    assert np.linalg.norm(away, axis=-1) == pytest.approx(0.2, abs=0.003)
    found = mesh(answer["surface"])
    assert ((found["normals"] * away / 0.2).sum(axis=-1) < -0.95).all()
    a, b, c, d = (places(answer)[found["quads"][:, i]] for i in range(4))
    across = np.cross(c - a, d - b)
    turned = (across * found["normals"][found["quads"][:, 0]]).sum(axis=-1)
    assert (turned < 0).all(), "as in boxes that stand: z, y, x of the file are read as x, y, z"


def test_the_value_of_the_first_surface(ball: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """Half of the range, rounded to what the range tells apart; strong vortices of Q."""
    answer = ask(ball, quantity="velocity_x")
    low, high = answer["range"]
    assert answer["value"] == pytest.approx((low + high) / 2, abs=(high - low) / 100)
    assert ask(ball, quantity="density")["value"] == pytest.approx(1.005, abs=0.0005)
    q = np.random.default_rng(2).normal(size=(12, 12, 12)) ** 3
    write(tmp_path / "q_000000001.hdf", (12, 12, 12), q_criterion=q)
    answer = ask(tmp_path, series="q", quantity="q_criterion", colour="q_criterion")
    assert answer["range"][0] == 0 and answer["values"][0] < 0
    assert answer["value"] == pytest.approx(np.quantile(q, 0.97), rel=0.02)
    assert answer["label"] == "Q criterion / (U²/L²)"
    with serve(tmp_path) as served:
        known = {one["name"]: one["surfaces"] for one in served.api("series")["series"]}
    assert [one["name"] for one in known["q"]] == ["q_criterion"]
    assert {"name": "q_of_samples", "label": "Q criterion of the samples"} in known["fields"]


def test_q_of_the_samples(tmp_path: pathlib.Path) -> None:
    """A rotating body of fluid with u = 3 (-y, x, 0) has Q = 9; a shear flow has 0."""
    z, y, x = np.meshgrid(*((np.arange(n) + 0.5) / 9 for n in (7, 8, 9)), indexing="ij")
    turn, shear = np.stack([-3 * y, 3 * x, 0 * x], -1), np.stack([5 * z, 0 * x, 0 * x], -1)
    for velocity, q in ((turn, 9), (shear, 0)):
        write(tmp_path / "fields_000000001.hdf", (7, 8, 9), velocity=velocity)
        answer = ask(tmp_path, quantity="q_of_samples")
        assert answer["values"] == pytest.approx([q, q], abs=1e-4)


def test_bodies(tmp_path: pathlib.Path) -> None:
    """They are closed, have no value, and are asked for once; surfaces end in them."""
    solid, speed = np.zeros((20, 16, 24), "u1"), np.ones((20, 16, 24))
    solid[5:11, 4:12, 6:16] = 1
    solid[:4, :3, :] = 1  # up to four faces of the box
    speed[:, :, 12:] = 3.0
    speed[solid > 0] = 1e6
    velocity = np.stack([speed, 0 * speed, 0 * speed], axis=-1)
    write(tmp_path / "fields_000000007.hdf", solid.shape, velocity=velocity, solid=solid)
    answer = ask(tmp_path, value=2, bodies=1)
    assert answer["values"] == [1, 3], "what is in bodies does not count"
    found = mesh(answer["bodies"])
    assert "shades" not in answer["bodies"]
    edges = np.sort(np.stack([found["quads"], np.roll(found["quads"], 1, 1)], -1).reshape(-1, 2))
    assert (np.unique(edges, axis=0, return_counts=True)[1] == 2).all(), "closed"
    block = found["points"][found["points"][:, 2] > 0.22] * [24, 16, 20]
    assert block.min(axis=0) == pytest.approx([6, 4, 5], abs=0.3)
    assert block.max(axis=0) == pytest.approx([16, 12, 11], abs=0.3)
    assert found["points"].min() == 0 and found["points"].max() == 1, "at the faces of the box"
    plane = mesh(answer["surface"])["points"] * [24, 16, 20]
    assert plane[:, 0] == pytest.approx(12, abs=0.51), "where the speed jumps"
    inside = (plane[:, 2] > 5) & (plane[:, 2] < 11) & (plane[:, 1] > 4) & (plane[:, 1] < 12)
    near = np.abs(plane - [12, 8, 8]).max(axis=-1)
    assert inside.any() and near[inside].min() > 1.9, "it goes a cell into bodies, and not on"
    assert ask(tmp_path, value=2)["bodies"] is None
    with pytest.raises(lbm.UsageError, match="not have this quantity"):
        ask(tmp_path, quantity="solid")
    velocity[solid > 0] = 0
    write(tmp_path / "fields_000000007.hdf", solid.shape, velocity=velocity)
    assert ask(tmp_path, bodies=1)["bodies"] is None, "step 7: all of it may be at rest yet"
    with h5py.File(tmp_path / "fields_000000007.hdf", "r+") as file:
        file["VTKHDF"].attrs["step"] = 96
    assert ask(tmp_path, bodies=1)["bodies"] == answer["bodies"], "where nothing moves"


def test_wishes_that_cannot_be_met(ball: pathlib.Path) -> None:
    good = {"series": "fields", "quantity": "speed", "colour": "density", "value": "0.2"}
    with serve(ball) as served:
        assert served.api("surface", **good)["value"] == 0.2
        for change in ({"series": "../fields"}, {"series": ""}, {"step": "8"}, {"step": "../7"},
                       {"quantity": "x"}, {"quantity": ""}, {"quantity": "vorticity"},
                       {"quantity": "size:"}, {"quantity": "../velocity"}, {"quantity": "velocity"},
                       {"quantity": "__class__"}, {"colour": ""}, {"colour": "<script>"},
                       {"value": "nan"}, {"value": "inf"}, {"value": "-1e999"}, {"value": "1e39"},
                       {"value": "x"}, {"value": "0x1"}, {"value": "9" * 3000}):  # fmt: skip
            query = urllib.parse.urlencode({"run": ".", **good, **change})
            answer = served.get(f"/api/surface?{query}")
            assert answer.status == 422 and answer.data["error"], change
            told = {"series": "no such series", "step": "no file of", "value": "finite number"}
            assert told.get(next(iter(change)), "this quantity") in answer.data["error"], change
        for low, high in (("nan", "inf"), ("x", ""), ("1e999", "2"), ("5", "1")):
            ends = served.api("surface", **good, low=low, high=high)["colour"]["range"]
            assert 0.9 < ends[0] < ends[1] < 1.1
        kept = served.api("surface", **good, low=0.999, high=1.011)["colour"]["range"]
        assert kept == [0.999, 1.011], "colours stay while they fit"
        far = served.api("surface", **{**good, "value": "-3e38"})
        assert far["surface"]["quads"] == "" and far["values"], "there is no such surface"


def test_planes_and_thin_boxes_have_no_surface(tmp_path: pathlib.Path) -> None:
    for shape in ((1, 9, 9), (9, 2, 9)):
        values = np.arange(float(np.prod(shape))).reshape(shape)
        write(tmp_path / "fields_000000007.hdf", shape, pressure=values)
        assert Slices().series(tmp_path)[0]["surfaces"] == []
        with pytest.raises(lbm.UsageError, match="three layers"):
            ask(tmp_path, quantity="pressure", colour="pressure")


def test_values_that_are_not_finite(ball: pathlib.Path) -> None:
    """They have neither surface nor colour; the rest is drawn."""
    whole = ask(ball, value=0.2)
    with h5py.File(ball / "fields_000000007.hdf", "r+") as file:
        data = file["VTKHDF/PointData"]
        data["velocity"][:, :, 13:15] = np.nan
        data["density"][...] = np.inf
        file["VTKHDF"].attrs["time"] = np.nan
    with serve(ball) as served:
        wish = {"series": "fields", "quantity": "speed", "value": 0.2, "bodies": 1}
        answer = served.api("surface", **wish, colour="density")
        assert answer["time"] is None and answer["bodies"] is None
        found = mesh(answer["surface"])
        assert 0 < len(found["quads"]) < len(mesh(whole["surface"])["quads"])
        assert (found["shades"] == 255).all(), "grey"
        answer = served.api("surface", **{**wish, "quantity": "density"}, colour="speed")
        assert answer["surface"]["quads"] == "" and answer["values"] is None


def test_arrays_and_attributes_of_other_types(ball: pathlib.Path) -> None:
    with h5py.File(ball / "fields_000000007.hdf", "r+") as file:
        data = file["VTKHDF/PointData"]
        data["text"] = np.array([b"a" * 1000] * 40 * 24 * 32).reshape(40, 24, 32)
        data["deep"] = np.zeros((40, 24, 32, 3, 3))
        data["pair"] = np.zeros((40, 24, 32, 2))
        data["huge"] = np.full((40, 24, 32), 1e300)
        data["whole"] = np.arange(40 * 24 * 32).reshape(40, 24, 32)
    for name in ("text", "deep", "pair", "size:deep"):
        with pytest.raises(lbm.UsageError):
            ask(ball, quantity=name)
    with pytest.raises(lbm.UsageError, match="text has no numbers"):
        ask(ball, quantity="text")  # it is not even read
    assert ask(ball, quantity="huge")["values"] is None, "float32 cannot hold it"
    assert ask(ball, quantity="whole")["values"] == [0, 40 * 24 * 32 - 1]
    for name, value in (("step", "x"), ("Spacing", [0, 1, 1]), ("Spacing", [np.nan, 1, 1]),
                        ("Origin", [np.inf, 0, 0])):  # fmt: skip
        with h5py.File(ball / "along_000000007.hdf", "r+") as file:
            before = file["VTKHDF"].attrs[name]
            file["VTKHDF"].attrs[name] = value
        with pytest.raises(lbm.UsageError):
            ask(ball, series="along")
        with h5py.File(ball / "along_000000007.hdf", "r+") as file:
            file["VTKHDF"].attrs[name] = before
    assert ask(ball, series="along")


def test_the_newest_file_is_shown(ball: pathlib.Path) -> None:
    known = Surfaces()
    wish = {"series": "fields", "quantity": "velocity_x", "colour": "speed"}
    before = known.surface(ball, wish)
    velocity = np.full((40, 24, 32, 3), 4, "f4")
    write(ball / "fields_000000009.hdf", (40, 24, 32), velocity=velocity)
    assert known.surface(ball, wish)["values"] == [4, 4]
    assert known.surface(ball, {**wish, "step": "7"}) == before
    write(ball / "fields_000000009.hdf", (40, 24, 32), velocity=2 * velocity)
    assert known.surface(ball, wish)["values"] == [8, 8], "a restarted run wrote it again"
    whole = (ball / "fields_000000009.hdf").read_bytes()
    (ball / "fields_000000009.hdf").write_bytes(whole[: len(whole) // 3])
    with pytest.raises(lbm.UsageError, match="fields_000000009.hdf"):
        known.surface(ball, wish)


@pytest.mark.parametrize("shape", [(90, 90, 90), (3, 500, 500)])
def test_a_surface_of_noise_is_small(tmp_path: pathlib.Path, shape: tuple[int, int, int]) -> None:
    """All edges are crossed: fewer cells are taken, until the answer is small."""
    noise = np.random.default_rng(1).normal(size=shape)
    solid = np.random.default_rng(2).random(shape) < 0.5
    write(tmp_path / "fields_000000007.hdf", shape, pressure=noise, solid=solid.astype("u1"))
    answer = ask(tmp_path, quantity="pressure", colour="pressure", bodies=1)
    for which in ("surface", "bodies"):
        quads = mesh(answer[which])["quads"]
        assert 10_000 < len(quads) <= surfaces.MOST_QUADS
    assert max(answer["every"]) > 1 and (answer["every"][2] == 1 or shape[0] > 3)
    reach = places(answer).max(axis=0)[:2] * shape[2]
    assert reach == pytest.approx([shape[2], shape[1]], rel=0.1), "up to the faces"
    assert len(json.dumps(answer)) < 8e6


def test_samples_lie_on_their_cells(tmp_path: pathlib.Path) -> None:
    """ux = x: the surface ux = 0.6 L lies at x = 0.6 L, whichever cells are left out."""
    z, y, x = np.meshgrid(*((np.arange(n) + 0.5) / 301 for n in (45, 60, 301)), indexing="ij")
    velocity = np.stack([x, y, z], axis=-1)
    write(tmp_path / "fields_000000007.hdf", x.shape, velocity=velocity.astype("f4"))
    for i, value in enumerate((0.6, 0.1, 0.07)):
        answer = ask(tmp_path, quantity=f"velocity_{'xyz'[i]}", value=value)
        assert answer["every"] == [2, 2, 2]
        assert places(answer)[:, i] == pytest.approx(value, abs=1e-4)
    image = Image(tmp_path / "fields_000000007.hdf")
    count = np.prod(samples.Samples(image).shape)
    assert samples.MOST_CELLS / 8 < count <= samples.MOST_CELLS


def bytes_read() -> int:
    """Bytes that this process has read from files."""
    lines = pathlib.Path("/proc/self/io").read_text().splitlines()
    return int(lines[0].removeprefix("rchar: "))


def test_a_billion_cells(tmp_path: pathlib.Path) -> None:
    """At most half a gigabyte of a file of 12 GB is read, and the answer is small."""
    path = tmp_path / "fields_000001000.hdf"
    write_sparse(path, 1000)
    if path.stat().st_blocks * 512 > 1e9:
        pytest.skip("the disk of the temporary files stores zeros")
    before = bytes_read()
    answer = ask(tmp_path, value=1)
    read = bytes_read() - before
    assert read < samples.MOST_READ * 1.1
    assert len(json.dumps(answer)) < 4e6 and 10 < max(answer["every"]) < 30
    path.unlink()


def test_chunks_limit_what_is_read(tmp_path: pathlib.Path) -> None:
    """Compressed planes are unpacked whole: fewer of them are taken. A part of 2 GB is refused."""
    path = tmp_path / "fields_000001000.hdf"
    write_sparse(path, 1000, chunks=(1, 1000, 1000, 3), compression=1)
    found = samples.Samples(Image(path))
    every, picks = found.every, found.picks
    first, last = (one.start for one in picks), (range(1000)[one][-1] for one in picks)
    assert all(abs((999 - b) - a) <= 1 for a, b in zip(first, last)), "as many on both sides"
    planes, rows = len(range(0, 1000, every[0])), len(range(0, 1000, every[1]))
    assert planes * 12e6 < samples.MOST_READ < (planes + 10) * 12e6 and rows > 70
    write_sparse(path, 1000, chunks=(170, 1000, 1000, 1), compression=1)
    with pytest.raises(lbm.UsageError, match="too large"):
        ask(tmp_path)
