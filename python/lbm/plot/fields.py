# SPDX-License-Identifier: Apache-2.0
"""Figures of slices, and curves along lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from lbm._lbm import UsageError
from lbm.plot.figure import add_colorbar, check_save, finish, new_axes, size_for, tidy
from lbm.plot.labels import column_label, labelled, words
from lbm.results.errors import missing, need
from lbm.results.header import length_and_time_units
from lbm.results.image import Cut, Image
from lbm.results.lazy import Array
from lbm.results.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTERS = {3: ("x", "y", "z"), 6: ("xx", "yy", "zz", "xy", "yz", "xz")}


def scalar(values: Array, name: str, component: str | None, axes: int) -> tuple[Array, str]:
    """One number for each cell, a component or the length of a vector, and its label."""
    if values.ndim not in (axes, axes + 1):
        raise UsageError(
            f"image: found {values.ndim} axes, must be {axes}, or one more of components"
        )
    if values.ndim == axes:
        if component is not None:
            raise UsageError(f"component: found {component!r}, {name} has one component only")
        return values, words(name)
    letters = LETTERS.get(values.shape[-1], ())
    if component is None and len(letters) == 3:
        label = "speed" if name == "velocity" else f"|{words(name)}|"
        return np.linalg.norm(values.astype(np.float64), axis=-1), label
    if component not in letters:
        raise UsageError(f"component: found {component!r}, must be one of {', '.join(letters)}")
    return values[..., letters.index(component)], f"{words(name)} {component}"


def edges(cut: Cut, axis: str) -> tuple[float, float]:
    """Coordinates where the first cell begins and the last one ends."""
    centres = cut.coordinates(axis)
    half = cut.image.spacing["xyz".index(axis)] / 2
    return float(centres[0] - half), float(centres[-1] + half)


def _as_cut(image: Image | Cut, axis: str | None, at: float | None, index: int | None) -> Cut:
    if isinstance(image, Cut):
        return image
    if axis is None:  # the thin axis of a slice
        thin = [a for a, n in zip("zyx", image.shape) if n == 1]
        if len(thin) != 1:
            raise UsageError("axis: must be given, 'x', 'y' or 'z': the image is no slice")
        axis = thin[0]
    return image.slice(axis, at=at, index=index)


def solid_cells(cut: Cut, shape: tuple[int, ...]) -> Array:
    """Which cells of a plane are solid, [rows, columns].

    By the field `solid`. Without it: the velocity is exactly 0, which it is in bodies; in fluid at
    rest, too, until sound from elsewhere comes, so not before sound has crossed the plane twice.
    """
    if "solid" in cut.arrays:
        return np.asarray(cut["solid"]) > 0
    none = np.zeros(shape, bool)
    step = cut.image.attrs.get("step", 0)
    if "velocity" not in cut.arrays or step < 4 * max(shape):
        return none
    still: Array = (np.asarray(cut["velocity"]) == 0).all(axis=-1)
    return none if still.all() else still


def slice(
    image: Image | Cut | npt.ArrayLike,
    name: str | None = None,
    axis: str | None = None,
    at: float | None = None,
    *,
    index: int | None = None,
    component: str | None = None,
    colorbar: bool = True,
    body: str | None = "0.6",
    horizontal: str | None = None,
    ax: Axes | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
    **how: Any,
) -> Axes:
    """A picture of a field on a plane of cells.

    Args:
        image: an image or its slice; or an array [rows, columns].
        name: name of the field. Default: velocity where it exists, else the first array.
        axis, at, index: the plane, as for Image.slice. A slice (`image.box(y=24)`) needs none.
        component: 'x', 'y', 'z' ('xx', ... for tensors). Default: the length of a vector.
        colorbar: whether to draw a colour bar, with the quantity and its unit: `speed / U`, in SI
            `speed [m/s]`.
        body: colour of solid cells, default grey; None: they are drawn as values. Solid cells are
            those of the field `solid` where the image has it, else those whose velocity is exactly
            0 once sound has crossed the plane twice.
        horizontal: the axis that runs from left to right, such as 'z' for a tunnel along z;
            default: the first one, in the order x, y, z.
        ax: axes to draw on; default: a new figure that fits the plane.
        save, overwrite: file for the picture, and whether it may replace one.
        how: arguments for matplotlib's imshow, such as cmap, vmin, vmax.
    """
    check_save(save, overwrite)
    cut = _as_cut(image, axis, at, index) if isinstance(image, (Image, Cut)) else None
    axes: tuple[str, ...] = ("", "") if cut is None else cut.axes
    if cut is None:
        values, label = scalar(np.asarray(image), name or "", component, 2)
        extent = (-0.5, values.shape[-1] - 0.5, -0.5, values.shape[0] - 0.5)
    else:
        name = name or ("velocity" if "velocity" in cut.arrays else cut.arrays[0])
        values, label = scalar(cut[name], name, component, 2)
        label = labelled(label, cut.image[name].unit)
        extent = (*edges(cut, cut.axes[1]), *edges(cut, cut.axes[0]))
    if values.ndim != 2:
        raise UsageError(f"image: found {values.ndim} axes, must be 2 for a picture")
    if cut is not None and body is not None and (solid := solid_cells(cut, values.shape)).any():
        values = np.ma.masked_array(values, solid)
        how["cmap"] = _with_body(how.get("cmap"), body)
    if horizontal is not None and horizontal not in axes:
        raise UsageError(f"horizontal: found {horizontal!r}, must be one of {', '.join(axes)}")
    if horizontal is not None and horizontal == axes[0]:
        values, axes, extent = values.T, axes[::-1], (*extent[2:], *extent[:2])
    width, height = extent[1] - extent[0], extent[3] - extent[2]
    ax = new_axes(ax, save, size_for(width, height, colorbar))
    if cut is not None:
        _label(ax, cut, axes)
        how.setdefault("extent", extent)
    picture = ax.imshow(values, origin="lower", **{"interpolation": "nearest", **how})
    if colorbar:
        add_colorbar(ax, picture, width, height, label)
    return finish(ax, save)


def _with_body(cmap: Any, body: str) -> Any:
    """A colour map that shows masked cells in the colour of bodies."""
    need("matplotlib", "matplotlib", "lbm.plot")
    from matplotlib import colormaps

    return colormaps.get_cmap(cmap).with_extremes(bad=body)


def _label(ax: Axes, cut: Cut, axes: tuple[str, ...]) -> None:
    length, time = length_and_time_units(cut.image.attrs)
    ax.set_xlabel(labelled(axes[1], length))
    ax.set_ylabel(labelled(axes[0], length))
    place = ", ".join(f"{axis} = {at:.4g} {length}" for axis, at in cut.at.items())
    ax.set_title(f"{place}, t = {cut.image.time:.4g} {time}", fontsize="medium")


def _curve(
    source: Any, name: str | None, component: str | None
) -> tuple[Array, Array, str, str, str]:
    """Places, values, the label of the places, the name of the curve, and its unit."""
    if isinstance(source, Table):
        position = source.columns[0]
        name = name or source.columns[1]
        along = labelled(*column_label(source, position))
        return source[position], source[name], along, name, column_label(source, name)[1]
    if isinstance(source, Cut):
        if len(source.axes) != 1:
            raise UsageError("source: found a plane, must be a line: image.line('x')")
        name = name or "velocity"
        values, label = scalar(source[name], name, component, 1)
        axis, length = source.axes[0], length_and_time_units(source.image.attrs)[0]
        unit = source.image[name].unit
        return source.coordinates(axis), values, labelled(axis, length), label, unit
    return *_pair(source, "source"), "", name or "", ""


def _pair(source: Any, what: str) -> tuple[Array, Array]:
    """Places and values, two arrays of the same length."""
    try:
        places, values = (np.asarray(part, np.float64) for part in source)
    except (TypeError, ValueError):
        places, values = np.empty(0), np.empty((0, 0))
    if places.ndim != 1 or places.shape != values.shape:
        raise UsageError(f"{what}: must be (places, values), two lists of the same length")
    return places, values


def reference_values(path: Path) -> tuple[Array, Array]:
    """The first two columns of a CSV file of numbers. Raises OSError, ValueError."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line for line in lines if line.strip() and line[0] != "#"]
    if rows and rows[0].lstrip()[:1].strip("+-.0123456789"):
        del rows[0]  # the names of the columns
    if not rows:
        raise ValueError("no rows")
    values = np.loadtxt(rows, delimiter=",", usecols=(0, 1), ndmin=2)
    return values[:, 0], values[:, 1]


