#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the picture of README.md: docs/figures/mixing.py OUT.jpg PIECE...

PIECE: the files mid_STEP.xz.a? of tests/gpu/mixing_picture.sh, in order. Above the whole slice, a pixel for 3.5 cells;
below its two framed parts, a pixel for each cell. Colour: vorticity along the span, red and blue for its two signs.
"""

import lzma
import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

ACROSS, ALONG = 3072, 5632  # cells
WIDTH, GAP = 1600, 8  # pixels
HEIGHT = WIDTH * ACROSS // ALONG
PART = ((WIDTH - GAP) // 2, 450)  # cells, along and across
FRAMES = ((2130, 1180), (3700, 470))  # their lower left corners
COLOURS = LinearSegmentedColormap.from_list(
    "ember", ["#e8f6ff", "#63b8ff", "#1f5fd0", "#10204f", "#05060a", "#4f1010", "#d0401f", "#ffb063", "#fff6e0"], N=512
)


def main() -> None:
    target, *pieces = sys.argv[1:]
    data = lzma.decompress(b"".join(pathlib.Path(piece).read_bytes() for piece in pieces))
    field = np.frombuffer(data, np.float16).astype(np.float32).reshape(ALONG, ACROSS).T  # [x, z]
    top = np.quantile(np.abs(field), 0.99)
    field = np.sign(field) * np.minimum(np.abs(field) / top, 1) ** 0.6
    height = HEIGHT + GAP + PART[1]
    figure = plt.figure(figsize=(WIDTH / 100, height / 100), dpi=100, facecolor="white")

    def panel(left: int, bottom: int, width: int, tall: int) -> plt.Axes:
        axes = figure.add_axes((left / WIDTH, bottom / height, width / WIDTH, tall / height))
        axes.set_axis_off()
        return axes

    def draw(axes: plt.Axes, part: np.ndarray, interpolation: str) -> None:
        axes.imshow(part, cmap=COLOURS, vmin=-1, vmax=1, origin="lower", aspect="auto", interpolation=interpolation,
                    extent=(0, part.shape[1], 0, part.shape[0]))

    whole = panel(0, PART[1] + GAP, WIDTH, HEIGHT)
    draw(whole, field, "antialiased")
    for i, (z, x) in enumerate(FRAMES):
        whole.add_patch(Rectangle((z, x), *PART, fill=False, edgecolor="white", linewidth=1.2))
        draw(panel(i * (PART[0] + GAP), 0, *PART), field[x : x + PART[1], z : z + PART[0]], "none")
    figure.savefig(target, dpi=100, pil_kwargs={"quality": 85})


if __name__ == "__main__":
    main()
