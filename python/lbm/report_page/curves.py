# SPDX-License-Identifier: Apache-2.0
"""The panels of tables: monitor, forces, probes, quantities, profiles beside reference values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from lbm._lbm import Error
from lbm.plot.fields import reference_values
from lbm.plot.figure import COLOURS, tidy
from lbm.plot.labels import column_label, labelled
from lbm.report_page import charts
from lbm.report_page.charts import Chart
from lbm.report_page.page import (
    WIDE, Figure, Panel, data_uri, dicts, new_figure, number, power_of_ten, unit_text, with_error,
)  # fmt: skip
from lbm.report_page.source import Source
from lbm.report_page.statistics import Summary, envelope, settled, summary
from lbm.results import ProbeTable, Table
from lbm.results.lazy import Array

T = TypeVar("T", bound=Table)

_MOST_BYTES = 512 << 20  # of a table: reading one takes about six times its size in memory
_MOST = 8  # bodies, probes, quantities
_POINTS = 1000  # parts of a curve; each shows its smallest and largest value: no peak is lost
_THIN = 6  # cells across a flow in two dimensions, at most
_MOST_REFERENCE = 1 << 20  # bytes of a file of reference values
_STATISTICS = (
    "Mean, standard deviation and autocorrelation time are of the shaded second half of the "
    "record. The autocorrelation time is the time after which the series has forgotten its past: a "
    "record of n such times is worth n independent samples, and the error of the mean is the "
    "standard deviation / √n. No error stands beside the mean of a record of fewer than 20 such "
    "times."
)
_SPECTRUM = (
    "Velocity at points of the flow. The spectrum shows which frequencies its fluctuations have; "
    "it is of the second half of the record (Welch's method)."
)
_NO_MONITOR = "The case has no output.monitor, which records these curves."


def monitor_panel(source: Source) -> Panel:
    """Kinetic energy and largest speed over time."""
    panel = Panel("Flow over time")
    there = (source.path / "monitor.csv").exists()
    tables = {"monitor": source.results.monitor} if there else {}

    def draw(_: str, table: Table) -> None:
        panel.figures += [_drawn(one, wide=False) for one in charts.monitor_charts(table, _POINTS)]

    return _filled(panel, tables, draw, "" if there else _NO_MONITOR)


def forces_panel(source: Source) -> Panel:
    """Force coefficients of each body over time, and their statistics."""
    panel = Panel("Forces on bodies", text=[_STATISTICS])

    def draw(name: str, table: Table) -> None:
        if (chart := charts.force_chart(name, table, _POINTS)) is not None:
            panel.figures.append(_drawn(chart))
        panel.tables.append(_statistics(name, table))

    bodies = any(path.startswith("bodies.") for path in source.entries)
    none = "The case has no bodies: no forces act on any."
    return _filled(
        panel, source.results.forces, draw, "The run has written no forces." if bodies else none
    )


def probes_panel(source: Source) -> Panel:
    """Velocity at probes over time, and its spectrum."""
    panel = Panel("Probes", text=[_SPECTRUM])
    length, velocity = (
        source.units.get(name, (0.0, "", 0.0))[0]
        for name in ("reference length", "reference velocity")
    )
    strouhal = length / velocity if source.is_si and velocity else 0.0

    def draw(name: str, table: ProbeTable) -> None:
        both = charts.probe_charts(name, table, _POINTS, len(table["time"]), strouhal)
        panel.figures.append(_drawn(*both))

    return _filled(panel, source.results.probes, draw, "The case has no probes.")


def quantities_panel(source: Source) -> Panel | None:
    """Named quantities over time; None: there are none."""
    panel = Panel("Quantities over time")
    units = {one.get("name"): one.get("unit") for one in dicts(source.report.get("quantities"))}

    def draw(name: str, table: Table) -> None:
        if "value" in table and len(table["time"]) > 2:
            unit = str(units.get(name) or "1")
            chart = charts.quantity_chart(name, table, "" if unit == "1" else unit, _POINTS)
            kind = str(source.entries.get(f"quantities.{name}.kind", "")).replace("_", " ")
            chart.words = f"{kind.capitalize()}." if kind else ""
            panel.figures.append(_drawn(chart, wide=False))

    panel = _filled(panel, source.results.quantities, draw, "")
    return panel if panel.figures or panel.empty else None


def _filled(
    panel: Panel, tables: Mapping[str, T], draw: Callable[[str, T], None], none: str
) -> Panel:
    """Draws the first tables. none: why there is no table. A sentence says what is left out."""
    names = list(tables)
    for name in names[:_MOST]:
        table = tables[name]
        try:
            size = table.path.stat().st_size
            if size > _MOST_BYTES:
                raise ValueError(f"its {size / 1e9:.1f} GB are too much for a page")
            if "time" not in table.columns or not len(table["time"]):
                raise ValueError("it has no row yet")
            if not np.isfinite(table["time"]).all():
                raise ValueError("its times are not finite")
            draw(name, table)
        except (Error, OSError, ValueError, IndexError) as error:
            panel.notes.append(f"{table.path.name} is left out: {str(error).rstrip('.')}.")
    if len(names) > _MOST:
        panel.notes.append(f"{len(names) - _MOST} more are not shown.")
    if not panel.figures and not panel.tables:
        panel.empty, panel.notes = " ".join(panel.notes) or none, []
    return panel


def _drawn(chart: Chart, power: Chart | None = None, wide: bool = True) -> Figure:
    """A chart as a picture, beside its spectrum if there is one."""
    figure = new_figure(WIDE if wide else WIDE / 2, 2.7)
    words = f"{chart.title}. {chart.words} {power.words if power else ''}".strip()
    if power is None or not power.lines:
        _draw(figure.subplots(), chart)
    else:
        left, right = figure.subplots(1, 2, width_ratios=(1.5, 1))
        _draw(left, chart)
        _draw(right, power)
    return Figure(data_uri(figure, "svg"), words, wide)


def _draw(ax: Any, chart: Chart) -> None:
    for (name, x, y), colour in zip(chart.lines, COLOURS):
        ax.plot(x, y, color=colour, label=name)
    for mark, colour in zip(chart.marks, COLOURS):
        if mark is not None:
            ax.axvline(mark, color=colour, lw=0.7, ls=":")
    ax.set(xlabel=chart.x, ylabel=chart.y)
    if chart.logarithmic:
        ax.set(xscale="log", yscale="log")
        for axis in (ax.xaxis, ax.yaxis):  # matplotlib's own labels are mathematics, which is off
            axis.set_major_formatter(lambda value, _: power_of_ten(value))
            axis.set_minor_formatter(lambda value, _: "")
    else:
        first, last = chart.lines[0][1][[0, -1]]
        ax.set(xlim=(first, last) if last > first else None, ylim=chart.limits)
    if chart.counts:
        ax.axvspan(*chart.counts, color="#1f5fa8", alpha=0.06, lw=0)
    if len(chart.lines) > 1:
        ax.legend(ncols=len(chart.lines), loc="best")
    tidy(ax)


_NAMES = {
    "c": "coefficient along",
    "f": "force along",
    "t": "torque about",
    "ct": "torque coefficient about",
}


def _statistics(name: str, table: Table) -> tuple[list[str], list[list[str]], str]:
    """Rows of the components that are no mere rounding errors."""
    times = table["time"]
    late = settled(times)
    found = {
        column: summary(times[late], table[column][late])
        for column in (start + axis for start in _NAMES for axis in "xyz")
        if column in table
    }
    known = {column: one for column, one in found.items() if one is not None}
    rows = [_row(table, c, one) for c, one in known.items() if not _negligible(c, known)]
    names = ["", "Unit", "Mean ± error", "Standard deviation", "Autocorrelation time"]
    names += ["Last value", "State"]
    caption = f"{name}: {len(times):,} samples, {int(late.sum()):,} of them count"
    if caution := charts.caution_of(table):
        caption += f"; {caution}"
    return names, rows, caption


def _negligible(column: str, known: dict[str, Summary]) -> bool:
    """True if a component is tiny beside the others; coefficients are compared where known."""
    coefficient = {"f": "c", "t": "ct"}.get(column[:-1], column[:-1]) + column[-1]
    alike = "c" if coefficient in known else column[:-1]
    column = coefficient if coefficient in known else column
    sizes = {name: abs(one.mean) + one.deviation for name, one in known.items()}
    others = [size for name, size in sizes.items() if name[:-1] == alike]
    return sizes[column] <= charts.NEGLIGIBLE * max(others, default=0.0)


def _row(table: Table, column: str, one: Summary) -> list[str]:
    unit, time = (unit_text(column_label(table, name)[1]) for name in (column, "time"))
    correlation = "–" if one.correlation is None else f"{number(one.correlation, 3)} {time}"
    mean, deviation = with_error(one.mean, one.error), number(one.deviation, 3)
    words = f"{_NAMES[column[:-1]]} {column[-1]}"
    return [words, unit, mean, deviation, correlation, number(one.last), one.state]


def profiles_panel(source: Source) -> Panel | None:
    """Velocity along the centre lines, and values that the case expects; None: no profile."""
    try:
        profiles = {axis: table for axis, table in source.results.profiles.items() if axis in "xyz"}
    except Error:
        return None
    panel = Panel("Profiles")
    for axis, table in profiles.items():
        try:
            if axis in table and len(table[axis]) > _THIN:
                panel.figures.append(_profile(source, axis, table))
        except (Error, OSError, ValueError) as error:
            panel.notes.append(f"The profile along {axis} is left out: {error}.")
    if not panel.figures and not panel.notes:
        return None
    panel.text.append("Velocity along lines through the middle of the box, at the end of the run.")
    return panel


def _profile(source: Source, axis: str, table: Table) -> Figure:
    figure = new_figure(WIDE / 2, 2.7)
    ax = figure.subplots()
    reference = _references(source, axis)
    for name, colour in zip(("ux", "uy", "uz"), COLOURS):
        if name in table:
            ax.plot(*envelope(table[axis], table[name]), color=colour, label=name)
        if name in reference:
            how: dict[str, Any] = {"ls": "", "marker": "o", "ms": 4, "fillstyle": "none"}
            ax.plot(*reference[name], color=colour, label=f"{name}, expected", **how)
    place, unit = labelled(axis, column_label(table, axis)[1]), column_label(table, "ux")[1]
    ax.set(xlabel=place, ylabel=labelled("velocity", unit))
    ax.legend(loc="best")
    tidy(ax)
    beside = ", beside the values that the case expects" if reference else ""
    return Figure(data_uri(figure, "svg"), f"Along {axis}{beside}.", wide=False)


def _references(source: Source, axis: str) -> dict[str, tuple[Array, Array]]:
    """The reference values of the expectations on a profile, by column: CSV files of numbers."""
    found = {}
    for path, value in source.entries.items():
        start, file = path.removesuffix(".file"), Path(str(value))
        if not (path.startswith("expect.") and path.endswith(".file")):
            continue
        column = source.entries.get(f"{start}.column")
        if source.entries.get(f"{start}.profile") != axis or not isinstance(column, str):
            continue
        try:
            small = file.is_file() and file.stat().st_size <= _MOST_REFERENCE
            if file.suffix == ".csv" and small:
                found[column] = reference_values(file)
        except (OSError, ValueError):
            continue
    return found
