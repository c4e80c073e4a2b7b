# SPDX-License-Identifier: Apache-2.0
"""Images of labels in files that `lbm` does not read, written as files that it reads.

`python -m lbm.voxels FROM TO.npy` does the same as `convert`.
"""

import argparse
import collections
import fnmatch
import importlib
import os
import pathlib
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from lbm.errors import Error, MissingFileError, UsageError

__all__ = ["convert"]

_TYPES = ("uint8", "int8", "uint16", "int16", "uint32", "int32")
_TIFF = (".tif", ".tiff")
_PICTURES = (*_TIFF, ".png", ".bmp", ".pgm", ".gif")
_HDF5 = (".h5", ".hdf5", ".hdf", ".nxs", ".nc")
_SCANS = (".mhd", ".mha", ".nrrd", ".nhdr", ".nii", ".gz")
_HEADER = 128  # bytes, whatever the number of planes

Array = npt.NDArray[Any]


def convert(
    source: str | os.PathLike[str],
    to: str | os.PathLike[str],
    *,
    dtype: str | None = None,
    dataset: str = "labels",
) -> tuple[int, int, int]:
    """Writes an image of labels as a .npy file that `shape: voxels` reads; returns its shape (nz, ny, nx).

    `source` is a TIFF stack of any compression (needs tifffile or Pillow), a picture that Pillow
    reads, a .npy file, or an HDF5 file with a `dataset`; or a folder of such pictures or a pattern
    such as "rock_*.png" for one plane a file, sorted by the numbers in their names. One plane is in
    memory at a time. Colours of equal parts are taken as grey values. MetaImage (.mhd, .mha), NRRD
    (.nrrd, .nhdr) and NIfTI, also compressed, need SimpleITK and memory for the whole image.

    `dtype` is one of uint8, int8, uint16, int16, uint32, int32; by default that of the source, and
    uint8 for images of one bit. Numbers that it does not hold are an error, so are fractions.

    Raises UsageError where the source is no image of labels. An older file `to` is replaced at the
    end; after an error it is as it was.
    """
    target = pathlib.Path(to)
    if target.suffix != ".npy":
        raise UsageError(f"{target}: must end in .npy")
    if dtype is not None and dtype not in _TYPES:
        raise UsageError(f"dtype: found {dtype!r}, must be one of {', '.join(_TYPES)}")
    partial = target.with_name(target.name + ".partial")
    try:
        with open(partial, "wb") as file:
            shape = _write(file, pathlib.Path(source), dtype, dataset)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return shape


def _write(file: Any, source: pathlib.Path, dtype: str | None, dataset: str) -> tuple[int, int, int]:
    file.write(bytes(_HEADER))
    count, first, kind = 0, None, np.dtype("uint8")
    for plane in _planes(source, dataset):
        plane = _grey(plane)
        if plane.ndim != 2:
            raise UsageError(f"{source}: plane {count} has the shape {plane.shape}, must be [y, x], one number a pixel")
        if first is None:
            first, kind = plane.shape, _type_for(source, plane, dtype)
        if plane.shape != first:
            raise UsageError(f"{source}: plane {count} has the shape {plane.shape}, the first one {first}")
        labels = plane.astype(kind)
        if not np.array_equal(labels, plane):
            wrong = plane[labels != plane].flat[0]
            raise UsageError(f"{source}: plane {count} holds {wrong}, which is no label of {kind}")
        file.write(labels.tobytes())
        count += 1
    if first is None:
        raise UsageError(f"{source}: has no plane")
    shape = (count, int(first[0]), int(first[1]))
    header = f"{{'descr': '{kind.str}', 'fortran_order': False, 'shape': {shape}, }}"
    file.seek(0)
    file.write(b"\x93NUMPY\x01\x00" + (_HEADER - 10).to_bytes(2, "little"))
    file.write((header.ljust(_HEADER - 11) + "\n").encode())
    return shape


def _type_for(source: pathlib.Path, plane: Array, dtype: str | None) -> np.dtype[Any]:
    if dtype is not None:
        return np.dtype(dtype)
    if plane.dtype == bool:
        return np.dtype("uint8")
    if plane.dtype.name not in _TYPES:
        raise UsageError(f"{source}: holds numbers of type {plane.dtype.name}; give dtype, such as uint8")
    return plane.dtype.newbyteorder("=")


def _grey(plane: Array) -> Array:
    if plane.ndim == 3 and plane.shape[2] in (3, 4) and bool((plane[..., :3] == plane[..., :1]).all()):
        return plane[..., 0]
    return plane


def _planes(source: pathlib.Path, dataset: str) -> Iterator[Array]:
    for path in _files(source):
        ending = path.suffix.lower()
        if ending == ".npy":
            yield from np.load(path, mmap_mode="r")
        elif ending in _HDF5:
            yield from _hdf5_planes(path, dataset)
        elif ending in _SCANS:
            yield from _scan_planes(path)
        else:
            yield from _pictures(path)


