# SPDX-License-Identifier: Apache-2.0
"""Buttons that save and stop a run: what they do to it, and that no other process gets a signal."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest
from served import running, serve, wait

from lbm.watch import control
from lbm.watch.process import LOCK, Locks

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")


@pytest.fixture
def root(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


def test_save_then_stop(program: str, root: pathlib.Path) -> None:
    """Save: a checkpoint, and the run goes on. Stop: a checkpoint, and exit code 130."""
    with serve(root, True) as served, running(program, root) as process:
        answer = served.post("save", "live")
        assert answer.status == 200 and f"process {process.pid}" in answer.data["done"]
        first = wait(lambda: sorted((root / "live").glob("checkpoint_*.h5")))
        before = served.api("series", "live")["series"][0]["step"]
        wait(lambda: served.api("series", "live")["series"][0]["step"] > before)
        assert process.poll() is None, "it goes on"
        assert served.post("stop", "live").status == 200
        assert process.wait(60) == 130
        assert sorted((root / "live").glob("checkpoint_*.h5"))[-1] > first[-1]
        shown = served.api("run", "live")
        assert shown["word"] == "Interrupted" and "SIGINT" in shown["sentence"]
        assert "continue from its last checkpoint" in shown["sentence"]
        assert "No process" in served.post("stop", "live").data["error"]


def test_a_second_stop_is_refused(
    program: str, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would end the run at once, without a checkpoint (docs/cli.md)."""
    with serve(root, True) as served, running(program, root) as process:
        process.send_signal(signal.SIGSTOP)  # so that it cannot act on the first one
        assert served.post("stop", "live").status == 200
        answer = served.post("stop", "live")
        assert answer.status == 409 and "without saving" in answer.data["error"]
        assert served.api("run", "live")["word"] == "Stopping"
        process.send_signal(signal.SIGCONT)
        assert process.wait(60) == 130
        assert list((root / "live").glob("checkpoint_*.h5"))


def test_reading_sends_nothing(program: str, root: pathlib.Path) -> None:
    """Without --allow-control, key, origin or POST: the run goes on, and has no checkpoint."""
    with running(program, root) as process:
        with serve(root) as served:
            assert served.post("stop", "live").status == 409
            assert served.post("save", "live").status == 409
        with serve(root, True) as served:
            assert served.post("stop", "live", **{"X-Lbm-Key": "x"}).status == 401
            assert served.post("stop", "live", Origin="http://evil.example").status == 403
            assert served.post("stop", "live", Host="evil.example").status == 403
            assert served.get("/api/stop?run=live").status == 404
            before = served.api("series", "live")["series"][0]["step"]
            wait(lambda: served.api("series", "live")["series"][0]["step"] > before)
        assert process.poll() is None and not list((root / "live").glob("checkpoint_*.h5"))


HOLDS = """\
import fcntl, os, signal, sys, time
signal.signal(signal.SIGINT, lambda *_: os._exit(99))
signal.signal(signal.SIGUSR1, lambda *_: os._exit(98))
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""


def holder(
    lock: pathlib.Path, program: str = sys.executable, *more: str
) -> "subprocess.Popen[str]":
    """A process that holds the lock of a directory, and says so by its exit code if signalled."""
    command = [program, "-c", HOLDS, str(lock), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_process_that_is_no_run_gets_no_signal(sample: pathlib.Path, root: pathlib.Path) -> None:
    """A script of Python that holds the lock, whatever its files and its arguments say."""
    run = pathlib.Path(shutil.copytree(sample, root / "a"))
    process = holder(run / LOCK, sys.executable, "lbm", "run")
    try:
        with serve(root, True) as served:
            assert served.api("run", "a")["pid"] == process.pid
            for what in ("stop", "save"):
                answer = served.post(what, "a")
                assert answer.status == 409 and "not lbm run" in answer.data["error"]
        time.sleep(0.2)
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()


def test_numbers_in_files_are_not_believed(sample: pathlib.Path, root: pathlib.Path) -> None:
    """A file that names a process, or a lock that nobody holds, is the way to no signal."""
    run = pathlib.Path(shutil.copytree(sample, root / "a"))
    other = holder(root.parent / "elsewhere")
    try:
        for name in (LOCK, "pid", "lbm.pid", "run.pid"):
            (run / name).write_text(f"{other.pid}\n")
        with serve(root, True) as served:
            assert served.api("run", "a")["pid"] is None
            for what in ("stop", "save"):
                assert "No process" in served.post(what, "a").data["error"]
            (run / LOCK).unlink()
            (run / LOCK).symlink_to(root.parent / "elsewhere")
            assert "No process" in served.post("stop", "a").data["error"], "a link to a held lock"
        time.sleep(0.2)
        assert other.poll() is None
    finally:
        other.kill()
        other.communicate()


def test_what_is_checked_of_a_process(
    program: str, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(program, root) as process:
        live = root / "live"
        say = control._objection
        assert say(live, process.pid, signal.SIGINT) == ""
        assert "any more" in say(live, os.getpid(), signal.SIGINT), "it does not hold the lock"
        assert "any more" in say(root, process.pid, signal.SIGINT), "of another directory"
        monkeypatch.setattr(os, "getuid", lambda: 12345)
        assert "another user" in say(live, process.pid, signal.SIGINT)
        monkeypatch.undo()
        monkeypatch.setattr(control, "_catches", lambda *_: False)
        assert "stopping already" in say(live, process.pid, signal.SIGINT)
        assert "cannot save" in say(live, process.pid, signal.SIGUSR1), "SIGUSR1 would end it"
        monkeypatch.undo()
        sent: list[int] = []
        monkeypatch.setattr(signal, "pidfd_send_signal", lambda fd, number: sent.append(number))
        control.send(live, "stop")
        assert sent == [signal.SIGINT], "only through the descriptor of the process"
        process.kill()
        process.wait()
        with pytest.raises(control.RefusedError, match="No process"):
            control.send(live, "stop")


def test_locks_of_the_machine(root: pathlib.Path) -> None:
    process = holder(root / LOCK)
    try:
        assert Locks().holder(root) == process.pid
    finally:
        process.kill()
        process.communicate()
    assert Locks().holder(root) is None, "the file stays, the lock does not"
