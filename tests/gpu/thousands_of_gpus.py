#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Predicts weak and strong scaling to thousands of GPUs, with the speeds of the GPU of this machine.

    tests/gpu/thousands_of_gpus.py LBM > TABLE.md

One `lbm plan --processes N --per-host 8` a row, for two networks. Nothing but the speeds of one GPU is measured.
"""

import json
import pathlib
import subprocess
import sys

CASE = pathlib.Path(__file__).with_name("cavity.yaml")
NETWORKS = {"50 GB/s, 5 us": (50, 5), "12.5 GB/s, 20 us": (12.5, 20)}
KINDS = {
    "fp32": ["lattice.storage=fp32"],
    "moments in fp16": [
        "lattice.storage=fp16",
        "lattice.representation=moments",
        "lattice.collision=regularised",
    ],
}
IN_CORE = {
    "in core": ["tiling.scheme=in_core"],
    "in core, k = 8": ["tiling.scheme=in_core", "tiling.steps_per_visit=8"],
}
OUT_OF_CORE = {"out of core": ["tiling.scheme=wavefront"]}
STEPS = 1024


def plan(program, cells, processes, settings, network):
    """The prediction of `lbm plan`, or the reason why the grid does not fit."""
    bandwidth, latency = network
    command = [program, "plan", str(CASE), "--json", "--processes", str(processes), "--per-host", "8"]
    command += ["--network", str(bandwidth), "--latency", str(latency)]
    settings = [*settings, f"grid.cells={list(cells)}", f"run.steps={STEPS}", "tiling.exchange=nccl"]
    settings += ["host.memory_limit=4 TiB"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {"mlups": None, "refusal": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout)


def cell(answer, processes, alone):
    speed = answer.get("mlups")
    if not speed:
        return answer.get("refusal") or "does not fit"
    return f"{speed / 1e6:.3g} ({100 * speed / processes / alone:.0f} %)"


def table(program, title, rows):
    """rows: kind, schedule and its settings, cells, processes, and cells that one GPU would have alone."""
    print(f"| {title} | GPUs | planes a GPU | {' | '.join(NETWORKS)} |")
    print(f"|---|---|---|{'---|' * len(NETWORKS)}")
    for kind, (schedule, settings), cells, processes, single in rows:
        settings = KINDS[kind] + settings
        alone = plan(program, single, 1, settings, (0, 0))["mlups"]
        answers = [plan(program, cells, processes, settings, network) for network in NETWORKS.values()]
        shown = " | ".join(cell(answer, processes, alone) for answer in answers)
        print(f"| {kind}, {schedule} | {processes:,} | {cells[2] // processes:,} | {shown} |", flush=True)
    print()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = sys.argv[1]
    weak = [
        (kind, schedule, (1024, 1024, planes * count), count, (1024, 1024, planes))
        for kind in KINDS
        for schedules, planes in ((IN_CORE, 512), (OUT_OF_CORE, 960))
        for schedule in schedules.items()
        for count in (64, 1024)  # an axis has a million planes at most
    ]
    table(program, "weak, 1024 x 1024 x planes", weak)
    strong = [
        ("moments in fp16", schedule, (4096, 4096, 4096), count, (4096, 4096, 64))
        for count in (64, 128, 256, 512, 1024)
        for schedule in IN_CORE.items()
    ]
    table(program, "strong, 4096 x 4096 x 4096", strong)


if __name__ == "__main__":
    main()
