#!/usr/bin/env python3
"""Draws docs/figures/verification_ghia.png: the two-dimensional lid-driven cavity against Ghia et al.

    verification_ghia.py RE100_DIR RE400_DIR [OUTPUT]

The folders are results of, for Re = 100 and 400 (cells and steps may differ),

    lbm run cases/lid_driven_cavity_2d.yaml --set fluid.reynolds=100 --out RE100_DIR

Needs matplotlib.
"""

import csv
import math
import os
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "tests", "verification", "data")


def columns(path):
    """Columns by name of a CSV file with # comments and one line of names."""
    with open(path, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(line for line in file if not line.startswith("#"))
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}


def main(directories, output):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4), constrained_layout=True)
    for reynolds, directory, color in zip((100, 400), directories, ("tab:blue", "tab:red")):
        z_line = columns(os.path.join(directory, "profile_z.csv"))
        x_line = columns(os.path.join(directory, "profile_x.csv"))
        ghia = columns(os.path.join(DATA, f"ghia1982_re{reynolds}.csv"))
        cells = len(z_line["z"])
        style = {"color": color, "linewidth": 1, "label": f"Re {reynolds}, {cells}² cells"}
        left.plot([0, *z_line["ux"], 1], [0, *z_line["z"], 1], **style)
        right.plot([0, *x_line["x"], 1], [0, *x_line["uz"], 0], **style)
        points = {"color": color, "linestyle": "", "marker": "o", "fillstyle": "none",
                  "markersize": 4, "label": f"Re {reynolds}, Ghia et al. (1982)"}
        left.plot(ghia["u_at_x_half"], ghia["y"], **points)
        known = [(x, v) for x, v in zip(ghia["x"], ghia["v_at_y_half"]) if not math.isnan(v)]
        right.plot(*zip(*known), **points)
    left.set(xlabel="u / lid velocity, along x = 1/2", ylabel="z / edge")
    right.set(xlabel="x / edge", ylabel="w / lid velocity, along z = 1/2")
    left.legend(fontsize="small")
    figure.savefig(output, dpi=110)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(sys.argv[1:3], sys.argv[3] if len(sys.argv) == 4
         else os.path.join(HERE, "verification_ghia.png"))
