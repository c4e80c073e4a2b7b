# SPDX-License-Identifier: Apache-2.0
"""How a run ended: the head of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lbm.report_page.page import Cell, Panel, duration, finite, number, size, unit_text
from lbm.report_page.source import Source

_MOST_WARNINGS = 50


@dataclass(frozen=True)
class Outcome:
    """mark: "good", "warn", "bad". word: a few words for a badge. sentence: one line."""

    mark: str
    word: str
    sentence: str


def expectations(source: Source) -> list[dict[str, Any]]:
    """The entries of report.json."""
    found = source.report.get("expectations")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def warnings(source: Source) -> list[str]:
    """The warnings of the run."""
    found = source.report.get("warnings")
    return [str(one) for one in found] if isinstance(found, list) else []


def _ended(source: Source) -> tuple[str, str, str]:
    """Mark, word, and the first part of the sentence."""
    if not source.report:
        if source.running:
            return "warn", "Running", "The run has not ended yet"
        if source.no_report.startswith("there is no"):
            why = "The run was killed, or its machine stopped: there is no report.json"
            return "bad", "Did not end", why
        return "bad", "Unreadable report", source.no_report
    reason = str(source.report.get("exit_reason") or "unknown")
    if reason == "completed":
        return "good", "Completed", "The run is complete"
    if reason == "steady":
        return "good", "Steady", "The run ended because the flow was steady"
    if reason.startswith("interrupted"):
        goes_on = " and can continue from its checkpoint" if source.results.checkpoints else ""
        return "warn", "Interrupted", f"The run was {reason}{goes_on}"
    if reason == "walltime reached":
        return "warn", "Walltime reached", "The run stopped before its walltime"
    word = "Diverged" if "diverged" in reason else "Failed"
    return "bad", word, f"The run failed: {reason.partition(';')[0].rstrip('.')}"


def outcome(source: Source) -> Outcome:
    """How the run ended, its expectations and warnings, in one line."""
    mark, word, sentence = _ended(source)
    parts = [sentence]
    report = source.report
    if finite(report.get("steps")) is not None and finite(report.get("seconds")):
        done = f"{number(report['steps'])} of {number(report.get('steps_asked'))} steps"
        parts.append(f"{done} in {duration(report['seconds'])}")
    known = expectations(source)
    if known:
        met = sum(one.get("met") is True for one in known)
        parts.append(f"{met} of {len(known)} expectation{'s' * (len(known) > 1)} met")
        if met < len(known) and mark == "good":
            mark, word = "warn", f"{word}, expectation not met"
    if report:
        count = len(warnings(source))
        parts.append(f"{count or 'no'} warning{'s' * (count != 1)}")
    return Outcome(mark, word, "; ".join(parts) + ".")


def tiles(source: Source) -> list[tuple[str, str, str]]:
    """The most wanted numbers: (name, number, what it is)."""
    report, flow = source.report, source.flow
    found = []
    if grid := grid_text(source):
        found.append(("Grid", grid, "cells along x, y, z"))
    if finite(flow.get("reynolds")) is not None:
        found.append(("Reynolds number", number(flow["reynolds"]), "inertia over viscosity"))
    if (time := simulated(source)) is not None:
        found.append(("Simulated time", time, "of the flow"))
    if finite(report.get("seconds")):
        found.append(("Computing time", duration(report["seconds"]), str(report.get("device", ""))))
    if finite(report.get("mlups")):
        found.append(
            ("Speed", f"{number(report['mlups'], 3)} MLUPS", "million cell updates a second")
        )
    if finite(report.get("host_bytes")) and finite(report.get("device_bytes")):
        used = max(report["host_bytes"], report["device_bytes"])
        found.append(("Memory", size(used), "host" if used == report["host_bytes"] else "device"))
    return found[:6]


def grid_text(source: Source) -> str:
    """`32 × 32 × 32`; empty where it is not known."""
    cells = source.report.get("cells") or source.entries.get("grid.cells")
    if isinstance(cells, list) and len(cells) == 3:
        return " × ".join(number(n) for n in cells)
    return ""


def simulated(source: Source) -> str | None:
    """The time that the run has reached, with its unit."""
    last = source.report.get("last_look")
    time = finite(last.get("time")) if isinstance(last, dict) else None
    if time is None:
        return None
    return f"{number(time)} {unit_text('s' if source.is_si else 'L/U')}"


def warnings_panel(source: Source) -> Panel | None:
    """The warnings, and why a run did not end well; None: neither."""
    found = warnings(source)
    panel = Panel("Warnings" if found else "How it ended")
    panel.text = [_short(text, source) for text in found[:_MOST_WARNINGS]]
    if len(found) > _MOST_WARNINGS:
        panel.notes.append(f"{len(found) - _MOST_WARNINGS} more are in report.json.")
    mark, _, sentence = _ended(source)
    if mark != "good":
        whole = str(source.report.get("exit_reason") or "")
        if whole and whole not in sentence:
            panel.title = "How it ended"
            panel.text = [f"Warning: {text}" for text in panel.text]
            panel.text.insert(0, whole[0].upper() + whole[1:].rstrip(".") + ".")
        if source.log:
            panel.folded.append(("The last lines of run.log", "\n".join(source.log)))
    return panel if panel.text or panel.folded else None


def _short(text: str, source: Source) -> str:
    """A warning without the folder of the case file."""
    folder, slash, _ = str(source.report.get("case_file") or "").rpartition("/")
    return text.replace(folder + slash, "") if slash else text


def mark_of(met: object) -> Cell:
    """A cell that says whether an expectation is met."""
    return Cell("✓ met", "good") if met is True else Cell("✗ not met", "bad")
