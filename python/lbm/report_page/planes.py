# SPDX-License-Identifier: Apache-2.0
"""Planes through a field file: only their cells are read, and every n-th one of large planes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lbm._lbm import Error
from lbm.plot.fields import solid_cells
from lbm.results import Cut, Image, Results, Series
from lbm.results.header import length_and_time_units
from lbm.results.lazy import Array

MOST_PIXELS = 1200  # cells of a plane along an axis that are read
MOST_BYTES = 2 << 30  # of an array, to read a plane that lies in all of it
_THIN = 6  # layers of cells of a flow in two dimensions, at most
_MOST_SERIES = 40
_FEW_LAYERS = 4  # of cells, of which the middle one shows all
_TRIED = 16  # planes that are looked at for a body


@dataclass(frozen=True)
class Plane:
    """A plane of cells, its values as float64 [rows, columns], nan in bodies.

    normal: the axis it is normal to. at: its place on this axis. axes: those of rows and columns.
    extent: places of the edges, left, right, bottom, top.
    """

    cut: Cut
    normal: str
    at: float
    axes: tuple[str, str]

    @property
    def image(self) -> Any:
        """The image, of which only this plane is read."""
        return self.cut.image

    @cached_property
    def velocity(self) -> Array | None:
        """[rows, columns, 3], 0 in bodies, nan where it is not finite; None: the file has none."""
        if "velocity" not in self.cut.arrays:
            return None
        values: Array = np.asarray(self.cut["velocity"], np.float64)
        values[~np.isfinite(values)] = np.nan
        return values if values.ndim == 3 and values.shape[-1] == 3 else None

    @property
    def has_flow(self) -> bool:
        """True if there is a velocity that is finite somewhere."""
        return self.velocity is not None and bool(np.isfinite(self.velocity).any())

    @cached_property
    def solid(self) -> Array:
        """Which cells are in bodies, [rows, columns]."""
        shape = tuple(len(self.cut.coordinates(axis)) for axis in self.axes)
        return np.asarray(solid_cells(self.cut, shape), bool)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Places of the edges: left, right, bottom, top."""
        low, high = zip(*(self._edges(axis) for axis in self.axes[::-1]))
        return low[0], high[0], low[1], high[1]

    def _edges(self, axis: str) -> tuple[float, float]:
        places = self.cut.coordinates(axis)
        half = self.image.spacing["xyz".index(axis)] / 2
        return float(places[0] - half), float(places[-1] + half)

    @property
    def place(self) -> str:
        """`y = 0.5 L, t = 20 L/U`."""
        time = length_and_time_units(self.image.attrs)[1]
        factor, length = self.length_unit
        return f"{self.normal} = {self.at * factor:.4g} {length}, t = {self.image.time:.4g} {time}"

    @property
    def length_unit(self) -> tuple[float, str]:
        """How many of a handy unit of length are one of the file, and this unit."""
        left, right, bottom, top = self.extent
        return handy_length(self.image.attrs, max(right - left, top - bottom))

    def masked(self, values: Array) -> Any:
        """The values without those in bodies and without those that are not finite."""
        return np.ma.masked_array(values, self.solid | ~np.isfinite(values))

    def component(self, axis: str) -> Array:
        """A component of the velocity, [rows, columns]."""
        assert self.velocity is not None
        part: Array = self.velocity[..., "xyz".index(axis)]
        return part

    def vorticity(self) -> Array | None:
        """The component of curl u along the normal: a derivative within the plane alone."""
        if self.velocity is None or min(self.velocity.shape[:2]) < 3:
            return None
        after = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}[self.normal]
        first, second = after  # of a right-handed system with the normal
        return self._slope(second, first) - self._slope(first, second)

    def _slope(self, component: str, along: str) -> Array:
        h = self.image.spacing["xyz".index(along)]
        slope: Array = np.gradient(self.component(component), h, axis=self.axes.index(along))
        return slope

    def in_plane(self) -> bool:
        """True if the velocity is almost in the plane; only then streamlines show the flow."""
        if self.velocity is None:
            return False
        across = np.nanmean(self.component(self.normal) ** 2)
        whole = np.nanmean((self.velocity**2).sum(axis=-1))
        return bool(whole > 0 and across < 1e-3 * whole)


def handy_length(attrs: dict[str, Any], size: float) -> tuple[float, str]:
    """How many of a handy unit of length are one of the file, and this unit.

    attrs: those of the file. size: of what is shown, in the unit of the file.
    """
    unit = length_and_time_units(attrs)[0]
    if unit != "m" or size >= 0.1:
        return 1.0, unit
    return (1e3, "mm") if size >= 1e-3 else (1e6, "µm")


@dataclass(frozen=True)
class Planes:
    """The planes to draw, the most telling first. notes: what was left out, and why."""

    planes: list[Plane]
    notes: list[str]
    flat: bool  # a flow in two dimensions, or slices alone


