#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the drag of spheres and of a cylinder in a duct with published values; the runs need a GPU.

    drag.py RESULT_DIR... [--average T] [--evidence DIR]

RESULT_DIR: results of cases/flow_past_sphere.yaml at Re 20 or 100, or of tests/gpu/cylinder_in_duct.yaml, on any
grid. --average: coefficients are means over the last T convective times (default 2): where waves go up and down
the duct, two of their periods. Exit code 1 where a bound is not met, 2 where a result cannot be read.
"""

import argparse
import csv
import json
import os
import sys

from record import Record

CLIFT = "Clift, Grace & Weber (1978): 24/Re (1 + 0.1935 Re^0.6305)"
DUCT = "Schaefer & Turek (1996) 3D-1Z; value of Braack & Richter (2006)"
SPHERE = """build/lbm run cases/flow_past_sphere.yaml --set fluid.reynolds={re} --set fluid.length={d} \\
  --set run.convective_times={time} --set grid.cells=[{w},{w},{l}] --set bodies.sphere.center=[{c},{c},{z}] \\
  --set bodies.sphere.radius={r} --set bodies.sphere.reference_area={area} --out out/sphere_{re}_{d}
tests/verification/tools/drag.py out/sphere_{re}_{d} --evidence out/evidence"""
CYLINDER = """mkdir -p out && cp tests/gpu/cylinder_in_duct.yaml out/ && tests/gpu/duct_inlet.py 82 out/duct_inlet.csv
build/lbm run out/cylinder_in_duct.yaml --out out/duct_20
tests/verification/tools/drag.py out/duct_20 --average 14.4 --evidence out/evidence"""
# By case and Reynolds number: title, source, commands (of the grids in docs/lab/verification.md), and of each
# coefficient name, column, reference, bound.
KNOWN = {
    ("flow_past_sphere", 20): (
        "sphere in a stream, Re 20", CLIFT,
        SPHERE.format(re=20, d=12, time=40, w=192, l=288, c=96, z=102, r=6, area=113.097),
        [("drag", "cz", 2.735, 0.02)]),
    ("flow_past_sphere", 100): (
        "sphere in a stream, Re 100", CLIFT,
        SPHERE.format(re=100, d=20, time=60, w=240, l=400, c=120, z=120, r=10, area=314.159),
        [("drag", "cz", 1.087, 0.03)]),
    ("cylinder_in_duct", 20): (
        "cylinder in a square duct, Re 20", DUCT, CYLINDER,
        [("drag", "cz", 6.18533, 0.02), ("lift", "cx", 0.009401, 0.1)]),
}


def body_forces(directory, report):
    """Columns of the forces of its one body."""
    path = os.path.join(directory, f"forces_{report['bodies'][0]['name']}.csv")
    with open(path, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(line for line in file if not line.startswith("#"))
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


def mean_over(forces, name, duration):
    """Mean of a column over the last `duration`, and half of what it varies by there."""
    last = forces["time"][-1]
    if last - forces["time"][0] < duration:
        raise ValueError(f"forces over {last - forces['time'][0]:g} convective times, needed are {duration:g}")
    values = [v for t, v in zip(forces["time"], forces[name]) if t > last - duration]
    return sum(values) / len(values), (max(values) - min(values)) / 2


def record_of(directory, duration):
    with open(os.path.join(directory, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    reynolds, cells = report["units"]["reynolds"], report["units"]["cells_per_length"]
    key = report["case"], round(reynolds)
    if key not in KNOWN:
        raise ValueError(f"{directory}: no reference for {report['case']} at Re {reynolds:g}")
    title, source, command, coefficients = KNOWN[key]
    record = Record("drag.py", f"Drag.{report['case']}_{round(reynolds)}_{round(cells)}", title, source, command)
    forces = body_forces(directory, report)
    grid = f"{cells:g} cells across, box {' x '.join(f'{n / cells:.3g}' for n in report['cells'])} diameters"
    rows = []
    for name, column, reference, bound in coefficients:
        mean, half_range = mean_over(forces, column, duration)
        record.check(grid, f"coefficient of {name}", matches=(mean, reference), bound=bound, headline=True)
        rows.append([name, f"{mean:.5g}", f"{half_range:.1g}", reference, 100 * (mean / reference - 1)])
    record.table(f"{title}, {cells:g} cells across, after {forces['time'][-1]:.0f} convective times, {report['storage']}",
                 ["coefficient", "computed", "± over the mean", "published", ("error", "{:+.2f} %")], rows)
    return record


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+", metavar="RESULT_DIR")
    parser.add_argument("--average", type=float, default=2, metavar="T")
    parser.add_argument("--evidence", metavar="DIR", help="write records there")
    options = parser.parse_args(arguments)
    passed = True
    for directory in options.directories:
        try:
            record = record_of(directory, options.average)
        except (OSError, ValueError, KeyError, IndexError) as error:
            print(f"drag.py: {directory}: {error}", file=sys.stderr)
            return 2
        passed = passed and record.passed
        for check in record.record["checks"]:
            print(f"{record.record['title']}, {check['grid']}: {check['what']} {check['value']:.5g}, "
                  f"{check['reference']:g} published, {check['measured']:+.2f} %")
        if options.evidence:
            record.write(options.evidence)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
