# SPDX-License-Identifier: Apache-2.0
"""How a run is doing, from run.log, report.json and the kernel: its state, how far, how fast."""

from __future__ import annotations

import json
import re
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

from lbm.report_page.outcome import of_reason
from lbm.report_page.page import finite
from lbm.report_page.source import caution_in
from lbm.watch import files
from lbm.watch.process import Locks, begun, catches, on_network

Facts = dict[str, Any]
_MOST_LOG = 4 << 20  # bytes; of a longer log the end
_MOST_REPORT = 16 << 20  # bytes
_FRESH = 90.0  # seconds: a run writes a line into its log every 30 seconds
_START_SLACK = 3.0  # between the start of a process and its first line
_FILE = re.compile(r".+_(\d{9,15})\.(hdf|vti|vtp|pvti|pvtp|h5|png)")
_LINE = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (.*)")
_TEXTS = [
    re.compile(r"(?P<name>\S+): (?P<nx>\d{1,9}) x (?P<ny>\d{1,9}) x (?P<nz>\d{1,9}) cells, "
               r"(?P<storage>\w+), Re (?P<reynolds>\S+)( \(target \S+\))?, "
               r"(?P<asked>\d{1,18}) steps"),
    re.compile(r" *\d+ %  step (?P<step>\d{1,18}) of (?P<asked>\d{1,18})"
               r"(  (?P<mlups>\d{1,12}) MLUPS  .+? left)?(  (?P<flow>.*))?"),
    re.compile(r"(?P<step>\d{1,18}) of (?P<asked>\d{1,18}) steps in .*?: "
               r"(?P<mlups>\d{1,12}) MLUPS.*"),
    re.compile(r"note: .*checkpoint_(?P<restarted_from>\d{1,18})\.h5: the run goes on from here"),
    re.compile(r"predicted: (?P<predicted>\d+\.?\d*(e\+\d{1,2})?) MLUPS"),
    re.compile(r"device: (?P<device>.*)"),
    re.compile(r"caution: (?P<caution>.*)"),
    re.compile(r"warning: (?P<warning>.*)"),
    re.compile(r"(?P<ended>completed|steady|walltime reached|interrupted by SIG\w+)"),
    re.compile(r"lbm: (?P<ended>.+)"),
]  # fmt: skip
_NUMBERS = ("nx", "ny", "nz", "asked", "step", "mlups", "restarted_from", "predicted")


@lru_cache(4096)
def read_log(path: Path, stamp: files.Stamp | None) -> Facts:
    """The facts in a log about the last process of the run; a restart begins anew.

    begun, at: seconds since 1970, of its first line and of its last line of progress. segments: how
    many processes wrote it. tail: its last lines.
    """
    now: Facts = {"segments": 0, "warnings": []}
    lines = files.text(path, _MOST_LOG, end=True).split("\n")[:-1] if stamp else []
    for line in lines:
        if not (parts := _LINE.fullmatch(line[:65536])):
            continue
        if re.match(r"lbm \d\S*: ", parts[2]):
            now = {"segments": now["segments"] + 1, "begun": _seconds(parts[1]), "warnings": []}
            continue
        found = next((m.groupdict() for t in _TEXTS if (m := t.fullmatch(parts[2]))), {})
        known = {k: v[:1000] for k, v in found.items() if v}
        now |= {k: float(v) if k in _NUMBERS else v for k, v in known.items()}
        now["warnings"] += [now.pop("warning")] if "warning" in now else []
        now["at"] = _seconds(parts[1]) if "step" in found else now.get("at")
    return now | {"tail": [line[:2000] for line in lines[-60:]], "warnings": now["warnings"][:100]}


def _seconds(text: str) -> float | None:
    """Local time as seconds since 1970; None for a date that there is not."""
    try:
        return time.mktime(time.strptime(text, "%Y-%m-%d %H:%M:%S"))
    except (ValueError, OverflowError):
        return None


@lru_cache(4096)
def _read_report(path: Path, stamp: files.Stamp | None) -> tuple[Facts, str]:
    """report.json, and why it cannot be read."""
    try:
        if stamp and stamp[2] > _MOST_REPORT:
            raise ValueError("it is too large to be one")
        text = files.text(path, _MOST_REPORT) if stamp else "{}"
        content = json.loads(text, parse_constant=lambda _: None)
        return (content, "") if isinstance(content, dict) else ({}, "report.json is no JSON object")
    except (ValueError, RecursionError) as error:
        return {}, f"report.json cannot be read: {str(error)[:200]}"


