# SPDX-License-Identifier: Apache-2.0
"""Images in VTKHDF files (docs/output.md). A file is open only during a read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import h5py  # type: ignore[import-untyped,unused-ignore]
import numpy as np

from lbm.results.header import ImageHeader, triple
from lbm.results.lazy import Array, Box, LazyArray
from lbm.results.errors import damaged, missing


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """The group VTKHDF of a file; closes the file afterwards."""
    try:
        with h5py.File(path, "r") as file:
            yield file["VTKHDF"]
    except FileNotFoundError as error:
        raise missing(path, "restore it or run again") from error
    except (OSError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise damaged(path, error.args[0] if error.args else error) from error


@dataclass(frozen=True)
class _Stored:
    """One array of a file, as [z][y][x] or [z][y][x][component]."""

    path: Path
    name: str

    def read(self, box: Box) -> Array:
        with _opened(self.path) as root:
            values: Array = root["PointData"][self.name][box]
        return values.astype(np.float32) if values.dtype == np.float16 else values


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value.item() if isinstance(value, np.generic) else value


def _stored_array(path: Path, name: str, data: h5py.Dataset) -> LazyArray:
    # Half precision is for the disk only: sums in it would overflow.
    dtype = np.float32 if data.dtype == np.float16 else data.dtype
    unit = str(_plain(data.attrs.get("unit", "")))
    return LazyArray(name, tuple(data.shape), dtype, _Stored(path, name).read, unit)


def read_vtkhdf(path: Path) -> ImageHeader:
    """The header of a file. Raises UsageError for a damaged, MissingFileError for a missing one."""
    with _opened(path) as root:
        attrs = {name: _plain(value) for name, value in root.attrs.items()}
        extent = np.asarray(attrs.pop("WholeExtent"))
        origin, spacing = (triple(attrs.pop(n).tolist()) for n in ("Origin", "Spacing"))
        for name in ("Version", "Type", "Direction"):
            attrs.pop(name, None)
        counts = triple((extent[1::2] - extent[0::2] + 1).tolist())
        arrays = {name: _stored_array(path, name, data) for name, data in root["PointData"].items()}
    if any(a.shape[:3] != counts[::-1] for a in arrays.values()):
        raise damaged(path, f"an array that has not the {counts} cells of the image")
    return _thinned(ImageHeader(counts, origin, spacing, attrs, arrays))


def _thinned(header: ImageHeader) -> ImageHeader:
    """The image with one layer along each axis where the writer has doubled a single layer."""
    for axis in range(3):
        if header.counts[axis] == 2 and _is_doubled(header, axis):
            header = _halved(header, axis)
    return header


def _cell(attrs: dict[str, Any]) -> float | None:
    """Width of a cell in the units of the file; None: the file does not have it."""
    units = str(attrs.get("units", ""))
    if units.startswith("lattice"):
        return 1.0
    length = attrs.get("reference_length_cells")
    return 1 / float(length) if length and "reference length" in units else None


def _is_doubled(header: ImageHeader, axis: int) -> bool:
    """True if the two layers along this axis are copies of a single layer.

    The first centre of an image lies at (begin + (e s - s + 1) / 2) cells, for stride s and means
    over e cells. The writer puts the copies e s / 2 cells before and behind the layer, which the
    position of the first centre shows where e s is odd. Otherwise the values decide: both layers
    of a copy are equal.
    """
    cell = _cell(header.attrs)
    spacing = header.spacing[axis] / cell if cell else 0
    if cell and round(spacing) % 2 == 1:
        return abs(header.origin[axis] / cell % 1 - 0.5) > 0.25
    return all(_layers_equal(array, 2 - axis) for array in header.arrays.values())


def _layers_equal(array: LazyArray, axis: int) -> bool:
    first: list[Any] = [slice(None)] * array.ndim
    second = list(first)
    first[axis], second[axis] = 0, 1
    return bool(np.array_equal(array[tuple(first)], array[tuple(second)], equal_nan=True))


def _halved(header: ImageHeader, axis: int) -> ImageHeader:
    """The first of two layers, moved to the middle between them."""
    end = [1 if a == axis else n for a, n in enumerate(header.counts)]
    origin = list(header.origin)
    origin[axis] += header.spacing[axis] / 2
    return replace(header.part((0, 0, 0), end, 1), origin=triple(origin))
