# SPDX-License-Identifier: Apache-2.0
"""Buttons that save and stop a run: what they do to it, and that no other process gets a signal."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import psutil
import pytest
from served import Served, running, wait

from lbm.watch import process as processes
from lbm.watch.process import LOCK, Locks


def test_save_then_stop(program: str, root: pathlib.Path) -> None:
    """Save: a checkpoint, and the run goes on. Stop: a checkpoint, and exit code 130."""
    served = Served(root, control=True)
    with running(program, root) as process:
        assert 'data-post="stop"' in served.api("run", "live")["html"]
        answer = served.post("save", "live")
        assert answer.status_code == 200 and f"process {process.pid}" in answer.json()["done"]
        first = wait(lambda: sorted((root / "live").glob("checkpoint_*.h5")))
        before = served.api("run", "live")["step"]
        wait(lambda: served.api("run", "live")["step"] > before)
        assert process.poll() is None, "it goes on"
        assert served.post("stop", "live").status_code == 200
        assert process.wait(60) == 130
        assert sorted((root / "live").glob("checkpoint_*.h5"))[-1] > first[-1]
        shown = served.api("run", "live")
        assert shown["word"] == "Interrupted" and "SIGINT" in shown["sentence"]
        assert "continue from its last checkpoint" in shown["sentence"]
        assert "No process" in served.post("stop", "live").json()["error"]


def test_a_second_stop_is_refused(program: str, root: pathlib.Path) -> None:
    """It would end the run at once, without a checkpoint (docs/cli.md)."""
    served = Served(root, control=True)
    with running(program, root) as process:
        process.send_signal(signal.SIGSTOP)  # so that it cannot act on the first one
        assert served.post("stop", "live").status_code == 200
        answer = served.post("stop", "live")
        assert answer.status_code == 409 and "without saving" in answer.json()["error"]
        assert served.api("run", "live")["word"] == "Stopping"
        process.send_signal(signal.SIGCONT)
        assert process.wait(60) == 130
        assert list((root / "live").glob("checkpoint_*.h5"))


HOLDS = """\
import fcntl, os, signal, sys, time
signal.signal(signal.SIGINT, lambda *_: os._exit(99))
signal.signal(signal.SIGUSR1, lambda *_: os._exit(98))
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""


def holder(lock: pathlib.Path, *more: str) -> "subprocess.Popen[str]":
    """A process that holds the lock of a directory, and says so by its exit code if signalled."""
    command = [sys.executable, "-c", HOLDS, str(lock), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_process_that_is_no_run_gets_no_signal(run: pathlib.Path) -> None:
    """A script of Python that holds the lock, whatever its files and its arguments say."""
    process = holder(run / LOCK, "lbm", "run")
    try:
        served = Served(run, control=True)
        assert served.api("run")["pid"] == process.pid
        for what in ("stop", "save"):
            answer = served.post(what)
            assert answer.status_code == 409 and "not lbm run" in answer.json()["error"]
        time.sleep(0.2)
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()
    assert Locks().holder(run) is None, "the file stays, the lock does not"


def test_numbers_in_files_are_not_believed(run: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """A file that names a process, or a lock that nobody holds, is the way to no signal."""
    other = holder(tmp_path / "elsewhere")
    try:
        for name in (LOCK, "pid", "lbm.pid", "run.pid"):
            (run / name).write_text(f"{other.pid}\n")
        served = Served(run, control=True)
        assert served.api("run")["pid"] is None
        for what in ("stop", "save"):
            assert "No process" in served.post(what).json()["error"]
        (run / LOCK).unlink()
        (run / LOCK).symlink_to(tmp_path / "elsewhere")
        assert "No process" in served.post("stop").json()["error"], "a link to a held lock"
        time.sleep(0.2)
        assert other.poll() is None
    finally:
        other.kill()
        other.communicate()


def test_what_is_checked_of_a_process(
    program: str, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(program, root) as process:
        live, me, it = root / "live", psutil.Process(), psutil.Process(process.pid)
        say = processes._objection
        assert say(live, it, signal.SIGINT) == ""
        assert "any more" in say(live, me, signal.SIGINT), "it does not hold the lock"
        assert "any more" in say(root, it, signal.SIGINT), "of another directory"
        monkeypatch.setattr(os, "getuid", lambda: 12345)
        assert "another user" in say(live, it, signal.SIGINT)
        monkeypatch.undo()
        monkeypatch.setattr(processes, "catches", lambda *_: False)
        assert "stopping already" in say(live, it, signal.SIGINT)
        assert "cannot save" in say(live, it, signal.SIGUSR1), "SIGUSR1 would end it"
        monkeypatch.undo()
        process.kill()
        process.wait()
        with pytest.raises(processes.RefusedError, match="No process"):
            processes.send(live, signal.SIGINT)
        shutil.rmtree(live)
