# SPDX-License-Identifier: Apache-2.0
"""Images of lbm.open against h5py, and what is read of them."""

import os
import pathlib
import tracemalloc

import h5py
import numpy as np
import pytest
from conftest import RunCase

import lbm
from lbm.results import Image, LazyArray

KEYS = [
    np.s_[:],
    np.s_[3],
    np.s_[-1],
    np.s_[3, 4, 5],
    np.s_[3, 4, 5, 1],
    np.s_[..., 2],
    np.s_[2:15:3, ::-1, 10:2:-4],
    np.s_[:, 5, :, 0],
    np.s_[4:4],
    np.s_[[1, 4, 7]],
    np.s_[:, np.array([0, 3]), :, 1],
    np.s_[np.int64(2), ..., np.uint8(1)],
]


def stored(directory: pathlib.Path, file: str, array: str) -> np.ndarray:
    """An array of a file, read by h5py."""
    with h5py.File(directory / file, "r") as opened:
        return opened["VTKHDF/PointData"][array][:]


def bytes_read() -> int:
    """By this process, from all files."""
    lines = pathlib.Path("/proc/self/io").read_text().splitlines()
    return int(lines[0].removeprefix("rchar:"))


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_indexing_is_that_of_numpy(sample: pathlib.Path, key: object) -> None:
    expected = stored(sample, "fields_000000040.hdf", "velocity")
    velocity = lbm.open(sample).fields[-1].velocity
    assert isinstance(velocity, LazyArray)
    np.testing.assert_array_equal(velocity[key], expected[key])


def test_wrong_indices_are_refused_as_numpy_does(sample: pathlib.Path) -> None:
    density = lbm.open(sample).fields[-1].density
    for key in (20, (0, 0, 16), (0, 0, 0, 0), -21):
        with pytest.raises(IndexError):
            density[key]


def test_an_array_is_what_the_file_has(sample: pathlib.Path) -> None:
    image = lbm.open(sample).fields[-1]
    expected = stored(sample, "fields_000000040.hdf", "density")
    assert image.arrays == ("density", "velocity")
    assert image.density.shape == image.shape == (20, 12, 16)
    assert image.density.dtype == np.float32 and image.density.nbytes == expected.nbytes
    np.testing.assert_array_equal(np.asarray(image.density), expected)
    np.testing.assert_array_equal(image.density - 1, expected - 1)
    assert np.max(image["density"]) == expected.max()


def test_coordinates_and_attributes_are_those_of_the_documentation(sample: pathlib.Path) -> None:
    image = lbm.open(sample).fields[0]
    np.testing.assert_allclose(image.x, (np.arange(16) + 0.5) / 16, rtol=1e-14)
    np.testing.assert_allclose(image.z, (np.arange(20) + 0.5) / 16, rtol=1e-14)
    assert image.step == 20 and image.time == 20 * 0.1 / 16
    assert image.attrs["reynolds"] == 20 and image.attrs["case"] == "sample"
    assert image.attrs["time"] == image.time


@pytest.mark.parametrize(
    ("name", "shape", "axis", "centre", "layers"),
    [
        ("mid", (20, 1, 16), "y", 6.5 / 16, np.s_[:, :1]),
        ("across", (20, 12, 1), "x", 3.5 / 16, np.s_[:, :, :1]),
        ("floor", (1, 6, 8), "z", 19.5 / 16, np.s_[:1]),
        ("lattice", (20, 1, 16), "y", 6.5, np.s_[:, :1]),
    ],
)
def test_a_slice_has_one_layer(
    sample: pathlib.Path,
    name: str,
    shape: tuple[int, ...],
    axis: str,
    centre: float,
    layers: object,
) -> None:
    image = lbm.open(sample)[name][-1]
    both = stored(sample, f"{name}_000000040.hdf", "velocity")
    assert both.size == 2 * np.prod(shape) * 3, "the writer makes two layers"
    assert image.shape == shape
    np.testing.assert_array_equal(image.velocity, both[layers])
    np.testing.assert_allclose(image.centres(axis), [centre], rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "centres"), [("twin", [4.5, 5.5]), ("coarse_twin", [4.5, 6.5])]
)
def test_two_layers_of_cells_stay_two(
    sample: pathlib.Path, name: str, centres: list[float]
) -> None:
    image = lbm.open(sample)[name][-1]
    np.testing.assert_array_equal(
        image.velocity, stored(sample, f"{name}_000000040.hdf", "velocity")
    )
    np.testing.assert_allclose(16 * image.z, centres, rtol=1e-12)


