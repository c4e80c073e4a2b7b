#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Permeability of overlapping grains and of an image: resolution, porosity, size of the sample, ends.

    rock_study.py make DIR [--image FILE.npz|FILE.npy] [--studies resolution porosity size time]
    rock_study.py run DIR LBM OUT.json [--seconds S] [--at-once N]

`make` needs the Python package (lbm.porous): it writes packed images and jobs, one case each, to DIR. `run` needs NumPy
alone, so that it works on a GPU machine without the package: it unpacks the images, runs the jobs and writes their
numbers. Studies:

    resolution  the pack of cases/data/grains_48.npy in 48 to 288 voxels along its edge: in the periodic box, between
                pressures, and two of them one behind the other between pressures
    porosity    overlapping grains of radius 10 in 160^3 voxels, porosity 0.15 to 0.8
    size        sub-volumes of a pack of 320^3 voxels, radius 10, porosity 0.3: each in a periodic box, and with its
                mirror images (mirrored along the flow, free slip at the sides)
    time        three packs at tau 0.55 to 1.5: how long until k is steady
    image       --image: an image with 0 (False) in the pores, or with --pores 1; the same for its sub-volumes

Small jobs run N at once: their seconds mean nothing. Jobs of 5e7 cells or more run alone. No job begins after S seconds.
Exit code 1: a job failed.
"""

import argparse
import concurrent.futures
import json
import math
import os
import subprocess
import sys
import time

import numpy as np

ALONE = 5e7  # cells


def make(asked):
    from lbm import porous

    os.makedirs(asked.dir, exist_ok=True)
    jobs, images = [], {}

    def add(name, image, *, box=None, mirror=False, repeat=1, drive="force", along="z", tau=None, **facts):
        """A job: a sub-volume [z, y, x] of an image, turned into a case."""
        part = images[image] if box is None else images[image][tuple(slice(*ends) for ends in box)]
        if mirror:
            part = np.concatenate([part, part[::-1]])
        path = os.path.join(asked.dir, "image.npy")
        porous.save(path, part, overwrite=True)
        case = porous.image_case(path, name=name, along=along, tau=tau)
        space = porous.pore_space(part)
        nz, edge = part.shape[0], part.shape[2]
        if mirror:
            for face in ("x_min", "x_max", "y_min", "y_max"):
                setattr(case.boundaries, face, "slip")
        if facts["study"] == "time":
            case.run.until_steady, case.run.steps = None, 12000
            case.quantities["permeability"].every_steps = 100
        if drive == "pressure":
            between_pressures(case, part.shape, repeat)
        text = case.to_yaml().replace(os.path.abspath(path), "image.npy")
        jobs.append({"name": name, "image": image, "box": box, "mirror": mirror, "repeat": repeat, "case": text,
                     "cells": int(part.size * repeat), "edge": edge, "length": nz, "porosity": space.porosity,
                     "tau": case.fluid.tau, "diameter": space.diameter, "predicted": space.permeability, "drive": drive, "along": along,
                     **facts})
        print(name, f"{space.porosity:.4f}", flush=True)

    if "resolution" in asked.studies:
        for n in (48, 96, 144, 192, 288):
            images[f"pack_{n}"] = porous.overlapping_spheres(n, n / 6, 0.4, seed=2)
            add(f"periodic_{n}", f"pack_{n}", study="resolution")
            if n <= 192:
                add(f"pressure_{n}", f"pack_{n}", drive="pressure", study="resolution")
        add("pressure_two_96", "pack_96", drive="pressure", repeat=2, study="resolution")
        add("along_x_96", "pack_96", along="x", study="resolution")
        add("along_y_96", "pack_96", along="y", study="resolution")
    if "porosity" in asked.studies:
        for share in (0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
            images[f"grains_{share}"] = porous.overlapping_spheres(160, 10, share, seed=1)
            add(f"porosity_{share}", f"grains_{share}", study="porosity", radius=10)
    if "size" in asked.studies:
        images["large"] = porous.overlapping_spheres(320, 10, 0.3, seed=1)
        for size, count in ((40, 8), (80, 8), (120, 6), (160, 4), (240, 2)):
            sub_volumes(add, "large", images["large"], size, count, study="size")
        add("size_320", "large", study="size", size=320)
    if "time" in asked.studies:
        for image, maker in (("wide", (192, 32, 0.4, 2)), ("medium", (160, 10, 0.4, 1)), ("narrow", (160, 10, 0.2, 1))):
            images[image] = porous.overlapping_spheres(*maker[:3], seed=maker[3])
            for tau in (0.55, 0.6, 0.75, 1, 1.5):
                add(f"time_{image}_{tau}", image, study="time", tau=tau)
    if asked.image:
        loaded = np.load(asked.image)
        loaded = loaded[loaded.files[0]] if hasattr(loaded, "files") else loaded
        images["image"] = (np.asarray(loaded) != asked.pores).astype(np.uint8)
        for size, count in ((100, 8), (200, 4), (300, 2)):
            sub_volumes(add, "image", images["image"], size, count, study="image", both=size <= 200)
        add("image_whole", "image", study="image", size=images["image"].shape[0])
    packed = {name: np.packbits(image) for name, image in images.items()}
    np.savez_compressed(os.path.join(asked.dir, "images.npz"), **packed)
    shapes = {name: image.shape for name, image in images.items()}
    with open(os.path.join(asked.dir, "jobs.json"), "w", encoding="utf-8") as file:
        json.dump({"shapes": shapes, "jobs": jobs}, file)
    os.remove(os.path.join(asked.dir, "image.npy"))
    return 0


def sub_volumes(add, name, image, size, count, both=True, **facts):
    """Cubes at random places, each in a periodic box and with its mirror images."""
    draw = np.random.Generator(np.random.PCG64(size))
    for i in range(count):
        corner = [int(draw.integers(0, n - size + 1)) for n in image.shape]
        box = [[c, c + size] for c in corner]
        for mirror in (False, True) if both else (False,):
            way = "mirrored" if mirror else "periodic"
            add(f"{facts['study']}_{size}_{i}_{way}", name, box=box, mirror=mirror, size=size, **facts)


def between_pressures(case, shape, repeat):
    """The image behind nz / 6 planes of fluid, as many behind it; the pressure falls as the force had it."""
    nz, ny, nx = shape
    fluid, length = nz // 6, nz * repeat
    drop = case.force.acceleration[2] * length / case.fluid.length
    case.force.acceleration = None
    case.grid.cells = [nx, ny, length + 2 * fluid]
    case["boundaries.z_min.type"], case["boundaries.z_min.pressure"] = "pressure", drop
    case["boundaries.z_max.type"], case["boundaries.z_max.pressure"] = "pressure", 0
    case["bodies.image.translate"] = [0, 0, fluid]
    for quantity in case.quantities.values():
        quantity.box_from, quantity.box_to = [0, 0, fluid], [nx, ny, fluid + length]


def run(asked):
    began = time.monotonic()
    with open(os.path.join(asked.dir, "jobs.json"), encoding="utf-8") as file:
        content = json.load(file)
    packed = np.load(os.path.join(asked.dir, "images.npz"))
    images = {name: np.unpackbits(packed[name], count=math.prod(shape)).reshape(shape)
              for name, shape in content["shapes"].items()}
    found, failed = [], []

    def one(job):
        if time.monotonic() - began > asked.seconds:
            return
        outcome = run_job(job, images[job["image"]], os.path.join(asked.dir, job["name"]), asked.lbm)
        (found if "k" in outcome else failed).append({**{k: v for k, v in job.items() if k != "case"}, **outcome})
        said = {key: outcome[key] for key in ("k", "steps", "seconds", "mlups", "error") if key in outcome}
        print(job["name"], said, flush=True)
        with open(asked.out, "w", encoding="utf-8") as file:
            json.dump(found + failed, file)

    for job in content["jobs"]:
        if job["cells"] >= ALONE:
            one(job)
    small = [job for job in content["jobs"] if job["cells"] < ALONE]
    with concurrent.futures.ThreadPoolExecutor(asked.at_once) as pool:
        list(pool.map(one, small))
    return 1 if failed else 0


def run_job(job, image, directory, program):
    """The numbers of a run, or its error."""
    os.makedirs(directory, exist_ok=True)
    part = image if job["box"] is None else image[tuple(slice(*ends) for ends in job["box"])]
    if job["mirror"]:
        part = np.concatenate([part, part[::-1]])
    part = np.concatenate([part] * job["repeat"])
    np.save(os.path.join(directory, "image.npy"), np.ascontiguousarray(part))
    with open(os.path.join(directory, "case.yaml"), "w", encoding="utf-8") as file:
        file.write(job["case"])
    line = [program, "run", "case.yaml", "--quiet", "--json", "--out", "run", "--overwrite"]
    ended = subprocess.run(line, cwd=directory, capture_output=True, text=True, check=False)
    os.remove(os.path.join(directory, "image.npy"))
    try:
        if ended.returncode != 0:
            raise ValueError(f"exit code {ended.returncode}: {ended.stderr[-300:]}")
        report = json.loads(ended.stdout)
        values = {one["name"]: one["value"] for one in report["quantities"]}
        with open(os.path.join(directory, "run", "quantity_permeability.csv"), encoding="utf-8") as file:
            series = [line.split(",") for line in file if line[0].isdigit()]
        return {"k": values["permeability"], **values, "steps": report["steps"], "seconds": report["seconds"],
                "mlups": report["mlups"], "exit_reason": report["exit_reason"],
                "device_bytes": report.get("device_bytes"), "through": report["voxels"][0]["through_share"],
                "series": [[int(row[0]), float(row[2])] for row in series]}
    except (ValueError, KeyError, OSError) as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    making = verbs.add_parser("make")
    making.add_argument("dir")
    making.add_argument("--image")
    making.add_argument("--pores", type=int, default=0)
    making.add_argument("--studies", nargs="*", default=["resolution", "porosity", "size", "time"])
    making.set_defaults(do=make)
    running = verbs.add_parser("run")
    for name in ("dir", "lbm", "out"):
        running.add_argument(name)
    running.add_argument("--seconds", type=float, default=math.inf)
    running.add_argument("--at-once", type=int, default=1)
    running.set_defaults(do=run)
    asked = parser.parse_args()
    if hasattr(asked, "lbm"):
        asked.lbm, asked.dir, asked.out = (os.path.abspath(p) for p in (asked.lbm, asked.dir, asked.out))
    return asked.do(asked)


if __name__ == "__main__":
    sys.exit(main())
