# SPDX-License-Identifier: Apache-2.0
"""Speed of a cavity over the size of its grid, from half the memory of the device to many times it.

    python beyond_gpu_memory.py --out scaling                    # all free memory
    python beyond_gpu_memory.py --out scaling --memory "16 GB"   # of a smaller memory

Grids that fit run twice, in core and out of core; larger ones only out of core. The example prints
and draws their speeds beside those that `Case.plan` predicts. Without a GPU the CPU is the device,
with 256 MB of memory by default.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # files only, no window
import matplotlib.pyplot as plt

import lbm

Settings = dict[str, Any]

SCHEMES = {"in_core": "in core", "wavefront": "out of core"}


def cavity(plane: int, steps: int, memory: str) -> lbm.Case:
    """A cavity of plane x plane cells in each plane; sweep() sets the number of planes."""
    return lbm.Case(
        grid=lbm.Grid(cells=[plane, plane, plane]),
        boundaries=lbm.Boundaries(z_max=lbm.Face(type="wall", velocity=[1, 0, 0])),
        fluid=lbm.Fluid(reynolds=400, lattice_velocity=0.1),
        run=lbm.Run(steps=steps),
        device=lbm.Device(memory=memory),
        output=lbm.Output(at_end=False, profiles=False),
    )


def family(case: lbm.Case, plane: int, times_memory: Sequence[float]) -> list[Settings]:
    """Settings of grids whose lattice is a multiple of the memory of the device."""
    plan = case.plan()
    plane_bytes = plan.padded_bytes_per_cell * plane**2
    settings: list[Settings] = []
    for times in times_memory:
        wished = times * plan.device_bytes_allowed / plane_bytes
        planes = max(8, int(float(f"{wished:.2g}")))  # the same again when a little less is free
        cells = [plane, plane, planes]
        for scheme in SCHEMES:
            one: Settings = {"grid.cells": cells, "tiling.scheme": scheme}
            if case.replace(one).plan().fits:
                settings.append(one)
    if not settings:
        why = plan.get("refusal") or "give more --memory or less --size"
        raise SystemExit(f"no grid fits: {why}")
    return settings


def draw(rows: Sequence[Settings], picture: Path) -> None:
    """Draws measured speeds as marks, predicted speeds as lines."""
    figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    for scheme, called in SCHEMES.items():
        some = [row for row in rows if row["tiling.scheme"] == scheme]
        if some:
            sizes = [row["times_memory"] for row in some]
            (line,) = ax.plot(sizes, [row["predicted"] for row in some], "--")
            speeds = [row["mlups"] for row in some]
            ax.plot(sizes, speeds, "o", color=line.get_color(), label=called)
    ax.axvline(1, color="grey", linewidth=0.8)
    ax.set(xlabel="lattice / memory of the device", ylabel="MLUPS (dashed: predicted)")
    ax.set_ylim(0, 1.1 * max(max(row["mlups"], row["predicted"]) for row in rows))
    ax.legend()
    figure.savefig(picture, dpi=80)


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the study, prints the table, draws beyond_gpu_memory.png."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("scaling"), help="directory")
    arguments.add_argument("--memory", help="of the device, such as '16 GB'; default: all of a GPU")
    arguments.add_argument("--size", type=int, default=256, help="cells along x and y")
    arguments.add_argument("--steps", type=int, default=200)
    arguments.add_argument("--times", type=float, nargs="+", default=[0.5, 0.8, 1.5, 2, 4],
                           help="lattices over the device's memory")  # fmt: skip
    chosen = arguments.parse_args(argv)

    case = cavity(chosen.size, chosen.steps, chosen.memory or "auto")
    if chosen.memory is None and case.plan().backend == "cpu":
        case.device.memory = "256 MB"
    runs = family(case, chosen.size, chosen.times)
    study = lbm.sweep(case, runs, chosen.out, checkpoint_minutes=None)
    print("planes  lattice/memory  scheme      k  MLUPS  predicted")
    for row in study.rows:
        if "error" in row:
            raise SystemExit(row["error"])
        report = lbm.open(row["directory"]).report
        plan = case.replace({key: row[key] for key in ("grid.cells", "tiling.scheme")}).plan()
        lattice = plan.padded_bytes_per_cell * plan.cell_count
        row["times_memory"] = lattice / plan.device_bytes_allowed
        row["predicted"] = plan.get("mlups", float("nan"))
        print(
            f"{row['grid.cells'][2]:>6}  {row['times_memory']:>14.2f}  {row['tiling.scheme']:<9}"
            f" {report.steps_per_visit:>3} {row['mlups']:>6.0f}  {row['predicted']:>8.0f}"
        )
    draw(study.rows, chosen.out / "beyond_gpu_memory.png")


if __name__ == "__main__":
    main()
