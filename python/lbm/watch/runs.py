# SPDX-License-Identifier: Apache-2.0
"""The runs in a directory, found and read when somebody looks, kept as long as files stay."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from pathlib import Path
from typing import Any

from lbm._lbm import UsageError
from lbm.report_page.page import finite
from lbm.report_page.source import caution_in
from lbm.results.index import FILE
from lbm.watch import files
from lbm.watch.process import LOCK, Locks, on_network
from lbm.watch.run_log import RunLog
from lbm.watch.state import Facts, Progress, State, progress, state

_MARKS = ("run.log", "report.json", "effective_case.yaml", LOCK)
_DEPTH = 3  # folders below the one that is watched
_MOST_RUNS = 2000
_MOST_FOLDERS = 20_000
_MOST_REPORT = 16 << 20  # bytes
_STEP = re.compile(r".+_(\d{9,15})\.(hdf|vti|vtp|pvti|pvtp|h5|png)")
_TABLES = ("monitor.csv", "forces_", "probe_", "quantity_")
_COARSE = 2.0  # seconds: a directory that changed twice so quickly may show one time
_MOST_TABLES = 6  # whose last rows are read for the step that the run has reached


class Run:
    """A directory of results. id: its place below the watched one, "." for that itself."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.id = path, name
        self._log = RunLog(path / "run.log")
        self._report: dict[str, Any] = {}
        self._report_key: object = None
        self._problem = ""
        self._names_key, self._files = -1, [""] * 0
        self._lock = threading.Lock()

    def facts(self, locks: Locks, closely: bool) -> Facts:
        """The facts known now. closely: list the directory even if report and log say all."""
        with self._lock:
            self._log.update()
            self._read_report()
            written = files.regular(self.path / "run.log")
            report = files.regular(self.path / "report.json")
            holder = locks.holder(self.path)
            there = self._names() if closely or self._unclear(holder) else []
            says_end = bool(self._report or self._log.now.ended)
            return Facts(
                log=self._log.now,
                segments=self._log.segments,
                report=self._report,
                report_at=report.st_mtime if report else 0.0,
                report_problem=self._problem,
                holder=holder,
                network=holder is None and not says_end and on_network(self.path),
                written=written.st_mtime if written else 0.0,
                checkpoints=any(name.startswith("checkpoint_") for name in there),
                steps=self._steps(there) if holder is not None or not self._report else [],
            )

    def _names(self) -> list[str]:
        """Names of the files, read again where the directory has changed."""
        try:
            changed = self.path.stat().st_mtime_ns
        except OSError:
            return []
        if changed != self._names_key or time.time() - changed / 1e9 < _COARSE:
            self._names_key, self._files = changed, files.names(self.path)
        return self._files

    def _unclear(self, holder: int | None) -> bool:
        """True if report and log do not say all: the run is active, or not known to be complete."""
        whole = self._report.get("exit_reason") in ("completed", "steady")
        return holder is not None or not whole or not self._log.now.ended

    @property
    def tail(self) -> list[str]:
        """The last lines of the log."""
        return list(self._log.tail)

    @property
    def report(self) -> dict[str, Any]:
        """report.json; empty where there is none."""
        return self._report

    def _read_report(self) -> None:
        path = self.path / "report.json"
        found = files.regular(path)
        key = (found.st_mtime_ns, found.st_size, found.st_ino) if found else None
        if key == self._report_key:
            return
        self._report_key, self._report, self._problem = key, {}, ""
        if found is None:
            return
        if found.st_size > _MOST_REPORT:
            self._problem = "report.json is too large to be one."
            return
        try:
            with files.open_regular(path) as file:
                content = json.loads(file.read(_MOST_REPORT))
            if not isinstance(content, dict):
                raise ValueError("no JSON object")
            self._report = content
        except (OSError, ValueError, RecursionError) as error:
            self._problem = f"report.json cannot be read: {str(error)[:200]}"

    def _steps(self, there: list[str]) -> list[tuple[int, float]]:
        """Steps that files show, and when they were written."""
        newest = (0, "")
        for name in there:
            if (found := _STEP.fullmatch(name)) and int(found[1]) > newest[0]:
                newest = (int(found[1]), name)
        known = []
        if newest[1] and (facts := files.regular(self.path / newest[1])):
            known.append((newest[0], facts.st_mtime))
        for name in [n for n in there if n.startswith(_TABLES) and n.endswith(".csv")][
            :_MOST_TABLES
        ]:
            if one := _last_row(self.path / name):
                known.append(one)
        return known

    def brief(self, locks: Locks) -> dict[str, Any]:
        """The line of the run in the list of runs."""
        facts = self.facts(locks, closely=False)
        now = state(facts)
        return {**self._head(facts, now, progress(facts, now)), "begun": facts.log.begun}

    def _head(self, facts: Facts, now: State, how: Progress) -> dict[str, Any]:
        expected = facts.report.get("expectations")
        known = [e for e in expected if isinstance(e, dict)] if isinstance(expected, list) else []
        cells = facts.report.get("cells") or facts.log.cells
        shape = [finite(n) for n in cells[:3]] if isinstance(cells, (list, tuple)) else []
        return {
            "id": self.id,
            "name": str(facts.log.name or facts.report.get("case") or self.path.name)[:100],
            "mark": now.mark,
            "word": now.word,
            "sentence": now.sentence[:1000],
            "running": now.running,
            "progress": how.as_dict(),
            "cells": shape if len(shape) == 3 and None not in shape else None,
            "written": max(facts.written, facts.report_at),
            "restarts": max(facts.segments - 1, 0),
            "expected": len(known),
            "met": sum(one.get("met") is True for one in known),
        }

    def status(self, locks: Locks) -> dict[str, Any]:
        """All that the head of the page of a run shows."""
        facts = self.facts(locks, closely=True)
        now = state(facts)
        log, report = facts.log, facts.report if not now.running else {}
        told = report.get("warnings")
        warnings = [str(w)[:1000] for w in told[:100]] if isinstance(told, list) else []
        flow = report.get("flow")
        reynolds = finite(flow.get("reynolds")) if isinstance(flow, dict) else None
        return {
            **self._head(facts, now, progress(facts, now)),
            "device": str(report.get("device") or log.device)[:200],
            "storage": str(report.get("storage") or log.storage)[:20],
            "caution": log.caution or caution_in(report, flow),
            "reynolds": reynolds if reynolds is not None else _number(log.reynolds),
            "flow": log.flow if now.running else "",
            "warnings": warnings or list(log.warnings),
            "log": self.tail,
            "pid": facts.holder,
        }


