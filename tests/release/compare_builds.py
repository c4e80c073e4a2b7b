#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds two builds of lbm against each other: the same results, byte for byte.

    compare_builds.py OLD_LBM NEW_LBM [--ranks 1,2,3] [--only CASE,...] [--jobs N] [--cuda] [--storage TYPE]
                      [--set KEY=VALUE] [--other-machine] [--keep DIR]

Runs every case of cases/ with both, shortened, once for each number of processes; schemes and storage types take
turns. Compares all files of the two results directories, and report.json as data (result_directories.py lists the
keys that may differ). Then the new program goes on from a checkpoint of the old one and must end as the old one did.
One line a case; exit status 1 where anything differs. With h5py (build/venv/bin/python has it) a difference in a
field file or checkpoint is named by its dataset.
"""

import argparse
import concurrent.futures
import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import case_runs  # noqa: E402
import result_directories  # noqa: E402

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cases")


class Failed(Exception):
    """A run that did not end as it must."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD_LBM")
    parser.add_argument("new", metavar="NEW_LBM")
    parser.add_argument("--ranks", default="1,2,3", help="numbers of processes, default 1,2,3")
    parser.add_argument("--only", default="", help="these cases alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases at the same time")
    parser.add_argument("--cuda", action="store_true", help="on the GPU, which all processes share")
    parser.add_argument("--storage", choices=case_runs.STORAGE, help="of all runs, instead of turns")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="in all runs")
    parser.add_argument("--other-machine", action="store_true",
                        help="NEW_LBM starts, in an emulator, a program of another kind of processor: reports name other devices")
    parser.add_argument("--cases", default=CASES, help="the folder of the case files")
    parser.add_argument("--keep", help="keep all results below this folder")
    # Something for the new program alone: shows that a difference is seen.
    parser.add_argument("--alter", action="append", default=[], metavar="KEY=VALUE", help=argparse.SUPPRESS)
    return parser.parse_args()


class CaseCheck:
    """All runs of one case with both programs."""

    def __init__(self, options, name, turn, scratch):
        self.options, self.name, self.turn = options, name, turn
        self.case = os.path.abspath(os.path.join(options.cases, name + ".yaml"))
        self.scratch = os.path.join(scratch, name)
        self.ranks = [int(n) for n in options.ranks.split(",")]
        self.files, self.lines = 0, []
        os.makedirs(self.scratch)

    def path(self, *names):
        return os.path.join(self.scratch, *names)

    def sets(self):
        smaller = case_runs.SMALLER.get(self.name, [])
        cells, cell = case_runs.shape_of(self.options.old, self.case, smaller)
        self.planes = cells[2]
        return smaller + case_runs.result_sets(cells, cell, self.options.vtk)

    def run(self, which, sets, out, ranks, restart=None):
        own = self.options.alter if which == "new" and not restart else []
        program = getattr(self.options, which)
        line = case_runs.command(program, self.case, sets + own, out, ranks, restart)
        status, said = case_runs.run(line, self.path("cache-" + which))
        if status != 0:
            raise Failed(f"{which} program, {ranks} processes{', restart' if restart else ''}: "
                         f"exit status {status}: {said}")

    def compare(self, old, new, what, restarted=False):
        lines, files = result_directories.differences(old, new, restarted, self.options.other_machine)
        self.files += files
        self.lines += [f"{what}: {line}" for line in lines]

    def both(self, sets, ranks):
        old, new = self.path(f"old-{ranks}"), self.path(f"new-{ranks}")
        self.run("old", sets, old, ranks)
        self.run("new", sets, new, ranks)
        self.compare(old, new, f"{ranks} processes")
        names = os.listdir(old)
        self.lines += [f"{ranks} processes: missing: no file {kind}*" for kind in case_runs.KINDS
                       if not any(name.startswith(kind) for name in names)]

    def restart(self, sets, ranks):
        """From the old program's checkpoint in the middle, in a copy of its results."""
        old, again = self.path(f"old-{ranks}"), self.path(f"again-{ranks}")
        shutil.copytree(old, again)
        os.remove(os.path.join(again, f"checkpoint_{case_runs.STEPS:09d}.h5"))
        self.run("new", sets, None, ranks, restart=again)
        self.compare(old, again, f"restart, {ranks} processes", restarted=True)

    def all_runs(self):
        sets = self.sets()
        for i, ranks in enumerate(self.ranks):
            way = case_runs.way_sets(self.turn + i, ranks, self.planes, "cuda" if self.options.cuda else "cpu",
                                     any(one.startswith("device.memory") for one in sets), self.options.storage)
            way += self.options.set
            self.both(sets + way, ranks)
            if i == self.turn % len(self.ranks):
                self.restart(sets + way, ranks)

    def __call__(self):
        began = time.monotonic()
        try:
            self.all_runs()
        except Exception as problem:  # whatever it is, the other cases count, too
            self.lines.append(str(problem) or repr(problem))
        if not self.options.keep:
            shutil.rmtree(self.scratch)
        return self, time.monotonic() - began


def print_line(check, seconds):
    verdict = f"{len(check.lines)} DIFFERENCES" if check.lines else "same"
    print(f"{check.name:26} {check.files:4} files  {seconds:6.1f} s  {verdict}", flush=True)
    for line in check.lines[:20]:
        print(f"    {line}")
    if len(check.lines) > 20:
        print(f"    and {len(check.lines) - 20} more")


def case_names(options):
    known = sorted(name[:-5] for name in os.listdir(options.cases) if name.endswith(".yaml"))
    wanted = options.only.split(",") if options.only else known
    unknown = set(wanted) - set(known)
    if unknown:
        sys.exit(f"compare_builds.py: missing: {', '.join(sorted(unknown))}; the cases are {', '.join(known)}")
    return [(turn, name) for turn, name in enumerate(known) if name in wanted]


def main():
    options = arguments()
    options.old, options.new = os.path.abspath(options.old), os.path.abspath(options.new)
    options.vtk = all(case_runs.has_vtk(program, options.cases) for program in (options.old, options.new))
    scratch = options.keep or tempfile.mkdtemp(prefix="compare_builds_")
    began, bad, files = time.monotonic(), 0, 0
    checks = [CaseCheck(options, name, turn, scratch) for turn, name in case_names(options)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for job in concurrent.futures.as_completed([pool.submit(check) for check in checks]):
            check, seconds = job.result()
            print_line(check, seconds)
            bad, files = bad + bool(check.lines), files + check.files
    if not options.keep:
        shutil.rmtree(scratch)
    print(f"{len(checks)} cases, {files} files, {time.monotonic() - began:.0f} s: "
          f"{'differences in ' + str(bad) if bad else 'all the same'}{'' if options.vtk else '; without VTK'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
