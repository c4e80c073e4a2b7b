# SPDX-License-Identifier: Apache-2.0
"""The state of one run of a study, read from its directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lbm._files import write_atomically
from lbm.case import Case
from lbm.errors import UsageError
from lbm.results.results import is_result

FINISHED = ("completed", "steady")
_NOTE = "sweep.json"
# Keys that do not change the results: where and how they are computed, checkpoints, names.
_NOT_OF_THE_CASE = (
    *("device", "host", "tiling", "checkpoint"),
    *("run.walltime", "output.directory", "name", "fluid.target_reynolds"),
)


class RunDirectory:
    """The directory of one run.

    `state` is one of:
        new: the directory holds no files of a run.
        finished: the run is completed, or steady.
        diverged: the flow diverged and would do so again; `note` has the error.
        stopped: the run can continue from a checkpoint.
        lost: the run ended before its first checkpoint.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def state(self) -> str:
        """The state of the run."""
        if not (self.path / "effective_case.yaml").exists():
            return "new"
        if self.report().get("exit_reason") in FINISHED:
            return "finished"
        if self.note().get("status") == "diverged":
            return "diverged"
        return "stopped" if any(self.path.glob("checkpoint_*.h5")) else "lost"

    def refuse_another(self, case: Case) -> None:
        """Raises UsageError where the directory holds results of another case."""
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise UsageError(f"{self.path}: is a file, must be free for the directory of a run")
        effective = self.path / "effective_case.yaml"
        if effective.exists():
            different = _differences(Case.from_yaml(effective), case)
            if different:
                raise self._another("; ".join(different))
        elif any(is_result(file.name) for file in self.path.iterdir()):
            raise self._another("there is no effective_case.yaml")

    def _another(self, why: str) -> UsageError:
        return UsageError(
            f"{self.path}: holds a run of another case: {why}; move it away, or take another out="
        )

    def report(self) -> dict[str, Any]:
        """The content of report.json; empty where it is missing or incomplete."""
        return _read(self.path / "report.json")

    def note(self) -> dict[str, Any]:
        """The note of the last sweep."""
        return _read(self.path / _NOTE)

    def write_note(self, note: dict[str, Any]) -> None:
        """Writes the note of a sweep: facts that report.json does not have."""
        if self.path.is_dir():
            write_atomically(self.path / _NOTE, json.dumps(note, indent=2, default=str) + "\n")

    def remove_checkpoints(self) -> None:
        """Removes all checkpoints, after a finished run whose case asks for none."""
        for file in self.path.glob("checkpoint_*.h5"):
            file.unlink()


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _differences(there: Case, wanted: Case) -> list[str]:
    """"key: found -> wanted" of all keys that differ."""
    old, new = _values(there), _values(wanted)
    keys = [key for key in {**old, **new} if old.get(key) != new.get(key) and not _chosen(key, new)]
    return [f"{key}: {old.get(key, 'not given')} -> {new.get(key, 'not given')}" for key in keys]


def _chosen(key: str, wanted: dict[str, str]) -> bool:
    """True if the wanted case lets the run choose the value of this key."""
    keys = ("lattice.representation", "lattice.magic", "lattice.velocities")
    return key in keys and wanted.get(key) == repr("auto")


def _values(case: Case) -> dict[str, str]:
    """All given values, with absolute file names and the grid in cells."""
    case = Case.from_text(case.to_yaml())
    return {
        path: repr(value)
        for path, value in case._data().values()
        if not any(path == key or path.startswith(key + ".") for key in _NOT_OF_THE_CASE)
    }
