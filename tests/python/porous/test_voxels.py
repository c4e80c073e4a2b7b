# SPDX-License-Identifier: Apache-2.0
"""lbm.voxels.convert: labels in files that the program does not read."""

import pathlib
import subprocess
import sys

import h5py
import numpy as np
import pytest

import lbm
from lbm import voxels

SHAPE = (3, 20, 18)


@pytest.fixture
def labels() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 3, SHAPE, dtype="uint8")


def converted(source: pathlib.Path, **how: str) -> np.ndarray:
    to = source.with_suffix(".to.npy")
    assert voxels.convert(source, to, **how) == SHAPE
    assert not list(to.parent.glob("*.partial"))
    return np.load(to)


def share_of_fluid(path: pathlib.Path, **keys: object) -> float:
    """The share of fluid if the program itself reads the file; the labels 1 and 2 are solid."""
    case = lbm.Case(
        grid=lbm.Grid(cells=[18, 20, 3]),
        boundaries={f"{a}_{end}": "periodic" for a in "xyz" for end in ("min", "max")},
        fluid=lbm.Fluid(tau=0.8, length=10, lattice_velocity=0.05),
        run=lbm.Run(steps=1),
    )
    case.bodies["rock"] = lbm.Body(shape="voxels", file=str(path), fluid=[0], **keys)
    return case.check()["voxels"][0]["fluid_share"]


@pytest.mark.parametrize("how", [{}, {"rowsperstrip": 7}, {"tile": (16, 16), "byteorder": ">"}, {"bigtiff": True},
                                 {"compression": "zlib"}, {"compression": "zlib", "predictor": True}])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32"])
def test_tiff_is_what_it_was(tmp_path: pathlib.Path, labels: np.ndarray, how: dict, dtype: str) -> None:
    tifffile = pytest.importorskip("tifffile")
    path = tmp_path / "rock.tif"
    tifffile.imwrite(path, labels.astype(dtype), photometric="minisblack", **how)
    assert share_of_fluid(path) == pytest.approx((labels == 0).mean(), abs=1e-12)
    np.testing.assert_array_equal(converted(path), labels)


@pytest.mark.parametrize("compression", ["tiff_lzw", "packbits", "tiff_adobe_deflate"])
def test_tiff_of_other_packings(tmp_path: pathlib.Path, labels: np.ndarray, compression: str) -> None:
    pillow = pytest.importorskip("PIL.Image")
    path = tmp_path / "rock.tif"
    planes = [pillow.fromarray(plane) for plane in labels]
    planes[0].save(path, save_all=True, append_images=planes[1:], compression=compression)
    assert share_of_fluid(path) == pytest.approx((labels == 0).mean(), abs=1e-12)


def test_stacks_of_imagej_have_one_directory(tmp_path: pathlib.Path, labels: np.ndarray) -> None:
    tifffile = pytest.importorskip("tifffile")
    path = tmp_path / "rock.tif"
    tifffile.imwrite(path, labels.astype("uint16"), imagej=True)
    assert share_of_fluid(path) == pytest.approx((labels == 0).mean(), abs=1e-12)


def test_pictures_of_planes_are_sorted_by_number(tmp_path: pathlib.Path, labels: np.ndarray) -> None:
    pillow = pytest.importorskip("PIL.Image")
    for number, plane in zip((9, 10, 100), labels, strict=True):
        pillow.fromarray(plane).convert("RGB").save(tmp_path / f"rock_{number}.png")
    np.testing.assert_array_equal(converted(tmp_path / "rock_*.png"), labels)
    voxels.convert(tmp_path, tmp_path / "folder.npy", dtype="int16")
    np.testing.assert_array_equal(np.load(tmp_path / "folder.npy"), labels.astype("int16"))


def test_hdf5_of_other_types(tmp_path: pathlib.Path, labels: np.ndarray) -> None:
    path = tmp_path / "rock.h5"
    with h5py.File(path, "w") as file:
        file["labels"] = labels.astype("float64")
        file["half"] = labels + 0.5
        file["chunked"] = file.create_dataset("a/b", data=labels, chunks=(2, 7, 5), compression="gzip")
    np.testing.assert_array_equal(converted(path, dtype="uint8"), labels)
    assert share_of_fluid(path, dataset="/a/b") == pytest.approx((labels == 0).mean(), abs=1e-12)
    with pytest.raises(lbm.UsageError, match="holds numbers of type float64; give dtype"):
        voxels.convert(path, tmp_path / "a.npy")
    with pytest.raises(lbm.UsageError, match="plane 0 holds .*5, which is no label of uint8"):
        voxels.convert(path, tmp_path / "a.npy", dtype="uint8", dataset="half")
    assert not (tmp_path / "a.npy").exists() and not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize("name", ["a.mhd", "a.mha", "a.nrrd"])
