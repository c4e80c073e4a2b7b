# SPDX-License-Identifier: Apache-2.0
"""Fields on a box of cells at one time, and planes and lines through them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm._arguments import whole
from lbm._attributes import ByAttribute
from lbm._lbm import UsageError
from lbm.box import Box, Range, bounds, refuse_outside
from lbm.results.errors import damaged, no_name
from lbm.results.header import AXES, ImageHeader, axis_number, field_unit
from lbm.results.lazy import Array, LazyArray
from lbm.results.meshes import image_vtk, mesh
from lbm.results.vtkhdf import read_vtkhdf

if TYPE_CHECKING:
    import pyvista  # type: ignore[import-not-found,unused-ignore]
    import xarray

READERS: dict[str, Callable[[Path], ImageHeader]] = {
    ".hdf": read_vtkhdf,
    ".vtkhdf": read_vtkhdf,  # as other programs name such files
}


# For each axis that is cut: indices and their weights.
Picks = dict[str, list[tuple[int, float]]]


class Image(ByAttribute[LazyArray]):
    """Fields on a box of cells at one time: a .hdf file.

    `image["velocity"]` is an array [z, y, x] or [z, y, x, component] (LazyArray); an index into it
    reads the indexed cells only. `image.velocity` is the same, for names that are no attribute yet.
    A slice has one layer of cells along its axis, also in VTKHDF files, which store two.

    Args:
        path: the file.
        time: the time, where the index of the series has it.

    Raises, here or at the first read:
        MissingFileError: the file does not exist.
        UsageError: the file is damaged, or was not written by lbm.
    """

    def __init__(self, path: str | Path, time: float | None = None) -> None:
        self.path = Path(path)
        self._time = time
        if self.path.suffix not in READERS:
            raise UsageError(f"{path}: no image; images end in {', '.join(READERS)}")

    @cached_property
    def header(self) -> ImageHeader:
        """Cells, coordinates, attributes and arrays, before any value is read."""
        header = READERS[self.path.suffix](self.path)
        for name, array in header.arrays.items():
            array.unit = array.unit or field_unit(name, header.attrs)
        return header

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of the arrays."""
        return tuple(self.header.arrays)

    @property
    def attrs(self) -> dict[str, Any]:
        """Attributes of the file: time, step, case, units, reynolds, ... (docs/output.md)."""
        return dict(self.header.attrs)

    @property
    def time(self) -> float:
        """Time in the unit of the file: L/U, s or steps."""
        return float(self._attr("time")) if self._time is None else self._time

    @property
    def step(self) -> int:
        """Time steps since the start of the run."""
        return int(self._attr("step"))

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cells along z, y, x, the order of the arrays."""
        nx, ny, nz = self.header.counts
        return nz, ny, nx

    @property
    def spacing(self) -> tuple[float, float, float]:
        """Distance of cell centres along x, y, z, in the unit of length of the file."""
        return self.header.spacing

    @property
    def x(self) -> Array:
        """x of the cell centres, [nx], from the corner of the grid."""
        return self.centres("x")

    @property
    def y(self) -> Array:
        """y of the cell centres, [ny]."""
        return self.centres("y")

    @property
    def z(self) -> Array:
        """z of the cell centres, [nz]."""
        return self.centres("z")

    def centres(self, axis: str) -> Array:
        """Coordinates of the cell centres along an axis, in the unit of length of the file."""
        return self.header.centres(axis)

    def __getitem__(self, name: str) -> LazyArray:
        if name not in self.header.arrays:
            raise no_name(self.path, "array", name, self.arrays)
        return self.header.arrays[name]

    def _names(self) -> tuple[str, ...]:
        return self.arrays

    def box(self, box: Box = None, stride: int = 1, **axes: Range) -> Image:
        """The image of some of the cells: `image.box(y=24)`, `image.box(x=slice(0, 10), stride=2)`.

        Takes the same arguments as Simulation.field(): cell indices along the named axes, or all
        three axes as a tuple. All axes stay: along y=24 the result has one layer of cells.

        Returns: an Image of the same file; nothing is read yet.
        Raises: UsageError for a box that is empty or leaves the image.
        """
        cells = self.header.counts
        begin, end = bounds(cells, box, **axes)
        refuse_outside((begin, end), cells)
        if whole(stride, "stride") < 1:
            raise UsageError(f"stride: found {stride}, must be at least 1")
        part = Image(self.path, self._time)
        part.header = self.header.part(begin, end, whole(stride, "stride"))
        return part

    def slice(self, axis: str, at: float | None = None, index: int | None = None) -> Cut:
        """The plane of cells normal to an axis whose centres are nearest to `at`.

        Args:
            axis: 'x', 'y' or 'z'.
            at: coordinate on that axis, in the unit of length of the file.
            index: or the number of the plane. Default: the plane in the middle.

        Returns: a Cut; its arrays have the other two axes, such as [z, x] for 'y'.
        Raises: UsageError for a place outside of the image.
        """
        a = axis_number(axis)
        count = self.header.counts[a]
        if at is not None and index is not None:
            raise UsageError("slice: found both at= and index=, must be one of them")
        if index is None:
            index = count // 2 if at is None else round(self._place(axis, at))
        if not -count <= index < count:
            raise UsageError(f"slice: found index {index}, must be below {count} along {axis}")
        return Cut(self, {axis: [(index % count, 1.0)]})

    def line(self, axis: str, **at: float) -> Cut:
        """Values along a line parallel to an axis, interpolated linearly between cell centres.

        Args:
            axis: direction of the line: 'x', 'y' or 'z'.
            at: coordinates on the other axes, as y=0.5, z=1. Default: the middle of the image.

        Returns: a Cut; its arrays are [cells along the axis] or [cells, component].
        Raises: UsageError for a place outside of the image.
        """
        axis_number(axis)
        others = [name for name in AXES if name != axis]
        if not set(at) <= set(others):
            raise UsageError(f"line: found {sorted(at)}, must be some of {others} along {axis}")
        picks: Picks = {}
        for name in others:
            count = self.header.counts[AXES[name]]
            place = self._place(name, at[name]) if name in at else (count - 1) / 2
            low = min(max(int(np.floor(place)), 0), max(count - 2, 0))
            share = min(max(place - low, 0.0), 1.0)
            picks[name] = [p for p in ((low, 1 - share), (low + 1, share)) if p[1] > 0]
        return Cut(self, picks)

    def to_xarray(self) -> xarray.Dataset:
        """An xarray.Dataset with dims z, y, x and component or tensor; values are read on use.

        Raises: MissingPackageError where xarray is not installed.
        """
        from lbm.results.xarrays import image_dataset

        return image_dataset(self.header, self.time)

    def to_pyvista(self) -> pyvista.ImageData:
        """A pyvista.ImageData whose points are the cell centres; reads all values.

        Its point_data has the arrays, [points] or [points, component] with x varying fastest, in
        the units of the file; its field_data has the attributes of the file and the time.
        For a part of a large image: `image.box(y=24).to_pyvista()`.
        Raises: MissingPackageError where PyVista is not installed.
        """
        made: pyvista.ImageData = mesh(self.to_vtk, {**self.attrs, "time": self.time})
        return made

    def to_vtk(self) -> Any:
        """The same as a vtkImageData, for programs that use VTK without PyVista.

        Raises: MissingPackageError where VTK is not installed.
        """
        return image_vtk(self.header)

    def _place(self, axis: str, at: float) -> float:
        """A coordinate as a number of cells from the first centre. Refuses places outside."""
        a = AXES[axis]
        h = self.header
        place = (at - h.origin[a]) / h.spacing[a]
        if not -0.5 - 1e-6 <= place <= h.counts[a] - 0.5 + 1e-6:
            low = h.origin[a] - h.spacing[a] / 2
            high = low + h.counts[a] * h.spacing[a]
            where = f"{low:g} ... {high:g}"
            raise UsageError(f"{axis}: found {at:g}, must be in {where} ({self.path.name})")
        return min(max(place, 0.0), h.counts[a] - 1.0)

    def _attr(self, name: str) -> Any:
        if name not in self.header.attrs:
            raise damaged(self.path, f"it has no {name}")
        return self.header.attrs[name]

    def __repr__(self) -> str:
        return f"<lbm image {self.path}>"


class Cut(ByAttribute[Array]):
    """A plane or a line through an image. `cut["velocity"]` reads the values along it.

    `cut["x"]` are its coordinates; `cut.velocity` and `cut.x` are the same.

    Attributes:
        image: the image.
        axes: names of the remaining axes in the order of the arrays, such as ('z', 'x').
        at: coordinates on the other axes, such as {'y': 0.5}.
    """

    def __init__(self, image: Image, picks: Picks) -> None:
        self.image = image
        self._picks = picks
        self.axes = tuple(axis for axis in "zyx" if axis not in picks)
        self.at = {
            axis: float(sum(weight * image.centres(axis)[i] for i, weight in some))
            for axis, some in picks.items()
        }

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of the arrays."""
        return self.image.arrays

    def coordinates(self, axis: str) -> Array:
        """Coordinates of the cell centres along one of the remaining axes."""
        return self.image.centres(axis)

    def __getitem__(self, name: str) -> Array:
        if name in self.axes:
            return self.coordinates(name)
        array = self.image[name]
        cuts = list(product(*(self._picks.get(axis, [(None, 1.0)]) for axis in "zyx")))
        parts = [array[tuple(slice(None) if i is None else i for i, _ in cut)] for cut in cuts]
        if len(parts) == 1:
            return np.asarray(parts[0])
        weights = [float(np.prod([weight for _, weight in cut])) for cut in cuts]
        whole = np.zeros(parts[0].shape)
        for weight, part in zip(weights, parts):
            whole += weight * part
        return whole

    def _names(self) -> tuple[str, ...]:
        return *self.axes, *self.arrays

    def __repr__(self) -> str:
        return f"<cut along {', '.join(self.axes)} at {self.at} of {self.image.path}>"
