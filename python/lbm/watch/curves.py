# SPDX-License-Identifier: Apache-2.0
"""Curves over time as plain data: monitor, forces, probes with spectra, quantities.

A curve has so few points that a page draws it at once; no peak is lost, as each part of the record
shows its smallest and its largest value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lbm._lbm import Error
from lbm.plot.labels import column_label, labelled
from lbm.report_page.curves import caution_of, later_range
from lbm.report_page.lines import binned, liveliest, place_label
from lbm.report_page.page import finite, number, with_error
from lbm.report_page.statistics import envelope, settled, spectrum, summary
from lbm.results.lazy import Array
from lbm.watch import files
from lbm.watch.tables import NO_ROW, ProbeTable, Table, Tables, UnreadableError

MOST_OF_A_KIND = 8  # bodies, probes, quantities
_MOST_POINTS = 400  # parts of a curve, of which each has two points
_LATE_ROWS = 1 << 18  # rows of a record, the last ones, that a spectrum is of

Chart = dict[str, Any]
Panel = dict[str, Any]


def curves(directory: Path, tables: Tables) -> dict[str, Any]:
    """Panels: their charts, and a sentence for each table that is left out."""
    there = files.names(directory)

    def made(start: str, kind: type[Any], make: Callable[[str, Any], list[Chart]]) -> Panel:
        charts: list[Chart] = []
        notes: list[str] = []
        found = [n for n in there if n.startswith(start) and n.endswith(".csv")]
        for name in found[:MOST_OF_A_KIND]:
            shown = name.removeprefix(start).removesuffix(".csv").lstrip("_") or name
            try:
                table, cut = tables.table(directory / name, kind)
                if not len(table["time"]):
                    raise UnreadableError(NO_ROW)
                if not np.isfinite(table["time"]).all():
                    raise UnreadableError("its times are not finite")
                charts += make(shown, table)
                if cut:
                    notes.append(f"{name} is long: its last part is shown.")
            except (UnreadableError, Error, ValueError, IndexError) as error:
                notes.append(f"{name} is not shown: {str(error)[:200].rstrip('.')}.")
        if len(found) > MOST_OF_A_KIND:
            notes.append(f"{len(found) - MOST_OF_A_KIND} more files {start}….csv are not shown.")
        return {"charts": charts, "notes": notes}

    return {
        "monitor": made("monitor", Table, _monitor),
        "forces": made("forces_", Table, _forces),
        "probes": made("probe_", ProbeTable, _probe),
        "quantities": made("quantity_", Table, _quantity),
    }


def _line(name: str, x: Array, y: Array) -> dict[str, Any]:
    return {"name": name, "x": plain(x), "y": plain(y)}


def plain(values: Array) -> list[float | None]:
    """Numbers for JSON, of seven digits: None in place of nan and infinities."""
    return [float(f"{v:.7g}") if np.isfinite(v) else None for v in np.asarray(values, np.float64)]


def _chart(
    title: str, table: Table, columns: Sequence[tuple[str, str]], label: str, words: str = ""
) -> Chart:
    """columns: (name of a column, name of its curve)."""
    times = table["time"]
    lines = [
        _line(name, *envelope(times, table[column], _MOST_POINTS)) for column, name in columns
    ]
    limits = later_range(times, [table[column] for column, _ in columns])
    return {
        "title": title,
        "words": words,
        "x": labelled(*column_label(table, "time")),
        "y": label,
        "lines": lines,
        "limits": list(limits) if limits else None,
        "log": False,
        "half": False,
    }


def _monitor(_: str, table: Table) -> list[Chart]:
    found = []
    for column, title, words in (
        ("kinetic_energy", "Kinetic energy", "Mean over the fluid. Level: the flow has settled."),
        ("speed_max", "Largest speed", "Anywhere in the fluid."),
    ):
        if column in table:
            kind, unit = column_label(table, column)
            found.append(_chart(title, table, [(column, title)], labelled(kind, unit), words))
    if not found:
        raise UnreadableError("it has neither kinetic_energy nor speed_max")
    return found


def _forces(name: str, table: Table) -> list[Chart]:
    columns = [(c, f"along {c[1]}") for c in ("cx", "cy", "cz") if c in table]
    if not columns:
        raise UnreadableError("it has no coefficients")
    words = "Force / (½ ρ U² A). Mean over the second half of the record (shaded):"
    times, means = table["time"], []
    late = settled(times)
    for column, _ in columns:
        one = summary(times[late], table[column][late])
        if one is not None:
            means.append(f" {column[1]} {with_error(one.mean, one.error)}")
    chart = _chart(f"Force on {name}", table, columns, "force coefficient", "")
    chart["words"] = f"{words}{','.join(means)}." if means else "Force / (½ ρ U² A)."
    chart["half"] = bool(means)
    chart["caution"] = caution_of(table)
    return [chart]


def _quantity(name: str, table: Table) -> list[Chart]:
    if "value" not in table:
        raise UnreadableError("it has no column value")
    chart = _chart(name, table, [("value", name)], "value")
    chart["caution"] = caution_of(table)
    return [chart]


def _probe(name: str, table: ProbeTable) -> list[Chart]:
    """The component that fluctuates most, over time, and its spectrum."""
    times = table["time"]
    late = settled(times)
    column, some, still = liveliest(table, late)
    places = table.places
    columns = [(f"{column}_{i + 1}", place_label(places, i)) for i in some]
    unit = column_label(table, columns[0][0])[1]
    where = f" at {columns[0][1]}" if len(columns) == 1 else ""
    words = f"Velocity along {column[1]}{where}, the component that fluctuates most."
    label = labelled(f"velocity {column[1]}", unit)
    charts = [_chart(f"Probe {name}", table, columns, label, words)]
    charts.append(_spectrum(name, table, columns, late, still))
    return charts


def _spectrum(
    name: str, table: ProbeTable, columns: list[tuple[str, str]], late: Array, still: bool
) -> Chart:
    times, lines, peaks = table["time"][late][-_LATE_ROWS:], [], []
    unit = column_label(table, "time")[1]
    hertz = "Hz" if unit == "s" else "U/L"
    for column, shown in columns:
        found = None if still else spectrum(times, table[column][late][-_LATE_ROWS:])
        if found is not None:
            lines.append(_line(shown, *binned(found)))
            if found.peak is not None:
                peaks.append((float(found.power.max()), found.peak, found.width, shown))
    words = "Which frequencies its fluctuations have."
    if still:
        words = "The velocity is steady: it has no spectrum."
    elif not lines:
        words = "The record is too short for a spectrum: it needs 128 samples."
    elif peaks:
        _, peak, width, shown = max(peaks)
        words = f"At {shown} {number(peak, 3)} ± {number(width / 2, 1)} {hertz} stands out."
    return {
        "title": f"Spectrum of probe {name}",
        "words": words,
        "x": labelled("frequency", hertz),
        "y": "power density",
        "lines": lines,
        "limits": None,
        "log": True,
        "half": False,
        "marks": [finite(peak) for _, peak, _, _ in peaks],
    }
