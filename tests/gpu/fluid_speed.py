#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed and memory with only fluid cells stored, beside all cells stored, on one image like rock (rock_image.py).

    fluid_speed.py LBM IMAGE.raw NX NY NZ OUT.json [--shares 20 40 60 80 95] [--storages fp32 fp16] [--steps 200]
                   [--collision trt] [--device-memory 6GB] [--only fluid]

--device-memory: out of core, with so much. A prediction (`lbm plan`) is written beside every run.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

CASE = """
name: rock
grid: {{cells: [{nx}, {ny}, {nz}]}}
boundaries: {{x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}}
fluid: {{reynolds: 1, length: 10, lattice_velocity: 0.01}}
lattice: {{collision: {collision}, storage: {storage}, representation: {representation}, cells: {stored}}}
bodies:
  rock: {{shape: voxels, file: {image}, cells: [{nx}, {ny}, {nz}], type: uint8, fluid: [{labels}]}}
force: {{acceleration: [0, 0, 1.0]}}
run: {{steps: {steps}}}
output: {{at_end: false}}
{device}
{tiling}
"""


def run(arguments: argparse.Namespace, share: int, storage: str, stored: str, scratch: pathlib.Path) -> dict:
    moments = arguments.collision.startswith("regularised")
    case = scratch / f"{share}_{storage}_{stored}.yaml"
    case.write_text(
        CASE.format(
            nx=arguments.cells[0],
            ny=arguments.cells[1],
            nz=arguments.cells[2],
            collision=arguments.collision,
            storage=storage,
            representation="moments" if moments else "populations",
            stored=stored,
            image=arguments.image.resolve(),
            labels=", ".join(str(label) for label in range(round(share * 2.56))),
            steps=arguments.steps,
            device=f"device: {{memory: {arguments.device_memory}}}" if arguments.device_memory else "",
            tiling="tiling: {scheme: wavefront}" if arguments.device_memory else "",
        )
    )
    plan = subprocess.run([arguments.lbm, "plan", str(case), "--json"], capture_output=True, text=True, check=False)
    done = subprocess.run(
        [arguments.lbm, "run", str(case), "--json", "--out", str(scratch / f"out_{case.stem}")],
        capture_output=True,
        text=True,
        check=False,
    )
    row = {"share": share, "storage": storage, "stored": stored, "collision": arguments.collision}
    if done.returncode != 0:
        return {**row, "error": done.stderr.strip().splitlines()[-1:]}
    report = json.loads(done.stdout)
    for key in (
        "device", "scheme", "steps_per_visit", "planes_per_visit", "steps_per_pass", "seconds", "setup_seconds", "mlups",
        "mlups_of_stored_cells", "gb_per_s", "device_bytes", "host_bytes", "stored_cell_count", "porosity", "predicted_mlups",
    ):  # fmt: skip
        row[key] = report.get(key)
    if plan.returncode == 0:
        forecast = json.loads(plan.stdout)
        row["planned"] = {
            key: forecast.get(key) for key in ("mlups", "device_bytes", "host_bytes_needed", "stored_share", "schedule")
        }
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lbm")
    parser.add_argument("image", type=pathlib.Path)
    parser.add_argument("cells", type=int, nargs=3)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--shares", type=int, nargs="+", default=[20, 40, 60, 80, 95])
    parser.add_argument("--storages", nargs="+", default=["fp32"])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--collision", default="trt")
    parser.add_argument("--device-memory")
    parser.add_argument("--only", choices=["all", "fluid"])
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for storage in arguments.storages:
            for share in arguments.shares:
                for stored in [arguments.only] if arguments.only else ["all", "fluid"]:
                    row = run(arguments, share, storage, stored, pathlib.Path(scratch))
                    rows.append(row)
                    print(json.dumps(row), flush=True)
                    arguments.out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