def test_a_slice_in_metres_has_one_layer(run_case: RunCase) -> None:
    yaml = """\
name: si
units: si
grid: {cells: [8, 8, 12], spacing: 0.5}
boundaries: {z_max: {type: wall, velocity: [2, 0, 0]}}
fluid: {length: 4, velocity: 2, viscosity: 0.4, lattice_velocity: 0.1}
run: {steps: 10}
device: {backend: cpu}
outputs: {mid: {slice: y, at: 2.1, fields: [velocity]}, all: {fields: [velocity, pressure]}}
"""
    results = lbm.open(run_case(yaml))
    image = results["mid"][-1]
    assert image.shape == (12, 1, 8) and image.velocity.unit == "m/s"
    np.testing.assert_allclose(image.y, [2.25])
    np.testing.assert_array_equal(image.velocity, results["all"][-1].velocity[:, 4:5])
    assert image.time == pytest.approx(10 * 0.5 * 0.1 / 2)
    assert results["all"].to_xarray().pressure.attrs["units"] == "Pa"


def test_compressed_files_and_half_precision(sample: pathlib.Path) -> None:
    results = lbm.open(sample)
    whole = stored(sample, "fields_000000040.hdf", "velocity")
    packed, half = results["packed"][-1], results["half"][-1]
    np.testing.assert_array_equal(packed.velocity[3:9, ::2], whole[3:9, ::2])
    assert packed.solid.dtype == np.uint8
    assert int(np.sum(packed.solid)) == results.report.solid_cells > 0
    assert half.velocity.dtype == half.velocity[0].dtype == np.float32
    np.testing.assert_array_equal(half.velocity, whole.astype(np.float16).astype(np.float32))


def test_statistics_are_images(sample: pathlib.Path) -> None:
    series = lbm.open(sample)["mean"]
    assert series.steps.tolist() == [20, 40]
    assert [image.attrs["samples"] for image in series] == [4, 8]
    assert series[-1].reynolds_stress.shape == (20, 12, 16, 6)
    rms = np.asarray(series[-1].rms_velocity)
    stress = np.asarray(series[-1].reynolds_stress)
    np.testing.assert_allclose(rms**2, stress[..., :3], rtol=1e-5, atol=1e-12)


def test_a_slice_of_an_image_is_the_nearest_plane(sample: pathlib.Path) -> None:
    image = lbm.open(sample).fields[-1]
    whole = stored(sample, "fields_000000040.hdf", "velocity")
    cut = image.slice("y", at=6.4 / 16)
    assert cut.axes == ("z", "x") and cut.at == {"y": pytest.approx(6.5 / 16)}
    np.testing.assert_array_equal(cut.velocity, whole[:, 6])
    np.testing.assert_array_equal(cut.x, image.x)
    np.testing.assert_array_equal(image.slice("z", index=-1).velocity, whole[-1])
    np.testing.assert_array_equal(image.slice("x").velocity, whole[:, :, 8])
    np.testing.assert_array_equal(image.slice("z", at=0).velocity, whole[0])


def test_a_line_through_the_middle_is_the_profile(sample: pathlib.Path) -> None:
    results = lbm.open(sample)
    for axis in "xyz":
        line = results.fields[-1].line(axis)
        table = np.loadtxt(sample / f"profile_{axis}.csv", delimiter=",", skiprows=3)
        np.testing.assert_allclose(line.coordinates(axis), table[:, 0], rtol=1e-14)
        np.testing.assert_allclose(line.velocity, table[:, 1:4], rtol=1e-12, atol=1e-18)
        np.testing.assert_allclose(line.density, table[:, 4], rtol=1e-7)  # float32 in fields


def test_a_line_is_linear_between_centres(sample: pathlib.Path) -> None:
    image = lbm.open(sample).fields[-1]
    density = stored(sample, "fields_000000040.hdf", "density").astype(float)
    line = image.line("x", y=3.75 / 16, z=19.9 / 16)
    np.testing.assert_allclose(line.density, 0.75 * density[19, 3] + 0.25 * density[19, 4])
    assert line.at == {"y": pytest.approx(3.75 / 16), "z": pytest.approx(19.5 / 16)}


