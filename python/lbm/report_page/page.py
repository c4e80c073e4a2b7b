# SPDX-License-Identifier: Apache-2.0
"""The parts of a page: panels, figures of matplotlib as data URIs, and numbers as text."""

from __future__ import annotations

import base64
import io
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lbm.results.errors import need

WIDE = 10.0  # inches: the width of the page


@dataclass(frozen=True)
class Figure:
    """A picture. data: its data URI; wide: it takes the whole width of the page."""

    data: str
    caption: str
    wide: bool = True


@dataclass
class Panel:
    """A section of the page. empty: why there is nothing in it, one sentence.

    tables: names of columns, rows, caption.
    """

    title: str
    text: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    html: str = ""  # of a template
    tables: list[tuple[list[str], list[list[str]], str]] = field(default_factory=list)
    folded: list[tuple[str, str]] = field(default_factory=list)  # summary, text as it stands
    notes: list[str] = field(default_factory=list)  # below figures and tables
    empty: str = ""

    @property
    def anchor(self) -> str:
        """The name of the panel in links."""
        return "".join(c if c.isalnum() else "-" for c in self.title.lower())


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


def data_uri(figure: Any, kind: str) -> str:
    """The data URI of a figure, "png" or "svg". A browser runs no script of an SVG in an <img>."""
    file = io.BytesIO()
    kept = {"Software": None} if kind == "png" else {"Date": None, "Creator": "lbm"}
    figure.savefig(file, format=kind, dpi=150, metadata=kept)
    mime = {"png": "image/png", "svg": "image/svg+xml"}[kind]
    return f"data:{mime};base64,{base64.b64encode(file.getvalue()).decode()}"


def finite(value: Any) -> float | None:
    """A number of a JSON file; None for all else, and for nan and infinities."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def number(value: Any, digits: int = 4) -> str:
    """A number for a reader: 0.01234, 1.43 x 10^-6 with raised digits, 32,768; else a dash."""
    known = finite(value)
    if known is None:
        return "–"
    if known == int(known) and abs(known) < 1e15:
        return f"{int(known):,}".replace("-", "−")
    if 10**digits <= abs(known) < 1e9:
        return f"{known:,.0f}".replace("-", "−")
    text = f"{known:.{digits}g}"
    if "e" in text:
        mantissa, _, power = text.partition("e")
        raised = f"10{str(int(power)).translate(_RAISED)}"
        return (raised if mantissa == "1" else f"{mantissa}{NO_BREAK}×{NO_BREAK}{raised}").replace(
            "-", "−"
        )
    return text.replace("-", "−")


NO_BREAK = "\u00a0"  # a space at which no line ends
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(value: float) -> str:
    """The label of a logarithmic axis: 0.01 ... 100 as they are, others as powers of 10."""
    power = round(math.log10(value)) if value > 0 else 0
    return f"{value:g}" if -2 <= power <= 2 else f"10{str(power).translate(_RAISED)}"


def with_error(value: Any, error: Any) -> str:
    """`0.3012 ± 0.0027`: as many digits as the error needs; without an error the value alone."""
    known, spread = finite(value), finite(error)
    if known is None or spread is None or spread <= 0:
        return number(value)
    larger = max(abs(known), spread)
    digits = math.floor(math.log10(larger)) - math.floor(math.log10(spread)) + 2
    return f"{number(known, min(digits, 9))} ± {number(spread, 2)}"


def size(count: Any) -> str:
    """Bytes: `2.8 MiB`."""
    known = finite(count)
    if known is None:
        return "–"
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if known < 1024 or unit == "TiB":
            break
        known /= 1024
    return f"{known:.0f} {unit}" if unit == "bytes" else f"{known:.3g} {unit}"


def duration(seconds: Any) -> str:
    """`6.2 s`, `4 min 26 s`, `3 h 5 min`."""
    known = finite(seconds)
    if known is None:
        return "–"
    if known < 60:
        return f"{known:.2g} s" if known < 1 else f"{known:.3g} s"
    whole = round(known)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def unit_text(unit: Any) -> str:
    """`rho0 U^2` as ρ₀ U²."""
    if not isinstance(unit, str):
        return ""
    text = re.sub(r"\^([-\d]+)", lambda found: found[1].translate(_RAISED), unit)
    return text.replace("rho0", "ρ₀").replace(" ", NO_BREAK)


def value_text(value: Any) -> str:
    """A value of a case: (0, 0, 1)."""
    if isinstance(value, (list, tuple)):
        return f"({', '.join(value_text(one) for one in value)})"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, 6) if finite(value) is not None else str(value)


def dicts(found: object) -> list[dict[str, Any]]:
    """The JSON objects of a list; empty for all else."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
