# SPDX-License-Identifier: Apache-2.0
"""Numbers of a run: quantities, expectations, speed, provenance."""

from __future__ import annotations

from typing import Any

from lbm._lbm import __version__
from lbm.report_page.outcome import expectations, mark_of
from lbm.report_page.page import (
    Bar,
    Cell,
    Panel,
    Table,
    cells,
    duration,
    finite,
    number,
    size,
    unit_text,
    with_error,
)
from lbm.report_page.source import Source

_MOST_ROWS = 200


def _list(source: Source, name: str) -> list[dict[str, Any]]:
    found = source.report.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def results_panel(source: Source) -> Panel:
    """Expectations and named quantities."""
    panel = Panel("Results and expectations")
    known, quantities = expectations(source), _list(source, "quantities")
    if known:
        panel.tables.append(_expected(known))
    if quantities:
        panel.tables.append(_quantities(quantities))
        if any(finite(one.get("mean_error")) for one in quantities):
            panel.notes.append(
                "± is the standard error of a mean over time: the true mean lies within it in two "
                "cases of three. Samples count from the start that the case gives."
            )
    if panel.tables:
        return panel
    if source.report:
        panel.empty = "The case has no named quantities, and states no expected results."
    else:
        panel.empty = "These are in report.json, which this run has not written."
    return panel


def _expected(known: list[dict[str, Any]]) -> Table:
    rows = []
    for one in known[:_MOST_ROWS]:
        expected, tolerance = finite(one.get("expected")), finite(one.get("tolerance"))
        share = ""
        of_profile = finite(one.get("position")) is not None
        if expected and tolerance is not None and not of_profile:
            share = f" ({number(100 * tolerance / abs(expected), 3)} %)"
        what = str(one.get("quantity", ""))
        if of_profile:
            what += f", largest deviation at {number(one['position'])}"
        rows.append(
            [
                Cell(str(one.get("name", ""))),
                Cell(what),
                Cell(number(one.get("value")), "number"),
                Cell(f"{number(expected)} ± {number(tolerance)}{share}", "number"),
                Cell(number(one.get("deviation"), 3), "number"),
                mark_of(one.get("met")),
            ]
        )
    names = ["Name", "Quantity", "Computed", "Expected ± tolerance", "Deviation", ""]
    return Table(names, rows, "Expected results: what the author of the case knows of the answer")


def _quantities(quantities: list[dict[str, Any]]) -> Table:
    rows = []
    for one in quantities[:_MOST_ROWS]:
        unit = str(one.get("unit") or "")
        shown = "" if unit == "1" else unit_text(unit)
        if finite(one.get("darcy")) is not None:
            shown += f" ({number(one['darcy'])} darcy)"
        rows.append(
            [
                Cell(str(one.get("name", ""))),
                Cell(str(one.get("kind", "")).replace("_", " ")),
                Cell(number(one.get("value")), "number"),
                Cell(shown),
                Cell(with_error(one.get("mean"), one.get("mean_error")), "number"),
                Cell(with_error(one.get("rms"), one.get("rms_error")), "number"),
                Cell(with_error(one.get("strouhal"), one.get("strouhal_error")), "number"),
                Cell(str(one.get("caution") or "–")),
            ]
        )
    names = ["Name", "Kind", "At the end", "Unit", "Mean", "Fluctuation (rms)", "Strouhal number"]
    names.append("Caution")
    kept = [i for i in range(len(names)) if i < 4 or any(row[i].text != "–" for row in rows)]
    rows = [[row[i] for i in kept] for row in rows]
    return Table([names[i] for i in kept], rows, "Named quantities")


