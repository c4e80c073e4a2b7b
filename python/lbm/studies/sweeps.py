# SPDX-License-Identifier: Apache-2.0
"""Parameter studies that can be stopped and continued."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy

from lbm._arguments import PathLike, path_text
from lbm.case import Case, as_case
from lbm.errors import DivergedError, Error, UsageError
from lbm.progress import Progress, somebody_watches
from lbm.results import Results
from lbm.studies.parameter_study import Family, Member, members
from lbm.studies.run_directory import RunDirectory
from lbm.studies.runs import run
from lbm.studies.table import Row, StudyTable

Measure = Callable[[Results], Mapping[str, float]]
"""A function that returns further columns from the results of a finished run."""

_TABLE = "table.csv"


def sweep(
    case: Case | PathLike,
    settings: Family,
    out: PathLike | None = None,
    *,
    measure: Measure | None = None,
    checkpoint_minutes: float | None = 15,
    raise_errors: bool = False,
    progress: Progress = None,
) -> StudyTable:
    """A parameter study: runs a case with several settings, each in its own directory under `out`.

    case: the base of all runs: a Case, or the path of a YAML file.
    settings: {"fluid.reynolds": [100, 400], "lattice.collision": ["bgk", "trt"]}: all combinations,
        the last key varies fastest; or a list of settings, one dict for each run.
    out: default out/NAME_sweep, with the name of the case.
    measure: a function that returns further columns from the results of a run. It is called for all
        finished runs, also for those of an earlier call.
    checkpoint_minutes: interval of checkpoints, unless the case has `checkpoint.every_...`; they
        are removed when the run is finished. None: only the checkpoints of the case.
    raise_errors: end the study with the error of the first run that fails. Otherwise a failed run
        becomes a row with `status` and `error`, and the other runs follow.
    progress: progress of each run, see lbm.progress.

    A study may be called again at any time, also in another process: runs that are finished or
    diverged are not repeated; a stopped run continues from its newest checkpoint. Ctrl-C saves a
    checkpoint and raises KeyboardInterrupt. `out`/table.csv has the table after each run.

    Returns: a table with one row for each run. Columns: the settings, status (completed, steady,
    diverged, failed: see error), steps, seconds and mlups (of the process that ended the run),
    kinetic_energy, NAME.cx, .cy, .cz of each body, the columns of `measure`, error, directory.

    Raises UsageError, before any run, for an invalid setting, and for a directory that holds a run
    of another case: nothing is ever overwritten.
    """
    case = as_case(case)
    study = Path("out", f"{case.name}_sweep") if out is None else Path(path_text(out, "out"))
    family = members(case, settings)
    for member in family:
        RunDirectory(study / member.name).refuse_another(member.case)
    _make_directory(study)
    rows: list[Row] = []
    for i, member in enumerate(family):
        _say(progress, f"run {i + 1} of {len(family)}: {member.name}")
        one = _Run(member, RunDirectory(study / member.name), checkpoint_minutes, measure)
        try:
            rows.append(one.row(raise_errors, progress))
        except KeyboardInterrupt:
            rows.append(one.as_row({"status": "interrupted"}))
            raise
        finally:
            _write_table(study, rows)
    return StudyTable(rows)


def _say(progress: Progress, text: str) -> None:
    if progress is True or (progress is None and somebody_watches()):
        print(text, file=sys.stderr)


def _make_directory(study: Path) -> None:
    """Raises UsageError where the directory cannot be made, or has a table of something else."""
    try:
        study.mkdir(parents=True, exist_ok=True)
        first = (study / _TABLE).open(encoding="utf-8").readline()
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"{study}: cannot be the directory of a sweep: {error.strerror}") from None
    if not {"status", "directory"} <= set(first.strip().split(",")):
        raise UsageError(f"{study / _TABLE}: was not written by a sweep; take another out=")


def _write_table(study: Path, rows: list[Row]) -> None:
    if rows:
        StudyTable(rows).to_csv(study / _TABLE, overwrite=True)


class _Run:
    """One run of a study."""

    def __init__(
        self,
        member: Member,
        directory: RunDirectory,
        checkpoint_minutes: float | None,
        measure: Measure | None,
    ) -> None:
        self._settings = member.settings
        self._directory = directory
        self._measure = measure
        asked = member.case.checkpoint
        self._own_checkpoints = (
            checkpoint_minutes is not None
            and asked.every_steps is None
            and asked.every_minutes is None
        )
        self._case = member.case
        if self._own_checkpoints:
            # The user did not ask for these checkpoints: a failed one must not end the run.
            interval = {"checkpoint.every_minutes": checkpoint_minutes}
            self._case = member.case.replace({**interval, "checkpoint.on_error": "continue"})

    def row(self, raise_errors: bool, progress: Progress) -> Row:
        """Completes the run, and returns its row."""
        try:
            self._complete(progress)
        except Error as error:
            self._note_error(error)
            if raise_errors:
                raise
            return self.as_row(_failure(error))
        note = self._directory.note()
        if self._directory.state == "diverged":
            if raise_errors:
                raise DivergedError(note["error"])
            return self.as_row({"status": "diverged", "error": note["error"]})
        return self.as_row(_reported(self._directory.report()) | self._measured())

    def _complete(self, progress: Progress) -> None:
        state, path = self._directory.state, self._directory.path
        if state in ("finished", "diverged"):
            return
        run(
            self._case,
            path,
            overwrite=state == "lost",
            restart=path if state == "stopped" else None,
            progress=progress,
        )
        if self._own_checkpoints and not self._case.checkpoint.at_end:
            if self._directory.state == "finished":
                self._directory.remove_checkpoints()

    def _note_error(self, error: Error) -> None:
        if isinstance(error, DivergedError):
            self._directory.write_note({"settings": self._settings, **_failure(error)})

    def _measured(self) -> Row:
        if self._measure is None or self._directory.state != "finished":
            return {}
        found = self._measure(Results(self._directory.path))
        if not isinstance(found, Mapping):
            raise UsageError(f"measure: found {found!r}, must be a mapping of names to numbers")
        return {str(name): _plain(value) for name, value in found.items()}

    def as_row(self, what: Row) -> Row:
        """The row of the run: settings, values, directory."""
        settings = {key: _plain(value) for key, value in self._settings.items()}
        twice = [name for name in what if name in settings]
        if twice:
            raise UsageError(f"measure: {twice[0]}: is a setting, must be another name")
        return {**settings, **what, "directory": str(self._directory.path)}


def _failure(error: Error) -> Row:
    status = "diverged" if isinstance(error, DivergedError) else "failed"
    return {"status": status, "error": str(error)}


def _reported(report: dict[str, Any]) -> Row:
    row = {
        "status": report["exit_reason"],
        **{key: report[key] for key in ("steps", "seconds", "mlups")},
        "kinetic_energy": report["last_look"]["kinetic_energy"],
    }
    for body in report["bodies"]:
        for axis, value in zip("xyz", body["coefficient"]):
            row[f"{body['name']}.c{axis}"] = value
    return row


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    return value.tolist() if isinstance(value, (numpy.generic, numpy.ndarray)) else value