def _reference(source: Any) -> tuple[Array, Array]:
    """Reference data: a CSV file of place and value, or two arrays."""
    if not isinstance(source, (str, Path)):
        return _pair(source, "reference")
    try:
        return reference_values(Path(source))
    except FileNotFoundError as error:
        raise missing(Path(source), "give a CSV file of place and value") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{source}: must be a CSV file of place and value: {error}") from error


def profile(
    source: Table | Cut | tuple[npt.ArrayLike, npt.ArrayLike],
    name: str | None = None,
    *,
    component: str | None = None,
    reference: Any = None,
    upright: bool = False,
    label: str | None = None,
    ax: Axes | None = None,
    save: str | Path | None = None,
    overwrite: bool = False,
    **how: Any,
) -> Axes:
    """A curve of values along a line, beside reference data.

    Args:
        source: a profile (`results.profiles["z"]`), a line of an image, or (places, values).
        name: name of the column or field. Default: the first column, or velocity.
        component: component of a field; default: the length of a vector.
        reference: a CSV file of place and value, a pair (places, values), or several of these as
            a dict by label. Reference data are drawn as marks.
        upright: draw places upwards and values to the right.
        label: label of the curve in the legend; default: its name.
        ax, save, overwrite: as for slice.
        how: arguments for matplotlib's plot.
    """
    check_save(save, overwrite)
    places, values, position, called, unit = _curve(source, name, component)
    ax = new_axes(ax, save)
    _draw(ax, places, values, upright, label=label or called or None, **how)
    named = reference if isinstance(reference, Mapping) else {"reference": reference}
    for i, (what, data) in enumerate(named.items()):
        if data is not None:
            points, known = _reference(data)
            marks: dict[str, Any] = {"linestyle": "", "fillstyle": "none", "color": "black"}
            _draw(ax, points, known, upright, label=what, marker="osv^D"[i % 5], **marks)
    ax.set_xlabel(labelled(called, unit) if upright else position)
    ax.set_ylabel(position if upright else labelled(called, unit))
    if label is not None or len(ax.get_legend_handles_labels()[0]) > 1:
        ax.legend()
    tidy(ax)
    return finish(ax, save)


def _draw(ax: Axes, places: Array, values: Array, upright: bool, **how: Any) -> None:
    pair = (values, places) if upright else (places, values)
    ax.plot(*pair, **how)
