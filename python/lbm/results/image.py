"""Fields on a box of cells at one time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lbm._lbm import UsageError
from lbm.results.cut import Cut, Picks
from lbm.results.header import ImageHeader
from lbm.results.lazy import Array, LazyArray
from lbm.results.trouble import damaged, no_name
from lbm.results.vtkhdf import read_vtkhdf
from lbm.results.vti import read_pvti, read_vti

if TYPE_CHECKING:
    import xarray

READERS: dict[str, Callable[[Path], ImageHeader]] = {
    ".vtkhdf": read_vtkhdf,
    ".vti": read_vti,
    ".pvti": read_pvti,
}
AXES = {"x": 0, "y": 1, "z": 2}


def axis_number(axis: str) -> int:
    """0, 1, 2 of x, y, z."""
    if axis not in AXES:
        raise UsageError(f"axis: found {axis!r}, must be 'x', 'y' or 'z'")
    return AXES[axis]


class Image:
    """Fields on a box of cells at one time, of a .vtkhdf, .vti or .pvti file.

    Nothing is read before it is asked for. Arrays are [z, y, x] or [z, y, x, component] and are had
    by their names: `image.velocity`, or `image["velocity"]` (LazyArray). A slice has one layer of
    cells along its axis, also in VTKHDF files, which have two.

    Args:
        path: of the file.
        time: where it is known from the index of the series.

    Raises (also later, when it reads):
        MissingFileError: there is no such file.
        UsageError: the file is damaged, or no image of lbm.
    """

    def __init__(self, path: str | Path, time: float | None = None) -> None:
        self.path = Path(path)
        self._time = time
        if self.path.suffix not in READERS:
            raise UsageError(f"{path}: no image; images end in {', '.join(READERS)}")

    @cached_property
    def _header(self) -> ImageHeader:
        return READERS[self.path.suffix](self.path)

    @property
    def arrays(self) -> tuple[str, ...]:
        """Names of the arrays."""
        return tuple(self._header.arrays)

    @property
    def attrs(self) -> dict[str, Any]:
        """What the file says of itself: time, step, case, units, reynolds, ... (docs/output.md)."""
        return dict(self._header.attrs)

    @property
    def time(self) -> float:
        """Time, in the unit of the file: L/U, s or steps."""
        return float(self._attr("time")) if self._time is None else self._time

    @property
    def step(self) -> int:
        """Steps since the start of the run."""
        return int(self._attr("step"))

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cells along z, y, x, as in the arrays."""
        nx, ny, nz = self._header.counts
        return nz, ny, nx

    @property
    def spacing(self) -> tuple[float, float, float]:
        """Distance of cell centres along x, y, z, in the unit of length of the file."""
        return self._header.spacing

    @property
    def x(self) -> Array:
        """x of the cell centres, [nx], from the corner of the box."""
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
        a = axis_number(axis)
        h = self._header
        return h.origin[a] + h.spacing[a] * np.arange(h.counts[a])

    def __getitem__(self, name: str) -> LazyArray:
        if name not in self._header.arrays:
            raise no_name(self.path, "array", name, self.arrays)
        return self._header.arrays[name]

    def __getattr__(self, name: str) -> LazyArray:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._header.arrays:
            raise AttributeError(f"{self.path}: no array {name!r}; arrays: {self.arrays}")
        return self._header.arrays[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.arrays]

    def slice(self, axis: str, at: float | None = None, index: int | None = None) -> Cut:
        """The plane of cells normal to an axis whose centres are nearest to `at`.

        Args:
            axis: 'x', 'y' or 'z'.
            at: place on that axis, in the unit of length of the file.
            index: or the number of the plane. Default: the plane in the middle.

        Returns: a Cut; its arrays are those of the other two axes, such as [z, x] for 'y'.
        """
        a = axis_number(axis)
        count = self._header.counts[a]
        if at is not None and index is not None:
            raise UsageError("slice: found both at= and index=, must be one of them")
        if index is None:
            index = count // 2 if at is None else round(self._place(axis, at))
        if not -count <= index < count:
            raise UsageError(f"slice: found index {index}, must be below {count} along {axis}")
        return Cut(self, {axis: [(index % count, 1.0)]})

    def line(self, axis: str, **at: float) -> Cut:
        """Values along a line, between cell centres linear.

        Args:
            axis: along which it goes: 'x', 'y' or 'z'.
            at: places on the other axes, as y=0.5, z=1; by default the middle of the box.

        Returns: a Cut; its arrays are [cells along the axis] or [cells, component].
        """
        axis_number(axis)
        others = [name for name in AXES if name != axis]
        if not set(at) <= set(others):
            raise UsageError(f"line: found {sorted(at)}, must be some of {others} along {axis}")
        picks: Picks = {}
        for name in others:
            count = self._header.counts[AXES[name]]
            place = self._place(name, at[name]) if name in at else (count - 1) / 2
            low = min(max(int(np.floor(place)), 0), max(count - 2, 0))
            share = min(max(place - low, 0.0), 1.0)
            picks[name] = [p for p in ((low, 1 - share), (low + 1, share)) if p[1] > 0]
        return Cut(self, picks)

    def to_xarray(self) -> xarray.Dataset:
        """An xarray.Dataset that reads what is used of it; dims z, y, x and component or tensor."""
        from lbm.results.xarrays import image_dataset

        return image_dataset(self)

    def _place(self, axis: str, at: float) -> float:
        """A coordinate in cells from the first centre. Refuses what is outside the cells."""
        a = AXES[axis]
        h = self._header
        place = (at - h.origin[a]) / h.spacing[a]
        if not -0.5 - 1e-6 <= place <= h.counts[a] - 0.5 + 1e-6:
            low = h.origin[a] - h.spacing[a] / 2
            high = low + h.counts[a] * h.spacing[a]
            where = f"{low:g} ... {high:g}"
            raise UsageError(f"{axis}: found {at:g}, must be in {where} ({self.path.name})")
        return min(max(place, 0.0), h.counts[a] - 1.0)

    def _attr(self, name: str) -> Any:
        if name not in self._header.attrs:
            raise damaged(self.path, f"it has no {name}")
        return self._header.attrs[name]

    def __repr__(self) -> str:
        return f"<lbm image {self.path}>"
