# SPDX-License-Identifier: Apache-2.0
"""Drag of a sphere over the Reynolds number, beside two published correlations.

    python sphere_drag_curve.py --out sphere

Schiller and Naumann (1933): Cd = 24/Re (1 + 0.15 Re^0.687), to about 5 % below Re 800.
Clift, Grace and Weber (1978), table 5.2: Cd = 24/Re (1 + 0.1935 Re^0.6305), 20 <= Re <= 260.
Both are for a sphere in unbounded flow. Here it is in a wind tunnel with frictionless sides,
--width diameters wide: it blocks pi / (4 width^2) of it, which makes the drag larger. Below Re
210 the wake is steady and has an axis, so a quarter of the tunnel is enough.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # files only, no window
import matplotlib.pyplot as plt
import numpy as np

import lbm


def tunnel(diameter: int, width: float, length: float) -> lbm.Case:
    """A quarter of the tunnel, the centre of the sphere on its edge. diameter: in cells."""
    half = round(diameter * width / 2)
    radius = diameter / 2
    return lbm.Case(
        grid=lbm.Grid(cells=[half, half, round(diameter * length)]),
        boundaries=lbm.Boundaries(
            x_min=lbm.Face(type="slip"),
            x_max=lbm.Face(type="slip"),
            y_min=lbm.Face(type="slip"),
            y_max=lbm.Face(type="slip"),
            z_min=lbm.Face(type="velocity", velocity=[0, 0, 1], ramp_time=1),
            z_max=lbm.Face(type="outflow"),
        ),
        bodies={
            "sphere": lbm.Body(
                shape="sphere",
                center=[0, 0, diameter * length / 3],
                radius=radius,
                reference_area=math.pi * radius**2 / 4,
            )
        },
        fluid=lbm.Fluid(reynolds=20, length=diameter, lattice_velocity=0.05),
        lattice=lbm.Lattice(collision="trt"),
        run=lbm.Run(convective_times=60, until_steady=lbm.UntilSteady(tolerance=1e-4)),
        output=lbm.Output(at_end=False, profiles=False, forces=100),
    )


def schiller_naumann(reynolds: Any) -> Any:
    """Cd in unbounded flow, for numbers or arrays."""
    return 24 / reynolds * (1 + 0.15 * reynolds**0.687)


def clift(reynolds: Any) -> Any:
    """Cd in unbounded flow, 20 <= Re <= 260."""
    return 24 / reynolds * (1 + 0.1935 * reynolds**0.6305)


def draw(study: lbm.StudyTable, title: str, picture: Path) -> None:
    """Draws computed coefficients as marks, the correlations as lines."""
    reynolds, drag = study["fluid.reynolds"], study["sphere.cz"]
    curve = np.geomspace(min(reynolds) / 1.5, max(reynolds) * 1.5)
    figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    ax.loglog(curve, schiller_naumann(curve), label="Schiller and Naumann (1933)")
    some = curve[(curve >= 20) & (curve <= 260)]
    ax.loglog(some, clift(some), "--", label="Clift, Grace and Weber (1978)")
    ax.loglog(reynolds, drag, "ko", fillstyle="none", label="computed")
    ax.set(xlabel="Re", ylabel="Cd", title=title)
    ax.legend()
    ax.grid(alpha=0.3, which="both")
    figure.savefig(picture, dpi=80)


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the study, prints the table, draws sphere_drag_curve.png."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("sphere"), help="directory")
    arguments.add_argument("--size", type=int, default=12, help="cells in the diameter")
    arguments.add_argument("--width", type=float, default=8, help="of the tunnel, in diameters")
    arguments.add_argument("--length", type=float, default=12, help="likewise")
    arguments.add_argument("--reynolds", type=float, nargs="+", default=[5, 10, 20, 50, 100])
    chosen = arguments.parse_args(argv)

    case = tunnel(chosen.size, chosen.width, chosen.length)
    study = lbm.sweep(case, {"fluid.reynolds": chosen.reynolds}, chosen.out)
    print("    Re      Cd  over Schiller-Naumann  over Clift et al.")
    for row in study.rows:
        if "error" in row:
            raise SystemExit(row["error"])
        reynolds, drag = row["fluid.reynolds"], row["sphere.cz"]
        over = f"{drag / clift(reynolds) - 1:+.1%}" if 20 <= reynolds <= 260 else "-"
        above = f"{drag / schiller_naumann(reynolds) - 1:+.1%}"
        print(f"{reynolds:>6g} {drag:7.3f}  {above:>20}  {over:>17}")
    blocked = math.pi / 4 / chosen.width**2
    title = f"{chosen.size} cells in the diameter, {blocked:.1%} of the tunnel blocked"
    draw(study, title, chosen.out / "sphere_drag_curve.png")


if __name__ == "__main__":
    main()
