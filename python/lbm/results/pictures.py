# SPDX-License-Identifier: Apache-2.0
"""Pictures that a run has made (`pictures.NAME` of the case): NAME_000000120.png."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n"  # with which each PNG file begins
FILE = re.compile(r"(?P<name>.+)_(?P<step>\d{9,15})\.png")


@dataclass(frozen=True)
class Pictures:
    """The pictures of one name in the order of steps; a notebook shows the newest one.

    Attributes:
        name: as in the case. steps: of the run. files: one PNG file for each step.
    """

    name: str
    steps: list[int]
    files: list[Path]

    def __len__(self) -> int:
        return len(self.files)

    def _repr_png_(self) -> bytes | None:
        return self.files[-1].read_bytes() if self.files else None


def pictures_of(directory: Path, names: list[str]) -> dict[str, Pictures]:
    """The pictures among the files of a directory, by name. names: of the files."""
    found: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        if parts := FILE.fullmatch(name):
            found.setdefault(parts["name"], []).append((int(parts["step"]), name))
    made = {}
    for name, files in sorted(found.items()):
        files.sort()
        steps = [step for step, _ in files]
        made[name] = Pictures(name, steps, [directory / file for _, file in files])
    return made