@pytest.mark.parametrize("packed", [False, True])
def test_scans_are_converted(tmp_path: pathlib.Path, labels: np.ndarray, name: str, packed: bool) -> None:
    itk = pytest.importorskip("SimpleITK")
    image = itk.GetImageFromArray(labels)
    image.SetSpacing((2, 2, 6))
    itk.WriteImage(image, str(tmp_path / name), packed)
    with pytest.raises(lbm.UsageError, match=f"python -m lbm.voxels '.*{name}' '.*a.npy'"):
        share_of_fluid(tmp_path / name)
    np.testing.assert_array_equal(converted(tmp_path / name), labels)
    command = [sys.executable, "-m", "lbm.voxels", str(tmp_path / name), str(tmp_path / "b.npy")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "voxel_size: [2.0, 2.0, 6.0]" in done.stdout
    (tmp_path / name).write_bytes(b"NRRD0004\nno header\n\n")
    with pytest.raises(lbm.UsageError, match="cannot be read"):
        voxels.convert(tmp_path / name, tmp_path / "c.npy")


def test_the_command(tmp_path: pathlib.Path, labels: np.ndarray) -> None:
    np.save(tmp_path / "wide.npy", labels.astype("int64"))
    command = [sys.executable, "-m", "lbm.voxels", str(tmp_path / "wide.npy"), str(tmp_path / "b.npy")]
    done = subprocess.run([*command, "--dtype", "uint8"], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("b.npy: 18 x 20 x 3 voxels")
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), labels)
    failed = subprocess.run([*command[:3], str(tmp_path / "none*.png"), "c.npy"], capture_output=True, text=True)
    assert failed.returncode == 1 and failed.stderr.count("\n") == 1
    assert "there is no such file" in failed.stderr


@pytest.mark.parametrize("axes", ["CZYX", "TZYX"])
def test_channels_and_times_are_no_planes(tmp_path: pathlib.Path, labels: np.ndarray, axes: str) -> None:
    tifffile = pytest.importorskip("tifffile")
    path, two = tmp_path / "rock.ome.tif", np.stack([labels, labels])
    tifffile.imwrite(path, two, metadata={"axes": axes}, photometric="minisblack")
    for read in (converted, share_of_fluid):
        with pytest.raises(lbm.UsageError, match="save the labels alone"):
            read(path)
    tifffile.imwrite(path, labels, metadata={"axes": axes[0] + "YX"}, photometric="minisblack")
    assert share_of_fluid(path) == pytest.approx((labels == 0).mean(), abs=1e-12)
    np.testing.assert_array_equal(converted(path), labels)


def test_stray_files_are_no_planes(tmp_path: pathlib.Path, labels: np.ndarray) -> None:
    tifffile = pytest.importorskip("tifffile")
    for number, plane in enumerate(labels):
        tifffile.imwrite(tmp_path / f"rock_{number}.tif", plane)
    np.testing.assert_array_equal(converted(tmp_path / "rock_*.tif"), labels)
    tifffile.imwrite(tmp_path / "rock_1 copy.tif", labels[1])
    for read in (converted, share_of_fluid):
        with pytest.raises(lbm.UsageError, match="rock_1 copy.tif and .* are named differently"):
            read(tmp_path / "rock_*.tif")


def test_edges_of_voxels_are_read(tmp_path: pathlib.Path, labels: np.ndarray) -> None:
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "a.tif", labels, imagej=True, resolution=(0.5, 0.5), metadata={"spacing": 6, "unit": "um"})
    sizes = {"PhysicalSizeX": 2, "PhysicalSizeY": 2, "PhysicalSizeZ": 6}
    tifffile.imwrite(tmp_path / "b.ome.tif", labels, metadata={"axes": "ZYX", **sizes})
    with h5py.File(tmp_path / "c.h5", "w") as file:
        file["labels"] = labels
        file["labels"].attrs["element_size_um"] = [6.0, 2.0, 2.0]
    for name in ("a.tif", "b.ome.tif", "c.h5"):
        with pytest.raises(lbm.UsageError, match="voxels of 2 x 2 x 6 um are no cubes"):
            share_of_fluid(tmp_path / name)
        assert share_of_fluid(tmp_path / name, voxel_size=[1, 1, 1]) > 0
