# SPDX-License-Identifier: Apache-2.0
"""Starts `lbm run` with faults in front of its file functions, and ends it."""
import os
import pathlib
import signal
import subprocess
import time

MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n"]


class Outcome:
    def __init__(self, code, out, err, killed):
        self.code, self.out, self.err, self.killed = code, out, err, killed


def children_of(pid):
    """Ids of the processes that this process started; empty where it has ended."""
    found = []
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in path.read_text().split()]
        except OSError:
            pass
    return found


def alive(pid):
    try:
        return not pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


class Launcher:
    """library: that of tests/faults; work: a directory for logs, on the disk of the results."""

    def __init__(self, lbm, library, work):
        self.lbm, self.library, self.work = lbm, library, work
        self.log = work / "faults.log"

    def environment(self, out, faults):
        names = {"OMP_WAIT_POLICY": "passive", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if faults:
            pathlib.Path(f"{out}.saved").mkdir(exist_ok=True)
            preload = ":".join(filter(None, [str(self.library), os.environ.get("LD_PRELOAD")]))
            names |= {"LD_PRELOAD": preload, "LBM_FAULT_DIR": str(out), "LBM_FAULT_LOG": str(self.log),
                      "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")}
            names |= {f"LBM_FAULT_{key}": str(value) for key, value in faults.items()}
        return os.environ | names

    def run(self, arguments, out, ranks=1, faults=None, blow=None):
        """faults: values of LBM_FAULT_... without the beginning. blow: called with the process while it runs."""
        self.log.unlink(missing_ok=True)
        command = [str(self.lbm), "run", *arguments, "--out", str(out)]
        if ranks > 1:
            command = [*MPIRUN, str(ranks), *command]
        with open(self.work / "out", "w+") as text, open(self.work / "err", "w+") as errors:
            process = subprocess.Popen(command, stdout=text, stderr=errors, stdin=subprocess.DEVNULL,
                                       env=self.environment(out, faults))
            family = {process.pid}
            if blow:
                family |= set(blow(process))
            try:
                process.wait(timeout=120)
            except subprocess.TimeoutExpired:
                end(process)
                raise AssertionError(f"the run hangs: {' '.join(command)}") from None
            wait_for(family)
            text.seek(0), errors.seek(0)
            logged = self.log.read_text() if self.log.exists() else ""
            killed = process.returncode in (-signal.SIGKILL, 137) or "\nend " in "\n" + logged
            return Outcome(process.returncode, text.read(), errors.read(), killed)

    def calls(self):
        """Calls on files of the results in the last run, by its rank that made most."""
        lines = self.log.read_text().splitlines()
        return max(int(line.split()[1]) for line in lines if line.startswith("calls "))


def end(process):
    for pid in [*children_of(process.pid), process.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def wait_for(family):
    """The ranks of a killed mpirun live on for a moment and hold the results directory."""
    until = time.monotonic() + 30
    while any(alive(pid) for pid in family):
        if time.monotonic() > until:
            raise AssertionError(f"processes do not end: {[pid for pid in family if alive(pid)]}")
        time.sleep(0.01)
