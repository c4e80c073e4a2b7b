#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Permeability from images of voxels: arrays of spheres, several viscosities, and what drives the flow.

    sphere_arrays.py LBM OUT.json [--studies arrays viscosity drive] [--cells 48 96 144] [--arrays simple_cubic ...]
                     [--shares N] [--tau 1.5] [--storage fp32] [--keep DIR] [--seconds S]

LBM: the program. Needs the standard library alone. Three studies, of which --studies picks:

    arrays     Simple cubic, body-centred and face-centred arrays at five shares of solid each (--shares 2: the first
               two), as images with --cells voxels along the edge of the cube. K = F / (6 pi mu a U) from the
               permeability k = L^3 / (n 6 pi a K), n spheres of radius a in a cube of edge L, over that of Stokes flow
               (tests/verification/data/sphere_arrays.csv, which has the values of Sangani and Acrivos and of Zick and
               Homsy, too). The spheres lie at no special place between the voxels. An image has not quite the nominal
               share of solid: the deviation is that from the nominal array, and beside it that from an array with the
               share of the image. Order of convergence: of the root mean square over all arrays.
    viscosity  The simple cubic array with 21.6 % solid at the coarsest grid, in fp64, at tau 0.6 to 2, with TRT and,
               for comparison, with BGK.
    drive      A periodic pack of overlapping spheres at the middle grid: driven by a force, by a pressure drop of
               periodic faces, and by pressures at faces with fluid before and behind one and two lengths of the pack;
               and the pack mirrored along the flow, and along all axes.

No run begins after --seconds. Exit code 1: a run failed.
"""

import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time

from voxel_images import solid_share, spheres_image, write_npy

REFERENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "verification", "data", "sphere_arrays.csv")
CENTRES = {
    "simple_cubic": [(0, 0, 0)],
    "body_centred": [(0, 0, 0), (0.5, 0.5, 0.5)],
    "face_centred": [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)],
}
SHARES = {
    "simple_cubic": [0.064, 0.125, 0.216, 0.343, 0.45],
    "body_centred": [0.064, 0.216, 0.343, 0.45, 0.6],
    "face_centred": [0.064, 0.216, 0.343, 0.45, 0.6],
}
OFFSET = (0.31, 0.17, 0.43)  # of the first sphere, in voxels: no special place
MOST_REYNOLDS = 0.05  # superficial velocity x edge of the cube / viscosity, as predicted
MOST_DENSITY = 1e-3  # difference of density that the mean pressure gradient makes over the length of the image
PACK = {"seed": 1, "spheres": 41, "radius": 1 / 6}  # radius over the edge
TAUS = [0.6, 0.8, 1, 1.5, 2]


def read_reference():
    """K by array and share."""
    with open(REFERENCE, encoding="utf-8") as file:
        table = list(csv.DictReader(line for line in file if not line.startswith("#")))
    drags = {}
    for line in table:
        drags.setdefault(line["array"], {})[float(line["solid_share"])] = float(line["drag"])
    return drags


def radius_of(array, share):
    """Over the edge of the cube."""
    return (share * 3 / (4 * math.pi * len(CENTRES[array]))) ** (1 / 3)


def permeability_of(array, share, drag):
    """Over the square of the edge."""
    return 1 / (len(CENTRES[array]) * 6 * math.pi * radius_of(array, share) * drag)


def drag_between(drags, array, share):
    """K of an array with about one of the shares of the table: a parabola for log K through three of them."""
    points = sorted(drags[array].items(), key=lambda point: abs(point[0] - share))[:3]
    result = 0
    for c, drag in points:
        factor = 1
        for other, _ in points:
            if other != c:
                factor *= (share ** (1 / 3) - other ** (1 / 3)) / (c ** (1 / 3) - other ** (1 / 3))
        result += factor * math.log(drag)
    return math.exp(result)


class Runner:
    """Runs cases one after the other."""

    def __init__(self, program, directory, until):
        self.program, self.directory, self.until = program, directory, until
        self.failed = 0

    def run(self, name, image, *, k, relaxation=None, tau=1.5, collision="trt", storage="fp32", before=0, drive="force",
            sides="periodic"):
        """The outcome of a run, or None. k: predicted, over the square of the edge; before: planes of fluid before and
        behind the image."""
        if time.monotonic() > self.until:
            return None
        edge, length = len(image[0]), len(image)
        viscosity = (tau - 0.5) / 3
        reynolds = min(MOST_REYNOLDS, MOST_DENSITY * k * edge ** 2 / (3 * viscosity ** 2) * edge / length)
        velocity = reynolds * viscosity / edge
        acceleration = 1 / (reynolds * k)  # in velocities^2 over edges
        faces = {face: sides for face in ("x_min", "x_max", "y_min", "y_max")}
        faces |= {"z_min": "periodic", "z_max": "periodic"}
        force = ""
        if drive == "force":
            force = f"force: {{acceleration: [0, 0, {acceleration!r}]}}"
        elif drive == "pressure_drop":
            faces["z_min"] = f"{{type: periodic, pressure_drop: {acceleration * length / edge!r}}}"
        else:
            faces["z_min"] = f"{{type: pressure, pressure: {acceleration * length / edge!r}}}"
            faces["z_max"] = "{type: pressure, pressure: 0}"
        # The flow becomes steady exponentially with about this time in steps, and is then within some 1e-5. Between
        # pressure faces the density of the pores has to diffuse along the pack, too.
        time_scale = (relaxation or k) * edge ** 2 / viscosity
        if drive == "pressure":
            time_scale = max(time_scale, 3 * viscosity * (length / math.pi) ** 2 / (k * edge ** 2))
        every = max(20, round(time_scale / 2))
        convective = edge / velocity
        write_npy(os.path.join(self.directory, "image.npy"), image)
        with open(os.path.join(self.directory, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(f"""name: {name}
