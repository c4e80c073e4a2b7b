#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes random changes to the shipped cases and runs them: none may end with exit code 0, no warning, and nonsense.

    random_changes.py [--lbm build/lbm] [--runs 200] [--seed 1] [--first 0] [--case NAME] [--unchanged] [--out FILE]

Each run takes a case of cases/ at the small size of its test, and changes one to three keys of `lbm keys`. It is cut
after 1e7 cell updates. These ends are fine:
  0  with a flow that flow_sanity.py finds nothing in and that another collision model confirms, or after a warning
  2, 4  with one line that names a key and a remedy; `lbm check` says the same
  3  with a message whose remedies work: they are applied, and that run must end with 0 and a sane flow
All else is printed, and the exit code is 1. --unchanged runs the cases as they are, which tests the limits. Needs numpy,
h5py and PyYAML: build/venv/bin/python has them.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time

import h5py
import yaml

sys.dont_write_bytecode = True
import flow_sanity as sanity  # noqa: E402
from drawn_changes import SOURCE, Drawer, call, flags, key_table, small_cases, value_at  # noqa: E402

UPDATES = 1e7
CELLS = 150_000  # more are not run
BASE = ["device.backend=cpu", "expect=null", "outputs.all={fields: [density, velocity, solid], units: lattice}"]
# Warnings of these kinds excuse no flow.
BESIDES = re.compile(r"writes nothing|has no effect|is streamed through|became \d+ cells")
KEY = re.compile(r"\b(boundaries|fluid|lattice|bodies|grid|run|tiling|force|initial|output|outputs|statistics|probes|quantities"
                 r"|host|device|checkpoint|expect)\.\w+")
REMEDY = re.compile(r"must |\b(set|remove|give|take|lower|raise|make|use|add|requires|choose|drop|conflicts|move|refine)\b", re.I)


class Run:
    """One end of `lbm check` and `lbm run` with the same settings."""

    def __init__(self, lbm, case, settings, steps=None):
        self.lbm, self.case, self.settings = lbm, case, settings
        checked = call([lbm, "check", case, "--json", *flags(settings)])
        self.check_exit, self.check_error = checked.returncode, checked.stderr
        self.checked = json.loads(checked.stdout) if checked.returncode == 0 else None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lbm_changes_"))
        if self.checked is None:
            self.end([])
            return
        most = steps or max(int(UPDATES / self.checked["cell_count"]), 200)
        cut = [] if not steps and self.checked["steps"] <= most else [
            "run={steps: %d}" % most, "output.times=[]", "statistics=null", "quantities=null"]
        # The settings of `run` stay, except the length of the run.
        cut += [s for s in settings if cut and re.match(r"run\.(max_mach|density_range|on_checkerboard)=", s)]
        self.end(cut)

    def end(self, cut):
        self.cut = cut
        done = call([self.lbm, "run", self.case, "--quiet", "--out", self.folder, *flags(self.settings + cut)])
        self.exit = done.returncode
        lines = done.stderr.strip().splitlines()
        self.notes = [line for line in lines if line.startswith(("warning: ", "note: "))]
        self.errors = [line for line in lines if line not in self.notes]
        report = self.folder / "report.json"
        self.report = json.loads(report.read_text()) if report.exists() else None

    def warnings(self):
        every = (self.checked or {}).get("warnings", []) + (self.report or {}).get("warnings", [])
        return {w for w in every if not BESIDES.search(w)}

    def fields(self):
        """density, velocity, fluid in lattice units at the end."""
        with h5py.File(max(self.folder.glob("all_*.hdf"))) as file:
            data = file["VTKHDF/PointData"]
            return data["density"][...].astype("f8"), data["velocity"][...].astype("f8"), data["solid"][...] == 0

    def effective(self):
        return yaml.safe_load((self.folder / "effective_case.yaml").read_text())

    def form(self):
        """Faults in exit code, messages and report.json, whatever the flow."""
        found = []
        if self.exit not in (0, 2, 3, 4):
            found.append(f"exit code {self.exit}")
        said = any("with --restart only" in w for w in (self.checked or {}).get("warnings", []))
        if self.check_exit != (self.exit if self.exit in (2, 4) else 0) and not (said and self.exit == 2):
            found.append(f"lbm check ends with {self.check_exit}, lbm run with {self.exit}")
        if self.exit != 0 and (len(self.errors) != 1 or not self.errors[0].startswith("lbm: ")):
            found.append(f"not one line of error: {self.errors}")
        if self.exit == 0 and self.errors:
            found.append(f"an error with exit code 0: {self.errors}")
        if self.exit in (2, 4) and not (KEY.search(self.errors[-1]) and REMEDY.search(self.errors[-1])):
            found.append(f"no key or no remedy: {self.errors[-1]}")
        if self.exit in (0, 3) and self.report is None:
            found.append("no report.json")
        return found

    def flow(self):
        """Faults in the flow of a complete run."""
        density, velocity, fluid = self.fields()
        found = sanity.not_finite(self.report) + sanity.field_values(density, velocity, fluid)
        if "the fields are not finite" in found or not fluid.any():
            return found
        case, rows = self.effective(), {row["name"]: row for row in self.checked["units"]["rows"]}
        scale = rows["reference velocity"]["lattice"] / rows["reference velocity"]["value"]
        found += sanity.checkerboard(velocity, fluid)
        found += sanity.mass_of_closed_box(case, self.report, density, fluid)
        found += sanity.sign_of_drag(case, self.folder, self.report["flow"]["convective_times"])
        found += sanity.speed_of_drive(case, velocity, fluid, scale, len(self.report["bodies"]))
        return found + sanity.report_agrees(self.report, density, velocity, fluid, scale)

    def again(self, settings, steps=None):
        """The same up to the same time with more settings."""
        return Run(self.lbm, self.case, self.settings + settings, steps or self.report["steps_asked"])

    def other_model(self):
        """With another collision model in double precision; None where that one does not bear the flow, either."""
        tau = self.checked["tau"]
        model = "trt" if self.report["collision"] != "trt" else "regularised_filtered" if tau < 1.2 else "bgk"
        run = self.again([f"lattice.collision={model}", "lattice.storage=fp64", "lattice.representation=populations",
                          "tiling={scheme: in_core}"], self.report["steps"])
        return run if run.exit == 0 and not run.warnings() - self.warnings() else None

    def remove(self):
        shutil.rmtree(self.folder)


