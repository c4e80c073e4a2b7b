#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drag, lift and torque of bodies at random places between the cells: how much do they depend on the place?

    random_places.py LBM OUT.json [--diameters 24 32 48] [--places 20 20 20] [--walls multireflection interpolated]
                     [--bodies sphere ellipsoid] [--at-once N] [--seconds S]

LBM: the program. A sphere and a turned ellipsoid (tests/gpu/body_in_stream.yaml, Re 20) are moved by random parts of a
cell along each axis, as often as --places says for each diameter; the velocity falls as 1 / diameter, so that the error
of a finite Mach number falls with that of the grid. No run begins after --seconds. The reference of a coefficient is its
limit for small cells: its means over the places at the two finest grids, extrapolated with order 2. Prints the largest
deviation from it at each diameter, and the order of this deviation from the coarsest grid to the finest. Exit code 1:
a run failed.
"""

import argparse
import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys
import time

CASE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "body_in_stream.yaml")
# Diameters along the axes over the reference length, and how the body is turned.
BODIES = {
    "sphere": ((1, 1, 1), "[]"),
    "ellipsoid": ((1.3, 0.7, 1), "[[0, 1, 0, 35], [1, 0, 0, 20]]"),
}
NUMBERS = {"sphere": ["drag"], "ellipsoid": ["drag", "lift", "torque"]}


def run(program, body, diameter, walls, offset):
    """The values of the quantities at the end of a run."""
    factors, turns = BODIES[body]
    cells = [4 * diameter, 4 * diameter, 6 * diameter]
    place = [n * share + d for n, share, d in zip(cells, (0.5, 0.5, 5 / 12), offset)]
    sets = [f"grid.cells={cells}", f"fluid.length={diameter}", f"fluid.lattice_velocity={2.4 / diameter}",
            f"bodies.body.size={[f * diameter for f in factors]}", f"bodies.body.rotate={turns}",
            f"bodies.body.translate={place}", f"bodies.body.walls={walls}",
            f"bodies.body.reference_area={math.pi / 4 * diameter ** 2}"]
    if turns == "[]":
        sets = [one for one in sets if "rotate" not in one]
    line = [program, "run", CASE, "--quiet", "--json"]
    for one in sets:
        line += ["--set", one]
    name = f"/tmp/places_{body}_{diameter}_{walls}_{offset[0]:.6f}"
    ended = subprocess.run(line + ["--out", name, "--overwrite"], capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"{body} {diameter} {walls} {offset}: exit code {ended.returncode}: {ended.stderr[-300:]}")
    report = json.loads(ended.stdout)
    values = {quantity["name"]: quantity["value"] for quantity in report["quantities"]}
    return {quantity: values[quantity] for quantity in NUMBERS[body]}


def run_before(until, *one):
    return run(*one) if time.monotonic() < until else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lbm")
    parser.add_argument("out")
    parser.add_argument("--diameters", type=int, nargs="+", default=[24, 32, 48])
    parser.add_argument("--places", type=int, nargs="+", default=[20, 20, 20])
    parser.add_argument("--walls", nargs="+", default=["multireflection", "interpolated"])
    parser.add_argument("--bodies", nargs="+", default=list(BODIES))
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=math.inf)
    asked = parser.parse_args()
    until = time.monotonic() + asked.seconds
    draw = random.Random(1)
    offsets = [tuple(round(draw.random(), 6) for _ in range(3)) for _ in range(max(asked.places))]
    wanted = [(body, d, walls, offset) for walls in asked.walls for body in asked.bodies
              for d, places in zip(asked.diameters, asked.places) for offset in offsets[:places]]
    wanted.sort(key=lambda one: offsets.index(one[3]))  # so that a limit of time leaves places for each diameter
    found, failed = {}, 0
    with concurrent.futures.ThreadPoolExecutor(asked.at_once) as pool:
        futures = {pool.submit(run_before, until, asked.lbm, *one): one for one in wanted}
        for future in concurrent.futures.as_completed(futures):
            try:
                if (values := future.result()) is None:
                    continue
                found[futures[future]] = values
                print(*futures[future], found[futures[future]], flush=True)
            except (RuntimeError, KeyError, ValueError) as error:
                print(error, flush=True)
                failed += 1
    with open(asked.out, "w", encoding="utf-8") as file:
        json.dump([{"body": b, "diameter": d, "walls": w, "offset": o, **values}
                   for (b, d, w, o), values in found.items()], file, indent=1)
    for walls in asked.walls:
        for body in asked.bodies:
            for quantity in NUMBERS[body]:
                values = {d: [v[quantity] for (b, n, w, _), v in found.items() if (b, n, w) == (body, d, walls)]
                          for d in asked.diameters}
                print(line_of(f"{walls}, {body}, {quantity}", values), flush=True)
    return 1 if failed else 0


def line_of(name, values):
    """One line of the table: reference, largest deviation at each diameter, order."""
    diameters = sorted(d for d in values if values[d])
    if len(diameters) < 2:
        return f"{name}: too few runs"
    means = {d: sum(values[d]) / len(values[d]) for d in diameters}
    coarse, fine = diameters[-2:]
    reference = means[fine] + (means[fine] - means[coarse]) / ((fine / coarse) ** 2 - 1)
    worst = {d: max(abs(v - reference) for v in values[d]) / abs(reference) for d in diameters}
    first = diameters[0]
    order = math.log(worst[first] / worst[fine]) / math.log(fine / first)
    cells = ", ".join(f"{d}: {100 * worst[d]:.3f} % (mean {100 * (means[d] / reference - 1):+.3f} %, {len(values[d])})"
                      for d in diameters)
    return f"{name}: reference {reference:.6g}; {cells}; order {order:.2f}"


if __name__ == "__main__":
    sys.exit(main())
