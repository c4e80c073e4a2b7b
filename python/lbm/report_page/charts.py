# SPDX-License-Identifier: Apache-2.0
"""Charts of the tables of a run, as data: the report draws them, and so does the live page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lbm.plot.labels import column_label, labelled
from lbm.report_page.page import number, with_error
from lbm.report_page.statistics import Spectrum, envelope, settled, spectrum, summary
from lbm.results import ProbeTable, Table
from lbm.results.lazy import Array

NEGLIGIBLE = 1e-5  # of the largest component of a force: rounding errors, left out
_MOST_PLACES = 3
_STILL = 1e-4  # fluctuation over the largest velocity of a probe in steady flow
_MONITOR = {
    "kinetic_energy": ("Kinetic energy", "A line that ends level is a settled flow."),
    "speed_max": ("Largest speed", "Anywhere in the fluid."),
}


@dataclass
class Chart:
    """Curves with what is said about them.

    x, y: labels of the axes. lines: name, places and values of each; few points, with all peaks.
    limits: of y, where a peak at the start would dwarf the rest. counts: the range of x whose samples
    count in statistics. logarithmic: both axes. marks: frequencies that stand out, one a line.
    """

    title: str
    words: str
    x: str
    y: str
    lines: list[tuple[str, Array, Array]]
    limits: tuple[float, float] | None = None
    counts: tuple[float, float] | None = None
    logarithmic: bool = False
    marks: Sequence[float | None] = ()
    caution: str = ""


def over_time(
    table: Table, columns: dict[str, str], title: str, words: str, y: str, points: int
) -> Chart:
    """columns: names of columns, and of their curves. points: parts of a curve."""
    times = table["time"]
    lines = [(name, *envelope(times, table[c], points)) for c, name in columns.items()]
    limits = later_range(times, [table[column] for column in columns])
    words += " The peak at the start leaves the picture." if limits else ""
    caution = caution_of(table)
    x = labelled(*column_label(table, "time"))
    return Chart(title, words, x, y, lines, limits=limits, caution=caution)


def monitor_charts(table: Table, points: int) -> list[Chart]:
    """Kinetic energy and largest speed."""
    return [
        over_time(table, {column: title}, title, words, y, points)
        for column, (title, words) in _MONITOR.items()
        if column in table and (y := labelled(*column_label(table, column)))
    ]


def force_chart(name: str, table: Table, points: int) -> Chart | None:
    """Force coefficients of a body, with their means; None: the table has none."""
    columns = {c: f"along {c[1]}" for c in ("cx", "cy", "cz") if c in table}
    if not columns:
        return None
    times = table["time"]
    late = settled(times)
    found = {c: summary(times[late], table[c][late]) for c in columns}
    sizes = {c: abs(one.mean) + one.deviation for c, one in found.items() if one}
    means = ", ".join(
        f"{c[1]} {with_error(one.mean, one.error)}"
        for c, one in found.items()
        if one and sizes[c] > NEGLIGIBLE * max(sizes.values())
    )
    words = f"Coefficient: force / (½ ρ velocity² area). Mean over the shaded second half: {means}."
    chart = over_time(table, columns, f"Force on {name}", words, "force coefficient", points)
    chart.counts = float(times[0] + times[-1]) / 2, float(times[-1])
    return chart


def quantity_chart(name: str, table: Table, unit: str, points: int) -> Chart:
    """A named quantity."""
    return over_time(table, {"value": name}, name, "", labelled(name, unit) or name, points)


def probe_charts(
    name: str, table: ProbeTable, points: int, most_rows: int, strouhal: float = 0.0
) -> tuple[Chart, Chart]:
    """The component of the velocity that fluctuates most, over time, and its spectrum.

    most_rows: the last ones, that the spectrum is of. strouhal: length / velocity; 0: not known.
    """
    times = table["time"]
    column, some, still = liveliest(table, late := settled(times))
    columns = {f"{column}_{i + 1}": place_label(table.places, i) for i in some}
    si = column_label(table, "time")[1] == "s"
    words = f"Velocity along {column[1]}, the component that fluctuates most, at "
    words += f"{', '.join(columns.values())} {'m' if si else 'cells'}."
    y = labelled(f"velocity {column[1]}", column_label(table, f"{column}_1")[1])
    history = over_time(table, columns, f"Probe {name}", words, y, points)
    unit = "Hz" if si else "U/L"
    rows = np.flatnonzero(late)[-most_rows:]
    spectra = {} if still else {c: spectrum(times[rows], table[c][rows]) for c in columns}
    known = {columns[c]: found for c, found in spectra.items() if found is not None}
    words = "No spectrum: the velocity is steady, or the record has fewer than 128 samples."
    if peaks := [(found.power.max(), at) for at, found in known.items() if found.peak is not None]:
        _, at = max(peaks)
        peak, error = known[at].peak or 0.0, number(known[at].width / 2, 1)
        words = f"At {at} the frequency {number(peak, 3)} ± {error} {unit} stands out"
        words += f": Strouhal number {number(peak * strouhal, 3)}." if strouhal else "."
    elif known:
        words = "Which frequencies its fluctuations have."
    lines = [(at, *binned(found)) for at, found in known.items()]
    power = Chart(
        f"Spectrum of probe {name}", words, labelled("frequency", unit), "power density", lines
    )
    power.logarithmic, power.marks = True, [found.peak for found in known.values()]
    return history, power


def liveliest(table: ProbeTable, late: Array) -> tuple[str, list[int], bool]:
    """The component of the velocity that fluctuates most, up to three places, and if it is still.

    late: which rows count.
    """
    count = (len(table.columns) - 2) // 4
    some = sorted({round(i) for i in np.linspace(0, count - 1, min(count, _MOST_PLACES))})
    spread, largest = {}, 0.0
    for component in ("ux", "uy", "uz"):
        values = np.stack([table[f"{component}_{i + 1}"][late] for i in some])
        known = np.ma.masked_invalid(values)
        spread[component] = float(known.std(axis=1).filled(0).max(initial=0))
        largest = max(largest, float(np.abs(known).filled(0).max(initial=0)))
    column = max(spread, key=lambda c: spread[c])
    return column, some, spread[column] <= _STILL * largest


def place_label(places: Array, i: int) -> str:
    """`(26, 16, 16)`; its number where the file has no places."""
    known = i < len(places)
    return f"({', '.join(f'{v:g}' for v in places[i])})" if known else f"point {i + 1}"


def binned(found: Spectrum) -> tuple[Array, Array]:
    """A spectrum in bins of equal width on a logarithmic axis, the largest value of each."""
    edges = np.geomspace(found.frequencies[0], found.frequencies[-1] * 1.001, 400)
    bins = np.digitize(found.frequencies, edges)
    starts = np.flatnonzero(np.diff(bins, prepend=-1))
    power = np.maximum.reduceat(found.power, starts)
    shown = power > 1e-9 * power.max()
    return found.frequencies[starts][shown], power[shown]


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


def caution_of(table: Table) -> str:
    """The caution in the head of a table of forces; empty if there is none."""
    start = "caution: "
    found = [text for text in table.comments if text.startswith(start)]
    return found[0][len(start) :] if found else ""
