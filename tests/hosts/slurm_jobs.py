#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The job script of docs/clusters.md on Slurm with two hosts: jobs that end in every way continue bit for bit.

    slurm_jobs.py PROGRAM [before_walltime] [time_limit] [killed] [complete] [with_mpirun]      all unless some are named

One run, started four times with the script as it stands there: it ends before its walltime, at the time limit of the job
(after SIGUSR1 and SIGTERM), by SIGKILL to the ranks of one host, and complete; then its files are those of one process that
nothing stopped. At last mpirun takes the place of srun. Needs root; skipped where namespaces, sshd or Slurm are missing.
"""

import argparse
import json
import os
import re
import signal
import sys
import time

sys.dont_write_bytecode = True
import machine  # noqa: E402
from hosts import SSHD, Hosts  # noqa: E402
from same_results import ROOT, Comparison, Failed  # noqa: E402
from slurm import PROGRAMS, Slurm  # noqa: E402

# Beside the options in the script: what two hosts of few cores have.
SMALL = ["--nodes=2", "--ntasks-per-node=2", "--cpus-per-task=1"]
CASE = """\
name: case
grid: {{cells: [24, 24, 48]}}
boundaries:
  y_min: periodic
  y_max: periodic
  z_min: {{type: velocity, velocity: [0, 0, 1]}}
  z_max: outflow
bodies:
  ball: {{shape: sphere, center: [12, 12, 16], radius: 3}}
fluid: {{reynolds: 40, length: 6, lattice_velocity: 0.08}}
run: {{steps: {steps}}}
output: {{every_steps: 100000000, at_end: true, monitor: 50, forces: 50}}
statistics:
  means: {{every_steps: 10, write_every_steps: 100000000}}
