# SPDX-License-Identifier: Apache-2.0
"""Figures of isosurfaces."""

from __future__ import annotations

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

def _triangles(
    source: Any, name: str, value: float | None, stride: int, colour_by: Any
) -> tuple[Array, Array, Array | None]:
    """Points, triangles, values on the points."""
    if isinstance(source, (Surface, Image)):
        if not isinstance(colour_by, (str, type(None))):
            raise UsageError("color_by: found an array, must be the name of a field")
    elif isinstance(colour_by, str):
        raise UsageError(f"color_by: found {colour_by!r}, must be an array, as the source is one")
    if isinstance(source, Surface):
        values = None if colour_by is None else scalar(source[colour_by], colour_by, None, 1)[0]
        return source.points, source.triangles, values
    if value is None:
        raise UsageError("value: must be given for the isosurface of an image")
    field: Any
    other: Any
    first, spacing, where = np.zeros(3), np.full(3, stride), "image"
    if isinstance(source, Image):
        part = source.box(stride=stride)
        field, other = part[name], None if colour_by is None else part[colour_by]
        first = np.array([part.x[0], part.y[0], part.z[0]])
        spacing, where = np.array(part.spacing), str(part.path)
    else:
        some = (slice(None, None, stride),) * 3
        name, field = "the field", np.asarray(source)[some] if np.ndim(source) > 2 else source
        other = None if colour_by is None else np.asarray(colour_by)[some]
    field = scalar(np.asarray(field), name, None, 3)[0]
    measure: Any = need("skimage.measure", "scikit-image", "an isosurface of an image")
    if min(field.shape) < 2:
        raise UsageError(f"{where}: {field.shape} cells, must be 2 along each axis at least")
    low, high = float(np.nanmin(field)), float(np.nanmax(field))
    if not low < value < high:
        raise UsageError(f"value: found {value:g}, must be in {low:g} ... {high:g}, as {name} is")
    places, triangles, _, _ = measure.marching_cubes(field, value)
    points = first + places[:, ::-1] * spacing
    if other is None:
        return points, triangles, None
    other = scalar(np.asarray(other), "", None, 3)[0]
    if other.shape != field.shape:
        raise UsageError(f"color_by: found {other.shape} cells, must be {field.shape} as the field")
    interpolate: Any = need("scipy.ndimage", "scipy", "colours on an isosurface")
    return points, triangles, interpolate.map_coordinates(other, places.T, order=1)


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
    faces: Any = [color] * len(triangles)
    if values is not None and len(triangles):
        label = _colour_label(source, color_by) if isinstance(color_by, str) else ""
        faces = _mapped(ax, values[triangles].mean(axis=1), cmap, vmin, vmax, label)
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


def _add(ax: Any, corners: Array, faces: Any, length: str) -> None:
    from mpl_toolkits.mplot3d.art3d import (  # type: ignore[import-untyped,unused-ignore]
        Poly3DCollection,
    )

    if len(corners):
        # Edges of the same colours: gaps would show between the triangles.
        how = {"facecolors": faces, "edgecolors": faces, "linewidths": 0.3, "shade": True}
        ax.add_collection3d(Poly3DCollection(corners, **how))
        low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
        edges = np.maximum(high - low, 1e-3 * (high - low).max())
        ax.set_box_aspect(edges)
        for axis, edge in zip("xyz", edges):  # short axes have no room for many numbers
            ax.locator_params(axis=axis, nbins=max(1, round(6 * edge / edges.max())))
    ax.set(xlabel=labelled("x", length), ylabel=labelled("y", length), zlabel=labelled("z", length))
