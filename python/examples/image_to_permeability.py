# SPDX-License-Identifier: Apache-2.0
"""From an image of voxels to its permeability, with pictures.

    python image_to_permeability.py --out rock                                # a pack of overlapping grains
    python image_to_permeability.py --out rock --image scan.npy --fluid 0 --voxel 3e-6

Computes the flow along x, y and z, prints the tensor and draws image_to_permeability.png: the speed
in the middle plane, the permeability against step, and the distribution of the pore velocity. A
second call only draws.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # files only, no window
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

import lbm
from lbm import porous


def draw_speed(ax: Axes, velocity: np.ndarray, pores: np.ndarray) -> None:
    """The speed over the mean pore velocity in a plane [z, x]; the solid is grey."""
    speed = np.linalg.norm(velocity, axis=-1) / velocity[pores][:, 2].mean()
    middle = pores.shape[1] // 2
    plane = np.ma.masked_where(~pores[:, middle], speed[:, middle])
    ax.set_facecolor("0.75")
    picture = ax.imshow(plane, origin="lower", cmap="viridis", vmax=np.quantile(speed[pores], 0.995))
    plt.colorbar(picture, ax=ax, label="|u| / mean pore velocity", shrink=0.8)
    ax.set(title=f"flow along z, plane y = {middle}", xlabel="x [voxels]", ylabel="z [voxels]")


def draw_convergence(ax: Axes, directories: Sequence[str]) -> None:
    """How far the permeability of each run is from its last sample, against step."""
    for axis, directory in zip("xyz", directories):
        series = lbm.open(directory).quantities["permeability"]
        steps, values = series["step"][:-1], series["value"][:-1]  # the last row is the odd last step
        ax.semilogy(steps[:-1], np.abs(values / values[-1] - 1)[:-1], ".-", label=f"along {axis}")
    ax.set(title="becoming steady", xlabel="step", ylabel="|k / k at the last sample - 1|")
    ax.legend()


def draw_velocities(ax: Axes, velocity: np.ndarray, pores: np.ndarray) -> float:
    """The probability density of u_z over its mean; returns the share of pores with backward flow."""
    ratio = velocity[pores][:, 2] / velocity[pores][:, 2].mean()
    ends = np.quantile(ratio, [0.0005, 0.9995])
    density, edges = np.histogram(ratio, bins=80, range=ends, density=True)
    ax.stairs(density, edges)
    ax.set(yscale="log", title="pore velocity", xlabel="u_z / mean u_z", ylabel="probability density")
    return float(np.mean(ratio < 0))


def main(argv: Sequence[str] | None = None) -> None:
    """Makes the image, runs the three cases, prints and draws."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("rock"), help="directory")
    arguments.add_argument("--image", type=Path, help="a .npy file; default: a pack of grains is made")
    arguments.add_argument("--fluid", type=int, nargs="+", default=[0], help="labels of the pores")
    arguments.add_argument("--voxel", type=float, default=5e-6, help="edge of a voxel in m")
    arguments.add_argument("--size", type=int, default=64, help="voxels along the edge of the pack")
    chosen = arguments.parse_args(argv)

    chosen.out.mkdir(parents=True, exist_ok=True)
    file = chosen.image or chosen.out / "grains.npy"
    if not file.exists():
        pack = porous.overlapping_spheres(chosen.size, chosen.size / 8, porosity=0.4, seed=2)
        porous.save(file, pack)
    case = porous.image_case(file, fluid=chosen.fluid, voxel=chosen.voxel, name="rock")
    case.output.at_end = True  # density and velocity of all cells, for the pictures
    k = porous.permeability_tensor(case, chosen.out / "runs")
    print(k)

    velocity = np.asarray(lbm.open(k.directories[2]).fields[-1]["velocity"])
    pores = np.isin(porous.open_image(file), chosen.fluid)
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.8), layout="constrained")
    draw_speed(axes[0], velocity, pores)
    draw_convergence(axes[1], k.directories)
    backward = draw_velocities(axes[2], velocity, pores)
    figure.savefig(chosen.out / "image_to_permeability.png", dpi=80)
    print(f"backward flow in {100 * backward:.1f} % of the pores")


if __name__ == "__main__":
    main()
