# SPDX-License-Identifier: Apache-2.0
"""Numbers of cells that the arrays of an image give, and the plane through it that shows most."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from lbm.plot.fields import solid_cells
from lbm.results.image import Cut, Image
from lbm.results.lazy import Array

COMPONENTS = ("velocity_x", "velocity_y", "velocity_z")
GRADIENT = "q_of_samples"  # Q criterion from the samples of the velocity
MOST_CELLS = 1 << 19  # samples of an image: 80 x 80 x 80
_MOST_PIXELS = 1200  # cells along an axis of a plane that is looked at for a body
_TRIED = 16  # such planes
_MOST_BYTES = 2 << 30  # of an array, to read a plane that lies in all of it


def is_large(image: Image) -> bool:
    """True if a plane normal to x, which has a cell of each row of the file, takes long to read."""
    return max((image[name].nbytes for name in image.arrays), default=0) > _MOST_BYTES


def samples(image: Image) -> tuple[Image, int]:
    """Every n-th cell along each axis, at most MOST_CELLS of them, and n."""
    n = 1
    while math.prod(-(-count // n) for count in image.shape) > MOST_CELLS:
        n += 1
    return image.box(stride=n), n


def solid(part: Image, whole: Image) -> Array:
    """Which cells of a part of an image are in bodies, [z, y, x]; at first all may be at rest."""
    known = "solid" in part.arrays or part.step >= 4 * max(whole.shape)
    found = solid_cells(Cut(part, {}), part.shape) if known else np.zeros(part.shape)
    return np.asarray(found, bool)


def telling_index(image: Image, axis: str) -> int:
    """The middle plane; where it misses all bodies, of some others the one that cuts most."""
    count = dict(zip("zyx", image.shape))[axis]
    stride = -(-max(image.shape) // _MOST_PIXELS)

    def cut(index: int) -> int:
        at: Any = {axis: index}
        cells = solid(image.box(stride=stride, **at), image)
        return 0 if cells.all() else int(cells.sum())  # the fluid is at rest

    step = max(count // _TRIED, 1)
    tried = [] if cut(count // 2) else [(cut(at), at) for at in range(step // 2, count, step)]
    most, index = max(tried, default=(0, 0))
    return index if most else count // 2


def values(part: Image, quantity: str, normal: str = "") -> Array:
    """An array of the part, or what follows from one, [z, y, x].

    quantity: of derived ones pressure (nan where it is not known), speed, one of COMPONENTS,
    GRADIENT, size:NAME of a vector, and the component of the vorticity along the axis `normal`, by
    differences of neighbours alone.
    """

    def read(name: str) -> Array:
        return np.asarray(part[name][...], np.float64)

    def slope(of: str, along: str) -> Array:
        component = velocity[..., "xyz".index(of)]
        return np.asarray(np.gradient(component, part.centres(along), axis="zyx".index(along)))

    if quantity in part.arrays:
        return read(quantity)
    if quantity == "pressure":
        found = pressure_of_density(read("density"), part.attrs)
        return np.full(part.shape, np.nan) if found is None else found
    velocity = read(quantity[5:] if quantity.startswith("size:") else "velocity")
    if quantity in COMPONENTS:
        return np.asarray(velocity[..., COMPONENTS.index(quantity)])
    if quantity == GRADIENT:
        pairs = itertools.product("xyz", repeat=2)
        return np.asarray(-0.5 * sum(slope(a, b) * slope(b, a) for a, b in pairs))
    if quantity == "vorticity":
        first = "xyz"["zxy".index(normal)]  # the axis after the normal
        second = "xyz"["yzx".index(normal)]
        return slope(second, first) - slope(first, second)
    return np.asarray(np.linalg.norm(velocity, axis=-1))  # speed, and size of vectors


def pressure_of_density(density: Array, attrs: dict[str, Any]) -> Array | None:
    """Pressure relative to that of the reference density, in the unit of the file.

    p = c_s^2 (rho - rho0), with c_s = 1 / sqrt(3) cells per step (docs/output.md). attrs: those of
    the file. None: they do not have what it takes.
    """
    on_lattice = attrs.get("reference_velocity_cells_per_step")
    if not isinstance(on_lattice, (int, float)) or not on_lattice > 0:
        return None
    if not str(attrs.get("units", "")).startswith("SI"):
        lattice = str(attrs.get("units", "")).startswith("lattice")
        return (density - 1) / 3 / (1 if lattice else on_lattice**2)
    reference, velocity = attrs.get("reference_density"), attrs.get("reference_velocity")
    if not isinstance(reference, (int, float)) or not isinstance(velocity, (int, float)):
        return None
    return (density - reference) / 3 * (velocity / on_lattice) ** 2
