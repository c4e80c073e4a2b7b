#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws street.png for README.md: vorticity behind a cylinder in a channel.

    lbm run cases/flow_past_cylinder.yaml --out out/street --set grid.cells=[123,1,660] \\
      --set bodies.cylinder.from=[60,-10,75] --set bodies.cylinder.to=[60,12,75] \\
      --set bodies.cylinder.radius=15 --set bodies.cylinder.reference_area=30 --set fluid.length=30 \\
      --set fluid.reynolds=150 --set fluid.lattice_velocity=0.06 --set run.convective_times=60 \\
      --set run.until_steady.tolerance=1e-12 --set initial.flow=duct --set initial.velocity=[0,0,1.5]
    docs/figures/street_picture.py out/street/fields_000030000.hdf      # needs h5py and matplotlib
"""

import os
import sys

import h5py
import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import patches, pyplot  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
CENTRE, RADIUS = (75 / 30, 60 / 30), 0.5  # of the cylinder: along z and x, in diameters


def main():
    with h5py.File(sys.argv[1]) as file:
        spacing = file["VTKHDF"].attrs["Spacing"][0]
        velocity = file["VTKHDF/PointData/velocity"][:, 0]  # [z][x][component]
    u, w = velocity[..., 0].T, velocity[..., 2].T
    vorticity = (numpy.gradient(u, spacing, axis=1) - numpy.gradient(w, spacing, axis=0))
    nx, nz = vorticity.shape
    figure, axes = pyplot.subplots(figsize=(10.5, 2.35), layout="constrained")
    image = axes.imshow(vorticity, origin="lower", extent=(0, nz * spacing, 0, nx * spacing),
                        cmap="RdBu_r", vmin=-6, vmax=6, interpolation="bicubic")
    axes.add_patch(patches.Circle(CENTRE, RADIUS, color="0.25"))
    axes.set_xlabel("z / diameter", fontsize=9)
    axes.set_ylabel("x / diameter", fontsize=9)
    axes.tick_params(labelsize=8)
    bar = figure.colorbar(image, ax=axes, fraction=0.02, pad=0.01)
    bar.set_label("vorticity x diameter / mean velocity", fontsize=8)
    bar.ax.tick_params(labelsize=8)
    figure.savefig(os.path.join(HERE, "street.png"), dpi=130)


if __name__ == "__main__":
    main()
