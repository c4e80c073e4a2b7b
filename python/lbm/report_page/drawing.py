# SPDX-License-Identifier: Apache-2.0
"""Figures of matplotlib as data URIs. No text of a case is read as mathematics (`$`)."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lbm.results.errors import need

_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "axes.titlesize": 9.0,
    "axes.labelsize": 9.0,
    "axes.edgecolor": "#8a94a0",
    "axes.labelcolor": "#28323c",
    "axes.linewidth": 0.7,
    "xtick.color": "#55606b",
    "ytick.color": "#55606b",
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    "lines.linewidth": 1.2,
    "text.parse_math": False,
    "axes.formatter.use_mathtext": False,
    "axes.formatter.limits": (-3, 5),
    "axes.unicode_minus": True,
    "agg.path.chunksize": 10000,
    "svg.hashsalt": "lbm",
    "svg.fonttype": "path",
    "image.interpolation": "antialiased",
}
WIDE = 10.0  # inches: the width of the page


@contextmanager
def style() -> Iterator[None]:
    """The look of all figures of a page."""
    matplotlib: Any = need("matplotlib", "matplotlib", "a report")
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, "backend": "agg", **_STYLE}):
        yield


def new_figure(width: float, height: float) -> Any:
    """A figure of so many inches that no window knows."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def as_png(figure: Any) -> str:
    """The data URI of a picture of pixels."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=150, metadata={"Software": None})
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


def as_svg(figure: Any) -> str:
    """The data URI of a picture of lines. A browser runs no script of an SVG in an <img>."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": "lbm"})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
