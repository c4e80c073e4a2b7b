# SPDX-License-Identifier: Apache-2.0
"""Images of voxels: packs of spheres and random media, with NumPy alone.

An image is an array [z, y, x] of uint8: 0 in the pores, 1 in the solid. All images are periodic:
what leaves the image at one face enters at the opposite one. `cells` is the number of voxels along x, y
and z, as `grid.cells`, or one number for a cube; lengths are in voxels. A voxel is solid where its
centre is. The same `seed` makes the same image; with twice the cells and twice the radius it makes
the same spheres in finer voxels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from lbm._arguments import PathLike, path_text, whole
from lbm._files import refuse_existing, write_atomically
from lbm.errors import UsageError

Voxels = npt.NDArray[np.uint8]
"""Labels [z, y, x]."""

Cells = Union[int, Sequence[int]]
"""Voxels along x, y, z, or along each edge of a cube."""

LATTICES = {
    "simple_cubic": [(0, 0, 0)],
    "body_centred": [(0, 0, 0), (0.5, 0.5, 0.5)],
    "face_centred": [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)],
}
"""Centres of the spheres of an array, over the edge of its cube."""

# Random sequential addition jams at 38.4 % solid (Torquato, Uche & Stillinger 2006, Phys. Rev. E
# 74, 061308); some way below it becomes slow.
_MOST_SOLID = 0.36
_TRIES = 200_000
# Packs jam at 64 % solid, small ones some per cent below or above it.
_MOST_PACKED = 0.62
_OVERLAP = 1e-3  # largest, over the diameter
_MOVES = 5_000


def spheres(cells: Cells, centres: npt.ArrayLike, radius: float) -> Voxels:
    """Spheres of one radius. centres: [spheres, 3]; x, y, z in voxels from the corner of the image.

    Raises UsageError where a sphere is wider than the image: it would meet itself.
    """
    counts = _counts(cells)
    _check_radius(counts, radius)
    places = np.asarray(centres, dtype=np.float64).reshape(-1, 3)
    image = np.zeros(counts[::-1], dtype=np.uint8)
    for centre in places:
        indices, squares = zip(*(_reach(c, radius, n) for c, n in zip(centre, counts)))
        x, y, z = squares
        inside = x[None, None, :] + y[None, :, None] + z[:, None, None] < radius**2
        image[np.ix_(indices[2], indices[1], indices[0])] |= inside
    return image


def _reach(centre: float, radius: float, count: int) -> tuple[Any, Any]:
    """The voxels along an axis that a sphere may hold, and their squared distances to its centre."""
    first, last = math.ceil(centre - radius - 0.5), math.floor(centre + radius - 0.5)
    places = np.arange(first, min(last, first + count - 1) + 1)
    return places % count, (places + 0.5 - centre) ** 2


def sphere_array(
    kind: str, cells: int, solid: float, offset: Sequence[float] = (0.31, 0.17, 0.43)
) -> Voxels:
    """The cube of a regular array of spheres that do not overlap.

    kind: simple_cubic, body_centred or face_centred: 1, 2 or 4 spheres a cube.
    solid: share of the spheres, at most that of touching ones: 0.5235, 0.6801 or 0.7404.
    offset: place of the first sphere, in voxels from a quarter of each edge; the default is no
        special place between voxels.
    """
    if kind not in LATTICES:
        raise UsageError(f"kind: found {kind!r}, must be one of {', '.join(LATTICES)}")
    edge = whole(cells, "cells")
    places = np.array(LATTICES[kind])
    most = {"simple_cubic": math.pi / 6, "body_centred": math.pi * math.sqrt(3) / 8}.get(
        kind, math.pi * math.sqrt(2) / 6
    )
    if not 0 < solid <= most:
        raise UsageError(
            f"solid: found {solid!r}, must be > 0 and <= {most:.4f}, where spheres touch"
        )
    radius = edge * (3 * solid / (4 * math.pi * len(places))) ** (1 / 3)
    return spheres(edge, (places + 0.25) * edge + np.asarray(offset), radius)


def overlapping_spheres(
    cells: Cells,
    radius: float,
    porosity: float | None = None,
    *,
    number: int | None = None,
    seed: int = 0,
) -> Voxels:
    """Overlapping grains: spheres whose centres are independent and uniform (Boolean model).

    porosity: the expected one; the number of spheres is chosen so. Or number: of spheres.
    overlapping_porosity and overlapping_two_point are the exact means over all seeds.
    """
    counts = _counts(cells)
    _check_radius(counts, radius)
    if (porosity is None) == (number is None):
        raise UsageError("overlapping_spheres: must have one of porosity and number")
    if number is None:
        number = overlapping_number(cells, radius, porosity or 0)
    draw = np.random.Generator(np.random.PCG64(seed))
    return spheres(counts, draw.random((whole(number, "number"), 3)) * counts, radius)


def overlapping_number(cells: Cells, radius: float, porosity: float) -> int:
    """The number of overlapping spheres whose expected porosity is nearest."""
    if not 0 < porosity < 1:
        raise UsageError(f"porosity: found {porosity!r}, must be > 0 and < 1")
    return round(math.log(porosity) / math.log1p(-_share(cells, radius)))


def overlapping_porosity(cells: Cells, radius: float, number: int) -> float:
    """Expected porosity of overlapping spheres: (1 - v)^number, v the share of one sphere.

    It tends to exp(-n V), n spheres of volume V in a unit of volume, in a large image (Torquato
    2002, Random Heterogeneous Materials, section 5.1). Exact for voxels, too: the centre of a voxel is a
    point like any other.
    """
    return (1 - _share(cells, radius)) ** number


def overlapping_two_point(
    cells: Cells, radius: float, number: int, distance: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """Expected share of pairs of points at a distance that are both pores, of overlapping spheres.

    (1 - v2)^number, v2 the share of two spheres at that distance together (the same, section 5.1).
    For distances up to the shortest edge less two radii.
    """
    share, ratio = _share(cells, radius), np.minimum(np.asarray(distance) / radius, 2)
    common = 1 - 0.75 * ratio + ratio**3 / 16
    result: npt.NDArray[np.float64] = (1 - share * (2 - common)) ** number
    return result


def random_spheres(cells: Cells, radius: float, solid: float, *, seed: int = 0) -> Voxels:
    """Spheres that do not overlap, placed one by one at random (random sequential addition).

    solid: the share of the spheres, at most 0.36: such packs jam at 0.38. The number of spheres is
    rounded.
    """
    counts = _counts(cells)
    _check_radius(counts, radius)
    if not 0 < solid <= _MOST_SOLID:
        raise UsageError(
            f"solid: found {solid!r}, must be > 0 and <= {_MOST_SOLID}: denser packs jam"
        )
    wanted = max(1, round(solid / _share(cells, radius)))
    draw, edges = np.random.Generator(np.random.PCG64(seed)), np.array(counts, dtype=np.float64)
    placed = np.empty((wanted, 3))
    found = 0
    for _ in range(_TRIES):
        one = draw.random(3) * edges
        apart = np.abs(placed[:found] - one)
        apart = np.minimum(apart, edges - apart)
        if np.all(np.einsum("ij,ij->i", apart, apart) >= 4 * radius**2):
            placed[found] = one
            found += 1
            if found == wanted:
                return spheres(counts, placed, radius)
    raise UsageError(
        f"random_spheres: placed {found} of {wanted} spheres in {_TRIES} tries: lower solid or radius"
    )


def packed_spheres(cells: Cells, radius: float, solid: float, *, seed: int = 0) -> Voxels:
    """A dense random pack of spheres: they start at random places and push each other apart.

    That is the descent of soft spheres to zero energy (O'Hern, Silbert, Liu & Nagel 2003, Phys. Rev.
    E 68, 011306). At the end no two spheres overlap by more than 0.1 % of the diameter.

    solid: the share of the spheres, at most 0.62: a sand or bead pack has 0.6 or so. The number of
        spheres is rounded. 250 take some seconds; the time grows with the square of the number.
    """
    counts = _counts(cells)
    _check_radius(counts, radius)
    if not 0 < solid <= _MOST_PACKED:
        raise UsageError(f"solid: found {solid!r}, must be > 0 and <= {_MOST_PACKED}")
    number = max(1, round(solid / _share(cells, radius)))
    edges = np.array(counts) / (2 * radius)
    places = _pushed_apart(
        np.random.Generator(np.random.PCG64(seed)).random((number, 3)) * edges, edges
    )
    if places is None:
        raise UsageError(
            f"packed_spheres: {number} spheres still overlap after {_MOVES} moves: lower solid, or"
            " take another seed"
        )
    return spheres(counts, places % edges * (2 * radius), radius)


def _pushed_apart(
    places: npt.NDArray[np.float64], edges: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64] | None:
    """Places [spheres, 3] in a periodic box where spheres of diameter 1 no longer overlap."""

    def apart(a: Any, b: Any) -> tuple[Any, Any]:
        vectors = places[a] - places[b]
        vectors -= edges * np.round(vectors / edges)
        return vectors, np.sqrt(np.einsum("ij,ij->i", vectors, vectors))

    pairs = np.triu_indices(len(places), 1)
    near: Any = pairs
    moves = np.zeros_like(places)
    for move in range(_MOVES):
        if move % 10 == 0:
            distances = apart(*pairs)[1]
            if not np.any(distances < 1 - _OVERLAP):
                return places
            near = [index[distances < 1.5] for index in pairs]
        vectors, distances = apart(*near)
        pushes = vectors * (0.2 * np.maximum(1 / distances - 1, 0))[:, None]
        moves *= 0.9
        np.add.at(moves, near[0], pushes)
        np.subtract.at(moves, near[1], pushes)
        places = places + moves
    return None


def gaussian_field(cells: Cells, length: float, porosity: float, *, seed: int = 0) -> Voxels:
    """Pores where a Gaussian random field is small: a smooth, random, periodic medium.

    length: the field has the correlation exp(-r^2 / (2 length^2)).
    porosity: that of the image, within one voxel.
    """
    counts = _counts(cells)
    if not 0 < porosity < 1:
        raise UsageError(f"porosity: found {porosity!r}, must be > 0 and < 1")
    if not 0 < length <= min(counts):
        raise UsageError(f"length: found {length!r}, must be > 0 and <= {min(counts)}, the image")
    noise = np.random.Generator(np.random.PCG64(seed)).standard_normal(counts[::-1])
    spectrum = np.fft.rfftn(noise)
    waves = [np.fft.fftfreq(n) for n in counts[:0:-1]] + [np.fft.rfftfreq(counts[0])]
    for axis, wave in enumerate(waves):  # the square root of the spectrum of the correlation
        shape = [-1 if a == axis else 1 for a in range(3)]
        spectrum *= np.exp(-((math.pi * length * wave) ** 2)).reshape(shape)
    field = np.fft.irfftn(spectrum, s=noise.shape, axes=(0, 1, 2))
    pores = min(max(1, round(porosity * field.size)), field.size - 1)
    limit = np.partition(field, pores, axis=None)[pores]
    solid: Voxels = (field >= limit).astype(np.uint8)
    return solid


def porosity(image: npt.ArrayLike, fluid: Iterable[int] = (0,)) -> float:
    """The share of voxels whose label is one of `fluid`."""
    return float(np.isin(np.asarray(image), list(fluid)).mean())


def two_point(
    image: npt.ArrayLike, axis: str, fluid: Iterable[int] = (0,)
) -> npt.NDArray[np.float64]:
    """The share of pairs of voxels n apart along an axis that are both pores, [n].

    n goes up to half the image.

    The image counts as periodic.
    """
    pores = np.moveaxis(np.isin(np.asarray(image), list(fluid)), _axis(axis), 0)
    far = pores.shape[0] // 2 + 1
    return np.array([np.mean(pores & np.roll(pores, -n, axis=0)) for n in range(far)])


def sub_volumes(image: npt.ArrayLike, size: int, number: int, *, seed: int = 0) -> list[Voxels]:
    """Cubes with `size` voxels along each edge, at random places of an image."""
    labels, edge = np.asarray(image), whole(size, "size")
    if labels.ndim != 3 or not 1 <= edge <= min(labels.shape):
        raise UsageError(f"size: found {size!r}, must be >= 1 and at most each edge of the image")
    draw = np.random.Generator(np.random.PCG64(seed))
    corners = [[int(draw.integers(0, n - edge + 1)) for n in labels.shape] for _ in range(number)]
    return [labels[z : z + edge, y : y + edge, x : x + edge] for z, y, x in corners]


def mirrored(image: npt.ArrayLike, axis: str) -> Voxels:
    """The image and behind it, along an axis, its mirror image: periodic along this axis."""
    labels = np.asarray(image)
    along = _axis(axis)
    return np.concatenate([labels, np.flip(labels, along)], axis=along)


def save(path: PathLike, image: npt.ArrayLike, overwrite: bool = False) -> Path:
    """Writes an image: to NAME.npy with a header, to any other name raw, x running fastest.

    A raw file is read with `cells: [nx, ny, nz]` and `type: uint8` (or the type of the array).
    Raises UsageError where the file exists, unless overwrite is true, and for anything but whole numbers
    [z, y, x]. Returns: the path.
    """
    file, labels = Path(path_text(path, "path")), np.asarray(image)
    if labels.dtype == np.bool_:
        labels = labels.astype(np.uint8)
    if labels.ndim != 3 or labels.dtype.kind not in "iu" or labels.dtype.itemsize > 4:
        raise UsageError(
            f"image: found {labels.dtype} {list(labels.shape)}, must be whole numbers of at most"
            " 32 bits [z, y, x]"
        )
    refuse_existing(file, overwrite)
    if file.suffix == ".npy":
        write_atomically(file, lambda out: np.save(out, np.ascontiguousarray(labels)))
    else:
        little = labels.astype(labels.dtype.newbyteorder("<"), copy=False)
        write_atomically(file, lambda out: np.ascontiguousarray(little).tofile(out))
    return file


def _axis(axis: str) -> int:
    if axis not in ("x", "y", "z"):
        raise UsageError(f"axis: found {axis!r}, must be x, y or z")
    return "zyx".index(axis)


def _counts(cells: Cells) -> tuple[int, int, int]:
    given = list(cells) if isinstance(cells, (Sequence, np.ndarray)) else [cells] * 3
    counts = tuple(whole(n, "cells") for n in given)
    if len(counts) != 3 or min(counts) < 1:
        raise UsageError(
            f"cells: found {cells!r}, must be a number >= 1, or three: along x, y and z"
        )
    return counts[0], counts[1], counts[2]


def _check_radius(counts: Sequence[int], radius: float) -> None:
    if not 0 < radius <= min(counts) / 2:
        raise UsageError(
            f"radius: found {radius!r}, must be > 0 and <= {min(counts) / 2:g}, half the shortest edge"
        )


def _share(cells: Cells, radius: float) -> float:
    """Volume of a sphere over that of the image."""
    return 4 / 3 * math.pi * radius**3 / math.prod(_counts(cells))
