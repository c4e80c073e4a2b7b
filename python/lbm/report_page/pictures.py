# SPDX-License-Identifier: Apache-2.0
"""Pictures of the flow: those of the run, and speed, vorticity and pressure on planes."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np

from lbm.plot.labels import labelled
from lbm.report_page.page import WIDE, Figure, Panel, data_uri, new_figure
from lbm.report_page.planes import Plane, planes
from lbm.report_page.source import Source
from lbm.results.header import field_unit
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
    found, panel.notes = planes(source.results)
    drawn = [plane for plane in found if plane.has_flow]
    if len(drawn) < len(found):
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


def _speed_top(plane: Plane) -> float:
    """The end of the colour scale: a few cells of extreme values do not count."""
    values = plane.speed.compressed()
    return float(np.quantile(values, 0.999)) if len(values) else 0.0


def _speed(plane: Plane, top: float) -> Figure:
    velocity, speed = plane.components(), plane.speed
    # Only where the velocity is almost in the plane streamlines show the flow.
    across, whole = ((one**2).mean() for one in (velocity[plane.normal], speed))
    lines = velocity if whole > 0 and across < 1e-3 * whole else None
    label = labelled("speed", field_unit("velocity", plane.part.attrs))
    how = {"cmap": _SPEED, "vmin": 0.0, "vmax": top or 1.0}
    words = "Speed, with streamlines," if lines else "Speed"
    return _drawn(plane, speed, label, f"{words} at {plane.place}.", how, lines)


def _vorticity(plane: Plane) -> Figure | None:
    if min(plane.solid.shape) < 3:
        return None
    shown = plane.values("vorticity")
    top = float(np.quantile(np.abs(shown.compressed()), 0.99)) if shown.count() else 0.0
    if top <= 0:
        return None
    label = labelled(f"vorticity along {plane.normal}", field_unit("vorticity", plane.part.attrs))
    how = {"cmap": _SIGNED, "vmin": -top, "vmax": top}
    caption = (
        f"Vorticity (twice the rate at which the fluid turns) about {plane.normal} at "
        f"{plane.place}: the blue fluid turns the other way than the red one."
    )
    return _drawn(plane, shown, label, caption, how)


def _pressure(plane: Plane) -> Figure | None:
    if not {"pressure", "density"} & set(plane.part.arrays):
        return None
    shown = plane.values("pressure")
    if not shown.count():
        return None
    low, high = np.quantile(shown.compressed(), [0.005, 0.995])
    density = 1.0
    if str(plane.part.attrs.get("units", "")).startswith("SI"):
        density = float(plane.part.attrs.get("reference_density", 1.0))
    if not high - low > _TELLING * density * _speed_top(plane) ** 2:
        return None
    label = labelled("pressure", field_unit("pressure", plane.part.attrs))
    how: dict[str, Any] = {"cmap": _SIGNED, "vmin": -max(-low, high), "vmax": max(-low, high)}
    if low * high >= 0 or min(-low, high) < 0.1 * max(-low, high):  # of one sign, or nearly
        how = {"cmap": "cividis", "vmin": low, "vmax": high}
    caption = f"Pressure, relative to that of the reference density, at {plane.place}."
    return _drawn(plane, shown, label, caption, how)


def _drawn(
    plane: Plane,
    values: Any,
    label: str,
    caption: str,
    how: dict[str, Any],
    lines: dict[str, Any] | None = None,
) -> Figure:
    """A picture of values on a plane; the longer axis runs from left to right.

    lines: the velocity by axis, for streamlines.
    """
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
        _streamlines(ax, plane, lines, turned)
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
    return Figure(data_uri(figure, "png"), caption, wide)


def _ends(values: Any, how: dict[str, Any]) -> str:
    """The ends of the colour scale that values exceed, as `extend` of a colour bar."""
    below = bool((values < how["vmin"]).any())
    above = bool((values > how["vmax"]).any())
    return "both" if below and above else "min" if below else "max" if above else "neither"


def _streamlines(ax: Any, plane: Plane, velocity: dict[str, Any], turned: bool) -> None:
    rows, columns = plane.axes
    n = max(1, max(plane.solid.shape) // _MOST_LINES)
    along, up = velocity[columns][::n, ::n], velocity[rows][::n, ::n]
    x, y = plane.part.centres(columns)[::n], plane.part.centres(rows)[::n]
    if turned:
        x, y, along, up = y, x, up.T, along.T
    if min(len(x), len(y)) < 3:
        return
    x, y = np.linspace(x[0], x[-1], len(x)), np.linspace(y[0], y[-1], len(y))
    how: dict[str, Any] = {"color": (1, 1, 1, 0.5), "linewidth": 0.6, "arrowsize": 0.6}
    ax.streamplot(x, y, along, up, density=1.4, **how)