def planes(results: Results) -> Planes:
    """The middle planes of the last field file; of slices where there is no such file."""
    found: list[Plane] = []
    notes: list[str] = []
    names = list(results.series)  # "in" would open the index, which may be damaged
    image = _last(results, "fields") if "fields" in names else None
    if image is None and "fields" in names:
        notes.append("The field files cannot be read.")
    if (saved := _before_divergence(results)) is not None:
        image = saved
        notes.append("These are the fields that were saved before the flow diverged.")
    if image is not None:
        wanted, slow = normals(image)
        found = [middle_plane(image, axis) for axis in wanted]
        if slow:
            notes.append(
                f"The plane normal to {', '.join(slow)} is left out: to read it takes the whole "
                f"file of {image.path.stat().st_size / 1e9:.0f} GB. An output with slice: "
                f"{slow[0]} has it."
            )
    drawn = {plane.normal for plane in found}
    flat = image is not None and len(drawn) == 1
    for plane in [] if flat or len(drawn) == 3 else _slices(results):
        if plane.normal not in drawn:
            drawn.add(plane.normal)
            found.append(plane)
    if not found:
        notes.append(
            "The run has written no image of the flow: output.at_end, output.every_steps or "
            "outputs of the case write them."
        )
    return Planes(sorted(found, key=_rank(found)), notes, flat or image is None)


def _before_divergence(results: Results) -> Image | None:
    """The last state of a flow that diverged, which the run saves in a folder of its own."""
    try:
        return _last(Results(results.path / "before_divergence"), "fields")
    except Error:
        return None


def _last(results: Results, name: str) -> Image | None:
    """The last image of a series that can be read; None: there is none."""
    try:
        series: Series[Any] = results.series[name]
    except Error:  # its index is damaged
        return None
    for index in range(len(series) - 1, max(len(series) - 4, -1), -1):
        try:
            image = series[index]
            if isinstance(image, Image) and image.arrays and np.isfinite(image.time):
                return image
        except Exception:  # noqa: BLE001 - h5py raises anything for a damaged file
            continue
    return None


def _slices(results: Results) -> list[Plane]:
    """The planes of outputs that are one layer of cells, each at its last time."""
    found = []
    for name in list(results.series)[:_MOST_SERIES]:
        image = None if name == "fields" else _last(results, name)
        thin = [] if image is None else [a for a, n in zip("zyx", image.shape) if n == 1]
        if image is not None and len(thin) == 1:
            found.append(middle_plane(image, thin[0]))
    return found


def _rank(found: list[Plane]) -> Any:
    """Order: along the mean flow first, and of these the one whose speed varies most."""
    stream = _stream(found)

    def rank(plane: Plane) -> tuple[bool, float]:
        if not plane.has_flow or plane.velocity is None:
            return True, 0.0
        speed = plane.masked(np.linalg.norm(plane.velocity, axis=-1))
        return plane.normal == stream, -float(np.ma.std(speed)) if speed.count() else 0.0

    return rank


def _stream(found: list[Plane]) -> str:
    """The axis along which the flow goes in the mean; empty where there is none."""
    for plane in found:
        if plane.has_flow and plane.velocity is not None:
            mean = np.abs(np.nanmean(plane.velocity, axis=(0, 1)))
            speed = float(np.nanmean(np.linalg.norm(plane.velocity, axis=-1)))
            if np.isfinite(mean).all() and mean.max() > 0.5 * speed > 0:
                return "xyz"[int(np.argmax(mean))]
    return ""


def normals(image: Image) -> tuple[list[str], list[str]]:
    """Axes whose middle planes are drawn, and those that are left out as they take long to read.

    A plane normal to x has a cell of each row of the file, so all of the file is read for it.
    """
    counts = dict(zip("zyx", image.shape))
    thin = [axis for axis, n in counts.items() if n <= _THIN and n < max(counts.values()) / 4]
    if thin:
        return [min(thin, key=lambda axis: counts[axis])], []
    large = max((image[name].nbytes for name in image.arrays), default=0) > MOST_BYTES
    return (["y", "z"], ["x"]) if large else (["y", "x", "z"], [])


def middle_plane(image: Image, normal: str) -> Plane:
    """The plane of cells in the middle of an axis."""
    return plane_at(image, normal, telling_index(image, normal))


def telling_index(image: Image, normal: str) -> int:
    """The plane in the middle; where it misses all bodies, of some others that with most of one."""
    count = dict(zip("zyx", image.shape))[normal]

    def solid(index: int) -> int:
        cells = plane_at(image, normal, index).solid
        return 0 if cells.all() else int(cells.sum())  # the fluid is at rest

    large = max((image[name].nbytes for name in image.arrays), default=0) > MOST_BYTES
    if large or count < _FEW_LAYERS or solid(count // 2):
        return count // 2
    step = max(count // _TRIED, 1)
    tried = [(solid(index), index) for index in range(step // 2, count, step)]
    most, index = max(tried)
    return index if most else count // 2


def plane_at(image: Image, normal: str, index: int) -> Plane:
    """The plane of cells of a number along an axis, from 0 on."""
    counts = dict(zip("zyx", image.shape))
    first, second = (axis for axis in "zyx" if axis != normal)
    stride = max(-(-counts[axis] // MOST_PIXELS) for axis in (first, second))
    at: dict[str, Any] = {normal: index}
    part = image.box(stride=stride, **at)
    cut = part.slice(normal, index=0)
    return Plane(cut, normal, cut.at[normal], (first, second))