def speed_panel(source: Source) -> Panel:
    """Speed beside its prediction, and where the time went."""
    panel = Panel("Speed")
    report = source.report
    mlups = finite(report.get("mlups"))
    if not mlups:
        why = "the run ended before it was measured" if report else "there is no report.json"
        panel.empty = f"The speed is not known: {why}."
        return panel
    speeds = [("Measured", mlups, "good")]
    if predicted := finite(report.get("predicted_mlups")):
        speeds.append(("Predicted", predicted, "plain"))
    else:
        panel.notes.append("No prediction stands beside it: the run was started without --predict.")
    panel.bars.append(("Speed", _bars(speeds, "MLUPS")))
    if rate := finite(report.get("gb_per_s")):
        traffic = [("Memory traffic", rate, "good")]
        if copy := finite(report.get("device_copy_gb_per_s")):
            traffic.append(("A plain copy", copy, "plain"))
        panel.bars.append(("Memory", _bars(traffic, "GB/s")))
    panel.bars.append(("Time", _time_bars(report)))
    panel.notes.insert(
        0,
        "MLUPS: million cell updates a second. Memory limits the speed of this method, so a plain "
        "copy on the same device is its measure. On a GPU copies and the update overlap: their "
        "shares may add up to more than 100 %.",
    )
    return panel


def _bars(rows: list[tuple[str, float, str]], unit: str) -> list[Bar]:
    longest = max(value for _, value, _ in rows)
    return [
        Bar(name, f"{number(value)} {unit}", value / longest, kind) for name, value, kind in rows
    ]


def _time_bars(report: dict[str, Any]) -> list[Bar]:
    shares = report.get("stage_share_of_time")
    seconds = finite(report.get("seconds")) or 0.0
    setup = finite(report.get("setup_seconds")) or 0.0
    bars = [Bar("Setup", duration(setup), setup / (setup + seconds or 1))]
    bars.append(Bar("Time steps", duration(seconds), seconds / (setup + seconds or 1), "good"))
    names = {
        "update": "… update",
        "copy_in": "… copy to the device",
        "copy_out": "… copy from it",
        "write_output": "… writing files, beside",
    }
    for key, label in names.items():
        share = finite(shares.get(key)) if isinstance(shares, dict) else None
        if share is not None:
            bars.append(Bar(label, f"{number(100 * share, 3)} %", min(share, 1.0)))
    waited = finite(report.get("output_wait_seconds"))
    if waited is not None and seconds:
        bars.append(Bar("… waiting for the disk", duration(waited), min(waited / seconds, 1.0)))
    return bars


def provenance_panel(source: Source, now: str) -> Panel:
    """Where the numbers come from."""
    report, (begun, ended) = source.report, source.dates
    case_file = str(report.get("case_file") or "").rpartition("/")[2]
    scheme = str(report.get("scheme") or "").replace("_", " ")
    rows = [
        ("Program", f"lbm {report['version']}" if report.get("version") else ""),
        ("Commit", str(report.get("commit") or "")),
        ("Device", str(report.get("device") or "")),
        ("Processes", number(report.get("processes"))),
        ("Schedule", f"{scheme}: {report.get('scheme_reason', '')}" if scheme else ""),
        ("Memory of the device", size(report.get("device_bytes"))),
        ("Memory of the host", _host(report)),
        ("Case file", case_file),
        ("Continued from step", number(report.get("restarted_from_step"))),
        ("Changed on restart", _joined(report.get("changed"))),
        ("Begun", begun),
        ("Ended" if report else "Last line of the log", ended),
        ("To repeat it", "lbm run effective_case.yaml" if source.case_text else ""),
        ("This page", f"made {now} by lbm {__version__}"),
    ]
    panel = Panel("Provenance")
    panel.tables.append(Table([], [cells(a, b) for a, b in rows if b not in ("", "–")]))
    panel.folded.append(_files(source))
    return panel


def _joined(texts: object) -> str:
    return "; ".join(map(str, texts)) if isinstance(texts, list) else ""


def _host(report: dict[str, Any]) -> str:
    kind = str(report.get("host_memory") or "")
    text = size(report.get("host_bytes"))
    return f"{text}, {kind}" if kind not in ("", "none") and text != "–" else text


def _files(source: Source) -> tuple[str, str]:
    files = source.results.files
    lines = [f"{path.name}  {size(path.stat().st_size)}" for path in files[:_MOST_ROWS]]
    if len(files) > _MOST_ROWS:
        lines.append(f"and {len(files) - _MOST_ROWS} more")
    return f"The {len(files)} files of the run", "\n".join(lines)
