# SPDX-License-Identifier: Apache-2.0
"""The page of a picture: the flow in colours, bodies grey, and around it text, axes, colour bar and scale bar."""

from __future__ import annotations

import io
import math
from typing import Any

import matplotlib
import numpy as np
import numpy.typing as npt
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, ScalarFormatter

from lbm.pictures import data

INK, BODY = "#202020", "#606060"
DPI = 100  # pixels are what counts: it only relates them to points
_DEFAULT_WIDTH, _LEAST_HEIGHT, _MOST_HEIGHT = 1280, 360, 1440
_LEFT, _TOP, _BOTTOM, _RIGHT = 1.5, 3.6, 3.4, 7.0  # margins, in heights of a line of text
STYLE: dict[str, Any] = {"font.family": "DejaVu Sans", "text.parse_math": False, "text.color": INK, "axes.edgecolor": INK}
Limits = tuple[float, float]


def round_step(number: float) -> float:
    """1, 2 or 5 times a power of ten, the smallest that is not below `number` > 0."""
    power = 10.0 ** math.floor(math.log10(number))
    return next(f * power for f in (1.0, 2.0, 5.0, 10.0) if f * power >= number * (1 - 1e-9))


def limits_of(numbers: npt.NDArray[Any], kind: str, before: Limits | None) -> Limits:
    """Round numbers around all but the 0.2 % smallest and largest; those before where they fit.

    They fit where the numbers lie at most 5 % beyond them and fill 40 %, so that a film does not flicker.
    """
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return before or (0.0, 1.0)
    low, high = (float(q) for q in np.quantile(finite, (0.002, 0.998)))
    if kind == "positive":
        low, high = 0.0, max(high, 0.0)
    elif kind == "signed":
        high = max(abs(low), abs(high))
        low = -high
    if before:
        width = before[1] - before[0]
        inside = low >= before[0] - 0.05 * width and high <= before[1] + 0.05 * width
        if inside and high - low >= 0.4 * width:
            return before
    size = max(abs(low), abs(high))
    step = round_step(max(high - low, 1e-5 * size if size else 1e-9) / 10)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    return low, high if high > low else low + step


def text_height(width: int, height: int) -> float:
    """Pixels of a line of text on a page of this size."""
    return min(max(math.sqrt(width * height) / 60, 11.0), 40.0)


