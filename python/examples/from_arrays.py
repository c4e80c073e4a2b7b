# SPDX-License-Identifier: Apache-2.0
"""Vortices from arrays of NumPy, which decay as Taylor (1923) says they must.

    python from_arrays.py --out from_arrays

Exact, in units of U, L and U/L, with k = 2 pi / L:
    u = sin(kx) cos(ky) exp(-2 k^2 t / Re),   v = -cos(kx) sin(ky) exp(-2 k^2 t / Re)
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import lbm


def periodic_box(cells: int, reynolds: float, time: float) -> lbm.Case:
    """A periodic box of one reference length along x and y, one cell deep."""
    periodic = lbm.Face(type="periodic")
    return lbm.Case(
        name="from_arrays",
        grid=lbm.Grid(cells=[cells, cells, 1]),
        boundaries=lbm.Boundaries(
            x_min=periodic, x_max=periodic, y_min=periodic, y_max=periodic,
            z_min=periodic, z_max=periodic,
        ),  # fmt: skip
        fluid=lbm.Fluid(reynolds=reynolds, length=cells, lattice_velocity=0.03),
        run=lbm.Run(convective_times=time),
    )


def vortices(cells: int) -> dict[str, np.ndarray]:
    """Velocity (1, cells, cells, 3) in U and pressure (1, cells, cells) in rho U^2, at centres of cells."""
    at = 2 * math.pi * (np.arange(cells) + 0.5) / cells
    x, y = at[None, None, :], at[None, :, None]
    velocity = np.zeros((1, cells, cells, 3))
    velocity[..., 0] = np.sin(x) * np.cos(y)
    velocity[..., 1] = -np.cos(x) * np.sin(y)
    pressure = (np.cos(2 * x) + np.cos(2 * y)) / 4
    return {"velocity": velocity, "pressure": pressure}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the vortices, prints energy and error beside the exact solution, writes from_arrays.npz."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("from_arrays"), help="directory")
    arguments.add_argument("--size", type=int, default=64, help="cells along each edge")
    arguments.add_argument("--reynolds", type=float, default=50)
    arguments.add_argument("--time", type=float, default=1, help="convective times")
    chosen = arguments.parse_args(argv)

    case = periodic_box(chosen.size, chosen.reynolds, chosen.time)
    start = vortices(chosen.size)
    with lbm.Simulation(case, initial=start) as simulation:
        print(" time  kinetic energy  exact    largest error of the velocity")
        for report in simulation.run(every=max(1, simulation.steps // 4)):
            decay = math.exp(-2 * (2 * math.pi) ** 2 * simulation.time / chosen.reynolds)
            velocity = simulation.velocity()
            error = np.abs(velocity - decay * start["velocity"]).max() / decay
            energy = report.last_look.kinetic_energy
            print(f"{simulation.time:5.2f}  {energy:.5f}         {decay**2 / 4:.5f}  {error:.1e}")
    chosen.out.mkdir(parents=True, exist_ok=True)
    np.savez(chosen.out / "from_arrays.npz", velocity=velocity)


if __name__ == "__main__":
    main()
