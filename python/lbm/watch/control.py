# SPDX-License-Identifier: Apache-2.0
"""Signals to the process of a run: to no other one, whatever the files of a directory say.

The kernel names the process that holds the lock of the directory. It must be a program `lbm run` of
the same user, have that lock open, and catch the signal. It is held by a file descriptor of the
process (pidfd), so that a number that another process takes over meanwhile does no harm.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from lbm.watch.files import regular
from lbm.watch.process import LOCK, Locks, has_open

STOP = {"stop": signal.SIGINT, "save": signal.SIGUSR1}


class RefusedError(Exception):
    """Why no signal was sent: one sentence."""


def send(directory: Path, wish: str) -> str:
    """Asks the run in a directory to stop ("stop") or to save ("save"); returns what was done."""
    number = STOP[wish]
    pid = Locks().holder(directory)
    if pid is None:
        raise RefusedError("No process of this machine writes into this directory.")
    try:
        process = os.pidfd_open(pid)
    except OSError as error:
        raise RefusedError(f"The process {pid} cannot be reached: {error.strerror}.") from error
    try:
        if why := _objection(directory, pid, number):
            raise RefusedError(why)
        signal.pidfd_send_signal(process, number)
    except OSError as error:
        raise RefusedError(f"The process {pid} cannot be reached: {error.strerror}.") from error
    finally:
        os.close(process)
    return f"{number.name} was sent to process {pid}."


def _objection(directory: Path, pid: int, number: signal.Signals) -> str:
    """Why a process gets no signal; empty: it may get it."""
    proc = Path("/proc") / str(pid)
    facts = regular(directory / LOCK)
    if facts is None or not has_open(pid, facts) or Locks().holder(directory) != pid:
        return f"Process {pid} does not write into this directory any more."
    if proc.stat().st_uid != os.getuid():
        return f"Process {pid} belongs to another user."
    name = os.path.basename(os.readlink(proc / "exe")).removesuffix(" (deleted)")
    words = (proc / "cmdline").read_bytes().split(b"\0")
    if name != "lbm" or b"run" not in words[1:]:
        return f"Process {pid} is {name}, not lbm run: stop it where it was started."
    if not _catches(proc, number):
        if number == signal.SIGUSR1:
            return f"Process {pid} cannot save now."
        return f"Process {pid} is stopping already: a second signal would end it without saving."
    return ""


def _catches(proc: Path, number: signal.Signals) -> bool:
    """True if a process handles a signal and none of that signal is pending."""
    masks = {}
    for line in (proc / "status").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        if key in ("SigCgt", "SigPnd", "ShdPnd"):
            masks[key] = int(value, 16)
    bit = 1 << (number - 1)
    waiting = masks.get("SigPnd", 0) | masks.get("ShdPnd", 0)
    return bool(masks.get("SigCgt", 0) & bit) and not waiting & bit


def stopping(pid: int) -> bool:
    """True if a run has received its first SIGINT: it catches no second one (docs/cli.md)."""
    try:
        return not _catches(Path("/proc") / str(pid), signal.SIGINT)
    except (OSError, ValueError):
        return False
