# SPDX-License-Identifier: Apache-2.0
"""Files of a run that anybody may have written: only regular ones are opened, links never."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

MOST_ENTRIES = 50_000  # of a directory


def regular(path: Path) -> os.stat_result | None:
    """The facts of a regular file; None for links, pipes, devices, directories, and for nothing."""
    try:
        facts = path.lstat()
    except (OSError, ValueError):
        return None
    return facts if stat.S_ISREG(facts.st_mode) else None


def open_regular(path: Path) -> BinaryIO:
    """Opens a regular file for reading; raises OSError for all else, and never waits for a pipe."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    number = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(f"{path.name}: is no regular file")
    return os.fdopen(number, "rb")


def head(path: Path, most: int) -> str:
    """The first bytes of a file as text; empty where it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(most).decode(errors="replace")
    except (OSError, ValueError):
        return ""


def names(directory: Path) -> list[str]:
    """The regular files of a directory by name, the first of very many; no links."""
    found: list[str] = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    found.append(entry.name)
                if len(found) >= MOST_ENTRIES:
                    break
    except OSError:
        return []
    return sorted(found)
