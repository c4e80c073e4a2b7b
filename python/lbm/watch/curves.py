# SPDX-License-Identifier: Apache-2.0
"""Curves over time as figures of plotly.js: monitor, forces, probes with spectra, quantities."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from lbm._lbm import Error, UsageError
from lbm.report_page import charts
from lbm.report_page.charts import Chart
from lbm.results import ProbeTable
from lbm.watch import files
from lbm.watch.flow import packed

_MOST_BYTES = 96 << 20  # of a table
_MOST_OF_A_KIND = 8  # bodies, probes, quantities
_POINTS = 400  # parts of a curve; each shows its smallest and largest value: no peak is lost
_LATE_ROWS = 1 << 18  # rows of a record, the last ones, that a spectrum is of

Makers = dict[str, Callable[[str, ProbeTable], list[Chart]]]
_MAKERS: Makers = {
    "monitor": lambda _, table: charts.monitor_charts(table, _POINTS),
    "forces_": lambda name, table: [c for c in [charts.force_chart(name, table, _POINTS)] if c],
    "probe_": lambda name, table: [*charts.probe_charts(name, table, _POINTS, _LATE_ROWS)],
    "quantity_": lambda name, table: [charts.quantity_chart(name, table, "", _POINTS)],
}


def curves(directory: Path) -> dict[str, Any]:
    """By kind: charts, and a sentence for each table that is left out."""
    there = [name for name in files.names(directory) if name.endswith(".csv")]
    found = {}
    for start, make in _MAKERS.items():
        names = [name for name in there if name.startswith(start)]
        shown: list[dict[str, Any]] = []
        notes: list[str] = []
        for name in names[:_MOST_OF_A_KIND]:
            try:
                table = _table(directory / name, files.stamp(directory / name))
                if not len(table["time"]) or not np.isfinite(table["time"]).all():
                    raise UsageError("it has no row yet, or times that are not finite")
                shown += map(_drawn, make(name[len(start) : -4], table))
            except (Error, OSError, ValueError, IndexError) as error:
                notes.append(f"{name} is not shown: {str(error)[:200].rstrip('.')}.")
        if len(names) > _MOST_OF_A_KIND:
            notes.append(f"{len(names) - _MOST_OF_A_KIND} more files {start}….csv are not shown.")
        found[start.rstrip("_")] = {"charts": shown, "notes": notes}
    return found


@lru_cache(16)
def _table(path: Path, stamp: files.Stamp | None) -> ProbeTable:
    if stamp is None or stamp[2] > _MOST_BYTES:
        raise UsageError(f"its {stamp[2] / 1e6:.0f} MB are too many" if stamp else "it is a link")
    return ProbeTable(path)


def _drawn(chart: Chart) -> dict[str, Any]:
    """Title, words, and the data and the layout of plotly.js."""
    data = [
        {"type": "scatter", "mode": "lines", "name": name, "x": packed(x), "y": packed(y)}
        for name, x, y in chart.lines
    ]
    how = {"type": "log", "exponentformat": "power"} if chart.logarithmic else {}
    x, y = ({"title": {"text": label}, **how} for label in (chart.x, chart.y))
    layout: dict[str, Any] = {"xaxis": x, "yaxis": y, "showlegend": len(data) > 1}
    if chart.logarithmic:
        layout["xaxis"]["dtick"] = "D2"
    if chart.limits:
        layout["yaxis"]["range"] = list(chart.limits)
    if chart.counts:
        half = {"x0": chart.counts[0], "x1": chart.counts[1], "y0": 0, "y1": 1, "yref": "paper"}
        look = {"type": "rect", "line": {"width": 0}, "fillcolor": "rgba(31,95,168,.07)"}
        layout["shapes"] = [half | look]
    texts = {"title": chart.title, "words": chart.words, "caution": chart.caution}
    return {**texts, "data": data, "layout": layout}