def settings_of(remedy, run):
    """None for a remedy that a script cannot apply."""
    case = run.effective()
    if remedy == "ramp":
        faces = case["boundaries"]
        return [f"boundaries.{f}.ramp_time={2 * run.checked['convective_times'] / run.checked['steps'] * 100:.4g}"
                for f in faces if faces[f]["type"] == "velocity" and not faces[f].get("velocity_factor")] or None
    if not isinstance(remedy, tuple):
        return remedy
    if remedy[0] == "smaller":
        now = value_at(case, remedy[1])
        smaller = [n / remedy[2] for n in now] if isinstance(now, list) else now / remedy[2]
        return [f"{remedy[1]}={json.dumps(smaller)}"]
    factor = remedy[1]
    if case["units"] == "si" and case["grid"].get("spacing"):
        return [f"grid.spacing={case['grid']['spacing'] / factor:.6g}"]
    if case.get("bodies") or any(face.get("patches") for face in case["boundaries"].values()):
        return None  # their lengths are in cells
    cells = [round(n * factor) if case["boundaries"][f"{axis}_min"]["type"] != "periodic" or n > 8 else n
             for n, axis in zip(case["grid"]["cells"], "xyz")]
    return [f"grid.cells={cells}", f"fluid.length={run.checked['length'] * factor:.6g}"]


def try_remedies(run, text):
    """The remedies of a text that failed, and how many worked. After 'try' one that works is enough."""
    failed, worked = [], 0
    for remedy in sanity.remedies(text, run.checked["lattice_velocity"]):
        settings = settings_of(remedy, run)
        finer = remedy[1] if remedy[0] == "finer" else 1
        steps = run.report["steps_asked"] * finer
        if settings and settings[0].startswith("fluid.lattice_velocity"):
            steps *= run.checked["lattice_velocity"] / float(settings[0].split("=")[1])
        if settings is None or (finer > 1 and (worked or finer > 3)) or steps * run.checked["cell_count"] * finer ** 2 > 10 * UPDATES:
            continue
        other = run.again(settings, int(steps))
        wrong = other.flow() if other.exit == 0 else [f"exit code {other.exit}: {' '.join(other.errors)[:400]}"]
        worked += not wrong
        if wrong:
            failed.append(f"remedy {settings}: {'; '.join(wrong)}")
        other.remove()
    if worked and re.search(r"try lattice\.collision|smaller fluid", text):
        failed = []
    return failed, worked


