# SPDX-License-Identifier: Apache-2.0
"""Images in .vti files, and in .pvti files, which list pieces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lbm.results.header import ImageHeader, Triple
from lbm.results.lazy import Array, Box, LazyArray, box_shape
from lbm.results.errors import damaged
from lbm.results.vtkxml import Appended, XmlFile, piece_path, read_xml, whole_numbers


@dataclass(frozen=True)
class _Whole:
    """An array of a .vti file."""

    values: Appended
    shape: tuple[int, ...]

    def read(self, box: Box) -> Array:
        return self.values.read(box, self.shape)


@dataclass(frozen=True)
class _Pieces:
    """An array in pieces along z. first: first plane of each piece; neighbours share a plane."""

    parts: tuple[LazyArray, ...]
    first: tuple[int, ...]

    def read(self, box: Box) -> Array:
        values = np.empty(box_shape(box), self.parts[0].dtype)
        wanted = range(box[0].start, box[0].stop, box[0].step)
        ends = (*self.first[1:], self.first[-1] + self.parts[-1].shape[0])
        for part, begin, end in zip(self.parts, self.first, ends):
            here = [i for i, z in enumerate(wanted) if begin <= z < end]
            if here:
                planes = slice(wanted[here[0]] - begin, wanted[here[-1]] - begin + 1, box[0].step)
                values[here[0] : here[-1] + 1] = part[(planes, *box[1:])]
        return values


def _floats(file: XmlFile, text: str) -> Triple:
    try:
        x, y, z = (float(v) for v in text.split())
    except ValueError as error:
        raise damaged(file.path, f"three numbers were expected, found {text!r}") from error
    return x, y, z


def _geometry(file: XmlFile) -> tuple[tuple[int, int, int], Triple, Triple]:
    image = file.find("./*")
    extent = whole_numbers(file, image, "WholeExtent")
    if len(extent) != 6:
        raise damaged(file.path, f"an extent of {len(extent)} numbers")
    nx, ny, nz = (extent[2 * a + 1] - extent[2 * a] + 1 for a in range(3))
    origin, spacing = (_floats(file, image.get(n, "")) for n in ("Origin", "Spacing"))
    return (nx, ny, nz), origin, spacing


def read_vti(path: Path) -> ImageHeader:
    """The header of a .vti file."""
    file = read_xml(path)
    _, origin, spacing = _geometry(file)
    e = whole_numbers(file, file.find("./ImageData/Piece"), "Extent")
    counts = (e[1] - e[0] + 1, e[3] - e[2] + 1, e[5] - e[4] + 1)
    arrays = {}
    for element in file.find("./ImageData/Piece/PointData"):
        values = file.values(element)
        components = int(element.get("NumberOfComponents", "1"))
        shape = counts[::-1] + ((components,) if components > 1 else ())
        name = element.get("Name", "")
        arrays[name] = LazyArray(name, shape, values.dtype, _Whole(values, shape).read)
    return ImageHeader(counts, origin, spacing, file.attrs(), arrays)


def read_pvti(path: Path) -> ImageHeader:
    """The header of a .pvti file and of its pieces."""
    file = read_xml(path)
    counts, origin, spacing = _geometry(file)
    pieces = file.root.findall("./PImageData/Piece")
    if not pieces:
        raise damaged(path, "it lists no pieces")
    headers = [read_vti(piece_path(file, piece)) for piece in pieces]
    first = tuple(whole_numbers(file, piece, "Extent")[4] for piece in pieces)
    arrays = {}
    for name, array in headers[0].arrays.items():
        parts = _Pieces(tuple(header.arrays[name] for header in headers), first)
        shape = (counts[2], *array.shape[1:])
        arrays[name] = LazyArray(name, shape, array.dtype, parts.read)
    return ImageHeader(counts, origin, spacing, headers[0].attrs, arrays)
