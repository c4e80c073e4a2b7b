"""What the directory of one run of a study says about how far it is."""

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
# How a run is cut into pieces and where it lies says nothing about its results.
_NOT_OF_THE_CASE = ("checkpoint", "output.directory", "name")


class RunDirectory:
    """The directory of one run.

    `state` is one of:
        new: nothing of a run is there.
        finished: completed, or steady.
        diverged: and would do so again; `note` says how.
        stopped: there is a checkpoint to go on from.
        lost: it was ended before the first checkpoint.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def state(self) -> str:
        """How far the run is."""
        if not (self.path / "effective_case.yaml").exists():
            return "new"
        if self.report().get("exit_reason") in FINISHED:
            return "finished"
        if self.note().get("status") == "diverged":
            return "diverged"
        return "stopped" if any(self.path.glob("checkpoint_*.h5")) else "lost"

    def refuse_another(self, case: Case) -> None:
        """Raises UsageError where the directory holds results of anything but this case."""
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
        """report.json; empty where there is none that is whole."""
        return _read(self.path / "report.json")

    def note(self) -> dict[str, Any]:
        """What the last sweep has noted here."""
        return _read(self.path / _NOTE)

    def write_note(self, note: dict[str, Any]) -> None:
        """Keeps what report.json does not tell."""
        if self.path.is_dir():
            write_atomically(self.path / _NOTE, json.dumps(note, indent=2, default=str) + "\n")

    def remove_checkpoints(self) -> None:
        """For a run that is finished and did not ask for any."""
        for file in self.path.glob("checkpoint_*.h5"):
            file.unlink()


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _differences(there: Case, wanted: Case) -> list[str]:
    """key: found -> wanted, of all that belongs to the case."""
    old, new = _values(there), _values(wanted)
    keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    return [f"{key}: {old.get(key, 'not given')} -> {new.get(key, 'not given')}" for key in keys]


def _values(case: Case) -> dict[str, str]:
    """All that is given, with whole names of files and the sizes in cells."""
    case = Case.from_text(case.to_yaml())
    return {
        path: repr(value)
        for path, value in case._data().values()
        if not any(path == key or path.startswith(key + ".") for key in _NOT_OF_THE_CASE)
    }
