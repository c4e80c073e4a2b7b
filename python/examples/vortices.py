# SPDX-License-Identifier: Apache-2.0
"""The Taylor-Green vortex on its way to turbulence: its vortex tubes by the Q criterion.

    python vortices.py --out vortices
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # files only, no window

import lbm


def taylor_green(cells: int, reynolds: float, time: float) -> lbm.Case:
    """A periodic cube of 2 pi times the reference length; time in convective times."""
    periodic = lbm.Face(type="periodic")
    return lbm.Case(
        name="vortices",
        grid=lbm.Grid(cells=[cells, cells, cells]),
        boundaries=lbm.Boundaries(
            x_min=periodic, x_max=periodic, y_min=periodic, y_max=periodic,
            z_min=periodic, z_max=periodic,
        ),  # fmt: skip
        fluid=lbm.Fluid(reynolds=reynolds, length=cells / 6.283185307179586, lattice_velocity=0.05),
        initial=lbm.Initial(flow="taylor_green"),
        run=lbm.Run(convective_times=time),
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the vortex, prints how its energy decays, draws vortices.png."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("vortices"), help="directory")
    arguments.add_argument("--size", type=int, default=64, help="cells along each edge")
    arguments.add_argument("--reynolds", type=float, default=400)
    arguments.add_argument("--time", type=float, default=7, help="convective times")
    chosen = arguments.parse_args(argv)

    chosen.out.mkdir(parents=True, exist_ok=True)
    with lbm.Simulation(taylor_green(chosen.size, chosen.reynolds, chosen.time)) as simulation:
        print(" time  kinetic energy")
        for report in simulation.run(every=max(1, simulation.steps // 7)):
            print(f"{simulation.time:5.2f}  {report.last_look.kinetic_energy:.5f}")
        q = simulation.field("q_criterion")
        velocity = simulation.velocity()
    print(f"largest Q {q.max():.1f} (U/L)^2")
    picture = chosen.out / "vortices.png"
    lbm.plot.isosurface(
        q, value=0.15 * float(q.max()), color_by=velocity, save=picture, overwrite=True
    )


if __name__ == "__main__":
    main()