def judge(run, base):
    """A row of results of a run and what is wrong with it."""
    row = dict(exit=run.exit, said=(run.errors or [""])[-1], warned=sorted(run.warnings() - base.warnings()))
    found = run.form()
    if found or run.exit in (2, 4):
        return row | dict(wrong=found)
    if run.exit == 3:
        failed, worked = try_remedies(run, run.errors[-1])
        return row | dict(wrong=failed, remedies=worked)
    row["nonsense"] = run.flow()
    other = None if row["warned"] or row["nonsense"] else run.other_model()
    if other:
        _, velocity, fluid = run.fields()
        row["compared"] = True
        row["nonsense"] += sanity.differs(velocity, fluid, other.fields()[1], run.checked["lattice_velocity"])
        other.remove()
    if row["nonsense"] and row["warned"]:
        failed, row["remedies"] = try_remedies(run, " ".join(row["warned"]))
        return row | dict(wrong=failed)
    return row | dict(wrong=row["nonsense"])


class Bases:
    """The small cases as they are, each run for one step when it is first asked for."""

    def __init__(self, lbm):
        self.lbm, self.keys, self.small, self.known = lbm, key_table(lbm), small_cases(), {}

    def settings(self, name):
        return self.small[name] + BASE

    def of(self, name):
        if name not in self.known:
            run = Run(self.lbm, SOURCE / f"cases/{name}.yaml", self.settings(name), 1)
            if run.exit != 0:
                raise RuntimeError(f"{name}: {run.errors}")
            effective = run.effective()
            del effective["outputs"]["all"]
            effective["run"].pop("steps")
            self.known[name] = run, Drawer(self.keys, effective, run.checked)
        return self.known[name]


def with_changes(small, chosen):
    """Settings of a small case and of its changes; a length of the run replaces the one of the small case."""
    length = re.compile(r"run\.(steps|time|convective_times)=")
    kept = [s for s in small if not (length.match(s) and any(length.match(c) for c in chosen))]
    return kept + chosen


def change(bases, name, rng):
    """Settings of one to three changes. Most draws that `lbm check` refuses are drawn again: refusals are cheap to find."""
    drawer, chosen = bases.of(name)[1], []
    for _ in range(rng.randint(1, 3)):
        for _ in range(30 if rng.random() < 0.9 else 1):
            while not (drawn := drawer.draw(rng)):
                pass
            settings = with_changes(bases.settings(name), chosen + drawn)
            accepted = call([bases.lbm, "check", SOURCE / f"cases/{name}.yaml", *flags(settings)]).returncode == 0
            if accepted:
                break
        chosen += drawn
        if not accepted:
            break
    return chosen


def one(bases, name, chosen):
    run = Run(bases.lbm, SOURCE / f"cases/{name}.yaml", with_changes(bases.settings(name), chosen))
    try:
        return judge(run, bases.of(name)[0])
    finally:
        run.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lbm", default=SOURCE / "build/lbm", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first run of the seed")
    parser.add_argument("--case", help="this case alone")
    parser.add_argument("--unchanged", action="store_true", help="every case once, without a change")
    parser.add_argument("--out", type=pathlib.Path, help="results, a line of JSON for each run")
    args = parser.parse_args()
    bases, ends, bad = Bases(args.lbm.resolve()), collections.Counter(), 0
    names = [args.case] if args.case else sorted(bases.small)
    for n in range(args.first, args.first + (len(names) if args.unchanged else args.runs)):
        rng = random.Random(f"{args.seed}/{n}")
        name = names[n % len(names)] if args.unchanged else rng.choice(names)
        chosen = [] if args.unchanged else change(bases, name, rng)
        began = time.monotonic()
        row = dict(run=f"{args.seed}/{n}", case=name, changes=chosen) | one(bases, name, chosen)
        row["seconds"] = round(time.monotonic() - began, 2)
        ends.update([f"exit code {row['exit']}"])
        ends.update(label for label, count in (("with a warning", bool(row["warned"])), ("compared", "compared" in row),
                                               ("remedies that worked", row.get("remedies", 0))) for _ in range(count))
        if args.out:
            with args.out.open("a", encoding="utf-8") as file:
                print(json.dumps(row), file=file)
        if row["wrong"]:
            bad += 1
            print(json.dumps(row, indent=1), flush=True)
    for run, _ in bases.known.values():
        run.remove()
    print(f"{sum(v for k, v in ends.items() if 'exit' in k)} runs: {dict(sorted(ends.items()))}; {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