checkpoint: {{every_steps: 1000000, at_end: true, keep: 50}}
device: {{backend: cpu}}
"""


def job_script():
    """The first shell block below the heading of docs/clusters.md."""
    with open(os.path.join(ROOT, "docs", "clusters.md"), encoding="utf-8") as file:
        page = file.read()
    return re.search(r"^## On a cluster with Slurm\n.*?^```sh\n(.*?)^```", page, re.M | re.S).group(1)


class Jobs:
    def __init__(self, program):
        self.hosts = Hosts(2)
        self.comparison = Comparison(self.hosts, program, [])
        self.slurm = Slurm(self.hosts)
        self.scratch = os.path.join(machine.SHARED, "scratch")
        self.out = os.path.join(self.scratch, "case")
        os.mkdir(self.scratch)
        self.script = job_script()

    def write_case(self, steps):
        with open(os.path.join(machine.SHARED, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(CASE.format(steps=steps))

    def submit(self, *options, walltime=None):
        """Number of the job. walltime: minutes, in place of those in the script."""
        script = self.script if walltime is None else re.sub(r"run\.walltime=\S+", f"run.walltime={walltime}", self.script)
        with open(os.path.join(machine.SHARED, "job.sh"), "w", encoding="utf-8") as file:
            file.write(script)
        # Programs are found as users find them.
        env = {"PATH": machine.SHARED + ":" + os.environ["PATH"], "SCRATCH": self.scratch}
        said = self.slurm.call("sbatch", "--parsable", *SMALL, *options, "job.sh", env=env).strip().splitlines()
        if not said or not said[-1].isdigit():
            raise Failed(f"sbatch: {said}")
        return said[-1]

    def output(self, job):
        path = os.path.join(machine.SHARED, f"slurm-{job}.out")
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def checkpoints(self):
        names = os.listdir(self.out) if os.path.isdir(self.out) else []
        return sorted(name for name in names if name.startswith("checkpoint_") and name.endswith(".h5"))

    def wait_for(self, job, condition, what, seconds=300):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise Failed(f"{what}: not after {seconds} s; job {self.slurm.state(job)}:\n{self.output(job)[-2000:]}")
            time.sleep(0.5)

    def expect_end(self, job, state, code=None):
        """The job ends in that state, with that exit code of the script; nothing of it is left."""
        self.wait_for(job, lambda: self.slurm.state(job)[0] not in ("PENDING", "RUNNING", "COMPLETING"), "end of job")
        found = self.slurm.state(job)
        if found[0] != state or (code is not None and found[1] != f"{code}:0"):
            raise Failed(f"job {job}: found {found}, must be {state} {code}:\n{self.output(job)[-2000:]}{self.slurm.logs()}")
        left = [host.name for host in self.hosts.hosts if host.processes()]
        if left:
            raise Failed(f"job {job}: processes are left on {left}")

    def ask_to_save(self, job):
        said = self.slurm.call("scancel", "--signal=USR1", job)
        if said:
            raise Failed(f"scancel: {said}")

    def before_walltime(self):
        """Exit code 6, with one checkpoint."""
        self.write_case(100000000)
        job = self.submit(walltime=0.25)
        self.expect_end(job, "FAILED", 6)
        if len(self.checkpoints()) != 1:
            raise Failed(f"found {self.checkpoints()}, must be one checkpoint")

    def time_limit(self):
        """Slurm looks every 30 s: SIGUSR1 comes up to 30 s early."""
        count = len(self.checkpoints())
        job = self.submit("--time=1", "--signal=USR1@5")
        self.wait_for(job, lambda: len(self.checkpoints()) > count, "checkpoint after SIGUSR1")
        if self.slurm.state(job)[0] != "RUNNING":
            raise Failed(f"job {job} does not run on after SIGUSR1: {self.slurm.state(job)}\n{self.output(job)}")
        self.expect_end(job, "TIMEOUT")
        if len(self.checkpoints()) < count + 2 or "stopped by SIGTERM" not in self.output(job):
            raise Failed(f"no checkpoint at the time limit: {self.checkpoints()}\n{self.output(job)}")

    def killed(self):
        count = len(self.checkpoints())
        job = self.submit()
        # Only ranks that compute understand the signal, and only after a step there is something new to save.
        self.wait_for(job, lambda: "the run goes on from here" in self.output(job), "restart")
        end = time.monotonic() + 120
        while len(self.checkpoints()) == count and time.monotonic() < end:
            time.sleep(3)
            self.ask_to_save(job)
        self.wait_for(job, lambda: len(self.checkpoints()) > count, "checkpoint after SIGUSR1", 5)
        for process in self.hosts[1].processes():  # as the kernel does where memory is short
            os.kill(process, signal.SIGKILL)
        self.expect_end(job, "FAILED")

    def complete(self):
        steps = int(self.checkpoints()[-1][len("checkpoint_"):-len(".h5")]) + 50
        self.write_case(steps)
        self.expect_end(self.submit(), "COMPLETED", 0)
        one = os.path.join(machine.SHARED, "one")
        # The walltime is part of the case, which checkpoints hold.
        self.comparison.run(["case.yaml", "--quiet", "--set", "run.walltime=115", "--out", one])
        for name in self.checkpoints()[:-1]:  # the run that nothing stopped has none in between
            os.remove(os.path.join(self.out, name))
        lines = self.comparison.differences(one, self.out, least=6)
        if lines:
            raise Failed("\n  ".join(["results differ from those of one process:", *lines]))

    def with_mpirun(self):
        """mpirun in a job starts its daemons by srun; it has no option of Slurm."""
        self.script = re.sub(r"srun .*? lbm run", "mpirun --bind-to none lbm run", self.script, flags=re.S)
        os.rename(self.out, self.out + "_srun")
        self.expect_end(self.submit(), "COMPLETED", 0)
        with open(os.path.join(self.out, "report.json"), encoding="utf-8") as file:
            processes = json.load(file)["processes"]
        if processes != 4:
            raise Failed(f"mpirun: found {processes} processes, must be 4")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    machine.need(SSHD, "ssh", "ssh-keygen", "mpirun", "ip", "unshare", "nsenter", *PROGRAMS)
    machine.enter()
    jobs = Jobs(options.program)
    print(jobs.slurm.call("sbatch", "--version").strip(), flush=True)
    for work in (jobs.before_walltime, jobs.time_limit, jobs.killed, jobs.complete, jobs.with_mpirun):
        if options.parts and work.__name__ not in options.parts:
            continue
        began = time.monotonic()
        try:
            work()
        except Failed as error:
            print(f"FAILED: {work.__name__}: {error}")
            return 1
        print(f"passed: {work.__name__} ({time.monotonic() - began:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