class Page:
    """A page whose flow is extent[0] x extent[1] cells large.

    Attributes:
        box: left, low, width and height of the flow, in pixels. colours: of matplotlib. before: limits of the
        picture before this one.
    """

    def __init__(self, head: data.Head, extent: tuple[float, float], before: Limits | None) -> None:
        self.head, self.extent, self.before = head, extent, before
        width, height = head.get("size") or self._default_size()
        self.text = text_height(width, height)
        wide, high = width - (_LEFT + _RIGHT) * self.text, height - (_TOP + _BOTTOM) * self.text
        self.cell = min(wide / extent[0], high / extent[1])
        box = [max(1, round(self.cell * e)) for e in extent]
        self.box = (
            int(_LEFT * self.text + (wide - box[0]) / 2),
            int(_BOTTOM * self.text + (high - box[1]) / 2),
            *box,
        )
        self.size = (width, height)
        kind = data.words_of(head["quantity"])[3]
        name = head.get("colours") or ("coolwarm" if kind == "signed" else "viridis")
        self.colours = matplotlib.colormaps["gray" if name == "grey" else name]
        self.figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI)
        self.axes = self.figure.add_axes(self.share(*self.box), xticks=[], yticks=[])

    def _default_size(self) -> tuple[int, int]:
        """1280 wide, and so high that the cells, which are square, fill it. Even: films want that."""
        height = _DEFAULT_WIDTH
        for _ in range(4):  # the size of the text depends on the height, and the height on that
            text = text_height(_DEFAULT_WIDTH, height)
            wide = _DEFAULT_WIDTH - (_LEFT + _RIGHT) * text
            asked = wide * self.extent[1] / self.extent[0] + (_TOP + _BOTTOM) * text
            height = int(min(max(asked, _LEAST_HEIGHT), _MOST_HEIGHT)) // 2 * 2
        return _DEFAULT_WIDTH, height

    def share(self, left: float, low: float, width: float, height: float) -> tuple[float, float, float, float]:
        """Pixels as shares of the page."""
        return left / self.size[0], low / self.size[1], width / self.size[0], height / self.size[1]

    def limits(self, numbers: npt.NDArray[Any]) -> Limits:
        """The numbers at both ends of the colours."""
        if given := self.head.get("range"):
            return float(given[0]), float(given[1])
        return limits_of(numbers, data.words_of(self.head["quantity"])[3], self.before)

    def finish(self, limits: Limits, arrows: list[tuple[float, float, str]]) -> bytes:
        """Draws what is around the flow; returns the PNG file. arrows: axes to the right and upwards, 1 long."""
        self._colour_bar(limits)
        self._scale_bar()
        self._arrows(arrows)
        left, top, right = _LEFT * self.text, self.size[1] - 1.1 * self.text, self.size[0] - 0.7 * self.text
        time, title = data.time_text(self.head), self.head["title"]
        room = int((right - left) / (0.68 * self.text)) - len(time)
        self._write(right, top, time, ha="right")
        self._write(left, top, title if len(title) <= room else title[: max(room, 3)] + "…")
        self._write(left, top - 1.4 * self.text, data.place_text(self.head))
        file = io.BytesIO()
        kept = {"Software": "lbm", "Comment": f"lbm limits {limits[0]!r} {limits[1]!r}"}
        self.figure.savefig(file, format="png", dpi=DPI, metadata=kept, pil_kwargs={"compress_level": 3})
        return file.getvalue()

    def _write(self, x: float, y: float, text: str, ha: str = "left", va: str = "center") -> None:
        points = 1.04 * self.text * 72 / DPI
        self.figure.text(x / self.size[0], y / self.size[1], text, ha=ha, va=va, fontsize=points)

    def _colour_bar(self, limits: Limits) -> None:
        left, low, width, height = self.box
        text, points = self.text, 1.04 * self.text * 72 / DPI
        high = max(height, min(self.size[1] - (_TOP + _BOTTOM) * text, 9 * text))
        low += (height - high) / 2
        beside = self.figure.add_axes(self.share(left + width + 1.2 * text, low, 1.1 * text, high))
        shown = ScalarMappable(Normalize(*limits), self.colours)
        bar = self.figure.colorbar(shown, cax=beside)
        bar.locator = MaxNLocator(min(max(int(high / (2.5 * text)), 2), 9) - 1, steps=[1, 2, 5, 10])
        bar.formatter = ScalarFormatter(useOffset=False)
        bar.update_ticks()
        beside.tick_params(labelsize=points, length=0.3 * text * 72 / DPI, color=INK, labelcolor=INK)
        label = data.number_text(self.head)
        start = min(left + width + 1.2 * text, self.size[0] - 0.7 * text - 0.62 * text * len(label))
        self._write(start, low + high + 0.8 * text, label)

    def _line(self, x: tuple[float, ...], y: tuple[float, ...], width: float) -> None:
        shares = [v / self.size[0] for v in x], [v / self.size[1] for v in y]
        self.figure.add_artist(Line2D(*shares, color=INK, linewidth=width * 72 / DPI, solid_capstyle="butt"))

    def _scale_bar(self) -> None:
        left, low, width, _ = self.box
        pixel = self.head["cell"] / self.cell  # length of a pixel
        length = round_step(0.25 * width * pixel)
        while length > 0.3 * width * pixel:
            length = round_step(length * 0.4)
        right, y, end = left + width, low - 1.1 * self.text, 0.25 * self.text
        start = right - length / pixel
        self._line((start, right), (y, y), max(2.0, self.text / 6))
        for x in (start, right):
            self._line((x, x), (y - end, y + end), max(1.0, self.text / 12))
        self._write((start + right) / 2, y - 1.1 * self.text, data.length_text(length, self.head["units"]), ha="center")

    def _arrows(self, arrows: list[tuple[float, float, str]]) -> None:
        """Axes with their letters, below the left corner of the flow."""
        length = 1.4 * self.text
        x = self.box[0] - min(0.0, *(a[0] for a in arrows)) * length + 0.5
        y = self.box[1] - 2.75 * self.text - min(0.0, *(a[1] for a in arrows)) * length
        for right, up, letter in arrows:
            seen = math.hypot(right, up)
            if seen < 0.15:  # points at the viewer
                continue
            tip_x, tip_y = x + right * length, y + up * length
            head, thick = 0.35 * self.text / seen, max(1.0, self.text / 10)
            self._line((x, tip_x), (y, tip_y), thick)
            for side in (-0.5, 0.5):
                back_x, back_y = right + side * up, up - side * right
                self._line((tip_x, tip_x - head * back_x), (tip_y, tip_y - head * back_y), thick)
            away = 0.6 * self.text / seen
            self._write(tip_x + away * right, tip_y + away * up, letter, ha="center")


def filled(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Cells without a number beside others have the mean of these: colours between cells end at bodies."""
    known = np.isfinite(values)
    windows = np.lib.stride_tricks.sliding_window_view
    sums = windows(np.pad(np.where(known, values, 0), 1), (3, 3)).sum(axis=(2, 3))
    counts = windows(np.pad(known, 1), (3, 3)).sum(axis=(2, 3))
    return np.where(known, values, sums / np.maximum(counts, 1))


def draw_plane(head: data.Head, numbers: data.Floats, before: Limits | None) -> bytes:
    """The PNG file of a slice or projection."""
    axes = [a for a in range(3) if a != head["normal"]]
    width, height = (head["cells"][a] for a in axes)
    values = data.in_units(numbers.reshape(height, width).astype(np.float64), head)
    page = Page(head, (width, height), before)
    limits = page.limits(values)
    how = "bilinear" if page.cell >= 1 else "hanning"
    place: dict[str, Any] = {"origin": "lower", "extent": (0, width, 0, height), "aspect": "auto"}
    page.axes.imshow(filled(values), cmap=page.colours, vmin=limits[0], vmax=limits[1], interpolation=how, **place)
    bodies = np.zeros((height, width, 4))
    bodies[..., :3] = int(BODY[1:3], 16) / 255
    bodies[..., 3] = ~np.isfinite(values)
    page.axes.imshow(bodies, interpolation="nearest" if page.cell >= 1 else "hanning", **place)
    return page.finish(limits, [(1, 0, "xyz"[axes[0]]), (0, 1, "xyz"[axes[1]])])
