# SPDX-License-Identifier: Apache-2.0
"""Pictures of the flow: those of the run, and speed, vorticity and pressure on planes."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np

from lbm.plot.labels import labelled
from lbm.report_page.drawing import WIDE, as_png, new_figure
from lbm.report_page.page import Figure, Panel
from lbm.report_page.planes import Plane, planes
from lbm.report_page.source import Source
from lbm.results.header import field_unit
from lbm.results.lazy import Array
from lbm.results.pictures import PNG

_SPEED = "viridis"  # perceptually uniform
_SIGNED = "coolwarm"  # equally dark ends, for values of both signs (Moreland 2009)
_BODY = "#9aa1a8"
_MOST_LINES = 240  # cells along an axis of the grid of streamlines
_FEW_CELLS = 400
_FLAT = 1.9  # width over height from which a picture takes the whole width
_MOST_PICTURES = 8  # of the run, by name
_MOST_PICTURE_BYTES = 16 << 20
_TELLING = 0.02  # range of the pressure over rho u^2 from which it is drawn


def pictures_panel(source: Source) -> Panel:
    """Speed on all planes; vorticity and pressure on the first one."""
    panel = Panel("Pictures")
    found = planes(source.results)
    panel.notes = found.notes
    drawn = [plane for plane in found.planes if plane.has_flow]
    if len(drawn) < len(found.planes):
        panel.notes.append("Planes without a finite velocity are left out: the flow had diverged.")
    if not drawn:
        panel.empty, panel.notes = " ".join(panel.notes), []
        return panel
    top = max(_speed_top(plane) for plane in drawn)
    for plane in drawn:
        panel.figures.append(_speed(plane, top))
    panel.figures[1:1] = [one for one in (_vorticity(drawn[0]), _pressure(drawn[0])) if one]
    panel.text.append(
        "The last state of the flow on planes through the middle of the box. Grey: solid bodies. "
        + source.unit_sentence
    )
    return panel


def run_pictures_panel(source: Source) -> Panel | None:
    """The newest picture of each name that the run itself has made; None: it has made none."""
    panel = Panel("Pictures of the run")
    there = source.results.pictures
    if not there:
        return None
    for name in list(there)[:_MOST_PICTURES]:
        series = there[name]
        data = _png_of(series.files[-1])
        if not data:
            panel.notes.append(f"{series.files[-1].name} is no PNG file, or too large for a page.")
            continue
        count = len(series)
        which = "the only picture" if count == 1 else f"the last of {count:,} pictures"
        caption = f"{name}: {which}, of step {series.steps[-1]:,}."
        panel.figures.append(Figure(f"data:image/png;base64,{data}", caption))
    if len(there) > _MOST_PICTURES:
        panel.notes.append(f"{len(there) - _MOST_PICTURES} more names have pictures.")
    if not panel.figures:
        panel.empty, panel.notes = " ".join(panel.notes), []
    return panel


def _png_of(path: Path) -> str:
    """A PNG file as base64; empty: it is none, or larger than a page should hold."""
    try:
        if path.is_symlink() or path.stat().st_size > _MOST_PICTURE_BYTES:
            return ""
        data = path.read_bytes()
    except OSError:
        return ""
    return base64.b64encode(data).decode() if data.startswith(PNG) else ""


def _values_of_speed(plane: Plane) -> Any:
    assert plane.velocity is not None
    return plane.masked(np.linalg.norm(plane.velocity, axis=-1))


def _speed_top(plane: Plane) -> float:
    """The end of the colour scale: a few cells of extreme values do not count."""
    values = _values_of_speed(plane).compressed()
    return float(np.quantile(values, 0.999)) if len(values) else 0.0


def _speed(plane: Plane, top: float) -> Figure:
    values = _values_of_speed(plane)
    label = labelled("speed", field_unit("velocity", plane.image.attrs))
    lines = plane.in_plane()
    how = {"cmap": _SPEED, "vmin": 0.0, "vmax": top or 1.0}
    words = "Speed, with streamlines," if lines else "Speed"
    return _drawn(plane, values, label, f"{words} at {plane.place}.", how, lines)


def _vorticity(plane: Plane) -> Figure | None:
    values = plane.vorticity()
    if values is None:
        return None
    shown = plane.masked(values)
    top = float(np.quantile(np.abs(shown.compressed()), 0.99)) if shown.count() else 0.0
    if top <= 0:
        return None
    label = labelled(f"vorticity along {plane.normal}", field_unit("vorticity", plane.image.attrs))
    how = {"cmap": _SIGNED, "vmin": -top, "vmax": top}
    caption = (
        f"Vorticity (twice the rate at which the fluid turns) about {plane.normal} at "
        f"{plane.place}: the blue fluid turns the other way than the red one."
    )
    return _drawn(plane, shown, label, caption, how)


def pressure_of(plane: Plane) -> Array | None:
    """Pressure on a plane; None: it is not known from the file."""
    if "pressure" in plane.cut.arrays:
        return np.asarray(plane.cut["pressure"], np.float64)
    if "density" not in plane.cut.arrays:
        return None
    return pressure_of_density(np.asarray(plane.cut["density"], np.float64), plane.image.attrs)


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


def _pressure(plane: Plane) -> Figure | None:
    values = pressure_of(plane)
    if values is None:
        return None
    shown = plane.masked(values)
    if not shown.count():
        return None
    low, high = np.quantile(shown.compressed(), [0.005, 0.995])
    density = 1.0
    if str(plane.image.attrs.get("units", "")).startswith("SI"):
        density = float(plane.image.attrs.get("reference_density", 1.0))
    if not high - low > _TELLING * density * _speed_top(plane) ** 2:
        return None
    label = labelled("pressure", field_unit("pressure", plane.image.attrs))
    how: dict[str, Any] = {"cmap": _SIGNED, "vmin": -max(-low, high), "vmax": max(-low, high)}
    if low * high >= 0 or min(-low, high) < 0.1 * max(-low, high):  # of one sign, or nearly
        how = {"cmap": "cividis", "vmin": low, "vmax": high}
    caption = f"Pressure, relative to that of the reference density, at {plane.place}."
    return _drawn(plane, shown, label, caption, how)


def _drawn(
    plane: Plane, values: Any, label: str, caption: str, how: dict[str, Any], lines: bool = False
) -> Figure:
    """A picture of values on a plane; the longer axis runs from left to right."""
    from matplotlib import colormaps
    from matplotlib.ticker import FuncFormatter

    axes, extent = plane.axes, plane.extent
    turned = (extent[3] - extent[2]) > 1.2 * (extent[1] - extent[0])
    if turned:
        values, axes, extent = values.T, axes[::-1], (*extent[2:], *extent[:2])
    ratio = (extent[1] - extent[0]) / (extent[3] - extent[2])
    wide = ratio > _FLAT
    width = WIDE if wide else WIDE / 2
    height = (width - 0.8) / ratio + 1.1 if wide else (width - 1.75) / ratio + 0.65
    figure = new_figure(width, min(height, 8.0))
    ax = figure.subplots()
    colours = colormaps.get_cmap(how.pop("cmap")).with_extremes(bad=_BODY)
    # Between the centres of few cells values are interpolated: squares would catch the eye.
    how["interpolation"] = "bilinear" if max(values.shape) < _FEW_CELLS else "antialiased"
    picture = ax.imshow(values, origin="lower", extent=extent, cmap=colours, **how)
    if lines:
        _streamlines(ax, plane, turned)
    extend = _ends(values, how)
    place: dict[str, Any] = {"location": "bottom", "aspect": 50, "pad": 0.03, "ax": ax}
    if not wide:
        place = {"cax": ax.inset_axes((1.03, 0.0, 0.04, 1.0))}
    figure.colorbar(picture, label=label, extend=extend, **place)
    factor, length = plane.length_unit
    for axis, name in ((ax.xaxis, axes[1]), (ax.yaxis, axes[0])):
        axis.set_label_text(labelled(name, length))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value * factor:g}"))
    ax.set(xlim=extent[:2], ylim=extent[2:])
    return Figure(as_png(figure), caption, wide)


def _ends(values: Any, how: dict[str, Any]) -> str:
    """The ends of the colour scale that values exceed, as `extend` of a colour bar."""
    below = bool((values < how["vmin"]).any())
    above = bool((values > how["vmax"]).any())
    return "both" if below and above else "min" if below else "max" if above else "neither"


def _streamlines(ax: Any, plane: Plane, turned: bool) -> None:
    rows, columns = plane.axes
    stride = max(1, max(plane.solid.shape) // _MOST_LINES)
    some = (slice(None, None, stride), slice(None, None, stride))
    along = plane.masked(plane.component(columns))[some]
    up = plane.masked(plane.component(rows))[some]
    x, y = plane.cut.coordinates(columns)[::stride], plane.cut.coordinates(rows)[::stride]
    if turned:
        x, y, along, up = y, x, up.T, along.T
    if min(len(x), len(y)) < 3:
        return
    x, y = np.linspace(x[0], x[-1], len(x)), np.linspace(y[0], y[-1], len(y))
    how: dict[str, Any] = {"color": (1, 1, 1, 0.5), "linewidth": 0.6, "arrowsize": 0.6}
    ax.streamplot(x, y, along, up, density=1.4, **how)
