#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the errors that `run.until_steady.error` states against true ones, and prints the table of docs/quantities.md.

    steady_flows.py [--lbm build/lbm] [--fast] [--jobs N] [FLOW...]

Each flow runs until the stated error is 1e-2 and 1e-3, and then without an end six times as long as for 1e-3, which gives
the true value. The true error must be at most twice the stated one. Flows that are never steady must not end. The ideal
step is the one after which the true error stays below the asked one. The predicted steps are those of `lbm check`. --fast: a few flows, less than a minute.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
ASKED = (1e-2, 1e-3)
LONGER = 6
PREDICTED = 3
MOST_STEPS = 400000
COMMON = ["expect=null", "pictures=null", "output={at_end: false, profiles: false}", "run.on_checkerboard=warn"]
PERIODIC = "x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic"

CYLINDER = """
grid: {cells: [52, 2, 160]}
boundaries:
  y_min: periodic
  y_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 1.5], profile: duct, ramp_time: 3}
  z_max: {type: pressure, pressure: 0}
bodies: {cylinder: {shape: cylinder, from: [25, -10, 30], to: [25, 12, 30], radius: 6}}
fluid: {reynolds: 10, length: 12, lattice_velocity: 0.04}
lattice: {collision: trt}
"""
SPHERE = """
grid: {cells: [28, 28, 44]}
boundaries: {x_min: slip, x_max: slip, y_min: slip, y_max: slip, z_min: {type: velocity, velocity: [0, 0, 1]}, z_max: outflow}
bodies: {sphere: {shape: sphere, center: [14, 14, 16], radius: 4}}
fluid: {reynolds: 20, length: 8, lattice_velocity: 0.05}
lattice: {collision: trt}
initial: {flow: uniform, velocity: [0, 0, 1]}
"""
STEP = """
grid: {cells: [24, 2, 120]}
boundaries:
  y_min: periodic
  y_max: periodic
  z_min: {type: wall, patches: {inlet: {box: [12, 24, 0, 2], type: velocity, velocity: [0, 0, 1], ramp_time: 1}}}
  z_max: {type: pressure, pressure: 0}
bodies: {step: {shape: box, center: [6, 1, 0], size: [12, 40, 60]}}
fluid: {reynolds: 25, length: 12, lattice_velocity: 0.05}
lattice: {collision: trt}
"""
VORTICES = f"""
grid: {{cells: [40, 40, 2]}}
boundaries: {{{PERIODIC}}}
fluid: {{reynolds: 40, lattice_velocity: 0.04}}
initial:
  flow: formula
  velocity: ["U*sin(2*pi*x/lx)*cos(2*pi*y/ly)", "-U*cos(2*pi*x/lx)*sin(2*pi*y/ly)", "0"]
force: {{acceleration: ["0.3*cos(2*pi*y/ly)", "0", "0"]}}
"""
SHEDDING = """
grid: {cells: [62, 2, 200]}
boundaries:
  y_min: periodic
  y_max: periodic
  z_min: {type: velocity, velocity: [0, 0, 1.5], profile: duct, ramp_time: 2}
  z_max: {type: pressure, pressure: 0}
bodies: {cylinder: {shape: cylinder, from: [30, -10, 30], to: [30, 12, 30], radius: 7.5}}
fluid: {reynolds: 100, length: 15, lattice_velocity: 0.05}
lattice: {collision: regularised_filtered}
"""


def drag_on(body):
    return {"drag": f"kind: coefficient, bodies: [{body}], direction: [0, 0, 1]"}


def point(field, *place):
    return {field[-1]: f"kind: point, field: {field}, point: [{', '.join(map(str, place))}]"}


def cavity(cells, reynolds, *more):
    return ("lid_driven_cavity_2d", [f"grid.cells=[{cells},2,{cells}]", f"fluid.reynolds={reynolds}", *more])


