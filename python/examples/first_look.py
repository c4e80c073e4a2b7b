# SPDX-License-Identifier: Apache-2.0
"""Quick start: build a lid-driven cavity in Python, run it, draw it.

    python first_look.py --out first_look
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # files only, no window
import matplotlib.pyplot as plt

import lbm


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the cavity and draws first_look.png."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("first_look"), help="directory")
    arguments.add_argument("--size", type=int, default=48, help="cells along each edge")
    chosen = arguments.parse_args(argv)
    n = chosen.size

    case = lbm.Case(
        grid=lbm.Grid(cells=[n, n, n]),
        boundaries=lbm.Boundaries(z_max=lbm.Face(type="wall", velocity=[1, 0, 0])),
        fluid=lbm.Fluid(reynolds=400, lattice_velocity=0.1),
        lattice=lbm.Lattice(collision="trt"),
        run=lbm.Run(convective_times=10),
    )
    print(case.check())
    chosen.out.mkdir(parents=True, exist_ok=True)
    with lbm.Simulation(case) as simulation:
        for report in simulation.run(every=max(1, simulation.steps // 5)):
            print(f"step {report.steps}: kinetic energy {report.last_look.kinetic_energy:.5f}")
        middle = simulation.velocity(y=n // 2)[:, 0]  # (nz, nx, 3)
    print(f"{report.mlups:.0f} MLUPS; largest u in the middle {middle[..., 0].max():.3f}")

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    lbm.plot.slice(middle[..., 0], "u", ax=left)
    heights = (range(n), middle[:, n // 2, 0])
    lbm.plot.profile(heights, "u", upright=True, label="x = 1/2", ax=right)
    left.set(xlabel="x [cells]", ylabel="z [cells]")
    right.set_ylabel("z [cells]")
    figure.savefig(chosen.out / "first_look.png", dpi=80)


if __name__ == "__main__":
    main()
