# SPDX-License-Identifier: Apache-2.0
"""Probes with their spectra, quantities over time, and profiles beside reference values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from lbm._lbm import Error
from lbm.plot.fields import reference_values
from lbm.plot.figure import COLOURS, tidy
from lbm.plot.labels import column_label, labelled
from lbm.report_page.drawing import WIDE, as_svg, new_figure
from lbm.report_page.page import Figure, Panel, number, power_of_ten, unit_text
from lbm.report_page.source import Source
from lbm.report_page.statistics import Spectrum, envelope, settled, spectrum
from lbm.report_page.tables import readable
from lbm.results import ProbeTable, Table
from lbm.results.lazy import Array

_MOST_PROBES = 6
_MOST_QUANTITIES = 6
_MOST_PLACES = 3
_THIN = 6  # cells across a flow in two dimensions, at most
_MOST_BYTES = 1 << 20  # of a file of reference values
_STILL = 1e-4  # fluctuation over the largest velocity of a probe in steady flow


def probes_panel(source: Source) -> Panel:
    """Velocity at probes over time, and its spectrum."""
    panel = Panel("Probes")
    tables, panel.notes = readable(source.results.probes, _MOST_PROBES)
    for name, table in tables.items():
        try:
            panel.figures.append(_probe(source, name, table))
        except (Error, ValueError, IndexError) as error:
            panel.notes.append(f"Probe {name} is left out: {error}.")
    if panel.figures:
        panel.text.append(
            "Velocity at points of the flow. The spectrum shows which frequencies its fluctuations "
            "have; it is of the second half of the record (Welch's method)."
        )
    else:
        panel.empty = " ".join(panel.notes) or "The case has no probes."
        panel.notes = []
    return panel


def _probe(source: Source, name: str, table: ProbeTable) -> Figure:
    """The component that fluctuates most, at up to three places: over time, and its spectrum."""
    times = table["time"]
    late = settled(times)
    column, some, still = liveliest(table, late)
    figure = new_figure(WIDE, 2.8)
    ax, power = figure.subplots(1, 2, width_ratios=(1.5, 1))
    places = table.places
    peaks = []
    for i, colour in zip(some, COLOURS):
        values = table[f"{column}_{i + 1}"]
        label = place_label(places, i)
        ax.plot(*envelope(times, values), color=colour, label=label)
        found = None if still else spectrum(times[late], values[late])
        if found is not None:
            _draw_spectrum(power, found, colour)
            if found.peak is not None:
                peaks.append((label, found))
    kind, unit = column_label(table, f"{column}_1")
    ax.set(
        xlabel=labelled(*column_label(table, "time")),
        ylabel=labelled(f"velocity {column[-1]}", unit),
    )
    ax.legend(title=f"point in {'m' if source.is_si else 'cells'}", title_fontsize=8, loc="best")
    _finish_spectrum(power, source, "The velocity is steady:\nit has no spectrum." if still else "")
    tidy(ax)
    what = f"Probe {name}: velocity along {column[-1]}, the component that fluctuates most"
    return Figure(as_svg(figure), f"{what}. {_peaks_text(peaks, source)}".strip())


def liveliest(table: ProbeTable, late: Array) -> tuple[str, list[int], bool]:
    """The component of the velocity that fluctuates most, up to three places, and if it is still.

    late: which rows count.
    """
    count = (len(table.columns) - 2) // 4
    some = sorted({round(i) for i in np.linspace(0, count - 1, min(count, _MOST_PLACES))})
    series = {(c, i): table[f"{c}_{i + 1}"] for c in ("ux", "uy", "uz") for i in some}
    spread = {c: max(_spread(series[c, i][late]) for i in some) for c in ("ux", "uy", "uz")}
    column = max(spread, key=lambda c: spread[c])
    size = max((_largest(values[late]) for values in series.values()), default=0.0)
    return column, some, spread[column] <= _STILL * size


def place_label(places: Array, i: int) -> str:
    """`(26, 16, 16)`; its number where the file has no places."""
    known = i < len(places)
    return f"({', '.join(f'{v:g}' for v in places[i])})" if known else f"point {i + 1}"


def _spread(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.std()) if len(finite) else 0.0


def _largest(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(np.abs(finite).max()) if len(finite) else 0.0


def _draw_spectrum(ax: Any, found: Spectrum, colour: str) -> None:
    frequencies, power = binned(found)
    ax.loglog(frequencies, power, color=colour, lw=0.9)
    if found.peak is not None:
        ax.axvline(found.peak, color=colour, lw=0.7, ls=":")


def binned(found: Spectrum) -> tuple[Array, Array]:
    """A spectrum in bins of equal width on a logarithmic axis, the largest value of each."""
    edges = np.geomspace(found.frequencies[0], found.frequencies[-1] * 1.001, 400)
    bins = np.digitize(found.frequencies, edges)
    starts = np.flatnonzero(np.diff(bins, prepend=-1))
    power = np.maximum.reduceat(found.power, starts)
    shown = power > 1e-9 * power.max()
    return found.frequencies[starts][shown], power[shown]


def _finish_spectrum(ax: Any, source: Source, nothing: str) -> None:
    if not ax.lines:
        ax.set_axis_off()
        text = nothing or "The record is too short\nfor a spectrum."
        ax.text(0.5, 0.5, text, ha="center", va="center", color="#55606b", transform=ax.transAxes)
        return
    from matplotlib.ticker import FuncFormatter, NullFormatter

    ax.set(xlabel=labelled("frequency", "Hz" if source.is_si else "U/L"), ylabel="power density")
    for axis in (ax.xaxis, ax.yaxis):  # matplotlib's own labels are mathematics, which is off
        axis.set_major_formatter(FuncFormatter(lambda value, _: power_of_ten(value)))
        axis.set_minor_formatter(NullFormatter())
    tidy(ax)


def _peaks_text(peaks: list[tuple[str, Spectrum]], source: Source) -> str:
    """The frequency that stands out; in SI its Strouhal number, too."""
    if not peaks:
        return ""
    label, found = max(peaks, key=lambda one: float(one[1].power.max()))
    peak = found.peak or 0.0
    frequency = f"At {label} the frequency {number(peak, 3)} ± {number(found.width / 2, 1)}"
    if not source.is_si:
        same = "its Strouhal number (frequency × length / velocity) is the same"
        return f"{frequency} U/L stands out: {same}."
    length = source.units.get("reference length", (0.0, "", 0.0))[0]
    velocity = source.units.get("reference velocity", (0.0, "", 0.0))[0]
    strouhal = f": Strouhal number {number(peak * length / velocity, 3)}" if velocity else ""
    return f"{frequency} Hz stands out{strouhal}."


def quantities_panel(source: Source) -> Panel | None:
    """Named quantities over time; None: there are none."""
    tables, notes = readable(source.results.quantities, _MOST_QUANTITIES)
    panel = Panel("Quantities over time", notes=notes)
    for name, table in tables.items():
        if "value" in table and len(table["time"]) > 2:
            panel.figures.append(_quantity(source, name, table))
    return panel if panel.figures or notes else None


def _quantity(source: Source, name: str, table: Table) -> Figure:
    entries = source.report.get("quantities")
    known = [one for one in entries if isinstance(one, dict)] if isinstance(entries, list) else []
    unit = next((str(one.get("unit") or "") for one in known if one.get("name") == name), "")
    figure = new_figure(WIDE / 2, 2.5)
    ax = figure.subplots()
    ax.plot(*envelope(table["time"], table["value"]), color=COLOURS[0])
    kind = str(source.entries.get(f"quantities.{name}.kind", "")).replace("_", " ")
    ax.set(
        xlabel=labelled(*column_label(table, "time")),
        ylabel=labelled(name, "" if unit == "1" else unit_text(unit)) or name,
    )
    tidy(ax)
    return Figure(as_svg(figure), f"{name}{f' ({kind})' if kind else ''} over time.", wide=False)


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
    ax.set(xlabel=labelled(*column_label(table, axis)) or axis)
    place = labelled(axis, column_label(table, axis)[1])
    ax.set(xlabel=place, ylabel=labelled("velocity", column_label(table, "ux")[1]))
    ax.legend(loc="best")
    tidy(ax)
    beside = ", beside the values that the case expects" if reference else ""
    return Figure(as_svg(figure), f"Along {axis}{beside}.", wide=False)


def _references(source: Source, axis: str) -> dict[str, tuple[Array, Array]]:
    """The reference values of the expectations on a profile, by column."""
    found = {}
    for path, value in source.entries.items():
        start = path.removesuffix(".file")
        if not (path.startswith("expect.") and path.endswith(".file")):
            continue
        column = source.entries.get(f"{start}.column")
        if source.entries.get(f"{start}.profile") == axis and isinstance(column, str):
            values = _numbers(Path(str(value)))
            if values is not None:
                found[column] = values
    return found


def _numbers(path: Path) -> tuple[Array, Array] | None:
    """The first two columns of a CSV file of numbers; None: it is no such file."""
    try:
        if path.suffix == ".csv" and path.is_file() and path.stat().st_size <= _MOST_BYTES:
            return reference_values(path)
    except (OSError, ValueError):
        pass
    return None
