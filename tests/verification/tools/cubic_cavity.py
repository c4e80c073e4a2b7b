#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares runs of the cubic lid-driven cavity at Re 1000 with Albensoeder and Kuhlmann (2005).

    cubic_cavity.py [--figure FILE] [--evidence DIR] RESULT_DIR...

Each RESULT_DIR is one of `lbm run tests/gpu/cubic_cavity.yaml --out RESULT_DIR`, with its
profile_x.csv and profile_z.csv; the number of cells is read from them. Prints a Markdown table:

- u_min and w_min, the extrema of u along z and of w along x through the middle of the box, each the
  top of the parabola through the smallest value and its two neighbours, and how much their
  magnitudes deviate from the reference extrema;
- the largest deviation from the reference table, in lid velocities; between cells, and between a
  cell and a wall, the profile is the cubic through the four nearest points;
- whether the flow is steady is not seen here: run long enough.

--figure draws the profiles and the table; only that needs matplotlib. --evidence asserts the bounds
(1 % from 128^3 on, 2 % below; exit status 1 beyond them) and records all for docs/lab/verification.md.
"""

import argparse
import csv
import math
import os
import sys

from record import Record

REFERENCE = os.path.join(
    os.path.dirname(os.path.abspath(__file__)),
    "..",
    "data",
    "albensoeder_kuhlmann2005_cubic_re1000.csv",
)
# Quoted in the header of that file.
U_MIN, W_MIN = -0.2803833, -0.4350186
SOURCE = "Albensoeder & Kuhlmann (2005)"
COMMAND = """for n in {cells}; do
  lbm run tests/gpu/cubic_cavity.yaml --set grid.cells=[$n,$n,$n] --out out/cubic_$n
done
tests/verification/tools/cubic_cavity.py out/cubic_* --evidence out/evidence"""


class Problem(Exception):
    """An error that the user can mend; the message is one line."""


def read_columns(path):
    """Columns by name of a CSV file with # comments and one line of names."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}; is the folder the result of a run with "
                      "output.profiles: true?") from error
    names, rows = (rows[0], rows[1:]) if rows else ([], [])
    try:
        return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}
    except (ValueError, IndexError) as error:
        raise Problem(f"{path}: not a table of numbers ({error})") from error


def read_profile(directory, axis, velocity):
    """Positions and one velocity component along an axis, from wall to wall without the walls."""
    path = os.path.join(directory, f"profile_{axis}.csv")
    columns = read_columns(path)
    for name in (axis, velocity):
        if name not in columns:
            raise Problem(f"{path}: found columns {sorted(columns)}, but need '{name}'")
    if len(columns[axis]) < 4:
        raise Problem(f"{path}: found {len(columns[axis])} cells, but at least 4 are needed")
    if not all(map(math.isfinite, columns[velocity])):
        raise Problem(f"{path}: found values of '{velocity}' that are not finite")
    return columns[axis], columns[velocity]


def with_walls(profile, lower, upper):
    """The profile with the values of the walls at 0 and 1."""
    positions, values = profile
    return [0.0, *positions, 1.0], [lower, *values, upper]


def parabola_minimum(profile):
    """Place and value of the minimum: the parabola through the smallest value and its neighbours."""
    x, y = profile
    i = min(range(1, len(y) - 1), key=lambda j: y[j])
    left, right = x[i - 1] - x[i], x[i + 1] - x[i]
    slope_left, slope_right = (y[i - 1] - y[i]) / left, (y[i + 1] - y[i]) / right
    curvature = (slope_right - slope_left) / (right - left)
    if curvature <= 0:
        return x[i], y[i]
    slope = slope_left - curvature * left
    return x[i] - slope / (2 * curvature), y[i] - slope * slope / (4 * curvature)


def interpolate(profile, position):
    """The cubic through the four nearest points."""
    x, y = profile
    above = sum(1 for value in x if value <= position)
    first = min(max(above - 2, 0), len(x) - 4)
    total = 0.0
    for i in range(first, first + 4):
        factor = 1.0
        for j in range(first, first + 4):
            if j != i:
                factor *= (position - x[j]) / (x[i] - x[j])
        total += factor * y[i]
    return total


def largest_deviation(profile, positions, values):
    return max(abs(interpolate(profile, at) - value) for at, value in zip(positions, values))


def analyse(directory, reference):
    """The numbers of one run."""
    u = with_walls(read_profile(directory, "z", "ux"), 0.0, 1.0)
    w = with_walls(read_profile(directory, "x", "uz"), 0.0, 0.0)
    (z_min, u_min), (x_min, w_min) = parabola_minimum(u), parabola_minimum(w)
    return {
        "cells": len(u[0]) - 2,
        "u": u,
        "w": w,
        "u_min": u_min,
        "z_at_u_min": z_min,
        "w_min": w_min,
        "x_at_w_min": x_min,
        "u_error": u_min / U_MIN - 1,
        "w_error": w_min / W_MIN - 1,
        "u_deviation": largest_deviation(u, reference["z"], reference["u_centre"]),
        "w_deviation": largest_deviation(w, reference["x"], reference["w_centre"]),
    }


def order(coarse, fine, key):
    """Observed order of convergence of an error between two grids; None where it has none."""
    a, b = abs(coarse[key]), abs(fine[key])
    if a == 0 or b == 0 or coarse["cells"] == fine["cells"]:
        return None
    return math.log(a / b) / math.log(fine["cells"] / coarse["cells"])


