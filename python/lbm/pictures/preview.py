# SPDX-License-Identifier: Apache-2.0
"""The page of `lbm check --preview`: three views of the box, and of the bodies where they are much smaller."""

from __future__ import annotations

import io
from typing import Any

import matplotlib
import numpy as np
import numpy.typing as npt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from lbm.pictures import data
from lbm.pictures.page import DPI, INK

# Thickness below so many cells: its words and colour. Red is thin; ColorBrewer's RdYlBu.
CLASSES = (
    (1.0, "below 1 cell", "#d7191c"),
    (2.0, "1 to 2", "#fd8d3c"),
    (4.0, "2 to 4", "#fed976"),
    (8.0, "4 to 8", "#91bfdb"),
    (np.inf, "8 or more", "#3168ac"),
)
_ARROW, _GROUND = "#005a32", "#f1f1f1"
_LEFT, _ABOVE, _BELOW, _HEAD, _FOOT = 78, 46, 64, 110, 80  # pixels around panels and page
_NAMES = ("front, along x", "side, along y", "top, from above along z")


def _pixels(view: data.Head, numbers: data.Floats) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The colours that are seen, [height, width, 3] from 0 to 1, and the pixels of each class."""
    width, height = view["pixels"]
    thickness, light = numbers.reshape(2, height, width)
    which = np.searchsorted([below for below, _, _ in CLASSES[:-1]], thickness, side="right")
    shown = np.array([to_rgb(c) for _, _, c in CLASSES])[which] * light[..., None]
    bodies = np.isfinite(thickness)
    shown[~bodies] = to_rgb(_GROUND)
    return shown, np.bincount(which[bodies], minlength=len(CLASSES))


def _span(block: data.Head, view: data.Head) -> tuple[float, float, float, float]:
    """The coordinates at the left, right, lower and upper end of a view."""
    right, up = view["right"], view["up"]
    ends = block["low"][right], block["high"][right]
    return (*(ends[::-1] if view["right_falls"] else ends), block["low"][up], block["high"][up])


def _draw_wind(axes: Any, view: data.Head, direction: list[float]) -> None:
    """The flow as an arrow at the side from which it comes; a dot towards the viewer, a cross away from it."""
    right = -direction[view["right"]] if view["right_falls"] else direction[view["right"]]
    up, size = direction[view["up"]], min(min(view["pixels"]), 90)
    seen = float(np.hypot(right, up))
    if seen < 0.2:
        to_viewer = view["from_above"] == (direction[view["along"]] > 0)
        place = {"xycoords": "axes pixels", "color": _ARROW, "ha": "center", "va": "center", "fontsize": 18}
        axes.annotate("⊙" if to_viewer else "⊗", (0.3 * size, view["pixels"][1] - 0.3 * size), **place)
        return
    tip = np.array([right, up]) / seen
    half = min(0.5 * n / abs(t) for n, t in zip(view["pixels"], tip) if abs(t) > 1e-9)
    length = min(max(0.3 * half, 40.0), 90.0)
    middle = np.array(view["pixels"]) / 2 - max(0.0, half - 0.5 * length - 8) * tip
    style = {"arrowstyle": "-|>,head_width=0.35,head_length=0.7", "color": _ARROW, "linewidth": 2.4, "shrinkA": 0}
    ends = {"xy": middle + 0.5 * length * tip, "xytext": middle - 0.5 * length * tip}
    axes.annotate("", xycoords="axes pixels", textcoords="axes pixels", arrowprops={**style, "shrinkB": 0}, **ends)


def _head_lines(head: data.Head) -> list[str]:
    cells = " x ".join(str(n) for n in head["cells"])
    box = f"box of {cells} cells"
    if cell := head.get("cell"):
        metres = " x ".join(data.length_text(n * cell, "physical") for n in head["cells"])
        box += f" = {metres}, a cell is {data.length_text(cell, 'physical')}"
    wind = head.get("wind")
    none = "no arrow: neither an inlet nor a force gives the flow a direction"
    return [box, f"arrow: the flow, from {wind['text']}" if wind else none]


def draw_preview(head: data.Head, numbers: data.Floats) -> bytes:
    """The PNG file. numbers: for each view thickness, then light, [height, width] from above; none: no bodies."""
    blocks = head["blocks"]
    sizes = [[view["pixels"] for view in block["views"]] for block in blocks]  # front, side, top
    columns = [max(front[0], 130) for front, _, _ in sizes]
    rows = [_ABOVE + top[1] + _BELOW + _ABOVE + front[1] + _BELOW for front, _, top in sizes]
    width = max(900, *(c + max(s[1][0], 130) + 2 * _LEFT + 40 for c, s in zip(columns, sizes)))
    height = _HEAD + sum(rows) + _FOOT
    with matplotlib.rc_context({"font.size": 11, "axes.edgecolor": "#6e6e6e"}):
        figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI)

        def write(x: float, top: float, text: str, **how: Any) -> None:
            figure.text(x / width, 1 - top / height, text, va="center", color=INK, **how)

        write(24, 26, head["title"][:80], fontsize=14)
        for i, line in enumerate(_head_lines(head)):
            write(24, 54 + 24 * i, line)
        at, top, counts = 0, _HEAD, np.zeros(len(CLASSES), dtype=np.int64)
        for number, (block, column, size) in enumerate(zip(blocks, columns, sizes)):
            second, counts = _LEFT + column + _LEFT, np.zeros(len(CLASSES), dtype=np.int64)
            write(24, top + 8, "The bodies, enlarged" if number else "The box", fontsize=12.5)
            lower = top + _ABOVE + size[2][1] + _BELOW + _ABOVE
            for view, name, x, y in zip(
                block["views"], _NAMES, (_LEFT, second, second), (lower, lower, top + _ABOVE)
            ):
                wide, high = view["pixels"]
                place = (x / width, 1 - (y + high) / height, wide / width, high / height)
                axes = figure.add_axes(place, facecolor=_GROUND)
                span = _span(block, view)
                if numbers.size:
                    shown, some = _pixels(view, numbers[at : at + 2 * wide * high])
                    axes.imshow(shown, extent=span, aspect="auto", interpolation="nearest")
                    at, counts = at + 2 * wide * high, counts + some
                axes.set(xlim=span[:2], ylim=span[2:])
                axes.set_xticks(span[:2] if wide > 100 else [0.5 * (span[0] + span[1])])
                axes.set_yticks(span[2:] if high > 50 else [0.5 * (span[2] + span[3])])
                axes.tick_params(labelsize=10, length=3)
                for one in (axes.xaxis, axes.yaxis):
                    one.set_major_formatter(lambda value, _: f"{round(value, 1):.6g}")
                metres = abs(span[1] - span[0]) * head.get("cell", 0)
                length = f", {data.length_text(metres, 'physical')}" if metres else ""
                axes.set_xlabel(f"{'xyz'[view['right']]} in cells{length}", labelpad=-6 if wide > 300 else 3)
                axes.set_ylabel("xyz"[view["up"]], rotation=0, labelpad=4)
                axes.set_title(name, loc="left", fontsize=11)
                if number == 0 and len(blocks) > 1:
                    left, right, low, up = _span(blocks[1], view)
                    axes.add_patch(Rectangle((left, low), right - left, up - low, fill=False, color=INK))
                if number == 0 and head.get("wind"):
                    _draw_wind(axes, view, head["wind"]["direction"])
            top += rows[number]
        words = "local thickness of the bodies in cells, and its share of what is seen of them:"
        write(24, height - 56, words if numbers.size else "no bodies")
        for i, (_, text, colour) in enumerate(CLASSES if numbers.size else ()):
            x, share = 24 + 168 * i, 100 * counts[i] / max(counts.sum(), 1)
            place = (x / width, 26 / height, 16 / width, 16 / height)
            figure.add_axes(place, facecolor=colour).set(xticks=[], yticks=[])
            write(x + 24, height - 34, f"{text}: {share:.0f} %")
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=DPI)
    return file.getvalue()