def test_places_outside_and_wrong_names_are_refused(sample: pathlib.Path) -> None:
    image = lbm.open(sample).fields[-1]
    for wrong in (
        lambda: image.slice("w"),
        lambda: image.slice("y", at=0.76),
        lambda: image.slice("y", index=12),
        lambda: image.slice("y", at=0.1, index=1),
        lambda: image.line("x", x=1),
        lambda: image.line("x", y=-0.1),
        lambda: image["vorticity"],
    ):
        with pytest.raises(lbm.UsageError) as error:
            wrong()
        assert "\n" not in str(error.value)
    with pytest.raises(AttributeError, match="velocity"):
        image.vorticity


def big_file(path: pathlib.Path) -> None:
    """1024 x 256 x 256 cells as lbm lays them out, 1 GiB, with holes for all but two planes."""
    with h5py.File(path, "w") as file:
        root = file.create_group("VTKHDF")
        root.attrs["WholeExtent"] = np.array([0, 255, 0, 255, 0, 1023])
        root.attrs["Origin"], root.attrs["Spacing"] = np.full(3, 0.5), np.full(3, 1.0)
        root.attrs["time"], root.attrs["step"] = 1.0, 1
        space = h5py.h5s.create_simple((1024, 256, 256, 4))
        how = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        how.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        how.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        group = root.create_group("PointData").id
        data = h5py.Dataset(h5py.h5d.create(group, b"v", h5py.h5t.IEEE_F32LE, space, how))
        data[500], data[501] = 5, 6


def test_only_what_is_indexed_is_read(tmp_path: pathlib.Path) -> None:
    big_file(tmp_path / "big_000000001.hdf")
    plane = 256 * 256 * 4 * 4
    before = bytes_read()
    tracemalloc.start()
    try:
        image = Image(tmp_path / "big_000000001.hdf")
        assert image.v.shape == (1024, 256, 256, 4) and image.v.nbytes == 1024 * plane
        headers = bytes_read() - before
        assert headers < 100_000
        values = image.v[500]
        assert values.shape == (256, 256, 4) and values.min() == values.max() == 5
        assert image.slice("z", index=501).v.mean() == 6
        assert tracemalloc.get_traced_memory()[1] < 4 * plane
    finally:
        tracemalloc.stop()
    assert 2 * plane <= bytes_read() - before < 2 * plane + 200_000


def test_no_file_stays_open(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "bad_000000001.hdf").write_bytes(b"no HDF5")
    before = sorted(os.listdir("/proc/self/fd"))
    results = lbm.open(sample)
    kept = [image.velocity for name in results if name != "fields" for image in results[name]
            if "velocity" in image.arrays]
    sums = [float(array[0].sum()) for array in kept]
    with pytest.raises(lbm.UsageError):
        Image(tmp_path / "bad_000000001.hdf").arrays
    dataset = results.fields.to_xarray()
    sums.append(float(dataset.density[0, 0, 0, 0]))
    assert np.isfinite(sums).all() and len(sums) > 10
    assert sorted(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("cut", [0, 100, 3000, 40000])
def test_a_damaged_file_is_one_line(sample: pathlib.Path, tmp_path: pathlib.Path, cut: int) -> None:
    path = tmp_path / "fields_000000040.hdf"
    path.write_bytes((sample / path.name).read_bytes()[:cut])
    with pytest.raises(lbm.UsageError) as error:
        np.asarray(Image(path).velocity)
    assert str(path) in str(error.value) and "\n" not in str(error.value)


def test_hdf5_of_others_is_refused(sample: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with h5py.File(tmp_path / "a.hdf", "w") as file:
        file["something"] = 1
    with pytest.raises(lbm.UsageError, match="not written by lbm"):
        Image(tmp_path / "a.hdf").arrays
    with pytest.raises(FileNotFoundError):
        Image(tmp_path / "b.hdf").arrays
    with pytest.raises(lbm.UsageError, match="no image"):
        Image(tmp_path / "checkpoint_000000001.h5")