def status(directory: Path, name: str, locks: Locks) -> Facts:
    """The state of a run, as plain data.

    mark: "good", "run", "warn", "bad"; word: for a badge; sentence: for a newcomer. share: 0 ... 1;
    left, age: seconds; None: not known.
    """
    stamps = [files.stamp(directory / file) for file in ("run.log", "report.json")]
    log = read_log(directory / "run.log", stamps[0])
    report, problem = _read_report(directory / "report.json", stamps[1])
    written = [stamp[1] / 1e9 if stamp else 0.0 for stamp in stamps]
    if not log.get("ended") and written[1] < (log.get("begun") or 0.0):
        report = {}  # of the process before
    holder = locks.holder(directory)
    reason = str(report.get("exit_reason") or "unknown") if report else log.get("ended", "")
    if holder is not None:
        mark, word, sentence = _of_process(holder, log)
    elif reason:
        mark, word, sentence = of_reason(reason)
        sentence += f". {_goes_on(directory)}" if mark == "warn" else "."
    elif problem:
        mark, word, sentence = "bad", "Unreadable", problem
    elif time.time() - max(written) < _FRESH and on_network(directory):
        mark, word, sentence = "run", "Running", "It writes its log: it runs on another machine."
    else:
        sentence = "No process of this machine writes into the directory, and the run has not said "
        sentence += f"that it ended: it was killed, or the machine went down. {_goes_on(directory)}"
        mark, word = "bad", "Killed"
    report = {} if mark == "run" else report
    caution = str(log.get("caution") or caution_in(report, report.get("flow")))
    if mark == "good" and caution:
        mark, sentence = "warn", f"{sentence} Caution: {caution}."
    cells = report.get("cells") or [log.get(n) for n in ("nx", "ny", "nz")]
    shape = [finite(n) for n in cells[:3]] if isinstance(cells, list) else []
    known = [e for e in _list(report, "expectations") if isinstance(e, dict)]
    flow = report.get("flow")
    reynolds = finite(flow.get("reynolds")) if isinstance(flow, dict) else None
    return {
        "id": name, "name": str(log.get("name") or report.get("case") or directory.name)[:100],
        "mark": mark, "word": word, "sentence": sentence[:1000], "running": mark == "run",
        "cells": shape if len(shape) == 3 and None not in shape else None,
        "written": max(written), "restarts": max(log["segments"] - 1, 0), "pid": holder,
        "device": str(report.get("device") or log.get("device", ""))[:200],
        "storage": str(report.get("storage") or log.get("storage", ""))[:20],
        "reynolds": log.get("reynolds", "–") if reynolds is None else reynolds,
        "caution": caution, "log": log["tail"],
        "flow": log.get("flow", "") if mark == "run" else "",
        "warnings": [str(w)[:1000] for w in _list(report, "warnings")] or log["warnings"],
        "expectations": [{k: one.get(k) for k in ("name", "value", "expected", "tolerance", "met")}
                         for one in known],
        **_progress(directory, log, report, word),
    }  # fmt: skip


def _list(report: Facts, key: str) -> list[Any]:
    value = report.get(key)
    return value[:100] if isinstance(value, list) else []


def _of_process(holder: int, log: Facts) -> tuple[str, str, str]:
    if log.get("ended") or (log.get("begun") or 0.0) < begun(holder) - _START_SLACK:
        return "run", "Setting up", "The grid is being prepared: no step is computed."
    if not catches(holder):
        return "run", "Stopping", "The run was asked to stop: it saves, then it ends."
    return "run", "Running", ""


def _goes_on(directory: Path) -> str:
    if any(name.startswith("checkpoint_") for name in files.names(directory)):
        return "It can continue from its last checkpoint: lbm run CASE --restart DIR."
    return "It has no checkpoint to continue from."


def _progress(directory: Path, log: Facts, report: Facts, word: str) -> Facts:
    """How far and how fast, from the report, else from the log and the names of files."""
    keys = ("step", "asked", "mlups", "predicted", "restarted_from")
    now = {key: log.get(key) for key in keys} | {"left": None, "age": None, "share": None}
    if report:
        names = ("steps", "steps_asked", "mlups", "predicted_mlups", "restarted_from_step")
        now |= {key: finite(report.get(name)) for key, name in zip(keys, names)}
    elif word == "Setting up":
        now["step"] = None
    else:
        known = [(now["step"], log["at"])] if now["step"] is not None and log["at"] else []
        steps = ((float(m[1]), n) for n in files.names(directory) if (m := _FILE.fullmatch(n)))
        newest, file = max((s for s in steps if s[0] <= (now["asked"] or 1e18)), default=(0, ""))
        if file and (stamp := files.stamp(directory / file)):
            known.append((newest, stamp[1] / 1e9))
        now["step"], at = max(known, default=(None, 0))
        if known and word in ("Running", "Stopping"):
            now["age"] = max(time.time() - at, 0.0)
            cells = log.get("nx", 0) * log.get("ny", 0) * log.get("nz", 0)
            spent = at - (log.get("begun") or at)
            if not now["mlups"] and spent > 1:  # before the first line of progress
                now["mlups"] = (now["step"] - log.get("restarted_from", 0)) * cells / spent / 1e6
            if now["mlups"] and now["asked"]:
                left = (now["asked"] - now["step"]) * cells / (now["mlups"] * 1e6)
                now["left"] = max(left - now["age"], 0.0)
    if now["step"] is not None and now["asked"]:
        now["share"] = min(max(now["step"] / now["asked"], 0.0), 1.0)
    return now
