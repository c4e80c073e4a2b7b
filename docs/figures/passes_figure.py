#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws passes_h200.png for docs/passes.md: speed against the bytes that an update moves.

    passes_figure.py            writes the PNG beside this script, from data/passes_h200.json

One and two steps in a pass, populations and moments, under the limit of a copy on the device.
"""

import json
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
COLOURS = {
    "populations, one step": "#7ea6d9",
    "populations, two steps": "#1f4e8c",
    "moments, one step": "#efb87f",
    "moments, two steps": "#c65d07",
}
MARKERS = {"fp32": "o", "fp16": "s"}


def main():
    with open(os.path.join(HERE, "data", "passes_h200.json"), encoding="utf-8") as file:
        data = json.load(file)
    figure, axes = plt.subplots(figsize=(7.5, 4.6))
    bytes_of_update = [17, 175]
    axes.plot(
        bytes_of_update,
        [1e3 * data["copy_gb_per_s"] / b for b in bytes_of_update],
        color="#888888",
        label=f"limit: a copy on the device, {data['copy_gb_per_s']} GB/s",
    )
    named = set()
    for kind, storage, size, mlups, case in data["speeds"]:
        label = f"{kind}, {storage}"
        axes.plot(
            size,
            mlups,
            MARKERS[storage],
            color=COLOURS[kind],
            label=None if label in named else label,
        )
        named.add(label)
        axes.annotate(case, (size, mlups), xytext=(7, -3), textcoords="offset points", fontsize=7)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(15, 230)
    ticks = [20, 40, 76, 152]
    axes.set_xticks(ticks, [str(t) for t in ticks])
    axes.minorticks_off()
    speeds = [20000, 30000, 50000, 100000, 200000]
    axes.set_yticks(speeds, [f"{s:,}" for s in speeds])
    axes.set_xlabel("bytes of device memory that an update must read and write")
    axes.set_ylabel("MLUPS")
    axes.set_title(f"One and two steps in a pass, {data['device']}", fontsize=10)
    axes.legend(fontsize=7, loc="upper right")
    figure.tight_layout()
    figure.savefig(os.path.join(HERE, "passes_h200.png"), dpi=110)


if __name__ == "__main__":
    main()
