# SPDX-License-Identifier: Apache-2.0
"""How a run ended: the head of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lbm.report_page.page import (
    Panel, dicts, duration, finite, number, size, unit_text, with_error,
)  # fmt: skip
from lbm.report_page.source import Source

_MOST_WARNINGS = 50


@dataclass(frozen=True)
class Outcome:
    """mark: "good", "warn", "bad". word: a few words for a badge. sentence: one line."""

    mark: str
    word: str
    sentence: str


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
    mark, word, sentence = of_reason(reason.partition(";")[0])
    goes_on = " and can continue from its checkpoint"
    return mark, word, sentence + (goes_on if mark == "warn" and source.results.checkpoints else "")


def of_reason(reason: str) -> tuple[str, str, str]:
    """Mark, word and sentence of an exit reason of report.json."""
    if reason == "completed":
        return "good", "Complete", "The run is complete"
    if reason == "steady":
        return "good", "Steady", "The run ended because the flow was steady"
    if reason == "walltime reached" or reason.startswith("interrupted"):
        word = reason.split()[0].capitalize()
        return "warn", word, f"The run ended before its last step: {reason}"
    word = "Diverged" if "diverged" in reason else "Failed"
    return "bad", word, f"The run failed: {reason.rstrip('.')}"


def outcome(source: Source) -> Outcome:
    """How the run ended, its expectations and warnings, in one line."""
    mark, word, sentence = _ended(source)
    parts = [sentence]
    report = source.report
    if finite(report.get("steps")) is not None and finite(report.get("seconds")):
        done = f"{number(report['steps'])} of {number(report.get('steps_asked'))} steps"
        parts.append(f"{done} in {duration(report['seconds'])}")
    known = dicts(report.get("expectations"))
    if known:
        met = sum(one.get("met") is True for one in known)
        parts.append(f"{met} of {len(known)} expectation{'s' * (len(known) > 1)} met")
        if met < len(known) and mark == "good":
            mark, word = "warn", f"{word}, expectation not met"
    if caution := source.caution:
        parts.append(caution)
        if mark == "good":
            mark, word = "warn", f"{word}, with a caution"
    if report:
        count = len(warnings(source))
        parts.append(f"{count or 'no'} warning{'s' * (count != 1)}")
    return Outcome(mark, word, "; ".join(parts) + ".")


def tiles(source: Source) -> list[tuple[str, str, str]]:
    """The most wanted numbers: (name, number, what it is)."""
    report, flow = source.report, source.flow
    found = []
    if grid := source.grid_text:
        found.append(("Grid", grid, "cells along x, y, z"))
    if finite(flow.get("reynolds")) is not None:
        words = source.caution or "inertia over viscosity"
        found.append(("Reynolds number", number(flow["reynolds"]), words))
    found += _forces(source)
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
    return found[:8]


def _forces(source: Source) -> list[tuple[str, str, str]]:
    """Tiles of named forces and coefficients; without any, of the largest force on each body."""
    unit = "N" if source.is_si else unit_text("rho0 U^2 L^2")
    bodies = {str(b.get("name")): b for b in dicts(source.report.get("bodies"))}
    found = []
    for one in dicts(source.report.get("quantities")):
        if one.get("kind") not in ("force", "coefficient"):
            continue
        name, mean = str(one.get("name")), finite(one.get("mean"))
        value = finite(one.get("value")) if mean is None else mean
        text = with_error(value, one.get("mean_error"))
        words = "at the end" if mean is None else "mean"
        per = _force_of_coefficient(source, name, bodies)
        if one["kind"] == "force":
            text += f" {unit_text(str(one.get('unit')))}"
        elif per is not None and value is not None:
            text, words = f"{number(value * per)} {unit}", f"{words}; coefficient {text}"
        else:
            words = f"{words}; coefficient"
        found.append((name, text, _hint(source, words)))
    for name, body in bodies.items() if not found else ():
        force, coefficient = _vector(body.get("force")), _vector(body.get("coefficient"))
        if force and coefficient:
            axis = max(range(3), key=lambda a: abs(force[a]))
            words = f"along {'xyz'[axis]} at the end; coefficient {number(coefficient[axis])}"
            text = f"{number(force[axis])} {unit}"
            found.append((f"Force on {name}", text, _hint(source, words)))
    return found[:3]


def _force_of_coefficient(
    source: Source, quantity: str, bodies: dict[str, dict[str, Any]]
) -> float | None:
    """The force of the coefficient 1 of a quantity, by the force on its first body."""
    names = source.entries.get(f"quantities.{quantity}.bodies")
    body = bodies.get(str(names[0]), {}) if isinstance(names, list) and names else {}
    force, coefficient = _vector(body.get("force")), _vector(body.get("coefficient"))
    if not (force and coefficient):
        return None
    axis = max(range(3), key=lambda a: abs(coefficient[a]))
    return force[axis] / coefficient[axis] if coefficient[axis] else None


def _hint(source: Source, words: str) -> str:
    return "; ".join(part for part in (words, source.caution) if part)


def _vector(value: object) -> list[float]:
    """Three finite numbers; empty for all else."""
    found = [finite(one) for one in value] if isinstance(value, list) else []
    known = [one for one in found if one is not None]
    return known if len(known) == len(found) == 3 else []


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
