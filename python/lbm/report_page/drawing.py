# SPDX-License-Identifier: Apache-2.0
"""Figures of matplotlib as data URIs."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lbm.results.errors import need

WIDE = 10.0  # inches: the width of the page


@contextmanager
def style() -> Iterator[None]:
    """The look of all figures of a page."""
    matplotlib: Any = need("matplotlib", "matplotlib", "a report")
    known = matplotlib.rc_params_from_file(Path(__file__).parent / "templates/report.mplstyle")
    with matplotlib.rc_context({**known, "backend": "agg"}):
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
