# SPDX-License-Identifier: Apache-2.0
"""How large must a sample be? The permeability of sub-volumes of an image against their size.

    python representative_volume.py --out rev

Takes cubes at random places of an image (default: a pack of overlapping grains). Computes each in
two ways: in a periodic box, where opposite faces do not fit each other, and together with its
mirror images, where they do but pores end at the faces or are wider there. Prints the mean, its
scatter and both ways, and draws representative_volume.png. A second call computes what is missing.
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
from lbm import porous

WAYS = ("periodic", "mirrored")


def case_of(sample: np.ndarray, way: str, directory: Path) -> lbm.Case:
    """Flow along z through a sample."""
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / "image.npy"
    image = porous.mirrored(sample, "z") if way == "mirrored" else sample
    porous.save(file, image, overwrite=True)
    case = porous.image_case(file, name=f"{way}_sample")
    if way == "mirrored":  # free slip is a mirror
        for face in ("x_min", "x_max", "y_min", "y_max"):
            case[f"boundaries.{face}.type"] = "slip"
    return case


def permeability(sample: np.ndarray, way: str, directory: Path) -> float:
    """In voxels^2; 0 where no pore leads through."""
    try:
        case = case_of(sample, way, directory)
    except lbm.UsageError:  # all pores or all solid
        return np.nan
    table = lbm.sweep(case, [{}], directory, raise_errors=True)
    values = {one.name: one.value for one in table.results(0).report.quantities}
    return float(values["permeability"])


def draw(found: dict[str, dict[int, list[float]]], picture: Path) -> None:
    """Every sub-volume as a mark, the means as lines."""
    _, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    for way, shift in zip(WAYS, (0.985, 1.015)):
        sizes = np.array(list(found[way]))
        (line,) = ax.plot(sizes, [np.mean(k) for k in found[way].values()], "-", label=way)
        for size, values in found[way].items():
            ax.plot([size * shift] * len(values), values, ".", color=line.get_color(), alpha=0.6)
    ax.set(xlabel="edge of the sub-volume [voxels]", ylabel="k [voxels$^2$]", yscale="log")
    ax.legend(title="lines: means")
    plt.savefig(picture, dpi=80)


def main(argv: Sequence[str] | None = None) -> None:
    """Runs all sub-volumes, prints a line for each size and draws."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--out", type=Path, default=Path("rev"), help="directory")
    arguments.add_argument("--image", type=Path, help="a .npy file with 0 in the pores")
    arguments.add_argument("--size", type=int, default=160, help="voxels along the edge of the pack")
    arguments.add_argument("--radius", type=float, default=5, help="of its grains")
    arguments.add_argument("--porosity", type=float, default=0.5)
    arguments.add_argument("--edges", type=int, nargs="+", default=[20, 40, 60, 80])
    arguments.add_argument("--numbers", type=int, nargs="+", default=[16, 16, 8, 4])
    chosen = arguments.parse_args(argv)

    image = (
        porous.open_image(chosen.image)
        if chosen.image
        else porous.overlapping_spheres(chosen.size, chosen.radius, chosen.porosity, seed=1)
    )
    found: dict[str, dict[int, list[float]]] = {way: {} for way in WAYS}
    print("edge  samples  porosity        periodic k            mirrored k")
    for edge, number in zip(chosen.edges, chosen.numbers):
        samples = porous.sub_volumes(image, edge, number, seed=edge)
        shares = [porous.porosity(sample) for sample in samples]
        text = f"{edge:4d} {number:8d}  {np.mean(shares):.3f} +- {np.std(shares):.3f}"
        for way in WAYS:
            values = [
                permeability(sample, way, chosen.out / f"{way}_{edge}_{i}")
                for i, sample in enumerate(samples)
            ]
            found[way][edge] = values
            text += f"  {np.mean(values):8.4f} +- {np.std(values):7.4f}"
        print(text, flush=True)
    draw(found, chosen.out / "representative_volume.png")


if __name__ == "__main__":
    main()
