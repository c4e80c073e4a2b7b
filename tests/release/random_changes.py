#!/usr/bin/env python3
"""Makes random changes to the cases of cases/ and runs them: none may end with exit code 0, no warning, and nonsense.

    random_changes.py [--lbm build/lbm] [--runs 200] [--seed 1] [--out FILE]

Each run changes one to three of: Reynolds number, lattice velocity, collision model, turbulence model, storage type,
kind of outlet, start. It is cut after UPDATES cell updates. Nonsense is a checkerboard, a density or a Mach number that no
nearly incompressible flow has, or a speed far above all that drives the flow. A run that warns about the setting before it
starts, or ends with 2, 3 or 4 and a line that names a key, is fine. Exit code 1: some runs were not. 200 runs take some 20
minutes on two cores.
"""

import argparse
import collections
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from case_runs import SMALLER

SOURCE = pathlib.Path(__file__).resolve().parents[2]
UPDATES = 1.5e8
# Limits for a flow that is nearly incompressible, in a run that ends well. Noise has an alternation of 3/4. Between bodies
# the flow is faster than at the inlet: the pores of the packing are a quarter of the cross-section.
ALTERNATION, DENSITY, MACH, OVER_SPEED, OVER_SPEED_AT_BODIES = 0.8, 0.2, 0.5, 2.5, 6
COLLISIONS = ["bgk", "trt", "regularised", "regularised_filtered"]


def changes(rng, case):
    """Settings that change a case; case: as `lbm check --json` has it."""
    kinds = {
        "reynolds": lambda: [f"fluid.reynolds={case['reynolds'] * 10 ** rng.uniform(-0.5, 2):.4g}"],
        "velocity": lambda: [f"fluid.lattice_velocity={rng.choice([0.01, 0.03, 0.08, 0.12, 0.15])}"],
        "collision": lambda: [f"lattice.collision={rng.choice(COLLISIONS)}"],
        "smagorinsky": lambda: [f"lattice.smagorinsky={rng.choice([0.05, 0.1, 0.2])}"],
        "storage": lambda: [f"lattice.storage={rng.choice(['fp16', 'fp64'])}"],
        "outlet": lambda: [f"boundaries.z_max.type={rng.choice(['pressure', 'outflow'])}"],
        "start": lambda: ["initial={flow: uniform, velocity: [0, 0, 1]}"],
    }
    return [s for kind in rng.sample(sorted(kinds), rng.randint(1, 3)) for s in kinds[kind]()]


def call(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def flags(settings):
    return [word for s in settings for word in ("--set", s)]


def check(lbm, case, settings):
    done = call([lbm, "check", case, "--json", *flags(settings)])
    return json.loads(done.stdout) if done.returncode == 0 else None, done


def imposed_speed(report):
    """The largest speed of a wall or an inlet, in reference velocities; 0 where something else may drive the flow."""
    with open(report["effective_case"], encoding="utf-8") as file:
        import yaml
        case = yaml.safe_load(file)
    if case.get("force") or case.get("initial", {}).get("flow") not in (None, "rest"):
        return 0
    speeds = []

    def add(condition):
        if isinstance(condition, str):
            condition = {"type": condition}
        if condition.get("pressure") or condition.get("pressure_drop") or condition.get("file"):
            speeds.append(float("nan"))
        speeds.append(sum(float(u) ** 2 for u in condition.get("velocity", [0])) ** 0.5)
        for patch in (condition.get("patches") or {}).values():
            add(patch)

    for condition in (case.get("boundaries") or {}).values():
        add(condition)
    for body in (case.get("bodies") or {}).values():
        if body.get("velocity") or body.get("angular_velocity"):
            return 0
    fastest = max(speeds, default=0)
    return fastest if fastest == fastest else 0


def nonsense(report, checked):
    """What is wrong with the end of a run; empty: nothing."""
    last = report["last_look"]
    found = []
    if last["alternation"] > ALTERNATION:
        found.append(f"alternation {last['alternation']:.2f}")
    for name in ("density_min", "density_max"):
        if abs(last[name] - 1) > DENSITY:  # in reference densities
            found.append(f"{name} {last[name]:.3f}")
    mach = last["speed_max"] / checked["velocity"] * checked["lattice_velocity"] * 3**0.5
    if mach > MACH:
        found.append(f"Mach {mach:.2f}")
    driven = imposed_speed(report)
    if driven and last["speed_max"] > (OVER_SPEED_AT_BODIES if report["bodies"] else OVER_SPEED) * driven:
        found.append(f"speed {last['speed_max']:.3g}, driven by {driven:.3g}")
    return found


def run_one(lbm, rng, folder):
    """A line of results."""
    case = rng.choice(sorted((SOURCE / "cases").glob("*.yaml")))
    small = SMALLER.get(case.stem, []) + ["device.backend=cpu", "output.monitor=100", "outputs=null", "statistics=null"]
    before, _ = check(lbm, case, small)
    chosen = changes(rng, before)
    row = dict(case=case.stem, changes=chosen)
    checked, done = check(lbm, case, small + chosen)
    if checked is None:
        return row | dict(exit=done.returncode, what=done.stderr.strip().splitlines()[-1], ok=done.returncode == 2)
    most = int(UPDATES / checked["cell_count"])
    shorter = [f"run.steps={max(most, 200)}"] if checked["steps"] > most else []
    done = call([lbm, "run", case, "--quiet", "--out", folder, *flags(small + chosen + shorter)])
    error = done.stderr.strip().splitlines()
    row |= dict(exit=done.returncode, warnings=checked["warnings"], what=error[-1] if error else "")
    if done.returncode != 0:
        return row | dict(ok=done.returncode in (2, 3, 4))
    report = json.loads((folder / "report.json").read_text())
    report["effective_case"] = folder / "effective_case.yaml"
    values = {r["name"]: r["value"] for r in checked["units"]["rows"]}
    checked |= dict(velocity=values["reference velocity"])
    found = nonsense(report, checked)
    # A warning that was there before the change says nothing about it.
    warned = [w for w in report["warnings"] if w not in before["warnings"]]
    return row | dict(nonsense=found, warned=warned, ok=not found or bool(warned))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lbm", default=SOURCE / "build/lbm", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, help="results, a line of JSON for each run")
    args = parser.parse_args()
    ends = collections.Counter()
    bad = 0
    for n in range(args.runs):
        rng = random.Random(f"{args.seed}/{n}")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="lbm_changes_"))
        row = dict(seed=f"{args.seed}/{n}") | run_one(args.lbm.resolve(), rng, folder)
        shutil.rmtree(folder)
        ends[row["exit"]] += 1
        if args.out:
            with args.out.open("a", encoding="utf-8") as file:
                print(json.dumps(row), file=file)
        if not row["ok"]:
            bad += 1
            print(json.dumps(row, indent=1), flush=True)
    print(f"{args.runs} runs: " + ", ".join(f"exit {code}: {count}" for code, count in sorted(ends.items())) + f"; {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
