# SPDX-License-Identifier: Apache-2.0
"""Isosurfaces of values on a grid, by surface nets (Gibson 1998), with NumPy alone.

Each cube of eight neighbouring values that the surface crosses gets one point: the mean of the
places where the surface crosses its edges. Each edge that the surface crosses gets one
quadrilateral, of the points of the four cubes around it. A cube with a value that is not finite
gets no point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lbm.results.lazy import Array


@dataclass(frozen=True)
class Mesh:
    """A surface of quadrilaterals.

    points: [n, 3], in cells from the first value, in the order of the axes of the values.
    quads: [m, 4], numbers of points, around the side of the lower values.
    """

    points: Array
    quads: Array


def crossings(values: Array, level: float) -> int:
    """How many edges of the grid the surface crosses: about as many quadrilaterals as it has."""
    above, known = values > level, np.isfinite(values)
    return sum(int(_crossed(above, known, axis).sum()) for axis in range(3))


def isosurface(values: Array, level: float) -> Mesh:
    """The surface where values interpolated linearly on a grid, [k, j, i], are `level`."""
    above, known = values > level, np.isfinite(values)
    cubes = tuple(max(n - 1, 0) for n in values.shape)
    whole = np.ones(cubes, bool)
    for corner in np.ndindex(2, 2, 2):
        whole &= known[tuple(slice(c, c + n) for c, n in zip(corner, cubes))]
    edges = [_edges(values, level, above, known, axis) for axis in range(3)]
    around = [_cubes_around(at, axis, whole) for axis, (at, _) in enumerate(edges)]
    total = int(np.prod(cubes))
    sums, count = np.zeros((3, total)), np.zeros(total)
    for (_, places), numbers in zip(edges, around):
        flat, four = numbers.ravel(), numbers.shape[-1]
        good = flat >= 0
        for i in range(3):
            weights = np.repeat(places[:, i], four)[good]
            sums[i] += np.bincount(flat[good], weights, total)
        count += np.bincount(flat[good], minlength=total)
    used = np.flatnonzero(count)
    number = np.zeros(total, np.int64)
    number[used] = np.arange(len(used))
    quads = []
    for axis, ((at, _), numbers) in enumerate(zip(edges, around)):
        closed = (numbers >= 0).all(axis=-1)
        four = number[numbers[closed]]
        turned = above[tuple(at[closed].T)]
        quads.append(np.where(turned[:, None], four, four[:, ::-1]))
    points = (sums[:, used] / count[used]).T
    return Mesh(points, np.concatenate(quads).astype(np.int64))


def _crossed(above: Array, known: Array, axis: int) -> Array:
    """True where the surface crosses an edge along an axis; it has one edge fewer than values."""
    low, high = _ends(axis)
    crossed: Array = (above[low] != above[high]) & known[low] & known[high]
    return crossed


def _ends(axis: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    low, high = [slice(None)] * 3, [slice(None)] * 3
    low[axis], high[axis] = slice(None, -1), slice(1, None)
    return tuple(low), tuple(high)


def _edges(
    values: Array, level: float, above: Array, known: Array, axis: int
) -> tuple[Array, Array]:
    """Edges along an axis that are crossed: their first ends, [n, 3], and where, [n, 3]."""
    at = np.argwhere(_crossed(above, known, axis))
    ends = at.copy()
    ends[:, axis] += 1
    first, last = (values[tuple(one.T)].astype(np.float64) for one in (at, ends))
    places = at.astype(np.float64)
    places[:, axis] += np.clip((level - first) / (last - first), 0, 1)
    return at, places


def _cubes_around(at: Array, axis: int, whole: Array) -> Array:
    """Numbers of the four cubes around edges, in a circle, [n, 4]; -1: it is none, or not whole."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    numbers = np.full((len(at), 4), -1, np.int64)
    for i, (a, b) in enumerate(((1, 1), (0, 1), (0, 0), (1, 0))):
        cube = at.copy()
        cube[:, second] -= a
        cube[:, third] -= b
        fits: Array = np.logical_and(cube >= 0, cube < np.array(whole.shape))
        inside: Array = np.logical_and.reduce(fits, axis=-1)
        inside[inside] = whole[tuple(cube[inside].T)]
        numbers[inside, i] = np.ravel_multi_index(tuple(cube[inside].T), whole.shape)
    return numbers


def normals(points: Array, quads: Array) -> Array:
    """Unit vectors at points, [n, 3]: means over the quadrilaterals around; 0 where none is."""
    a, b, c, d = (points[quads[:, i]] for i in range(4))
    across = np.cross(c - a, d - b)
    sums = np.zeros((len(points), 3))
    for i in range(3):
        for corner in range(4):
            sums[:, i] += np.bincount(quads[:, corner], across[:, i], len(points))
    size = np.linalg.norm(sums, axis=-1, keepdims=True)
    unit: Array = np.divide(sums, size, out=np.zeros_like(sums), where=size > 0)
    return unit


def at_points(values: Array, points: Array) -> Array:
    """Values interpolated linearly at points, [n]; those that are not finite have no weight.

    nan where none of the eight around a point is finite.
    """
    low = np.clip(np.floor(points).astype(int), 0, np.array(values.shape) - 2)
    share = points - low
    sums, weights = np.zeros(len(points)), np.zeros(len(points))
    for corner in np.ndindex(2, 2, 2):
        some = values[tuple((low + corner).T)].astype(np.float64)
        weight = np.where(corner, share, 1 - share).prod(axis=-1) + 1e-9
        good = np.isfinite(some)
        sums[good] += weight[good] * some[good]
        weights[good] += weight[good]
    found: Array = np.divide(sums, weights, out=np.full(len(points), np.nan), where=weights > 0)
    return found
