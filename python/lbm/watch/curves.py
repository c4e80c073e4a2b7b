# SPDX-License-Identifier: Apache-2.0
"""Curves over time as figures of plotly.js: monitor, forces, probes with spectra, quantities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from lbm._lbm import Error, UsageError
from lbm.plot.labels import column_label, labelled
from lbm.report_page.curves import caution_of, later_range
from lbm.report_page.lines import binned, liveliest, place_label
from lbm.report_page.page import number, with_error
from lbm.report_page.statistics import envelope, settled, spectrum, summary
from lbm.results import ProbeTable
from lbm.results.lazy import Array
from lbm.watch import files
from lbm.watch.flow import packed

_MOST_BYTES = 96 << 20  # of a table
_MOST_OF_A_KIND = 8  # bodies, probes, quantities
_MOST_POINTS = 400  # parts of a curve; each shows its smallest and largest value: no peak is lost
_LATE_ROWS = 1 << 18  # rows of a record, the last ones, that a spectrum is of

Chart = dict[str, Any]


def curves(directory: Path) -> dict[str, Any]:
    """By kind: charts, and a sentence for each table that is left out."""
    makers = {"monitor": _monitor, "forces_": _forces, "probe_": _probe, "quantity_": _quantity}
    there = [name for name in files.names(directory) if name.endswith(".csv")]
    found = {}
    for start, make in makers.items():
        names = [name for name in there if name.startswith(start)]
        charts: list[Chart] = []
        notes: list[str] = []
        for name in names[:_MOST_OF_A_KIND]:
            try:
                table = _table(directory / name, files.stamp(directory / name))
                if not len(table["time"]) or not np.isfinite(table["time"]).all():
                    raise UsageError("it has no row yet, or times that are not finite")
                charts += make(name[len(start) : -4], table)
            except (Error, OSError, ValueError, IndexError) as error:
                notes.append(f"{name} is not shown: {str(error)[:200].rstrip('.')}.")
        if len(names) > _MOST_OF_A_KIND:
            notes.append(f"{len(names) - _MOST_OF_A_KIND} more files {start}….csv are not shown.")
        found[start.rstrip("_")] = {"charts": charts, "notes": notes}
    return found


@lru_cache(16)
def _table(path: Path, stamp: files.Stamp | None) -> ProbeTable:
    if stamp is None or stamp[2] > _MOST_BYTES:
        raise UsageError(f"its {stamp[2] / 1e6:.0f} MB are too many" if stamp else "it is a link")
    return ProbeTable(path)


def _lines(lines: Sequence[tuple[str, Array, Array]], x: str, y: str, **axis: Any) -> Chart:
    """The data and the layout of curves. lines: name, x, y."""
    data = [
        {"type": "scatter", "mode": "lines", "name": name, "x": packed(a), "y": packed(b)}
        for name, a, b in lines
    ]
    axes = {f"{on}axis": {"title": {"text": text}, **axis} for on, text in (("x", x), ("y", y))}
    return {"data": data, "layout": {**axes, "showlegend": len(lines) > 1}}


def _over_time(table: ProbeTable, columns: dict[str, str], title: str, y: str, words: str) -> Chart:
    """columns: names of columns, and of their curves."""
    times = table["time"]
    lines = [(name, *envelope(times, table[c], _MOST_POINTS)) for c, name in columns.items()]
    chart = _lines(lines, labelled(*column_label(table, "time")), y)
    if limits := later_range(times, [table[column] for column in columns]):
        chart["layout"]["yaxis"]["range"] = list(limits)
    return {"title": title, "words": words, "caution": caution_of(table), **chart}


def _monitor(_: str, table: ProbeTable) -> list[Chart]:
    texts = {"kinetic_energy": ("Kinetic energy", "Level: the flow has settled."),
             "speed_max": ("Largest speed", "Anywhere in the fluid.")}  # fmt: skip
    return [
        _over_time(table, {c: title}, title, labelled(*column_label(table, c)), words)
        for c, (title, words) in texts.items()
        if c in table
    ]


def _forces(name: str, table: ProbeTable) -> list[Chart]:
    columns = {c: f"along {c[1]}" for c in ("cx", "cy", "cz") if c in table}
    times, words = table["time"], "Force / (½ ρ U² A). Mean over the shaded second half:"
    late = settled(times)
    for column in columns:
        if (one := summary(times[late], table[column][late])) is not None:
            words += f" {column[1]} {with_error(one.mean, one.error)},"
    chart = _over_time(table, columns, f"Force on {name}", "force coefficient", words[:-1] + ".")
    half = {"x0": float(times[0] + times[-1]) / 2, "x1": float(times[-1]), "y0": 0, "y1": 1}
    chart["layout"]["shapes"] = [{"type": "rect", "yref": "paper", "line": {"width": 0},
                                  "fillcolor": "rgba(31,95,168,.07)", **half}]  # fmt: skip
    return [chart]


def _quantity(name: str, table: ProbeTable) -> list[Chart]:
    return [_over_time(table, {"value": name}, name, "value", "")]


def _probe(name: str, table: ProbeTable) -> list[Chart]:
    """The component that fluctuates most, over time, and its spectrum."""
    times = table["time"]
    column, some, still = liveliest(table, late := settled(times))
    columns = {f"{column}_{i + 1}": place_label(table.places, i) for i in some}
    words = f"Velocity along {column[1]}, the component that fluctuates most, at "
    words += f"{', '.join(columns.values())}."
    label = labelled(f"velocity {column[1]}", column_label(table, f"{column}_1")[1])
    history = _over_time(table, columns, f"Probe {name}", label, words)
    hertz = "Hz" if column_label(table, "time")[1] == "s" else "U/L"
    lines, peaks = [], []
    rows = np.flatnonzero(late)[-_LATE_ROWS:]
    for column, shown in ({} if still else columns).items():
        if (found := spectrum(times[rows], table[column][rows])) is not None:
            lines.append((shown, *binned(found)))
            if found.peak is not None:
                peaks.append((float(found.power.max()), found.peak, found.width, shown))
    words = "Which frequencies its fluctuations have." if lines else (
        "There is no spectrum: the velocity is steady, or the record has fewer than 128 samples."
    )  # fmt: skip
    if peaks:
        _, peak, width, shown = max(peaks)
        words = f"At {shown} {number(peak, 3)} ± {number(width / 2, 1)} {hertz} stands out."
    x = labelled("frequency", hertz)
    chart = _lines(lines, x, "power density", type="log", exponentformat="power")
    chart["layout"]["xaxis"]["dtick"] = "D2"
    return [history, {"title": f"Spectrum of probe {name}", "words": words, **chart}]
