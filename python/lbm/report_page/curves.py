# SPDX-License-Identifier: Apache-2.0
"""Curves over time, with statistics: the monitor, forces on bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lbm.plot.figure import COLOURS, tidy
from lbm.plot.labels import column_label, labelled
from lbm.report_page.drawing import WIDE, as_svg, new_figure
from lbm.report_page.page import Figure, Panel, number, unit_text, with_error
from lbm.report_page.source import Source
from lbm.report_page.statistics import Summary, envelope, settled, summary
from lbm.report_page.tables import readable
from lbm.results import Table
from lbm.results.lazy import Array

_MOST_BODIES = 8
_NEGLIGIBLE = 1e-5  # of the largest component: rounding errors, left out of the table
_STATISTICS = (
    "Mean, standard deviation and autocorrelation time are of the shaded second half of the "
    "record. The autocorrelation time is the time after which the series has forgotten its past: a "
    "record of n such times is worth n independent samples, and the error of the mean is the "
    "standard deviation / √n. No error stands beside the mean of a record of fewer than 20 such "
    "times."
)


def monitor_panel(source: Source) -> Panel:
    """Kinetic energy and largest speed over time."""
    panel = Panel("Flow over time")
    there = (source.path / "monitor.csv").exists()
    tables, notes = readable({"monitor": source.results.monitor} if there else {}, 1)
    if not tables:
        panel.empty = (
            " ".join(notes) or "The case has no output.monitor, which records these curves."
        )
        return panel
    table = tables["monitor"]
    energy = "kinetic_energy" if "kinetic_energy" in table else ""
    for name, words in ((energy, "Mean kinetic energy"), ("speed_max", "Largest speed")):
        if name in table:
            caption = f"{words} of the fluid over time: a line that ends level is a settled flow."
            if name == "speed_max":
                caption = f"{words} anywhere in the fluid over time."
            panel.figures.append(_history(table, [name], caption, wide=False))
    if not panel.figures:
        panel.empty = "monitor.csv has neither kinetic_energy nor speed_max."
    return panel


def forces_panel(source: Source) -> Panel:
    """Force coefficients of each body over time, and their statistics."""
    panel = Panel("Forces on bodies")
    tables, panel.notes = readable(source.results.forces, _MOST_BODIES)
    for name, table in tables.items():
        coefficients = [c for c in ("cx", "cy", "cz") if c in table]
        if coefficients:
            caption = (
                f"Force coefficients of {name}: force / (½ ρ velocity² area), along x, y and z. "
                "The shaded part counts in the statistics."
            )
            panel.figures.append(_history(table, coefficients, caption, shade=True))
        panel.tables.append(_statistics(name, table))
    if tables:
        panel.notes.insert(0, _STATISTICS)
    elif not panel.notes:
        bodies = any(path.startswith("bodies.") for path in source.entries)
        panel.empty = (
            "The run has written no forces."
            if bodies
            else "The case has no bodies: no forces act on any."
        )
    else:
        panel.empty, panel.notes = " ".join(panel.notes), []
    return panel


def _history(
    table: Table, names: Sequence[str], caption: str, wide: bool = True, shade: bool = False
) -> Figure:
    """Columns over time; a start-up peak beyond the rest of the curve is cut off."""
    figure = new_figure(WIDE if wide else WIDE / 2, 2.7)
    ax = figure.subplots()
    times = table["time"]
    for name, colour in zip(names, COLOURS):
        ax.plot(*envelope(times, table[name]), color=colour, label=name)
    kind, unit = column_label(table, names[0])
    ax.set(xlabel=labelled(*column_label(table, "time")), ylabel=labelled(kind, unit) or kind)
    if times[-1] > times[0]:
        ax.set_xlim(times[0], times[-1])
    if shade:
        ax.axvspan((times[0] + times[-1]) / 2, times[-1], color="#1f5fa8", alpha=0.06, lw=0)
    if _limit(ax, times, [table[name] for name in names]):
        caption += " The peak at the start leaves the picture."
    if len(names) > 1:
        ax.legend(ncols=len(names), loc="best")
    tidy(ax)
    return Figure(as_svg(figure), caption, wide)


def _limit(ax: Any, times: Array, curves: Sequence[Array]) -> bool:
    """Limits the vertical axis to the later values where those at the start are far larger."""
    if (limits := later_range(times, curves)) is not None:
        ax.set_ylim(*limits)
    return limits is not None


def later_range(times: Array, curves: Sequence[Array]) -> tuple[float, float] | None:
    """The range of the later values; None: those at the start are not far larger."""
    late = times >= times[0] + 0.1 * (times[-1] - times[0])
    later = np.concatenate([curve[late & np.isfinite(curve)] for curve in curves])
    everything = np.concatenate([curve[np.isfinite(curve)] for curve in curves])
    if not len(later) or not len(everything):
        return None
    low, high = float(later.min()), float(later.max())
    whole = float(everything.max() - everything.min())
    if not (high > low and np.isfinite(whole) and whole > 4 * (high - low)):
        return None
    if abs(high) + abs(low) > whole:  # a start from 0 towards a level: worth seeing
        return None
    margin = 0.25 * (high - low)
    return low - margin, high + margin


_NAMES = {
    "c": "coefficient along",
    "f": "force along",
    "t": "torque about",
    "ct": "torque coefficient about",
}


def _statistics(name: str, table: Table) -> tuple[list[str], list[list[str]], str]:
    """Rows of the components that are no mere rounding errors."""
    rows = []
    times = table["time"]
    late = settled(times)
    found = {
        column: summary(times[late], table[column][late])
        for column in (start + axis for start in _NAMES for axis in "xyz")
        if column in table
    }
    known = {column: one for column, one in found.items() if one is not None}
    for column, one in known.items():
        if not _negligible(column, known):
            words = f"{_NAMES[column[:-1]]} {column[-1]}"
            rows.append(_row(words, column_label(table, column)[1], one, _time_unit(table)))
    names = ["", "Unit", "Mean ± error", "Standard deviation", "Autocorrelation time"]
    names += ["Last value", "State"]
    caption = f"{name}: {len(times):,} samples, {int(late.sum()):,} of them count"
    if caution := caution_of(table):
        caption += f"; {caution}"
    return names, rows, caption


def caution_of(table: Table) -> str:
    """The caution in the head of a table of forces; empty if there is none."""
    start = "caution: "
    found = [text for text in table.comments if text.startswith(start)]
    return found[0][len(start) :] if found else ""


def _negligible(column: str, known: dict[str, Summary]) -> bool:
    """True if a component is tiny beside the others; coefficients are compared where known."""
    coefficient = {"f": "c", "t": "ct"}.get(column[:-1], column[:-1]) + column[-1]
    alike = "c" if coefficient in known else column[:-1]
    column = coefficient if coefficient in known else column
    sizes = {name: abs(one.mean) + one.deviation for name, one in known.items()}
    others = [size for name, size in sizes.items() if name[:-1] == alike]
    return sizes[column] <= _NEGLIGIBLE * max(others, default=0.0)


def _time_unit(table: Table) -> str:
    return column_label(table, "time")[1]


def _row(words: str, unit: str, one: Summary, time: str) -> list[str]:
    correlation = "–"
    if one.correlation is not None:
        correlation = f"{number(one.correlation, 3)} {unit_text(time)}"
    mean = with_error(one.mean, one.error)
    deviation, last = number(one.deviation, 3), number(one.last)
    return [words, unit_text(unit), mean, deviation, correlation, last, one.state]
