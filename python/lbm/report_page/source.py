# SPDX-License-Identifier: Apache-2.0
"""The source of a report: the files of a run, each of which may be missing or damaged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from lbm._lbm import Error
from lbm.report_page.page import dicts, finite, number, unit_text, value_text
from lbm.results import Results

_HEAD_BYTES = 1 << 16  # of a case file, for the comments at its head
_TAIL_BYTES = 1 << 14  # of run.log
_DATE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_SAME_REYNOLDS = 0.01  # relative difference to the target
_MOST_TEXT = 1 << 18  # characters of the effective case on the page


class Source:
    """The results of a run for a report. Nothing here raises for a file that is missing.

    Attributes:
        results: the files.
        report: report.json as plain data; empty where there is none.
        no_report: why there is none; empty where there is one.
    """

    def __init__(self, results: Results) -> None:
        self.results = results
        self.path = results.path
        self.report: dict[str, Any] = {}
        self.no_report = ""
        try:
            self.report = results.report.as_dict()
        except Error as error:
            there = (self.path / "report.json").exists()
            self.no_report = str(error) if there else "there is no report.json"

    @cached_property
    def case_text(self) -> str:
        """The effective case; empty where it cannot be read."""
        try:
            path = self.path / "effective_case.yaml"
            return path.read_text(encoding="utf-8", errors="replace")[:_MOST_TEXT]
        except OSError:
            return ""

    @cached_property
    def entries(self) -> dict[str, Any]:
        """The keys of the effective case by path; empty where the case cannot be read."""
        try:
            case = self.results.case
            return {path: case[path] for path, _ in case._entries("")}
        except Error:
            return {}

    def groups(self, name: str) -> dict[str, dict[str, Any]]:
        """The given keys of a group of named groups, such as "bodies", by name and key."""
        found: dict[str, dict[str, Any]] = {}
        for path, value in self.entries.items():
            group, _, rest = path.partition(".")
            item, _, key = rest.partition(".")
            if group == name and key:
                found.setdefault(item, {})[key] = value
        return found

    @cached_property
    def is_si(self) -> bool:
        """True if the case is in SI units."""
        return re.search(r"^units: *\"?si\b", self.case_text, re.MULTILINE) is not None

    @property
    def name(self) -> str:
        """The name of the case, else that of the directory."""
        return str(self.report.get("case") or self.entries.get("name") or self.path.resolve().name)

    @cached_property
    def units(self) -> dict[str, tuple[float, str, float]]:
        """Value, unit and value on the lattice by the name of the row of the table of units."""
        table = self.report.get("units") or self._checked.get("units")
        rows = table.get("rows") if isinstance(table, Mapping) else None
        found = {}
        for row in rows if isinstance(rows, list) else []:
            try:
                value, lattice = float(row["value"]), float(row["lattice"])
                found[str(row["name"])] = (value, str(row["unit"]), lattice)
            except (KeyError, TypeError, ValueError):
                continue
        return found

    @cached_property
    def flow(self) -> dict[str, Any]:
        """`reynolds`, `mach`, `tau`: of the report, else of the case."""
        of_report = self.report.get("flow")
        return of_report if isinstance(of_report, dict) else self._checked

    @property
    def counts(self) -> list[float]:
        """Cells along x, y, z; empty where they are not known."""
        cells = self.report.get("cells") or self.entries.get("grid.cells")
        known = [finite(n) for n in cells] if isinstance(cells, list) else []
        return [n for n in known if n is not None] if len(known) == 3 else []

    @property
    def grid_text(self) -> str:
        """`32 × 32 × 32`; empty where it is not known."""
        return " × ".join(number(n) for n in self.counts)

    @property
    def box_text(self) -> str:
        """The edges of the box with their unit; empty where they are not known."""
        cell, length = self.units.get("cell"), self.units.get("reference length")
        if not (self.counts and cell and length):
            return ""
        edges = (n * cell[0] if self.is_si else n / length[2] for n in self.counts)
        return " × ".join(map(number, edges)) + (" m" if self.is_si else " L")

    @property
    def end_text(self) -> str:
        """When the run ends, by its case."""
        time = "s" if self.is_si else "L/U"
        units = {"steps": "steps", "convective_times": "L/U", "time": time, "revolutions": "turns"}
        given = {key: self.entries.get(f"run.{key}") for key in units}
        parts = [f"after {value_text(v)} {units[k]}" for k, v in given.items() if v is not None]
        for key in ("tolerance", "error"):
            if (steady := self.entries.get(f"run.until_steady.{key}")) is not None:
                parts.append(f"or when steady within {value_text(steady)}")
        return " ".join(parts)

    @property
    def unit_sentence(self) -> str:
        """The units of this page: SI, or what L, U and ρ₀ are."""
        if self.is_si:
            return "All numbers are in SI units."
        length = self.units.get("reference length")
        cells = f" ({number(length[2])} cells)" if length else ""
        return (
            f"Numbers are in units of the flow: L is the reference length{cells}, U the reference "
            f"velocity, {unit_text('rho0')} the initial density; so times are in L/U, pressures in "
            f"{unit_text('rho0 U^2')}."
        )

    @property
    def caution(self) -> str:
        """The caution beside forces and the Reynolds number; empty if there is none."""
        return caution_in(self.report, self.flow)

    @cached_property
    def _checked(self) -> dict[str, Any]:
        """The result of `lbm check`; empty where it refuses the case."""
        try:
            return self.results.case.check().as_dict()
        except Error:
            return {}

    @cached_property
    def description(self) -> list[tuple[bool, str]]:
        """The comments at the head of the case file, as described() has them.

        Of the file alone that the report names, if it is a case file; its other lines are not read
        into the page, as anybody may have written the report.
        """
        of_log = re.match(r"\S+ \S+ lbm \S+: (.+\.ya?ml)$", self._log[0])
        path = Path(str(self.report.get("case_file") or (of_log[1] if of_log else "")))
        if path.suffix not in (".yaml", ".yml"):
            return []
        try:
            if not path.is_file():
                return []
            with path.open(encoding="utf-8", errors="replace") as file:
                return described(file.read(_HEAD_BYTES))
        except (OSError, ValueError):
            return []

    @cached_property
    def _log(self) -> tuple[str, list[str]]:
        """The first line of run.log, and the last lines; empty where there is none."""
        try:
            with (self.path / "run.log").open("rb") as file:
                first = file.readline(_HEAD_BYTES)
                file.seek(max(0, file.seek(0, 2) - _TAIL_BYTES))
                last = file.read().decode(errors="replace").splitlines()[-40:]
                return first.decode(errors="replace").rstrip("\n"), last
        except OSError:
            return "", []

    @property
    def log(self) -> list[str]:
        """The last lines of run.log."""
        return self._log[1]

    @property
    def dates(self) -> tuple[str, str]:
        """Date and time of the first and of the last line of run.log; empty where unknown."""
        first = _DATE.match(self._log[0])
        last = [found for line in self.log if (found := _DATE.match(line))]
        return first[0] if first else "", last[-1][0] if last else ""

    @cached_property
    def running(self) -> bool:
        """True if a process holds the lock of the directory, according to /proc."""
        try:
            inode = (self.path / ".lbm-lock").stat().st_ino
            locks = Path("/proc/locks").read_text(encoding="utf-8")
        except OSError:
            return False
        return re.search(rf"FLOCK .*:{inode} ", locks) is not None


def caution_in(report: Mapping[str, Any], flow: object) -> str:
    """The first caution of a body, else a note if Re misses its target; empty if neither."""
    for body in dicts(report.get("bodies")):
        if body.get("caution"):
            return str(body["caution"])[:300]
    known = flow if isinstance(flow, dict) else {}
    reynolds, target = (finite(known.get(name)) for name in ("reynolds", "target_reynolds"))
    if reynolds is None or not target or abs(reynolds / target - 1) <= _SAME_REYNOLDS:
        return ""
    return f"at Re {number(reynolds)}, target {number(target)}"


def described(text: str) -> list[tuple[bool, str]]:
    """The comments before the first other line of a case file: (True for commands, the text)."""
    parts: list[tuple[bool, str]] = []
    fresh = True  # whether the next line begins a new part
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        words = line[1:]
        command = words.startswith("   ")
        if not words.strip():
            fresh = True
        elif fresh or parts[-1][0] != command:
            parts.append((command, words.strip()))
            fresh = False
        else:
            parts[-1] = (command, parts[-1][1] + ("\n" if command else " ") + words.strip())
    return parts
