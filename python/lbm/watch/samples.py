# SPDX-License-Identifier: Apache-2.0
"""A field at every n-th cell: few enough values for a page, whatever the size of the grid."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import h5py  # type: ignore[import-untyped,unused-ignore]
import numpy as np

from lbm._lbm import UsageError
from lbm.plot.labels import labelled
from lbm.results import Image
from lbm.results.header import field_unit
from lbm.results.lazy import Array
from lbm.watch.fields import quantities, shown, values_of

MOST_CELLS = 1 << 19  # 80 x 80 x 80
MOST_READ = 512 << 20  # bytes of an array that HDF5 has to read, or to unpack
_BLOCK = 64 << 10  # bytes that HDF5 reads at a time of an array without chunks
_FEWEST = 3  # layers of cells along each axis, for a surface
_MOST_KEPT = 8  # arrays of samples in memory, of 12 MiB at most
GRADIENT = "q_of_samples"  # Q criterion from the samples of the velocity

Triple = tuple[int, int, int]  # along z, y, x


def surface_quantities(image: Image) -> list[str]:
    """Quantities whose isosurface can be drawn; none of an image that is one or two cells thin."""
    if min(image.shape) < _FEWEST:
        return []
    known = quantities(image)
    if "speed" in known and "q_criterion" not in known:
        known.append(GRADIENT)
    return known


def surface_label(quantity: str) -> str:
    """The name of such a quantity for people."""
    return "Q criterion of the samples" if quantity == GRADIENT else shown(quantity)


@dataclass(frozen=True)
class Values:
    """A quantity at the samples.

    values: float32 [z, y, x]. In bodies nan, but for the samples next to fluid: these have the mean
    of it, so that surfaces end in bodies and not before. label: with the unit.
    """

    values: Array
    label: str


class Samples:
    """Every n-th cell of an image along each axis.

    Attributes:
        picks: the cells along z, y, x. shape: their numbers. every: distances in cells, z, y, x.

    Raises UsageError for an image that is too thin, or cannot be read in part.
    """

    def __init__(self, image: Image) -> None:
        self.image = image
        if min(image.shape) < _FEWEST:
            raise UsageError("A surface needs three layers of cells along each axis.")
        self.every = _strides(image)
        # The cells that are left out lie on both sides, as many on each.
        first = [(n - 1) % step // 2 for n, step in zip(image.shape, self.every)]
        self.picks = tuple(slice(a, n, s) for a, n, s in zip(first, image.shape, self.every))
        self.shape = tuple(len(range(n)[p]) for n, p in zip(image.shape, self.picks))
        self._kept: OrderedDict[str, Any] = OrderedDict()

    def places(self, points: Array) -> Array:
        """Shares of the box, [n, (x, y, z)], of points in samples from the first, [n, (z, y, x)].

        0 and 1 are the faces of the first and of the last cell of the image along an axis.
        """
        first = np.array([pick.start for pick in self.picks])
        shares = (points * self.every + first + 0.5) / self.image.shape
        inside: Array = np.clip(shares, 0, 1)[:, ::-1]
        return inside

    def values(self, quantity: str) -> Values:
        """A quantity. Raises UsageError for one that the image does not have.

        Raises anything for arrays that are damaged, and for attributes of other types.
        """
        if quantity not in surface_quantities(self.image):
            raise UsageError("The fields do not have this quantity.")
        with np.errstate(all="ignore"):
            name, found = self._values(quantity)
            if found is None or found.ndim != 3:
                raise UsageError("The fields do not have this quantity.")
            values = _into_bodies(found.astype(np.float32), self.solid)
        label = labelled(surface_label(quantity), field_unit(name, self.image.attrs))
        return Values(values, label)

    @property
    def solid(self) -> Array:
        """Which samples are in bodies, [z, y, x]: by the field `solid`, else where nothing moves.

        As on planes (lbm.plot.fields.solid_cells): the velocity is exactly 0 in bodies, and in
        fluid at rest until sound has come; so not before it has crossed the box twice.
        """
        none = np.zeros(self.shape, bool)
        if "solid" in self.image.arrays:
            return self._read("solid") > 0
        step = self.image.attrs.get("step", 0)
        if "velocity" not in self.image.arrays or step < 4 * max(self.image.shape):
            return none
        still: Array = (self._read("velocity") == 0).all(axis=-1)
        return none if still.all() else still

    def _values(self, quantity: str) -> tuple[str, Array | None]:
        if quantity != GRADIENT:
            return values_of(quantity, self.image, self._read)
        spacing = [h * n for h, n in zip(self.image.spacing[::-1], self.every)]
        velocity = self._read("velocity")
        slopes = [np.gradient(velocity[..., i], *spacing)[::-1] for i in range(3)]  # [of][along]
        # Q = -(du_i/dx_j) (du_j/dx_i) / 2
        both = (slopes[i][j] * slopes[j][i] for i in range(3) for j in range(3))
        return "q_criterion", -0.5 * sum(both)

    def _read(self, name: str) -> Array:
        """An array at the samples, [z, y, x] or [z, y, x, 3]. Raises UsageError for others."""
        if name not in self._kept:
            array = self.image[name]
            if array.dtype.kind not in "biuf" or array.shape[3:] not in ((), (3,)):
                raise UsageError(f"{self.image.path.name}: {name} has no numbers to draw.")
            kind = np.float32 if array.dtype.itemsize <= 4 else np.float64
            self._kept[name] = np.asarray(array[self.picks]).astype(kind)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        values: Array = self._kept[name]
        return values


def _into_bodies(values: Array, solid: Array) -> Array:
    """Values with those in bodies replaced by the mean of the fluid among the 26 neighbours."""
    if not solid.any():
        return values
    fluid = ~solid & np.isfinite(values)
    sums, counts = np.where(fluid, values, 0).astype(np.float64), fluid.astype(np.float64)
    for axis in range(3):
        sums, counts = _three(sums, axis), _three(counts, axis)
    around = np.divide(sums, counts, out=np.full(values.shape, np.nan), where=counts > 0)
    return np.where(solid, around, values).astype(np.float32)


def _three(values: Array, axis: int) -> Array:
    """Sums of each value and its two neighbours along an axis."""
    wide = np.pad(values, [(1, 1) if i == axis else (0, 0) for i in range(3)])
    n = values.shape[axis]
    parts = [np.take(wide, range(a, a + n), axis=axis) for a in range(3)]
    total: Array = parts[0] + parts[1] + parts[2]
    return total


def _strides(image: Image) -> Triple:
    """Distances of samples in cells along z, y, x, for few samples and few bytes to read."""
    step = 1
    while math.prod(_count(image.shape, each := thinned(image.shape, step))) > MOST_CELLS:
        step += 1
    arrays = _stored(image)
    for axis in range(2):  # planes are left out before rows: they lie the farthest apart
        while max((_cost(array, each) for array in arrays), default=0) > MOST_READ:
            most = (image.shape[axis] - 1) // (_FEWEST - 1)
            if each[axis] >= most:
                break
            wider = min(each[axis] + max(each[axis] // 4, 1), most)
            each = (wider, each[1], each[2]) if axis == 0 else (each[0], wider, each[2])
    if max((_cost(array, each) for array in arrays), default=0) > MOST_READ:
        raise UsageError(f"{image.path.name}: its parts are too large to read some of its cells.")
    return each


def thinned(shape: Triple, step: int) -> Triple:
    """Such a distance along z, y, x; a smaller one along thin axes, so that three values stay."""
    z, y, x = (min(step, max((n - 1) // (_FEWEST - 1), 1)) for n in shape)
    return z, y, x


def _count(shape: Triple, each: Triple) -> list[int]:
    return [-(-n // step) for n, step in zip(shape, each)]


@dataclass(frozen=True)
class _Stored:
    """How an array lies in the file. chunks: None where it has none. cell: bytes of a cell."""

    shape: Triple
    chunks: tuple[int, ...] | None
    cell: int


def _stored(image: Image) -> list[_Stored]:
    found = []
    with h5py.File(image.path, "r") as file:
        for name in image.arrays:
            data = file["VTKHDF/PointData"][name]
            cell = int(data.dtype.itemsize * math.prod(data.shape[3:]))
            if data.shape[3:] in ((), (3,)) and data.dtype.kind in "biuf":
                found.append(_Stored(image.shape, data.chunks, cell))
    return found


def _cost(array: _Stored, each: Triple) -> float:
    """Bytes that HDF5 reads or unpacks for samples at these distances."""
    counts = _count(array.shape, each)
    if array.chunks is None:
        return float(counts[0] * counts[1] * max(array.shape[2] * array.cell, _BLOCK))
    touched = [min(-(-n // c), k) for n, c, k in zip(array.shape, array.chunks, counts)]
    return float(math.prod(touched)) * math.prod(array.chunks[:3]) * array.cell
