#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the cell Reynolds numbers up to which each collision model is stable and accurate, and prints the tables of
docs/stability.md.

    stability.py [--lbm build/lbm] [--results FILE] [--jobs N] [--models NAME...] [--table]

The cell Reynolds number is speed / viscosity in lattice units: Reynolds number / cells of the reference length. Two
flows, two cells thick: the lid-driven cavity, whose lid is the speed, held against Ghia, Ghia & Shin (1982) where they give
data; and the cylinder in a channel with inlet and outlet, whose mean speed is the speed.

Each run adds a line to FILE (default: out/stability.jsonl); runs that are there are not repeated. --table: print only.
Some two hours on two cores.
"""

import argparse
import collections
import concurrent.futures
import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent.parent
MODELS = {
    "bgk": ["lattice.collision=bgk"],
    "bgk, smagorinsky 0.1": ["lattice.collision=bgk", "lattice.smagorinsky=0.1"],
    "trt": ["lattice.collision=trt"],
    "trt, smagorinsky 0.1": ["lattice.collision=trt", "lattice.smagorinsky=0.1"],
    "central_moments": ["lattice.collision=central_moments"],
    "central_moments, smagorinsky 0.1": ["lattice.collision=central_moments", "lattice.smagorinsky=0.1"],
    "cumulant": ["lattice.collision=cumulant"],
    "cumulant, smagorinsky 0.1": ["lattice.collision=cumulant", "lattice.smagorinsky=0.1"],
    "regularised": ["lattice.collision=regularised"],
    "regularised_filtered": ["lattice.collision=regularised_filtered"],
}
CELL_REYNOLDS = [4, 6, 8, 10, 12.5, 16, 20, 25, 30, 40, 50, 70, 100]
# Cells of the reference length, lattice velocity.
CAVITIES = [(96, 0.1), (64, 0.05), (64, 0.1), (32, 0.1)]
CYLINDERS = [(20, 0.06), (10, 0.03), (10, 0.06)]
GHIA = [(1000, n) for n in (32, 48, 64, 80, 96, 128)] + [(3200, n) for n in (64, 96, 128, 160, 192)]


def cavity(cells, velocity, reynolds):
    return ["lid_driven_cavity_2d", f"grid.cells=[{cells},2,{cells}]", f"fluid.reynolds={reynolds:g}",
            f"fluid.lattice_velocity={velocity}", "output.at_end=false"]


def cylinder(diameter, velocity, reynolds):
    d = diameter
    return ["flow_past_cylinder", f"grid.cells=[{int(4.1 * d)},2,{22 * d}]", f"fluid.length={d}", f"fluid.reynolds={reynolds:g}",
            f"fluid.lattice_velocity={velocity}", f"bodies.cylinder.from=[{2 * d},-10,{2 * d}]",
            f"bodies.cylinder.to=[{2 * d},12,{2 * d}]", f"bodies.cylinder.radius={d / 2}",
            f"bodies.cylinder.reference_area={2 * d}", "output.at_end=false", "run.convective_times=60"]


def runs(models):
    """The runs of each series from the lowest cell Reynolds number up; long series first."""
    for reynolds, cells in sorted(GHIA, key=lambda pair: -pair[0] * pair[1]):
        for model in models:
            yield [("ghia", model, cells, 0.1, reynolds / cells)]
    for flow, grids in (("cylinder", CYLINDERS), ("cavity", CAVITIES)):
        for cells, velocity in grids:
            for model in models:
                yield [(flow, model, cells, velocity, c) for c in CELL_REYNOLDS]


def error_of_profile(out, reynolds):
    """Largest difference of u on the vertical centre line from Ghia's, in speeds of the lid; None without data."""
    data = HERE.parent / f"data/ghia1982_re{reynolds:.0f}.csv"
    if not data.exists():
        return None

    def rows(path):
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    profile = [(float(r["z"]), float(r["ux"])) for r in rows(out / "profile_z.csv")]
    worst = 0.0
    for row in rows(data):
        y = float(row["y"])
        above = next((i for i, p in enumerate(profile) if p[0] >= y), None)
        if not above:
            continue
        (a, u), (b, v) = profile[above - 1], profile[above]
        worst = max(worst, abs(u + (v - u) * (y - a) / (b - a) - float(row["u_at_x_half"])))
    return worst


