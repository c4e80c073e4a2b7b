#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the Taylor-Green vortex at Re 1600 with the spectral reference: kinetic energy and its loss over time.

    taylor_green_transition.py RESULT_DIR... [--evidence DIR]

RESULT_DIR: results of cases/taylor_green_transition.yaml, on any grid, with run.convective_times of 12. Prints a
table; with --evidence also writes a record for docs/lab/verification.py. Exit code 1 where a bound is not met, 2 where
a result cannot be read.
"""

import argparse
import csv
import json
import os
import sys

from record import Record

HERE = os.path.dirname(os.path.abspath(__file__))
REFERENCE = os.path.join(HERE, "..", "data", "taylor_green_re1600.csv")
SOURCE = "spectral DNS, 512^3 (HiOCFD workshop, case C3.5)"
COMMAND = """build/lbm run cases/taylor_green_transition.yaml --set run.convective_times=12 --set 'output.times=[]' \\
  --out out/tgv
tests/verification/tools/taylor_green_transition.py out/tgv --evidence out/evidence"""
PEAK_TIME, PEAK_LOSS = 8.97, 0.0128575  # of the reference
HALF_WINDOW = 0.1                       # of the differences in time


def columns(path):
    """Columns of a CSV file by name; lines of # are skipped."""
    with open(path, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(line for line in file if not line.startswith("#"))
    if not rows:
        raise ValueError(f"{path}: no line of numbers")
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


def interpolate(x, xs, ys):
    if not xs[0] <= x <= xs[-1]:
        raise ValueError(f"nothing at t = {x:g}, there are times from {xs[0]:g} to {xs[-1]:g}")
    i = next(i for i in range(1, len(xs)) if x <= xs[i])
    share = (x - xs[i - 1]) / (xs[i] - xs[i - 1])
    return ys[i - 1] + share * (ys[i] - ys[i - 1])


class Run:
    def __init__(self, directory):
        with open(os.path.join(directory, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.grid = "^3 ".join([str(report["cells"][0]), report["storage"]])
        monitor = columns(os.path.join(directory, "monitor.csv"))
        self.time, self.energies = monitor["time"], monitor["kinetic_energy"]
        step = 0.05
        first = self.time[0] + HALF_WINDOW
        count = int((self.time[-1] - HALF_WINDOW - first) / step + 1e-9)
        self.loss_time = [first + step * i for i in range(count + 1)]
        self.losses = [self.loss(t) for t in self.loss_time]

    def energy(self, t):
        return interpolate(t, self.time, self.energies)

    def loss(self, t):
        return (self.energy(t - HALF_WINDOW) - self.energy(t + HALF_WINDOW)) / (2 * HALF_WINDOW)

    def peak(self):
        return max(zip(self.losses, self.loss_time))


def add(record, run, reference, finest):
    rows, worst = [], 0.0
    for t, energy, loss in zip(reference["t"], reference["energy"], reference["loss"]):
        if t < run.time[0] + HALF_WINDOW or t > run.time[-1] - HALF_WINDOW:
            continue
        error = 100 * (run.energy(t) / energy - 1)
        if t <= 10:
            worst = max(worst, abs(error))
        if t == int(t):
            rows.append([t, energy, run.energy(t), error, loss, run.loss(t), 100 * (run.loss(t) / loss - 1)])
    peak, when = run.peak()
    record.check(run.grid, "largest deviation of the energy up to t = 10", below=worst, bound=2, unit="%",
                 headline=finest)
    record.check(run.grid, "largest loss of energy", matches=(peak, PEAK_LOSS), bound=0.03, headline=finest)
    record.check(run.grid, "its time less that of the reference", within=when - PEAK_TIME, bound=0.25)
    record.table(f"energy and its loss, {run.grid}",
                 [("t", "{:g}"), ("energy, reference", "{:.5f}"), ("computed", "{:.5f}"), ("error", "{:+.2f} %"),
                  ("loss, reference", "{:.5f}"), ("computed", "{:.5f}"), ("error", "{:+.2f} %")], rows)
    labels = {"energy": ("t U / L", "E / U^2"), "loss": ("t U / L", "-dE/dt L / U^3")}
    record.curve("tgv", "kinetic energy", *labels["energy"], run.grid, run.time, run.energies)
    record.curve("tgv", "its loss", *labels["loss"], run.grid, run.loss_time, run.losses)
    return labels


def evidence(runs):
    reference = columns(REFERENCE)
    record = Record("taylor_green_transition.py", "TaylorGreen.Re1600", "Taylor-Green vortex, Re 1600, regularised",
                    SOURCE, COMMAND)
    for i, run in enumerate(runs):
        labels = add(record, run, reference, i == len(runs) - 1)
    for panel, key in (("kinetic energy", "energy"), ("its loss", "loss")):
        record.curve("tgv", panel, *labels[key], SOURCE, reference["t"], reference[key], style="points",
                     kind="reference")
    return record


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+", metavar="RESULT_DIR")
    parser.add_argument("--evidence", metavar="DIR", help="write a record there")
    options = parser.parse_args(arguments)
    try:
        record = evidence([Run(directory) for directory in options.directories])
    except (OSError, ValueError, KeyError) as error:
        print(f"taylor_green_transition.py: {error}", file=sys.stderr)
        return 2
    for table in record.record["tables"]:
        print(table["caption"])
        for row in table["rows"]:
            print("  " + "  ".join(c["format"].format(v) for c, v in zip(table["columns"], row)))
    for check in record.record["checks"]:
        print(f"{check['grid']}: {check['what']}: {check['measured']:.4g} {check['unit']}")
    if options.evidence:
        record.write(options.evidence)
    return 0 if record.passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
