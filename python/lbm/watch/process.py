# SPDX-License-Identifier: Apache-2.0
"""The process that writes into a directory, as the kernel knows it by the lock that it holds.

Signals go to no other process, whatever the files of a directory say: it must be a program
`lbm run` of the same user, have that lock open, and catch the signal.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
from functools import lru_cache
from pathlib import Path

import psutil  # type: ignore[import-untyped,unused-ignore]

from lbm.watch.files import stamp

LOCK = ".lbm-lock"
SIGNALS = {"stop": signal.SIGINT, "save": signal.SIGUSR1}
_LOCKED = re.compile(r"FLOCK +ADVISORY +WRITE +(\d+) (\w+):(\w+):(\d+) ")
# Files of these may be locked from other machines, which this one does not see.
_NETWORK = ("nfs", "cifs", "smb", "lustre", "gpfs", "ceph", "beegfs", "fuse", "v9fs", "afs", "pvfs")


class RefusedError(Exception):
    """Why no signal was sent: one sentence."""


class Locks:
    """All locks of this machine, read once: process and device by the inode of the file."""

    def __init__(self) -> None:
        locks = Path("/proc/locks")
        found = _LOCKED.findall(locks.read_text()) if locks.exists() else []
        self._known = {int(i): (int(p), os.makedev(int(a, 16), int(b, 16))) for p, a, b, i in found}

    def holder(self, directory: Path) -> int | None:
        """The process that holds the lock of a directory of results; None: none does."""
        lock = directory / LOCK
        pid, device = self._known.get((stamp(lock) or (0,))[0], (0, 0))
        # Layered file systems show another device: then the open files of the process tell.
        return pid if pid > 0 and (device == lock.lstat().st_dev or _has_open(pid, lock)) else None


def _has_open(pid: int, path: Path) -> bool:
    with contextlib.suppress(OSError, psutil.Error):
        return any(os.path.samefile(one.path, path) for one in psutil.Process(pid).open_files())
    return False


def begun(pid: int) -> float:
    """When a process began, in seconds since 1970; 0 where there is none."""
    with contextlib.suppress(psutil.Error):
        return float(psutil.Process(pid).create_time())
    return 0.0


@lru_cache(4096)
def on_network(directory: Path) -> bool:
    """True if a directory is on a network file system: other machines may write into it."""
    done = subprocess.run(["stat", "-f", "-c", "%T", directory], capture_output=True, text=True)
    return done.stdout.startswith(_NETWORK)


def send(directory: Path, number: signal.Signals) -> str:
    """Sends a signal to the run in a directory; returns what was done. Raises RefusedError."""
    pid = Locks().holder(directory)
    if pid is None:
        raise RefusedError("No process of this machine writes into this directory.")
    try:
        process = psutil.Process(pid)
        if why := _objection(directory, process, number):
            raise RefusedError(why)
        process.send_signal(number)  # psutil refuses where another process has taken the number
    except (OSError, psutil.Error) as error:
        raise RefusedError(f"The process {pid} cannot be reached: {error}.") from error
    return f"{number.name} was sent to process {pid}."


def _objection(directory: Path, process: psutil.Process, number: signal.Signals) -> str:
    """Why a process gets no signal; empty: it may get it."""
    pid, name = process.pid, os.path.basename(process.exe()).removesuffix(" (deleted)")
    if Locks().holder(directory) != pid:
        return f"Process {pid} does not write into this directory any more."
    if process.uids().real != os.getuid():
        return f"Process {pid} belongs to another user."
    if name != "lbm" or "run" not in process.cmdline()[1:]:
        return f"Process {pid} is {name}, not lbm run: stop it where it was started."
    if catches(pid, number):
        return ""
    if number == signal.SIGUSR1:
        return f"Process {pid} cannot save now."
    return f"Process {pid} is stopping already: a second signal would end it without saving."


def catches(pid: int, number: signal.Signals = signal.SIGINT) -> bool:
    """True if a process handles a signal and none is pending. A run catches one SIGINT alone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return True
    masks = dict(re.findall(r"^(SigCgt|SigPnd|ShdPnd):\s*([0-9a-f]+)", text, re.MULTILINE))
    bits = {name: int(mask, 16) >> (number - 1) & 1 for name, mask in masks.items()}
    return bits == {"SigCgt": 1, "SigPnd": 0, "ShdPnd": 0}