def _number(text: str) -> float | None:
    try:
        return finite(float(text))
    except ValueError:
        return None


def _last_row(path: Path) -> tuple[int, float] | None:
    """The step in the last complete row of a table, and when it was written."""
    try:
        with files.open_regular(path) as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 65536))
            rows = file.read().split(b"\n")[1:-1]
            first = rows[-1].split(b",")[0] if rows else b""
            written = os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
    return (int(first), written) if first.isdigit() and len(first) < 16 else None


class Runs:
    """The runs below a directory. Links to folders are not followed."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise UsageError(f"{root}: must be a directory of results, or of such directories")
        self.root = root.resolve()
        self._known: dict[str, Run] = {}
        self._lock = threading.Lock()

    def find(self) -> list[Run]:
        """All runs, by name, as of now."""
        found: dict[str, Run] = {}
        folders = 0
        todo = [(self.root, 0)]
        while todo and len(found) < _MOST_RUNS and folders < _MOST_FOLDERS:
            folder, depth = todo.pop()
            folders += 1
            is_run = any(files.regular(folder / mark) for mark in _MARKS)
            below, has_fields = ([], True) if is_run else _contents(folder)
            if has_fields:
                name = folder.relative_to(self.root).as_posix()
                found[name] = self._known.get(name) or Run(folder, name)
            elif depth < _DEPTH:
                todo += [(path, depth + 1) for path in below]
        with self._lock:
            self._known = found
        return sorted(found.values(), key=lambda run: _natural(run.id))

    def run(self, name: str) -> Run | None:
        """A run by its id: one of those that were found, so no path of a request is opened."""
        if name not in self._known:
            self.find()
        found = self._known.get(name)
        # The folder may have become a link since.
        return found if found and found.path.resolve() == found.path else None


def _contents(folder: Path) -> tuple[list[Path], bool]:
    """The folders in a folder, and whether it has files of fields."""
    found: list[Path] = []
    try:
        with os.scandir(folder) as entries:
            for count, entry in enumerate(entries):
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith("."):
                        found.append(Path(entry.path))
                elif FILE.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                    return [], True
                if count >= files.MOST_ENTRIES:
                    break
    except OSError:
        pass
    return found, False


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Order of names: run2 before run10."""
    parts = re.split(r"(\d{1,15})", name)
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts]
