#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs on two hosts give the results of one process, byte for byte.

    same_results.py PROGRAM [--only TEXT] [--alter KEY=VALUE]

Each case runs once on one host with one rank, and on both hosts with several. All files are compared. `--alter` sets a
key of the runs on several hosts alone: the test must fail then. Needs root; skipped where namespaces or sshd are missing.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time

import machine
from hosts import SSHD, Hosts

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "release"))
import case_runs  # noqa: E402
import result_directories  # noqa: E402

# Keys of a report that describe the processes, not the flow.
OF_RANKS = {"processes", "planes", "exchange", "link_bytes_in", "link_bytes_out", "device_bytes", "boundary_bytes", "host_bytes",
            "device_copy_gb_per_s", "scheme", "scheme_reason", "planes_per_visit", "steps_per_visit", "warnings"}

# Smaller than in case_runs.py: planes between hosts are slow on a busy machine.
SPHERE = ["grid.cells=[32, 32, 48]", "fluid.length=6", "bodies.sphere.center=[16, 16, 18]", "bodies.sphere.radius=3"]
STREAMED = ["tiling.scheme=wavefront", "tiling.steps_per_visit=5", "tiling.planes_per_visit=2"]
MOMENTS = ["lattice.collision=regularised", "lattice.representation=moments"]
# (case, keys, ranks, how mpirun maps them): by `node` ranks take turns among the hosts, by `slot` two fill a host.
RUNS = [
    ("lid_driven_cavity", ["grid.cells=[24, 24, 36]"], 3, "node"),
    ("flow_past_sphere", SPHERE, 4, "slot"),
    ("flow_past_sphere", [*SPHERE, "lattice.storage=fp16", *STREAMED], 4, "node"),
    ("lid_driven_cavity", ["grid.cells=[24, 24, 36]", *MOMENTS, *STREAMED], 2, "node"),
    ("channel_les", ["lattice.storage=fp16"], 3, "slot"),
    ("channel_flow_rate", ["tiling.scheme=halo", "tiling.steps_per_visit=2", "tiling.planes_per_visit=1"], 2, "node"),
]


class Failed(Exception):
    """A run that did not end as it must."""


class Comparison:
    """Runs of the program on some hosts, with results below the folder that all see."""

    def __init__(self, hosts, program, alter):
        self.hosts, self.alter = hosts, [f"{one}" for one in alter]
        self.program = shutil.copy(program, os.path.join(machine.SHARED, "lbm"))
        self.cases = shutil.copytree(os.path.join(ROOT, "cases"), os.path.join(machine.SHARED, "cases"),
                                     ignore=shutil.ignore_patterns("*.?pp", "*.txt", "*.cu*"))

    def line(self, words, ranks=None, mapping="node", hostfile="hostfile", more=()):
        """lbm run, or with several ranks mpirun of it; more: options of mpirun. As in docs/clusters.md."""
        line = [self.program, "run", *words]
        if not ranks:
            return line
        passed = [word for name in ("OMP_NUM_THREADS", "OMP_WAIT_POLICY", "LBM_CACHE_DIR") for word in ("-x", name)]
        return ["mpirun", "--hostfile", hostfile, "--map-by", mapping, "--bind-to", "none", *passed, *more,
                "-n", str(ranks), *line]

    def run(self, *words, **more):
        line = self.line(*words, **more)
        started = self.hosts.on_first(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = started.communicate()[0]
        if started.returncode != 0:
            raise Failed(f"exit status {started.returncode}: {' '.join(line)}\n{said[-2000:]}")

    def words(self, name, keys):
        case = os.path.join(self.cases, name + ".yaml")
        smaller = [key for key in case_runs.SMALLER.get(name, []) if not key.startswith("device.memory")]
        alone = [*smaller, *(key for key in keys if key.startswith(("grid.", "fluid.", "bodies.")))]
        cells, cell = case_runs.shape_of(self.program, case, alone)
        sets = [*alone, *case_runs.result_sets(cells, cell, False), "device.backend=cpu", "device.threads=1", *keys]
        return [case, "--quiet", *case_runs.flags(sets)]

    def differences(self, one, other, least=20):
        lines, files = result_directories.differences(one, other, restarted=True)
        lines = [line for line in lines if not any(line.startswith((f"report.json: {key}", f"report.json: missing: {key}"))
                                                   for key in OF_RANKS)]
        # Checkpoints by every byte, too.
        for name in sorted(os.listdir(one)):
            if name.endswith(".h5") and not same_bytes(os.path.join(one, name), os.path.join(other, name)):
                lines.append(f"{name}: other bytes")
        if files < least:
            lines.append(f"{files} files, must be {least} or more")
        return lines

    def case(self, number, name, keys, ranks, mapping):
        words = self.words(name, keys)
        one, several = (os.path.join(machine.SHARED, f"{number}_{what}") for what in ("one", "several"))
        self.run([*words, "--out", one])
        self.run([*words, *case_runs.flags(self.alter), "--out", several], ranks, mapping)
        return self.differences(one, several) + exchange_faults(several, ranks, exchange_of(ranks))

    def restart(self):
        """A checkpoint of three ranks on hosts 1 and 2 is continued by two, the first of which is on host 2."""
        words = self.words("flow_past_sphere", [*SPHERE, *STREAMED])
        one, several = (os.path.join(machine.SHARED, f"restart_{what}") for what in ("one", "several"))
        self.run([*words, "--out", one])
        self.run([*words, "--out", several], 3, "node")
        os.remove(os.path.join(several, f"checkpoint_{case_runs.STEPS:09d}.h5"))
        with open(os.path.join(machine.SHARED, "turned"), "w", encoding="utf-8") as file:
            file.write("host2 slots=1\nhost1 slots=1\n")
        self.run([*words, *case_runs.flags(self.alter), "--restart", several], 2, "slot", "turned")
        return self.differences(one, several) + exchange_faults(several, 2, "mpi")


def same_bytes(one, other):
    with open(one, "rb") as a, open(other, "rb") as b:
        return a.read() == b.read()


# Slabs go host by host, however mpirun placed the ranks: neighbours on one host share memory.
def exchange_of(ranks):
    return "mpi" if ranks == 2 else "host and mpi"


def exchange_faults(results, ranks, exchange):
    with open(os.path.join(results, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    return [f"report.json: {key}: found {report[key]}, must be {must}"
            for key, must in (("exchange", exchange), ("processes", ranks)) if report[key] != must]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="", help="runs whose name contains this")
    parser.add_argument("--alter", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    machine.need(SSHD, "ssh", "ssh-keygen", "mpirun", "ip", "unshare", "nsenter")
    machine.enter()
    hosts = Hosts(2)
    print(f"two hosts, between them {hosts.network}", flush=True)
    comparison = Comparison(hosts, options.program, options.alter)
    works = [(f"{name}, {ranks} ranks by {mapping} {' '.join(keys)}",
              lambda i=i, run=(name, keys, ranks, mapping): comparison.case(i, *run))
             for i, (name, keys, ranks, mapping) in enumerate(RUNS)]
    failed = False
    for what, work in [*works, ("checkpoint of 3 ranks on two hosts, continued by 2 turned round", comparison.restart)]:
        if options.only not in what:
            continue
        began = time.monotonic()
        try:
            lines = work()
        except Failed as error:
            lines = [str(error)]
        failed = failed or bool(lines)
        print(f"{'DIFFERS' if lines else 'same'}: {what} ({time.monotonic() - began:.1f} s)", flush=True)
        for line in lines:
            print(f"  {line}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
