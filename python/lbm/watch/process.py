# SPDX-License-Identifier: Apache-2.0
"""The process that writes into a directory, as the kernel knows it: by the lock that it holds."""

from __future__ import annotations

import os
import re
from pathlib import Path

from lbm.watch.files import regular

LOCK = ".lbm-lock"
_PROC = Path("/proc")
_LOCK_LINE = re.compile(
    r"\d+: FLOCK +ADVISORY +WRITE +(\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) ", re.MULTILINE
)
# Files of these may be locked from other machines, which this one does not see.
_NETWORK = ("nfs", "cifs", "smb", "lustre", "gpfs", "ceph", "beegfs", "fuse", "9p", "afs", "pvfs")


class Locks:
    """All locks of this machine, read once: by inode the processes and devices."""

    def __init__(self) -> None:
        self._by_inode: dict[int, list[tuple[int, int, int]]] = {}
        try:
            text = (_PROC / "locks").read_text(encoding="utf-8", errors="replace")
        except OSError:
            text = ""
        for pid, major, minor, inode in _LOCK_LINE.findall(text):
            holder = (int(pid), int(major, 16), int(minor, 16))
            self._by_inode.setdefault(int(inode), []).append(holder)

    def holder(self, directory: Path) -> int | None:
        """The process that holds the lock of a directory of results; None: none does."""
        facts = regular(directory / LOCK)
        if facts is None:
            return None
        for pid, major, minor in self._by_inode.get(facts.st_ino, []):
            same = (os.major(facts.st_dev), os.minor(facts.st_dev)) == (major, minor)
            # Layered file systems show another device: then the open files of the process tell.
            if pid > 0 and (same or has_open(pid, facts)):
                return pid
        return None


def has_open(pid: int, facts: os.stat_result) -> bool:
    """True if a process has this file open."""
    try:
        with os.scandir(_PROC / str(pid) / "fd") as entries:
            for entry in entries:
                try:
                    found = os.stat(entry.path)
                except OSError:
                    continue
                if (found.st_dev, found.st_ino) == (facts.st_dev, facts.st_ino):
                    return True
    except OSError:
        pass
    return False


def begun(pid: int) -> float | None:
    """When a process began, in seconds since 1970; None where the system does not say."""
    try:
        ticks = int((_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[19])
        boot = re.search(r"^btime (\d+)", (_PROC / "stat").read_text(), re.MULTILINE)
    except (OSError, ValueError, IndexError):
        return None
    return int(boot[1]) + ticks / os.sysconf("SC_CLK_TCK") if boot else None


def on_network(directory: Path) -> bool:
    """True if a directory is on a network file system: other machines may write into it."""
    try:
        device = directory.stat().st_dev
        text = (_PROC / "self/mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    wanted = f"{os.major(device)}:{os.minor(device)}"
    for line in text.splitlines():
        parts = line.split()
        if len(parts) > 2 and parts[2] == wanted and "-" in parts:
            kind = parts[parts.index("-") + 1]
            return kind.startswith(_NETWORK)
    return False
