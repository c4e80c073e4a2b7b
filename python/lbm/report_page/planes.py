# SPDX-License-Identifier: Apache-2.0
"""Planes through a field file: only their cells are read, and every n-th one of large planes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lbm._lbm import Error
from lbm.plot import derived
from lbm.plot.fields import edges, solid_cells
from lbm.results import Image, Results, Series
from lbm.results.header import length_and_time_units
from lbm.results.lazy import Array

MOST_PIXELS = 1200  # cells of a plane along an axis that are read
_THIN = 6  # layers of cells of a flow in two dimensions, at most
_MOST_SERIES = 40
_FEW_LAYERS = 4  # of cells, of which the middle one shows all


@dataclass(frozen=True)
class Plane:
    """A plane of cells, of which no value is read yet.

    part: the cells as an image. normal: the axis it is normal to. axes: those of rows and columns.
    """

    part: Image
    normal: str
    axes: tuple[str, str]

    @property
    def at(self) -> float:
        """The place on the normal."""
        return float(self.part.centres(self.normal)[0])

    @cached_property
    def solid(self) -> Array:
        """Which cells are in bodies, [rows, columns]."""
        shape = tuple(len(self.part.centres(axis)) for axis in self.axes)
        return np.asarray(solid_cells(self.part.slice(self.normal, index=0), shape), bool)

    def values(self, quantity: str) -> Any:
        """A quantity of derived.values without bodies, a masked array [rows, columns]."""
        found = derived.values(self.part, quantity, self.normal).squeeze("zyx".index(self.normal))
        return np.ma.masked_array(found, self.solid | ~np.isfinite(found))

    @cached_property
    def speed(self) -> Any:
        """The speed as a masked array; all is masked where the file has no velocity."""
        known = "velocity" in self.part.arrays and self.part["velocity"].shape[3:] == (3,)
        return self.values("speed") if known else np.ma.masked_array(self.solid, True)

    @property
    def has_flow(self) -> bool:
        """True if there is a velocity that is finite somewhere."""
        return bool(self.speed.count())

    def components(self) -> dict[str, Any]:
        """The velocity by axis, masked arrays."""
        return {axis: self.values(f"velocity_{axis}") for axis in "xyz"}

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Places of the edges: left, right, bottom, top."""
        cut = self.part.slice(self.normal, index=0)
        return *edges(cut, self.axes[1]), *edges(cut, self.axes[0])

    @property
    def place(self) -> str:
        """`y = 0.5 L, t = 20 L/U`."""
        time = length_and_time_units(self.part.attrs)[1]
        factor, length = self.length_unit
        return f"{self.normal} = {self.at * factor:.4g} {length}, t = {self.part.time:.4g} {time}"

    @property
    def length_unit(self) -> tuple[float, str]:
        """How many of a handy unit of length are one of the file, and this unit."""
        left, right, bottom, top = self.extent
        size, unit = max(right - left, top - bottom), length_and_time_units(self.part.attrs)[0]
        if unit != "m" or size >= 0.1:
            return 1.0, unit
        return (1e3, "mm") if size >= 1e-3 else (1e6, "µm")


def planes(results: Results) -> tuple[list[Plane], list[str]]:
    """The middle planes of the last field file, the most telling first; slices where it has none.

    Also returns a sentence for all that was left out.
    """
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
    return sorted(found, key=_rank(found)), notes


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
        varies = -float(np.ma.std(plane.speed)) if plane.has_flow else 0.0
        return plane.normal == stream or not plane.has_flow, varies

    return rank


def _stream(found: list[Plane]) -> str:
    """The axis along which the flow goes in the mean; empty where there is none."""
    for plane in found:
        if plane.has_flow:
            mean = {axis: abs(float(one.mean())) for axis, one in plane.components().items()}
            axis = max(mean, key=lambda axis: mean[axis])
            if mean[axis] > 0.5 * float(plane.speed.mean()) > 0:
                return axis
    return ""


def normals(image: Image) -> tuple[list[str], list[str]]:
    """Axes whose middle planes are drawn, and those that are left out as they take long to read.

    A plane normal to x has a cell of each row of the file, so all of the file is read for it.
    """
    counts = dict(zip("zyx", image.shape))
    thin = [axis for axis, n in counts.items() if n <= _THIN and n < max(counts.values()) / 4]
    if thin:
        return [min(thin, key=lambda axis: counts[axis])], []
    return (["y", "z"], ["x"]) if derived.is_large(image) else (["y", "x", "z"], [])


def middle_plane(image: Image, normal: str) -> Plane:
    """The plane in the middle of an axis; where it misses all bodies, one that meets a body."""
    counts = dict(zip("zyx", image.shape))
    telling = counts[normal] >= _FEW_LAYERS
    at: Any = {normal: derived.telling_index(image, normal) if telling else counts[normal] // 2}
    first, second = (axis for axis in "zyx" if axis != normal)
    stride = max(-(-counts[axis] // MOST_PIXELS) for axis in (first, second))
    part = image.box(stride=stride, **at)
    arrays = {name: array.kept() for name, array in part.header.arrays.items()}
    part.header = replace(part.header, arrays=arrays)
    return Plane(part, normal, (first, second))
