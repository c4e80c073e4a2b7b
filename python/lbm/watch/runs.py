# SPDX-License-Identifier: Apache-2.0
"""The runs in a directory, found when somebody looks. Links to folders are not followed."""

from __future__ import annotations

import os
import re
from pathlib import Path

from lbm._lbm import UsageError
from lbm.results.index import FILE
from lbm.watch.files import stamp
from lbm.watch.process import LOCK

_MARKS = {"run.log", "report.json", "effective_case.yaml", LOCK}
_DEPTH = 3  # folders below the one that is watched
_MOST_RUNS = 2000
_MOST_ENTRIES = 500_000


class Runs:
    """The runs below a directory, each by its place below it; "." for that itself."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise UsageError(f"{root}: must be a directory of results, or of such directories")
        self.root = root.resolve()
        self._known: dict[str, Path] = {}

    def find(self) -> dict[str, Path]:
        """All runs as of now, in the order of names: run2 before run10."""
        found: dict[str, Path] = {}
        entries, todo = 0, [(self.root, 0)]
        while todo and len(found) < _MOST_RUNS and entries < _MOST_ENTRIES:
            folder, depth = todo.pop()
            if any(stamp(folder / name) for name in _MARKS):
                found[folder.relative_to(self.root).as_posix()] = folder
                continue
            try:
                there = list(os.scandir(folder))
            except OSError:
                continue
            entries += len(there)
            if any(FILE.fullmatch(x.name) and x.is_file(follow_symlinks=False) for x in there):
                found[folder.relative_to(self.root).as_posix()] = folder
            elif depth < _DEPTH:
                below = [one for one in there if one.is_dir(follow_symlinks=False)]
                todo += [(Path(one), depth + 1) for one in below if not one.name.startswith(".")]
        self._known = dict(sorted(found.items(), key=lambda one: _natural(one[0])))
        return self._known

    def run(self, name: str) -> Path:
        """A run by its name: one of those that were found, so no path of a request is opened.

        Raises KeyError, also where the folder has become a link since.
        """
        found = self._known.get(name) or self.find()[name]
        if found.resolve() != found:
            raise KeyError(name)
        return found


def _natural(name: str) -> list[tuple[str, int]]:
    return [(text, int(n or 0)) for text, n in re.findall(r"(\D*)(\d{0,15})", name)]
