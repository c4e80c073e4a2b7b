# SPDX-License-Identifier: Apache-2.0
"""Figures of isosurfaces."""

from __future__ import annotations

import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lbm._lbm import UsageError
from lbm.plot.fields import scalar
from lbm.plot.figure import check_save, finish, new_axes
from lbm.plot.labels import labelled, words
from lbm.results.header import field_unit, length_and_time_units
from lbm.results.image import Image
from lbm.results.lazy import Array
from lbm.results.surface import Surface
from lbm.results.errors import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LIGHT = np.array([0.4, -0.6, 0.7])  # direction towards the light


def _of_surface(surface: Surface, colour_by: str | None) -> tuple[Array, Array, Array | None]:
    """Points, triangles, values on the points."""
    values = None
    if colour_by is not None:
        values = scalar(surface[colour_by], colour_by, None, 1)[0]
    return surface.points, surface.triangles, values


def _of_image(
    image: Image, name: str, value: float, stride: int, colour_by: str | None
) -> tuple[Array, Array, Array | None]:
    """The same for the isosurface of a field. Reads every stride-th cell."""
    some = (slice(None, None, stride),) * 3
    field = scalar(image[name][some], name, None, 3)[0]
    other = None if colour_by is None else scalar(image[colour_by][some], colour_by, None, 3)[0]
    places, triangles, values = _of_array(field, name, value, other, str(image.path))
    first = np.array([image.x[0], image.y[0], image.z[0]])
    return first + places * stride * np.array(image.spacing), triangles, values


def _of_array(
    field: Array, name: str, value: float, other: Array | None, source: str
) -> tuple[Array, Array, Array | None]:
    """The same for an array; points are in cells from the centre of the first cell."""
    measure: Any = need("skimage.measure", "scikit-image", "an isosurface of an image")
    if min(field.shape) < 2:
        raise UsageError(f"{source}: {field.shape} cells, must be 2 along each axis at least")
    low, high = float(np.nanmin(field)), float(np.nanmax(field))
    if not low < value < high:
        raise UsageError(f"value: found {value:g}, must be in {low:g} ... {high:g}, as {name} is")
    places, triangles, _, _ = measure.marching_cubes(field, value)
    if other is None:
        return places[:, ::-1], triangles, None
    if other.shape != field.shape:
        raise UsageError(f"color_by: found {other.shape} cells, must be {field.shape} as the field")
    interpolate: Any = need("scipy.ndimage", "scipy", "colours on an isosurface")
    return places[:, ::-1], triangles, interpolate.map_coordinates(other, places.T, order=1)


