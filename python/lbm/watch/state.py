# SPDX-License-Identifier: Apache-2.0
"""How a run is doing: running, ended in some way, or killed; how far it is, how fast."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from lbm.report_page.page import finite
from lbm.report_page.source import caution_in
from lbm.watch.control import stopping
from lbm.watch.process import begun
from lbm.watch.run_log import Segment

_FRESH = 90.0  # seconds: a run writes a line into its log every 30 seconds
_START_SLACK = 3.0  # between the start of a process and its first line


@dataclass
class State:
    """mark: "good", "run", "warn", "bad". word: for a badge. sentence: for a newcomer."""

    mark: str
    word: str
    sentence: str
    running: bool = False


@dataclass
class Facts:
    """The facts about a run, from its files and from the kernel.

    steps: (step, when) from names and last rows of files. written: when the log was written.
    """

    log: Segment
    segments: int
    report: dict[str, Any]
    report_at: float
    report_problem: str
    holder: int | None
    network: bool
    written: float
    checkpoints: bool
    steps: list[tuple[int, float]]


def state(facts: Facts) -> State:
    """How a run is doing."""
    if facts.holder is not None:
        return _running(facts, facts.holder)
    if facts.report and not _is_former(facts):
        return _ended(facts, str(facts.report.get("exit_reason") or "unknown"))
    if facts.report_problem and not facts.log.ended:
        return State("bad", "Unreadable", facts.report_problem)
    if facts.log.ended:
        return _ended(facts, facts.log.ended)
    if facts.network and time.time() - facts.written < _FRESH:
        sentence = "It writes its log, so it runs on another machine."
        return State("run", "Running", sentence, True)
    return State(
        "bad",
        "Killed",
        "No process of this machine writes into the directory, and the run has not said that it "
        "ended: it was killed, or the machine went down. " + _goes_on(facts),
    )


def _goes_on(facts: Facts) -> str:
    if facts.checkpoints:
        return "It can continue from its last checkpoint: lbm run CASE --restart DIR."
    return "It has no checkpoint to continue from."


def _is_former(facts: Facts) -> bool:
    """True if report.json is older than the last process in the log, whose end is not logged."""
    log = facts.log
    return not log.ended and log.begun is not None and facts.report_at < log.begun


def _running(facts: Facts, pid: int) -> State:
    start, log = begun(pid), facts.log
    older = log.begun is None or (start is not None and log.begun < start - _START_SLACK)
    if older or log.ended:
        return State("run", "Setting up", "The grid is being prepared: no step is computed.", True)
    if stopping(pid):
        return State("run", "Stopping", "The run was asked to stop: it saves, then it ends.", True)
    return State("run", "Running", "", True)


def _ended(facts: Facts, reason: str) -> State:
    caution = facts.log.caution or caution_in(facts.report, facts.report.get("flow"))
    mark, more = ("warn", f" Caution: {caution}.") if caution else ("good", "")
    if reason == "completed":
        return State(mark, "Complete", f"The run has done all its steps.{more}")
    if reason == "steady":
        return State(mark, "Steady", f"The run ended because the flow was steady.{more}")
    if reason.startswith("interrupted"):
        return State("warn", "Interrupted", f"The run was {reason}. {_goes_on(facts)}")
    if reason == "walltime reached":
        return State("warn", "Walltime", f"The run stopped before its walltime. {_goes_on(facts)}")
    word = "Diverged" if "diverged" in reason else "Failed"
    return State("bad", word, reason[:1].upper() + reason[1:])


@dataclass
class Progress:
    """How far and how fast. share: 0 ... 1. left, age: seconds. None: not known."""

    step: int | None = None
    asked: int | None = None
    share: float | None = None
    left: float | None = None
    age: float | None = None
    mlups: float | None = None
    predicted: float | None = None
    restarted_from: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def progress(facts: Facts, now: State) -> Progress:
    """How far a run is, from whatever tells most."""
    found = Progress()
    log, report = facts.log, facts.report
    of_report = bool(report) and not now.running and not _is_former(facts)
    found.asked = log.asked
    if of_report:
        steps = finite(report.get("steps"))
        asked = finite(report.get("steps_asked"))
        found.step = None if steps is None else int(steps)
        found.asked = int(asked) if asked is not None else found.asked
        found.mlups = finite(report.get("mlups")) or None
        found.predicted = finite(report.get("predicted_mlups"))
        first = finite(report.get("restarted_from_step"))
        found.restarted_from = None if first is None else int(first)
    else:
        known = list(facts.steps) if now.word != "Setting up" else []
        if log.step is not None and log.at is not None and now.word != "Setting up":
            known.append((log.step, log.at))
        most = found.asked or 10**18
        known = [one for one in known if one[0] <= most]
        found.restarted_from = log.first_step or None
        found.predicted = log.predicted
        if known:
            found.step, at = max(known)
            _speed(found, log, at, now.running)
    if found.step is not None and found.asked:
        found.share = min(max(found.step / found.asked, 0.0), 1.0)
    return found


def _speed(found: Progress, log: Segment, at: float, running: bool) -> None:
    """Speed of the last line of the log; before the first one, since the start."""
    cells = 1.0
    for count in log.cells or ():
        cells *= count
    step = found.step or 0
    spent = at - log.begun if log.begun is not None else 0.0
    found.age = max(time.time() - at, 0.0)
    if log.mlups:
        found.mlups = float(log.mlups)
    elif spent > 1 and step > log.first_step and log.cells:
        found.mlups = (step - log.first_step) * cells / spent / 1e6
    if running and found.mlups and log.cells and found.asked:
        rest = (found.asked - step) * cells / (found.mlups * 1e6) - found.age
        found.left = max(rest, 0.0)