def markdown(results):
    """The table; results from coarse to fine."""
    lines = [
        "| cells | u_min | error | order | w_min | error | order | deviation of u, w |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for i, result in enumerate(results):
        orders = [order(results[i - 1], result, key) if i else None
                  for key in ("u_error", "w_error")]
        orders = ["" if o is None else f"{o:.1f}" for o in orders]
        lines.append(
            f"| {result['cells']}^3 | {result['u_min']:.5f} | {100 * result['u_error']:+.2f} % "
            f"| {orders[0]} | {result['w_min']:.5f} | {100 * result['w_error']:+.2f} % "
            f"| {orders[1]} | {100 * result['u_deviation']:.2f} %, "
            f"{100 * result['w_deviation']:.2f} % |"
        )
    lines.append(f"| reference | {U_MIN} | | | {W_MIN} | | | |")
    return "\n".join(lines)


def evidence(results, reference):
    """The record that docs/lab/verification.md shows; results from coarse to fine."""
    cells = [result["cells"] for result in results]
    record = Record("cubic_cavity.py", "CubicCavity.Re1000", "cubic cavity, Re 1000, BGK, fp32", SOURCE,
                    COMMAND.format(cells=" ".join(map(str, cells))))
    rows = []
    for i, result in enumerate(results):
        grid, bound = f"{result['cells']}^3", 0.01 if result["cells"] >= 128 else 0.02
        for name, reference_value in (("u", U_MIN), ("w", W_MIN)):
            record.check(grid, f"{name}_min", matches=(result[f"{name}_min"], reference_value),
                         bound=bound, headline=result["cells"] in (96, 128, cells[-1]))
            record.check(grid, f"largest deviation of {name} from the table in lid velocities",
                         below=100 * result[f"{name}_deviation"], bound=100 * bound, unit="%")
        # The error of w_min is too small for an order.
        rows.append([grid, result["u_min"], 100 * result["u_error"],
                     order(results[i - 1], result, "u_error") if i else None, result["w_min"],
                     100 * result["w_error"], 100 * result["u_deviation"], 100 * result["w_deviation"]])
        if "u" in result:
            record.curve("cubic", "along z through the middle", "u / lid velocity", "z / edge", grid,
                         result["u"][1], result["u"][0])
            record.curve("cubic", "along x through the middle", "x / edge", "w / lid velocity", grid,
                         *result["w"])
    rows.append(["reference", U_MIN, None, None, W_MIN, None, None, None])
    percent, extremum = "{:+.2f} %", "{:.5f}"
    record.table("extrema, and the largest deviations from the tables in lid velocities",
                 ["cells", ("u_min", extremum), ("error", percent), ("order", "{:.1f}"),
                  ("w_min", extremum), ("error", percent),
                  ("u off by", "{:.2f} %"), ("w off by", "{:.2f} %")], rows)
    if record.record["figures"]:
        for panel, labels, x, y in (("z", ("u / lid velocity", "z / edge"), "u_centre", "z"),
                                    ("x", ("x / edge", "w / lid velocity"), "x", "w_centre")):
            record.curve("cubic", f"along {panel} through the middle", *labels, SOURCE, reference[x],
                         reference[y], style="points", kind="reference")
    return record


def draw(results, reference, path):
    """Both profiles in one picture: u over z and, with its axes swapped, w over x."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4), constrained_layout=True)
    for result in results:
        label = f"{result['cells']}³ cells"
        left.plot(result["u"][1], result["u"][0], linewidth=1, label=label)
        right.plot(*result["w"], linewidth=1, label=label)
    style = {"color": "black", "linestyle": "", "marker": "o", "fillstyle": "none",
             "label": "Albensoeder & Kuhlmann (2005)"}
    left.plot(reference["u_centre"], reference["z"], **style)
    right.plot(reference["x"], reference["w_centre"], **style)
    left.set(xlabel="u / lid velocity", ylabel="z / edge")
    right.set(xlabel="x / edge", ylabel="w / lid velocity")
    right.legend(fontsize="small")
    figure.suptitle("Cubic lid-driven cavity, Re 1000: centre lines", fontsize="medium")
    figure.savefig(path, dpi=120)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+", metavar="RESULT_DIR")
    parser.add_argument("--figure", metavar="FILE", help="draw the profiles: .png, .svg or .pdf")
    parser.add_argument("--evidence", metavar="DIR", help="assert the bounds, write a record")
    options = parser.parse_args(arguments)
    reference = read_columns(REFERENCE)
    try:
        results = [analyse(directory, reference) for directory in options.directories]
    except Problem as problem:
        print(f"cubic_cavity.py: {problem}", file=sys.stderr)
        return 2
    results.sort(key=lambda result: result["cells"])
    print(markdown(results))
    if options.figure:
        draw(results, reference, options.figure)
    if options.evidence:
        record = evidence(results, reference)
        record.write(options.evidence)
        for check in record.record["checks"]:
            if not check["passed"]:
                print(f"cubic_cavity.py: {check['grid']}: {check['what']} is off by "
                      f"{check['measured']:.2f} %, more than {check['bound']:g} %", file=sys.stderr)
        return 0 if record.passed else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