def _shades(corners: Array) -> Array:
    """Brightness 0.35 ... 1 by the angle to the light, equal on both sides, [triangles]."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    towards = np.abs(normals @ LIGHT) / np.linalg.norm(LIGHT)
    share: Array = np.divide(towards, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return 0.35 + 0.65 * share


def isosurface(
    source: Surface | Image | npt.ArrayLike,
    name: str = "q_criterion",
    value: float | None = None,
    *,
    color: str = "#1f5fa8",
    color_by: str | npt.ArrayLike | None = None,
    cmap: str = "viridis",
    vmin: float | None = None,
    vmax: float | None = None,
    stride: int = 1,
    ax: Axes | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
) -> Axes:
    """A shaded picture of an isosurface.

    Args:
        source: a surface that the run has written, an image, or an array [nz, ny, nx], such as
            simulation.field("q_criterion"). For an array coordinates are in cells.
        name, value: for an image: the field (of vectors the length) and its value on the surface;
            for an array the value alone.
        color: colour of the surface.
        color_by: a field whose values colour the surface instead, by cmap from vmin to vmax; for an
            array another array, [nz, ny, nx] or [nz, ny, nx, 3] (of vectors the length).
        stride: take every stride-th cell of an image or array.
        ax: 3D axes to draw on; by default a new figure.
        save, overwrite: as for slice.

    ParaView is the better tool for more than some 100,000 triangles (docs/paraview.md).
    """
    check_save(save, overwrite)
    points, triangles, values = _triangles(source, name, value, stride, color_by)
    ax = new_axes(ax, save, projection="3d")
    if not hasattr(ax, "add_collection3d"):
        raise UsageError("ax: must be 3D axes: figure.add_subplot(projection='3d')")
    corners = np.asarray(points, np.float64)[triangles]
    if values is None or not len(triangles):
        faces = _one_colour(color, len(triangles))
    else:
        means = values[triangles].mean(axis=1)
        label = _colour_label(source, color_by) if isinstance(color_by, str) else ""
        faces = _mapped(ax, means, cmap, vmin, vmax, label)
    faces[:, :3] *= _shades(corners)[:, None]
    length = ""
    if isinstance(source, (Surface, Image)):
        length = length_and_time_units(source.attrs)[0]
    _add(ax, corners, faces, length)
    return finish(ax, save)


def _colour_label(source: Any, name: str) -> str:
    """The quantity that colours the surface, and its unit."""
    vector = source[name].ndim == (2 if isinstance(source, Surface) else 4)
    label = "speed" if name == "velocity" else f"|{words(name)}|" if vector else words(name)
    return labelled(label, field_unit(name, source.attrs))


def _triangles(
    source: Surface | Image | npt.ArrayLike,
    name: str,
    value: float | None,
    stride: int,
    colour_by: str | npt.ArrayLike | None,
) -> tuple[Array, Array, Array | None]:
    """Points, triangles, values on the points."""
    if isinstance(source, (Surface, Image)) and not isinstance(colour_by, (str, type(None))):
        raise UsageError("color_by: found an array, must be the name of a field")
    if isinstance(source, Surface):
        return _of_surface(source, typing.cast("str | None", colour_by))
    if value is None:
        raise UsageError("value: must be given for the isosurface of an image")
    if isinstance(source, Image):
        return _of_image(source, name, value, stride, typing.cast("str | None", colour_by))
    if isinstance(colour_by, str):
        raise UsageError(f"color_by: found {colour_by!r}, must be an array, as the source is one")
    some = (slice(None, None, stride),) * 3
    field = scalar(np.asarray(source), "the field", None, 3)[0][some]
    other = None if colour_by is None else scalar(np.asarray(colour_by), "", None, 3)[0][some]
    points, triangles, values = _of_array(field, "the field", value, other, "image")
    return points * stride, triangles, values


def _one_colour(color: str, count: int) -> Array:
    """[triangles, 4], red, green, blue, alpha."""
    from matplotlib.colors import to_rgba

    return np.tile(np.array(to_rgba(color)), (count, 1))


def _mapped(
    ax: Any, values: Array, cmap: str, vmin: float | None, vmax: float | None, label: str
) -> Array:
    """Colours of values, [triangles, 4]; adds their colour bar."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    low = float(values.min()) if vmin is None else vmin
    high = float(values.max()) if vmax is None else vmax
    scale = ScalarMappable(Normalize(low, high), cmap)
    ax.get_figure().colorbar(scale, ax=ax, label=label, shrink=0.6)
    return np.array(scale.to_rgba(values))


def _add(ax: Any, corners: Array, faces: Array, length: str) -> None:
    from mpl_toolkits.mplot3d.art3d import (  # type: ignore[import-untyped,unused-ignore]
        Poly3DCollection,
    )

    if len(corners):
        # Edges of the same colours: gaps would show between the triangles.
        how = {"facecolors": faces, "edgecolors": faces, "linewidths": 0.3}
        ax.add_collection3d(Poly3DCollection(corners, **how))
        low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
        edges = np.maximum(high - low, 1e-3 * (high - low).max())
        ax.set_box_aspect(edges)
        for axis, edge in zip("xyz", edges):  # short axes have no room for many numbers
            ax.locator_params(axis=axis, nbins=max(1, round(6 * edge / edges.max())))
    ax.set(xlabel=labelled("x", length), ylabel=labelled("y", length), zlabel=labelled("z", length))
