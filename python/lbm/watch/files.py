# SPDX-License-Identifier: Apache-2.0
"""Files of a run that anybody may have written: only regular ones are opened, links never."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MOST_ENTRIES = 50_000  # of a directory
Stamp = tuple[int, int, int]


def stamp(path: Path) -> Stamp | None:
    """Inode, time in ns and size of a regular file; None for links, pipes and all else."""
    try:
        facts = path.lstat()
    except (OSError, ValueError):
        return None
    found = facts.st_ino, facts.st_mtime_ns, facts.st_size
    return found if stat.S_ISREG(facts.st_mode) else None


def data(path: Path, most: int, end: bool = False) -> bytes:
    """The first (end: the last) bytes of a file; empty where it cannot be read."""
    try:
        # A pipe does not keep the reader waiting.
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(number, "rb") as file:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                return b""
            file.seek(max(0, file.seek(0, os.SEEK_END) - most) if end else 0)
            return file.read(most)
    except (OSError, ValueError):
        return b""


def text(path: Path, most: int, end: bool = False) -> str:
    """The same as text."""
    return data(path, most, end).decode(errors="replace")


def names(directory: Path) -> list[str]:
    """The regular files of a directory by name, the first of very many; no links."""
    try:
        with os.scandir(directory) as entries:
            some = [entry for _, entry in zip(range(MOST_ENTRIES), entries)]
            return sorted(entry.name for entry in some if entry.is_file(follow_symlinks=False))
    except OSError:
        return []
