#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dispersion in random packs of equal spheres beside published curves: the table of docs/diffusion.md.

    dispersion_pack.py OUT.jsonl [SECONDS]     after tests/gpu/carry_python.sh; SECONDS: no run goes on beyond them

Each line of OUT.jsonl is a run: `peclet` with the diameter and the mean velocity in the pores, `longitudinal` and
`transverse` D* over the free diffusivity, `samples` [step, D*_xx, D*_yy, D*_zz]. `status` is late where time was up.

Curves of creeping flow (Reynolds number 0), all with these Peclet numbers:
Gunn, Chem. Eng. Sci. 42 (1987) 363, eqs. (1), (3), (9), (10), as read off the pages by the repository
computational-chemical-engineering/pymrm-gallery, page A2.6; the paper was not at hand. Axial: tau 1.4, p 0.17; radial:
tau 1.2, Pe_f 40.
Edwards & Richardson, Chem. Eng. Sci. 23 (1968) 109, eq. (17), gas at Reynolds numbers of 0.008 to 50, as page A2.5 there
has it.
"""

import json
import math
import sys
import time
from pathlib import Path

from lbm import porous
from lbm.porous import pore_dispersion

# Voxels in a diameter, diameters in an edge of the box, seed, Peclet numbers; solid: 60 %.
RUNS = [
    (24, 6, 1, (0.1, 1, 10)),
    (16, 6, 1, (10, 100)),
    (24, 6, 1, (100,)),
    (16, 6, 2, (10, 100)),
    (32, 6, 1, (10,)),
]
SOLID = 0.6


def gunn(peclet, porosity):
    """Longitudinal and transverse D* over the free diffusivity."""
    p, x = 0.17, porosity * peclet / (4 * 2.404826**2 * (1 - porosity))
    mixing = x * (1 - p) ** 2 + x**2 * p * (1 - p) ** 3 * math.expm1(-1 / (p * (1 - p) * x))
    return 1 / 1.4 + peclet * mixing, 1 / 1.2 + peclet / 40


def edwards_richardson(peclet):
    return 0.73 + 0.5 * peclet / (1 + 9.7 / peclet)


class TimeIsUp(Exception):
    pass


def run(diameter, box, seed, peclet, end):
    image = Path(f"pack_{diameter}_{box}_{seed}.npy")
    if not image.exists():
        porous.save(image, porous.packed_spheres(diameter * box, diameter / 2, SOLID, seed=seed))
    row = {"diameter": diameter, "box": box, "seed": seed, "samples": []}
    tensor_of = pore_dispersion._tensor

    def sampled(simulation, *rest):
        velocity, tensor = tensor_of(simulation, *rest)
        row["samples"].append([simulation.step, *tensor.diagonal().round(4).tolist()])
        if time.monotonic() > end:
            raise TimeIsUp
        return velocity, tensor

    began, pore_dispersion._tensor = time.monotonic(), sampled
    try:
        found = porous.dispersion(porous.image_case(image, along="z"), peclet=peclet, length=diameter)
        row |= {name: getattr(found, name) for name in (
            "peclet", "reynolds", "porosity", "longitudinal", "transverse", "lattice_velocity", "lattice_diffusivity",
            "steps", "status")}
        row["tensor"] = found.tensor.tolist()
    except TimeIsUp:
        x, y, z = row["samples"][-1][1:]
        row |= {"peclet": peclet, "longitudinal": z, "transverse": (x + y) / 2, "status": "late"}
    finally:
        pore_dispersion._tensor = tensor_of
    return row | {"seconds": round(time.monotonic() - began, 1)}


if __name__ == "__main__":
    end = time.monotonic() + float(sys.argv[2] if len(sys.argv) > 2 else 1e9)
    with open(sys.argv[1], "a", encoding="utf-8") as out:
        for diameter, box, seed, peclets in RUNS:
            for peclet in peclets:
                if time.monotonic() > end:
                    sys.exit("time is up")
                row = run(diameter, box, seed, peclet, end)
                print(json.dumps(row), file=out, flush=True)
                along, across = gunn(row["peclet"], row.get("porosity", 1 - SOLID))
                print(f"{diameter} voxels, seed {seed}, Pe {row['peclet']:.3g}: along {row['longitudinal']:.4g} "
                      f"(Gunn {along:.4g}, Edwards & Richardson {edwards_richardson(row['peclet']):.4g}), across "
                      f"{row['transverse']:.4g} (Gunn {across:.4g}); {row['status']}, {row['seconds']} s", flush=True)