grid: {{cells: [{edge}, {edge}, {length + 2 * before}]}}
boundaries: {{{', '.join(f'{face}: {what}' for face, what in faces.items())}}}
bodies: {{solid: {{shape: voxels, file: image.npy, fluid: [0], translate: [0, 0, {before}]}}}}
fluid: {{tau: {tau}, length: {edge}, lattice_velocity: {velocity!r}}}
lattice: {{collision: {collision}, storage: {storage}}}
{force}
run:
  steps: {200 * every}
  until_steady: {{tolerance: {min(0.9, 1e-5 * convective / every)!r}, every: {every / convective!r}, quantities: [k]}}
output: {{at_end: false, profiles: false}}
quantities:
  k: {{kind: permeability, box_from: [0, 0, {before}], box_to: [{edge}, {edge}, {before + length}]}}
""")
        return self.outcome(name, edge)

    def outcome(self, name, edge):
        line = [self.program, "run", "case.yaml", "--quiet", "--json", "--out", "run", "--overwrite"]
        ended = subprocess.run(line, cwd=self.directory, capture_output=True, text=True, check=False)
        try:
            if ended.returncode != 0:
                raise ValueError(f"exit code {ended.returncode}: {ended.stderr[-300:]}")
            report = json.loads(ended.stdout)
            if report["exit_reason"] != "steady":
                raise ValueError(f"not steady after {report['steps']} steps")
            k = report["quantities"][0]["value"]
            return {"k": k / edge ** 2, "k_cells": k, "steps": report["steps"], "seconds": report["seconds"]}
        except (ValueError, KeyError) as error:
            print(f"{name}: {error}", flush=True)
            self.failed += 1
            return None


def study_arrays(runner, asked):
    drags, found = read_reference(), []
    wanted = [(array, share, cells) for cells in asked.cells for array in asked.arrays
              for share in SHARES[array][:asked.shares]]
    for array, share, cells in wanted:
        radius = radius_of(array, share)
        spheres = [tuple((c + 0.25) * cells + o for c, o in zip(centre, OFFSET)) + (radius * cells,)
                   for centre in CENTRES[array]]
        image = spheres_image(cells, spheres)
        known = permeability_of(array, share, drags[array][share])
        outcome = runner.run(f"{array}_{cells}", image, k=known, tau=asked.tau, storage=asked.storage)
        if outcome is None:
            continue
        counted = solid_share(image)
        # The same array with the share of the image, by the ratio between two values of one parabola.
        ratio = drag_between(drags, array, counted) / drag_between(drags, array, share)
        known_counted = permeability_of(array, counted, drags[array][share] * ratio)
        one = {"array": array, "share": share, "cells": cells, "counted_share": counted,
               "drag": drags[array][share] * known / outcome["k"], "reference_drag": drags[array][share],
               "deviation": outcome["k"] / known - 1, "deviation_counted": outcome["k"] / known_counted - 1, **outcome}
        found.append(one)
        print(f"{array:12} {share:5} {cells:4} cells: {counted:.5f} solid, k {one['k_cells']:.6g} cells^2,"
              f" K {one['drag']:.5g} of {one['reference_drag']:.5g}, k {100 * one['deviation']:+.3f} %, with the share of"
              f" the image {100 * one['deviation_counted']:+.3f} %, {one['steps']} steps, {one['seconds']:.1f} s",
              flush=True)
    print_orders(found, asked.cells)
    return found


def print_orders(found, sizes):
    """The spread over all arrays at each grid, and the order of its convergence."""
    for what, key in (("nominal share", "deviation"), ("share of the image", "deviation_counted")):
        square = {n: [one[key] ** 2 for one in found if one["cells"] == n] for n in sizes}
        complete = [n for n in sizes if square[n] and len(square[n]) == len(square[sizes[0]])]
        rms = {n: math.sqrt(sum(square[n]) / len(square[n])) for n in complete}
        text = ", ".join(f"{n}: rms {100 * rms[n]:.3f} %, largest {100 * math.sqrt(max(square[n])):.3f} %" for n in rms)
        if len(complete) > 1 and min(rms.values()) > 0:
            first, last = complete[0], complete[-1]
            text += f"; order {math.log(rms[first] / rms[last]) / math.log(last / first):.2f}"
        print(f"deviation of k, {what}: {text}", flush=True)


def study_viscosity(runner, asked):
    found, cells, share = [], asked.cells[0], 0.216
    known = permeability_of("simple_cubic", share, read_reference()["simple_cubic"][share])
    sphere = tuple(0.25 * cells + o for o in OFFSET) + (radius_of("simple_cubic", share) * cells,)
    image = spheres_image(cells, [sphere])
    for collision in ("trt", "bgk"):
        for tau in TAUS:
            outcome = runner.run(f"tau_{tau}", image, k=known, tau=tau, collision=collision, storage="fp64")
            if outcome:
                found.append({"collision": collision, "tau": tau, "cells": cells, **outcome})
                print(f"{collision}, tau {tau}: k {outcome['k_cells']:.7g} cells^2, {outcome['steps']} steps",
                      flush=True)
        values = [one["k"] for one in found if one["collision"] == collision]
        if values:
            spread = max(values) / min(values) - 1
            print(f"{collision}: largest k over smallest, less 1: {100 * spread:.5f} %", flush=True)
    return found


def study_drive(runner, asked):
    cells, draw = asked.cells[len(asked.cells) // 2], random.Random(PACK["seed"])
    centres = [[draw.random() * cells for _ in range(3)] for _ in range(PACK["spheres"])]
    spheres = [(*centre, PACK["radius"] * cells) for centre in centres]
    pack, fluid = spheres_image(cells, spheres), cells // 6
    mirrored = pack + pack[::-1]
    print(f"pack of {PACK['spheres']} overlapping spheres: {solid_share(pack):.4f} solid, {cells} cells", flush=True)
    runs = {
        "force": (pack, {}),
        "pressure_drop": (pack, {"drive": "pressure_drop"}),
        "pressure_faces": (pack, {"drive": "pressure", "before": fluid}),
        "pressure_faces_two": (pack + pack, {"drive": "pressure", "before": fluid}),
        "mirrored_along": (mirrored, {}),
        "mirrored_all": (mirrored, {"sides": "slip"}),
    }
    found = {}
    for name, (image, how) in runs.items():
        outcome = runner.run(name, image, k=0.0005, relaxation=0.004, tau=asked.tau, storage=asked.storage, **how)
        if outcome:
            found[name] = outcome
            beside = outcome["k"] / found["force"]["k"] - 1 if "force" in found else math.nan
            print(f"{name}: k {outcome['k_cells']:.6g} cells^2, over that of the force, less 1: {100 * beside:+.3f} %,"
                  f" {outcome['steps']} steps, {outcome['seconds']:.1f} s", flush=True)
    if {"force", "pressure_faces", "pressure_faces_two"} <= set(found):
        # Permeability from the resistance that the second length adds.
        inner = 1 / (2 / found["pressure_faces_two"]["k"] - 1 / found["pressure_faces"]["k"])
        found["pressure_faces_added"] = {"k": inner}
        beside = inner / found["force"]["k"] - 1
        print(f"pressure faces, what the second length adds: {100 * beside:+.3f} %", flush=True)
    return found


STUDIES = {"viscosity": study_viscosity, "drive": study_drive, "arrays": study_arrays}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lbm")
    parser.add_argument("out")
    parser.add_argument("--studies", nargs="+", choices=list(STUDIES), default=list(STUDIES))
    parser.add_argument("--cells", type=int, nargs="+", default=[48, 96, 144])
    parser.add_argument("--arrays", nargs="+", choices=list(CENTRES), default=list(CENTRES))
    parser.add_argument("--shares", type=int, default=5)
    parser.add_argument("--tau", type=float, default=1.5)
    parser.add_argument("--storage", choices=("fp32", "fp64"), default="fp32")
    parser.add_argument("--keep", help="directory for the last image, its case and its results")
    parser.add_argument("--seconds", type=float, default=math.inf)
    asked = parser.parse_args()
    until = time.monotonic() + asked.seconds
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        if asked.keep:
            os.makedirs(asked.keep, exist_ok=True)
        runner = Runner(os.path.abspath(asked.lbm), asked.keep or scratch, until)
        for study in asked.studies:
            found[study] = STUDIES[study](runner, asked)
            with open(asked.out, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=1)
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