def _files(source: pathlib.Path) -> list[pathlib.Path]:
    if source.is_file():
        return [source]
    folder = source if source.is_dir() else source.parent
    names = os.listdir(folder) if folder.is_dir() else []
    if source.is_dir():
        names = [name for name in names if pathlib.Path(name).suffix.lower() in _PICTURES]
    else:
        names = fnmatch.filter(names, source.name)
    names = [name for name in names if not name.startswith(".")]
    if not names:
        raise MissingFileError(f"{source}: there is no such file, nor a folder or pattern of pictures")
    names.sort(key=_numbers_as_numbers)
    patterns = collections.Counter(re.sub(r"\d+", "#", name) for name in names)
    if len(patterns) > 1:
        usual, rare = patterns.most_common(1)[0][0], patterns.most_common()[-1][0]
        one, other = (next(n for n in names if re.sub(r"\d+", "#", n) == p) for p in (rare, usual))
        raise UsageError(
            f"{source}: {one} and {other} are named differently: is one of them no plane of the image? Move it"
            " away, or give a pattern of names that leaves it out"
        )
    return [folder / name for name in names]


def _numbers_as_numbers(name: str) -> list[tuple[int, int, str]]:
    parts = re.split(r"(\d+)", name)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts] + [(2, 0, name)]


def _hdf5_planes(path: pathlib.Path, dataset: str) -> Iterator[Array]:
    import h5py  # type: ignore[import-untyped,unused-ignore]

    with h5py.File(path, "r") as file:
        data = file.get(dataset)
        if not isinstance(data, h5py.Dataset) or data.ndim != 3:
            raise UsageError(f"{path}: has no dataset {dataset} of three axes")
        for z in range(data.shape[0]):
            yield data[z]


def _scan_planes(path: pathlib.Path) -> Iterator[Array]:
    """Planes of a MetaImage, NRRD or NIfTI file."""
    itk = _module("SimpleITK")
    if itk is None:
        raise UsageError(f"{path}: pip install SimpleITK to read it")
    try:
        image = itk.ReadImage(os.fspath(path))
    except RuntimeError as error:
        raise UsageError(f"{path}: cannot be read: {str(error).strip().splitlines()[-1]}") from None
    if image.GetDimension() != 3 or image.GetNumberOfComponentsPerPixel() != 1:
        raise UsageError(f"{path}: must have three axes and one number a voxel: save the labels alone")
    yield from itk.GetArrayViewFromImage(image)


def _voxel_size(path: pathlib.Path) -> str:
    """Text of the command about the edges of a voxel, which a .npy file does not hold."""
    itk = _module("SimpleITK")
    if itk is None or path.suffix.lower() not in _SCANS:
        return ""
    reader = itk.ImageFileReader()
    reader.SetFileName(os.fspath(path))
    reader.ReadImageInformation()
    edges = [float(f"{edge:.6g}") for edge in reader.GetSpacing()]
    return f"; the header says voxel_size: {edges}, in its own unit"


def _pictures(path: pathlib.Path) -> Iterator[Array]:
    tifffile = _module("tifffile") if path.suffix.lower() in _TIFF else None
    if tifffile is not None:
        with tifffile.TiffFile(path) as file:
            _check_axes(path, file)
            if len(file.pages) == 1 and file.series[0].ndim == 3 and file.series[0].dataoffset is not None:
                yield from tifffile.memmap(path, mode="r")  # ImageJ: one directory for all planes
                return
            for page in file.pages:
                if not page.keyframe.is_reduced:
                    yield page.asarray()
        return
    pillow = _module("PIL.Image")
    if pillow is None:
        raise UsageError(f"{path}: pip install tifffile (for TIFF), or Pillow, to read it")
    try:
        picture = pillow.open(path)
    except pillow.UnidentifiedImageError:
        raise UsageError(f"{path}: is no picture that Pillow reads") from None
    with picture:
        for frame in range(getattr(picture, "n_frames", 1)):
            picture.seek(frame)
            yield np.asarray(picture)


def _check_axes(path: pathlib.Path, file: Any) -> None:
    """Channels and times are no planes, unless planes were saved as one of these."""
    if (file.is_ome or file.is_imagej) and sum(not s.keyframe.is_reduced for s in file.series) > 1:
        raise UsageError(f"{path}: holds several images, must be one: save the labels alone")
    first = file.series[0]
    if sum(n > 1 and axis not in "YXS" for axis, n in zip(first.axes, first.shape)) > 1:
        raise UsageError(
            f"{path}: has the axes {first.axes} of {first.shape}, must be one image [z, y, x]: save the labels alone"
        )


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m lbm.voxels", description=__doc__)
    parser.add_argument("source", metavar="FROM", help="file, folder, or pattern such as 'rock_*.png'")
    parser.add_argument("to", metavar="TO.npy")
    parser.add_argument("--dtype", choices=_TYPES)
    parser.add_argument("--dataset", default="labels", help="of an HDF5 file")
    given = parser.parse_args()
    try:
        nz, ny, nx = convert(given.source, given.to, dtype=given.dtype, dataset=given.dataset)
    except (Error, OSError) as error:
        sys.exit(str(error))
    print(f"{given.to}: {nx} x {ny} x {nz} voxels{_voxel_size(pathlib.Path(given.source))}")


if __name__ == "__main__":
    _main()
