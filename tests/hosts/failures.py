#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks how and how soon a run on two hosts ends when a cable, a rank or a host fails, and what is left.

    failures.py PROGRAM [--only TEXT] [--silence SECONDS] [--within SECONDS]

Each failure strikes a run of four ranks after its second checkpoint. The run must end within the time that
docs/clusters.md states, with one line of lbm that names the rank or the host, with its exit code, and without a process left
on any host. Then one rank continues from the last checkpoint, and must end with the files of a run that nothing disturbed.
Needs root; skipped where namespaces or sshd are missing.
"""

import argparse
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import machine  # noqa: E402
from hosts import SSHD, Hosts  # noqa: E402
from same_results import Comparison, Failed  # noqa: E402

# mpirun notices within 14 s that it cannot reach a host; Open MPI's own values make 480 s.
KEEPALIVE = [word for name, value in (("time", 5), ("intvl", 3), ("probes", 3))
             for word in ("--mca", f"oob_tcp_keepalive_{name}", str(value))]
EVERY = 40  # steps between two checkpoints
FAILURES = ("stopped rank 3", "stopped rank 0", "killed rank 2", "killed rank 0", "host", "cable")


class Disturbed:
    """One run of four ranks: 0 and 1 on the first host, 2 and 3 on the second."""

    def __init__(self, program, silence):
        self.hosts = Hosts(2)
        self.comparison = Comparison(self.hosts, program, [])
        self.silence = silence
        self.out, self.log = (os.path.join(machine.SHARED, what) for what in ("out", "log"))

    def words(self, steps):
        keys = ["grid.cells=[24, 24, 48]", f"run={{steps: {steps}}}", "output={every_steps: 1000000, at_end: true, monitor: 1000000}",
                f"checkpoint={{every_steps: {EVERY}, keep: 3, at_end: true}}", "device.backend=cpu", "device.threads=1"]
        words = [word for key in keys for word in ("--set", key)]
        return [os.path.join(self.comparison.cases, "lid_driven_cavity.yaml"), "--quiet", *words]

    def checkpoints(self):
        names = os.listdir(self.out) if os.path.isdir(self.out) else []
        return sorted(name for name in names if name.startswith("checkpoint_") and name.endswith(".h5"))

    def start(self):
        with open(self.log, "w", encoding="utf-8") as log:
            environment = ["env", f"LBM_SILENCE_LIMIT={self.silence}"]
            line = self.comparison.line([*self.words(100000000), "--out", self.out], 4, "slot",
                                        more=["-x", "LBM_SILENCE_LIMIT", *KEEPALIVE])
            self.mpirun = self.hosts.on_first([*environment, *line], stdout=log, stderr=subprocess.STDOUT)
        end = time.monotonic() + 120
        while len(self.checkpoints()) < 2:
            if time.monotonic() > end or self.mpirun.poll() is not None:
                raise Failed(f"did not begin:\n{self.text()}")
            time.sleep(0.1)

    def text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def rank(self, number):
        """Process id of a rank."""
        for host in self.hosts.hosts:
            for process in host.processes():
                with open(f"/proc/{process}/environ", "rb") as file:
                    if f"OMPI_COMM_WORLD_RANK={number}".encode() in file.read().split(b"\0"):
                        return process
        raise Failed(f"rank {number} is not there")

    def left(self):
        return {host.name: host.processes() for host in self.hosts.hosts if host.is_up() and host.processes()}

    def strike(self, failure):
        """Returns what the message must name, and the exit codes that docs/clusters.md lists."""
        if failure == "cable":
            self.hosts[1].cut()
            return "host2", None
        if failure == "host":
            self.hosts[1].kill()
            return "host2", None
        number = int(failure[-1])
        os.kill(self.rank(number), signal.SIGSTOP if failure.startswith("stopped") else signal.SIGKILL)
        return (f"process {number} (host host", 4) if failure.startswith("stopped") else (f"rank {number} ", 137)

    def wait(self, seconds):
        """Time until mpirun has ended, and until no process of the run is left; throws Failed after that time."""
        began, ended = time.monotonic(), None
        while ended is None or self.left():
            if ended is None and self.mpirun.poll() is not None:
                ended = time.monotonic() - began
            if time.monotonic() - began > seconds:
                raise Failed(f"not over after {seconds} s: mpirun: {self.mpirun.poll()}, processes: {self.left()}\n{self.text()}")
            time.sleep(0.2)
        return ended, time.monotonic() - began

    def faults(self, name, code):
        lines = [line for line in self.text().splitlines() if line.startswith("lbm: ")]
        found = self.mpirun.returncode
        faults = [] if found != 0 and code in (None, found) else [f"exit code: found {found}, must be {code or 'not 0'}"]
        if len(lines) > 1 or (code == 4 and not lines):
            faults.append(f"{len(lines)} lines of lbm")
        said = lines[0] if lines else self.text()
        return faults + ([] if name in said else [f"does not name {name}:\n{self.text()}"])

    def continued(self):
        """Differences between one rank that continues and one that was never disturbed."""
        newest = self.checkpoints()[-1]
        steps = int(newest[len("checkpoint_"):-len(".h5")]) + EVERY // 2
        one = os.path.join(machine.SHARED, "one")
        self.comparison.run([*self.words(steps), "--restart", self.out])
        self.comparison.run([*self.words(steps), "--out", one])
        # Earlier checkpoints hold the other number of steps, as part of the case.
        for results in (one, self.out):
            for name in sorted(name for name in os.listdir(results) if name.endswith(".h5"))[:-1]:
                os.remove(os.path.join(results, name))
        return self.comparison.differences(one, self.out, least=4)


def fail(options):
    """One failure, in a machine of its own."""
    machine.enter()
    run = Disturbed(options.program, options.silence)
    run.start()
    before = run.checkpoints()
    names = run.strike(options.failure)
    ended, over = run.wait(options.within)
    faults = run.faults(*names)
    faults += [f"{name} is gone" for name in before[-1:] if name not in run.checkpoints()]
    faults += run.continued()
    print(f"{'FAILED' if faults else 'passed'}: {options.failure}: mpirun ended after {ended:.0f} s with exit code "
          f"{run.mpirun.returncode}, the last process after {over:.0f} s", flush=True)
    for fault in faults:
        print(f"  {fault}", flush=True)
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="failures whose name contains this")
    parser.add_argument("--silence", type=int, default=30, help="LBM_SILENCE_LIMIT")
    parser.add_argument("--within", type=int, default=90, help="seconds until all must be over")
    parser.add_argument("--failure", choices=FAILURES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    machine.need(SSHD, "ssh", "ssh-keygen", "mpirun", "ip", "unshare", "nsenter")
    if options.failure:
        try:
            return fail(options)
        except Failed as error:
            print(f"FAILED: {options.failure}: {error}", flush=True)
            return 1
    codes = [subprocess.run([sys.executable, "-B", *sys.argv, "--failure", failure], check=False).returncode
             for failure in FAILURES if options.only in failure]
    return machine.SKIPPED if machine.SKIPPED in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