# Name: case (a file of cases/, or text), keys, quantities that decide (none: the kinetic energy).
STEADY = {
    "cavity, Re 80": (*cavity(40, 80), {}),
    "cavity, Re 250": (*cavity(40, 250), {}),
    "cavity, Re 250, speed": (*cavity(40, 250), point("velocity.x", 20, 1, 12)),
    "cavity, Re 80, fp16": (*cavity(40, 80, "lattice.storage=fp16"), {}),
    "cubic cavity, Re 50": ("cubic_cavity", ["grid.cells=[16,16,16]", "fluid.reynolds=50"], {}),
    "duct, uniform stream": ("rectangular_duct", ["grid.cells=[20,2,28]", "fluid.length=20",
                                                  "initial={flow: uniform, velocity: [0, 1, 0]}"], {}),
    "channel between plates": ("channel_flow_rate", [], {"flow": "kind: flow_rate, slice: z, at: 20.5", "drag":
                               "kind: force, bodies: [floor, roof], direction: [0, 0, 1]"}),
    "Couette flow": ("couette", ["grid.cells=[4,4,24]", "fluid.length=24", "lattice.collision=trt"], point("velocity.x", 2, 2, 6)),
    "two viscosities": ("changed_viscosity", ["fluid.reynolds=60"], {}),
    "inlet and outlet, rest": ("poiseuille_inlet_outlet", ["grid.cells=[20,2,80]", "fluid.length=20", "initial=null"],
                               {"p": "kind: mean, field: pressure, slice: z, at: 4.5"}),
    "Kolmogorov flow": ("kolmogorov_flow", ["grid.cells=[4,4,32]", "fluid.length=32"], {}),
    "forced vortices": (VORTICES, [], {}),
    "rotating cylinder": ("rotating_cylinder", ["grid.cells=[104,2,104]"], {}),
    "cylinder, Re 10": (CYLINDER, [], drag_on("cylinder")),
    "cylinder, Re 25, stream": (CYLINDER, ["fluid.reynolds=25", "initial={flow: uniform, velocity: [0,0,1]}",
                                           "boundaries.z_min.ramp_time=null"], drag_on("cylinder")),
    "sphere, Re 20": (SPHERE, [], drag_on("sphere")),
    "sphere, Re 5, rest": (SPHERE, ["fluid.reynolds=5", "initial=null", "boundaries.z_min.ramp_time=1"], drag_on("sphere")),
    "step, Re 25": (STEP, [], {**drag_on("step"), **point("velocity.z", 0.5, 1, 40)}),
    "array of cylinders": ("periodic_array", [], {"flow": "kind: flow_rate, slice: z, at: 0.5", "drag":
                           "kind: force, bodies: [cylinder], direction: [0, 0, 1]"}),
    "grains, tau 1.5": ("overlapping_grains", [], {"k": "kind: permeability"}),
    "grains, tau 0.55": ("overlapping_grains", ["fluid.lattice_velocity=3.33333e-6"], {"k": "kind: permeability"}),
    "grains between pressures": ("rock_between_pressures", [], {"inflow": "kind: flow_rate, face: z_min", "k":
                                 "kind: permeability, box_from: [0, 0, 4e-5], box_to: [2.4e-4, 2.4e-4, 2.8e-4]"}),
}
# Steps without an end.
NEVER = {
    "vortex shedding": (SHEDDING, [], drag_on("cylinder"), 40000),
    "oscillating wall": ("oscillating_wall", [], {}, 40000),
}
FAST = ("cavity, Re 80", "duct, uniform stream", "Couette flow", "Kolmogorov flow", "array of cylinders")


