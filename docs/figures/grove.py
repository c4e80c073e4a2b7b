#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the picture of README.md: docs/figures/grove.py SLICE.hdf CASE.yaml OUT.png [FROM TO]

SLICE: the output `mid` of the case that tests/gpu/grove.py writes; FROM, TO: the cells along
z that are drawn, one a pixel (all).
Magnitude of the vorticity on a logarithmic scale, cylinders in grey, flow from left to right.
"""

import sys

import h5py
import matplotlib
import numpy as np
import yaml

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import LogNorm
from matplotlib.patches import Circle


def main() -> None:
    source, case, target = sys.argv[1:4]
    with open(case, encoding="utf-8") as file:
        bodies = yaml.safe_load(file)["bodies"]
    with h5py.File(source) as file:
        values = np.asarray(file["VTKHDF/PointData/vorticity"], np.float32)  # [z, y, x, component]
    field = np.linalg.norm(values, axis=-1)[:, 0, :].T  # [x, z]
    begin, end = (int(number) for number in sys.argv[4:6]) if len(sys.argv) > 5 else (0, field.shape[1])
    field = field[:, begin:end]
    height, length = field.shape
    figure = plt.figure(figsize=(length / 100, height / 100), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    top = float(np.quantile(field, 0.995))
    axes.imshow(np.maximum(field, top / 80), cmap="inferno", norm=LogNorm(top / 80, top), origin="lower",
                extent=(begin, end, 0, height), interpolation="lanczos", aspect="auto")
    for body in bodies.values():
        axes.add_patch(Circle((body["from"][2], body["from"][0]), body["radius"], facecolor="0.82", edgecolor="0.35", linewidth=0.6))
    figure.savefig(target, dpi=100)


if __name__ == "__main__":
    main()
