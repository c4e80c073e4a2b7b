#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random moments: a run that is restarted until it ends leaves what one leaves that was
never disturbed, and no restart is ever refused.

LBM_KILLS: how many kills (10); LBM_KILL_SEED: the seed, which is printed."""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CASE = """
name: killed
grid: {cells: [30, 20, 33]}
boundaries:
  x_min: {type: wall, velocity: [0, 0.5, 0.2], period: 3.7}
  y_min: periodic
  y_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 0.6], turbulence: {intensity: 0.1, length: 4}}
  z_max: outflow
bodies:
  ball: {shape: sphere, center: [15, 10, 12], radius: 4.3, angular_velocity: [0, 1, 0]}
fluid: {reynolds: 40, length: 9, lattice_velocity: 0.08}
run: {steps: 600}
output: {every_steps: 45, monitor: 10}
checkpoint: {every_steps: 20}
device: {backend: cpu}
expect:
  drag: {quantity: coefficient.z, body: ball, value: 1, tolerance: 0.5, average_from: 0.3}
"""

# Settings that may change between restarts without changing the results.
WAYS = [[], ["--set", "tiling.scheme=wavefront", "--set", "tiling.steps_per_visit=9"],
        ["--set", "device.threads=1"],
        ["--set", "tiling.scheme=wavefront", "--set", "tiling.steps_per_visit=33"]]


def results(directory):
    found = {}
    for path in sorted(directory.iterdir()):
        own = path.name in ("report.json", "effective_case.yaml", "run.log") or path.name.startswith(".")
        if own or path.name.startswith("checkpoint") or path.is_dir():
            continue
        found[path.name] = path.read_bytes()
    return found


def judged(text):
    return [line for line in text.splitlines() if line.startswith("expect ")]


def fail(text):
    print("FAILED:", text)
    sys.exit(1)


class Test:
    def __init__(self, lbm, work, seed):
        self.lbm, self.work, self.random = lbm, work, random.Random(seed)
        self.case = work / "case.yaml"
        self.case.write_text(CASE)
        self.right = work / "right"
        begin = time.monotonic()
        done = subprocess.run(self.command(self.right, []), capture_output=True, text=True)
        self.seconds = time.monotonic() - begin
        if done.returncode != 0:
            fail(f"the undisturbed run: {done.stderr}")
        self.expected, self.verdict = results(self.right), judged(done.stdout)
        self.kills = self.restarts = self.fresh = self.writing = 0

    def command(self, out, more):
        return [str(self.lbm), "run", str(self.case), "--quiet", "--out", str(out), *more]

    # Kills the run until it ends or `most` kills were made; the last start is not killed.
    def one_run(self, out, most):
        while True:
            there = list(out.glob("checkpoint_*.h5")) if out.exists() else []
            more = ["--restart", str(out)] if there else ["--overwrite"]
            self.restarts += bool(there)
            self.fresh += not there
            process = subprocess.Popen(self.command(out, more + self.random.choice(WAYS)),
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            if self.kills < most:
                # Often early: during startup and while the checkpoint is read.
                time.sleep(self.seconds * self.random.random() ** 2)
                self.writing += any(out.glob("*.partial")) if out.exists() else 0
                process.send_signal(signal.SIGKILL)
            text, errors = process.communicate()
            if process.returncode == -signal.SIGKILL:
                self.kills += 1
                continue
            if process.returncode != 0:
                fail(f"exit code {process.returncode}: {errors}")
            return text

    def compare(self, out, text):
        got = results(out)
        for name in sorted(set(got) | set(self.expected)):
            if got.get(name) != self.expected.get(name):
                fail(f"{name} is not that of the undisturbed run")
        if judged(text) != self.verdict:
            fail(f"expectations: {judged(text)}, undisturbed: {self.verdict}")
        if any(out.glob("*.partial")):
            fail("a partial file is left")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lbm", type=pathlib.Path, required=True)
    lbm = parser.parse_args().lbm
    most = int(os.environ.get("LBM_KILLS", "10"))
    seed = int(os.environ.get("LBM_KILL_SEED", random.randrange(1 << 30)))
    print(f"LBM_KILLS={most} LBM_KILL_SEED={seed}", flush=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="lbm-kill-"))
    try:
        test = Test(lbm, work, seed)
        runs = 0
        while test.kills < most:
            out = work / "run"
            text = test.one_run(out, most)
            test.compare(out, text)
            shutil.rmtree(out)
            runs += 1
        print(f"{test.kills} kills ({test.writing} while a file was being written) in {runs} runs, "
              f"{test.restarts} restarts and {test.fresh} starts without a checkpoint: all ended as "
              f"the undisturbed run of {test.seconds:.1f} s")
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
