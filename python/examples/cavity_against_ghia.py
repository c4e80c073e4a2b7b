# SPDX-License-Identifier: Apache-2.0
"""The lid-driven cavity in two dimensions beside the tables of Ghia, Ghia and Shin (1982).

    python cavity_against_ghia.py --out cavity

Runs a study over the Reynolds number; a second call only draws. Prints the largest
deviation of the velocities on the two centre lines, in lid velocities.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # files only, no window
import matplotlib.pyplot as plt
import numpy as np

import lbm

TABLES = Path(__file__).parent / "data"


def cavity(size: int) -> lbm.Case:
    """A cavity of size x size cells; one plane in y makes D3Q19 two-dimensional."""
    return lbm.Case(
        grid=lbm.Grid(cells=[size, 1, size]),
        boundaries=lbm.Boundaries(
            y_min=lbm.Face(type="periodic"),
            y_max=lbm.Face(type="periodic"),
            z_max=lbm.Face(type="wall", velocity=[1, 0, 0]),
        ),
        fluid=lbm.Fluid(reynolds=100, lattice_velocity=0.1),
        lattice=lbm.Lattice(collision="trt"),
        run=lbm.Run(convective_times=150, until_steady=lbm.UntilSteady(tolerance=1e-5)),
        output=lbm.Output(at_end=False, profiles=True),
    )


def ghia(reynolds: float) -> tuple[np.ndarray, np.ndarray]:
    """(places, u) on the vertical centre line, (places, w) on the horizontal one; [2, rows]."""
    table = np.genfromtxt(TABLES / f"ghia1982_re{reynolds:.0f}.csv", delimiter=",", skip_header=3)
    u, w = table[:, :2], table[:, 2:]
    return u.T, w[np.isfinite(w).all(axis=1)].T


def computed(results: lbm.Results) -> tuple[np.ndarray, np.ndarray]:
    """The same for a run, with the values at the walls; [2, rows]."""
    z, x = results.profiles["z"], results.profiles["x"]
    u = np.array([[0, *z["z"], 1], [0, *z["ux"], 1]])
    w = np.array([[0, *x["x"], 1], [0, *x["uz"], 0]])
    return u, w


def deviations(results: lbm.Results) -> dict[str, float]:
    """The largest difference from the tables, in lid velocities."""
    known = ghia(results.report.flow.reynolds)
    found = computed(results)
    names = ("u_deviation", "w_deviation")
    return {
        name: float(np.abs(np.interp(places, *ours) - values).max())
        for name, (places, values), ours in zip(names, known, found)
    }


def draw(study: lbm.StudyTable, picture: Path) -> None:
    """Draws computed profiles as lines, the tables as marks."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for i, reynolds in enumerate(study["fluid.reynolds"]):
        for ax, ours, theirs in zip(axes, computed(study.results(i)), ghia(reynolds)):
            (line,) = ax.plot(*ours, label=f"Re {reynolds:.0f}")
            ax.plot(*theirs, "o", color=line.get_color(), fillstyle="none")
    axes[0].set(xlabel="z", ylabel="u, x = 1/2")
    axes[1].set(xlabel="x", ylabel="w, z = 1/2")
    axes[0].legend(title="marks: Ghia et al. (1982)")
    figure.savefig(picture, dpi=80)


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the study, prints the table, draws cavity_against_ghia.png."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("cavity"), help="directory")
    arguments.add_argument("--size", type=int, default=128, help="cells along each edge")
    arguments.add_argument("--reynolds", type=int, nargs="+", default=[100, 400, 1000],
                           choices=[100, 400, 1000])  # fmt: skip
    chosen = arguments.parse_args(argv)

    runs = {"fluid.reynolds": chosen.reynolds}
    study = lbm.sweep(cavity(chosen.size), runs, chosen.out, measure=deviations)
    print("  Re   steps  largest deviation of u and of w")
    for row in study.rows:
        if "error" in row:
            raise SystemExit(row["error"])
        print(
            f"{row['fluid.reynolds']:>4} {row['steps']:>7}"
            f"  {row['u_deviation']:.4f} {row['w_deviation']:.4f}"
        )
    draw(study, chosen.out / "cavity_against_ghia.png")


if __name__ == "__main__":
    main()