def run(lbm, flow, model, cells, velocity, cell_reynolds):
    reynolds = cell_reynolds * cells
    settings = (cylinder if flow == "cylinder" else cavity)(cells, velocity, reynolds)
    if flow == "cavity":
        settings.append("run.convective_times=40")
    if flow == "ghia":
        settings += [f"run.convective_times={120 if reynolds < 2000 else 200}", "run.until_steady.tolerance=1e-4"]
    case, *settings = settings + MODELS[model] + ["device.backend=cpu", "device.threads=1"]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lbm_stability_"))
    command = [lbm, "run", SOURCE / f"cases/{case}.yaml", "--quiet", "--out", folder / "out"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False)
    row = dict(flow=flow, model=model, cells=cells, velocity=velocity, cell_reynolds=cell_reynolds, exit=done.returncode)
    if done.returncode == 0 and flow == "ghia":
        row["error"] = error_of_profile(folder / "out", reynolds)
    elif done.returncode:
        row["message"] = done.stderr.strip().splitlines()[-1][:300]
    shutil.rmtree(folder)
    return row


def measure(args, file):
    key = ("flow", "model", "cells", "velocity", "cell_reynolds")
    known = {tuple(r[k] for k in key): r for r in load(args.results)}

    def series(steps):
        """Ends after two runs that diverged."""
        bad = 0
        for step in steps:
            row = known.get(step) or run(args.lbm, *step)
            if step not in known:
                print(json.dumps(row), file=file, flush=True)
            bad += row["exit"] != 0
            if bad == 2:
                break

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(series, runs(args.models)))


def load(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def table(rows):
    for flow, name in (("cavity", "moving wall"), ("cylinder", "inlet and outlet")):
        stable = collections.defaultdict(dict)
        for r in rows:
            if r["flow"] == flow:
                grid = (r["cells"], r["velocity"])
                good = stable[r["model"]].setdefault(grid, {True: [], False: []})
                good[r["exit"] == 0].append(r["cell_reynolds"])
        grids = sorted({g for by in stable.values() for g in by})
        print(f"\n{name}: largest stable cell Reynolds number\n")
        print("| model |" + "".join(f" {n} cells, U = {u} |" for n, u in grids))
        print("|---|" + "---|" * len(grids))
        for model, by in stable.items():
            def entry(good):
                first_bad = min(good[False], default=float("inf"))
                below = [c for c in good[True] if c < first_bad]
                return (f"{max(below):g}" if below else "-") + ("+" if not good[False] else "")
            print(f"| {model} |" + "".join(f" {entry(by[g])} |" if g in by else " |" for g in grids))
    print("\ncavity against Ghia et al.: largest error of u on the centre line\n")
    ghia = {(r["model"], round(r["cell_reynolds"] * r["cells"]), r["cells"]): r for r in rows if r["flow"] == "ghia"}
    print("| model |" + "".join(f" Re {re}, {n} cells ({re / n:.3g}) |" for re, n in GHIA))
    print("|---|" + "---|" * len(GHIA))
    for model in MODELS:
        def error(re, n, model=model):
            row = ghia.get((model, re, n))
            if row is None:
                return " |"
            return f" {row['error']:.3f} |" if row["exit"] == 0 else " diverged |"
        print(f"| {model} |" + "".join(error(re, n) for re, n in GHIA))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lbm", default=SOURCE / "build/lbm", type=pathlib.Path)
    parser.add_argument("--results", default=SOURCE / "out/stability.jsonl", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS), help="those to run (default: all)")
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    if not args.table:
        args.results.parent.mkdir(parents=True, exist_ok=True)
        with args.results.open("a", encoding="utf-8") as file:
            measure(args, file)
    table(load(args.results))


if __name__ == "__main__":
    main()