class Flow:
    def __init__(self, program, name, folder, case, keys, quantities):
        self.program, self.name, self.folder, self.keys, self.quantities = program, name, folder, keys, quantities
        self.case = SOURCE / "cases" / f"{case}.yaml"
        if "\n" in case:
            self.case = folder / f"{name}.yaml"
            self.case.write_text(f"name: flow{case}run: {{steps: 1000}}\n", encoding="utf-8")

    def keys_of(self, steps, error=None, every=None):
        """Words of the command line."""
        sampled = f", every_steps: {every}" if every else ""
        asked = ", ".join(f"{name}: {{{what}{sampled}}}" for name, what in self.quantities.items())
        run = f"steps: {steps}"
        if error:
            names = f", quantities: [{', '.join(self.quantities)}]" if self.quantities else ""
            run += f", until_steady: {{error: {error}{names}}}"
        keys = [*COMMON, *self.keys, f"run={{{run}}}", f"quantities={{{asked}}}" if asked else "quantities=null", "device.backend=cpu", "device.threads=1"]
        if every and not self.quantities:
            keys.append(f"output.monitor={every}")
        return [word for key in keys for word in ("--set", key)]

    def predicted(self, error):
        """Steps, as `lbm check` estimates them."""
        done = subprocess.run([self.program, "check", self.case, "--full", "--json", *self.keys_of(MOST_STEPS, error)], capture_output=True,
                              text=True, check=True)
        return json.loads(done.stdout)["steps_to_answer"]

    def run(self, out, steps, error=None, every=None):
        sets = self.keys_of(steps, error, every)
        where = self.folder / f"{self.name} {out}"
        done = subprocess.run([self.program, "run", self.case, "--quiet", "--out", where, *sets], capture_output=True,
                              text=True, check=False, env={**os.environ, "LBM_PYTHON": "none", "OMP_WAIT_POLICY": "passive"})
        if done.returncode != 0:
            raise RuntimeError(f"{self.name}: exit code {done.returncode}: {done.stderr[-400:]}")
        return where, json.loads((where / "report.json").read_text(encoding="utf-8"))

    def series(self, where, name):
        """Values by step."""
        file, column = (where / "monitor.csv", "kinetic_energy") if name == "kinetic_energy" else (where / f"quantity_{name}.csv", "value")
        with open(file, encoding="utf-8") as lines:
            rows = csv.DictReader(line for line in lines if not line.startswith("#"))
            return {int(row["step"]): float(row[column]) for row in rows}

    def measured(self):
        """One row of the table for each error and number."""
        ends = {error: self.run(f"{error}", MOST_STEPS, error)[1] for error in ASKED}
        rows = []
        last = max(report["steps"] for report in ends.values())
        steps = LONGER * last
        long, _ = self.run("long", steps, every=max(2, last // 300 * 2))
        for error, report in ends.items():
            for end in report["until_steady"]:
                values = self.series(long, end["name"])
                true = values[max(values)]
                ideal = max((step for step, value in values.items() if abs(value / true - 1) > error), default=0)
                rows.append({"flow": self.name, "number": end["name"], "asked": error, "ended": report["exit_reason"] == "steady",
                             "steps": report["steps"], "ideal": ideal, "predicted": self.predicted(error), "stated": end["error"],
                             "true": abs(end["value"] / true - 1), "limit": abs(end["limit"] / true - 1)})
        return rows


def text_of(row):
    return (f"| {row['flow']} | {row['number'].replace('kinetic_energy', 'energy')} | {row['asked']:g} | {row['steps']} | {row['ideal']} | {row['predicted']} |"
            f" {row['stated']:.1e} | {row['true']:.1e} | {row['limit']:.1e} |")


def faults_of(row):
    if not row["ended"]:
        return ["did not end"]
    if not row["steps"] / PREDICTED < row["predicted"] < row["steps"] * PREDICTED:
        return [f"not within {PREDICTED} times the predicted steps"]
    # The last bits of single precision are no error of the estimate.
    return [] if row["true"] <= max(2 * row["stated"], 2e-6) else ["true error above twice the stated one"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lbm", default=SOURCE / "build" / "lbm", type=pathlib.Path)
    parser.add_argument("--fast", action="store_true", help="a few flows")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("flows", nargs="*", help="names of flows; default: all")
    args = parser.parse_args()
    names = args.flows or (FAST if args.fast else (*STEADY, *NEVER))
    failed = []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        folder = pathlib.Path(scratch)
        program = args.lbm.resolve()
        ran = {}
        for name in names:
            if name in STEADY:
                ran[name] = pool.submit(Flow(program, name, folder, *STEADY[name]).measured)
            else:
                *flow, steps = NEVER[name]
                ran[name] = pool.submit(Flow(program, name, folder, *flow).run, "never", steps, ASKED[0])
        print("| flow | number | asked | steps | ideal | predicted | stated | true | of the limit |\n|---|---|---|---|---|---|---|---|---|")
        costs = []
        for name, future in ran.items():
            if name in NEVER:
                report = future.result()[1]
                print(f"{name}: {report['exit_reason']} after {report['steps']} steps, {report['until_steady']}", flush=True)
                if report["exit_reason"] == "steady":
                    failed.append(f"{name}: ended as steady")
                continue
            for row in future.result():
                print(text_of(row), flush=True)
                failed += [f"{name}, {row['number']}, {row['asked']:g}: {fault}" for fault in faults_of(row)]
                costs.append(row["steps"] / max(1, row["ideal"]))
    costs.sort()
    if costs:
        print(f"steps / ideal: median {costs[len(costs) // 2]:.2f}, from {costs[0]:.2f} to {costs[-1]:.2f}")
    for fault in failed:
        print(f"FAILED {fault}")
    print(f"{len(costs)} ends of {len(names)} flows, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
