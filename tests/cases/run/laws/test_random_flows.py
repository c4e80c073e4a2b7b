#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random cases (random_flows.py): what must hold for each of them.

    test_random_flows.py --lbm build/lbm closed_boxes [--first 100] [--count 60]    no mass appears or is lost
                                                                                 (55: a pocket of one cell diverges)
    test_random_flows.py --lbm build/lbm schedules [--first 100] [--count 30]       every schedule gives the same bytes

A schedule differs from in core in scheme, steps per visit, planes per visit, threads, and in a restart on the way."""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import random_flows  # noqa: E402

OWN = {"report.json", "effective_case.yaml", "run.log"}  # say how a run was made
# A convective time in fp64: 200 steps.
MOST_DRIFT = 1e-10


class Runs:
    def __init__(self, lbm, work):
        self.lbm, self.work = lbm, work

    def run(self, name, case, *more):
        file = self.work / "case.yaml"
        file.write_text(json.dumps(case))
        out = self.work / name
        into = [] if "--restart" in more else ["--out", out, "--overwrite"]
        done = subprocess.run([self.lbm, "run", file, "--quiet", *into, "--set", "device.backend=cpu", *more],
                              capture_output=True, text=True, check=False)
        return out, done


def mass_of(out):
    lines = [line for line in (out / "monitor.csv").read_text().splitlines() if line[:1].isdigit()]
    return [[float(value) for value in line.split(",")[1:3]] for line in lines]


def closed_box(runs, seed):
    case = random_flows.closed_box(seed)
    case["output"] = {"monitor": 50, "at_end": False}
    out, done = runs.run("box", case)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.strip()}"
    (begin, first), *_, (end, last) = mass_of(out)
    drift = (last - first) / (end - begin)
    return "" if abs(drift) < MOST_DRIFT else f"mass changes by {drift:.3g} a convective time"


def files_of(out):
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())
            if path.is_file() and path.name not in OWN and not path.name.startswith("checkpoint")}


def schedule(draw):
    scheme = draw.choice(["wavefront", "halo", "in_core"])
    sets = [f"tiling.scheme={scheme}", f"device.threads={draw.randint(1, 3)}"]
    if scheme != "in_core":
        sets += [f"tiling.steps_per_visit={draw.randint(1, 9)}", f"tiling.planes_per_visit={draw.randint(1, 7)}"]
    return sets


def flags(sets):
    return [word for item in sets for word in ("--set", item)]


def schedules(runs, seed):
    case = random_flows.any_flow(seed)
    draw = random.Random(seed)
    right, done = runs.run("right", case, "--set", "tiling.scheme=in_core")
    if done.returncode == 3:
        return "diverges"  # compared by its message only
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.strip()}"
    wanted = files_of(right)
    for _ in range(3):
        sets = schedule(draw)
        half = case["run"]["steps"] // 2
        restarted = draw.random() < 0.4
        out, done = runs.run("other", case, *flags(sets + [f"checkpoint.every_steps={half}", "checkpoint.keep=9"] * restarted))
        if done.returncode == 0 and restarted:
            sets += ["restart"] + schedule(draw)
            _, done = runs.run("other", case, *flags(sets[sets.index("restart") + 1:]), "--restart",
                               out / f"checkpoint_{half:09}.h5")
        if done.returncode != 0 and re.search("planes_per_visit|steps_per_visit|tiling.scheme", done.stderr):
            continue  # this grid has no such schedule
        if done.returncode != 0:
            return f"{sets}: exit code {done.returncode}: {done.stderr.strip()}"
        got = files_of(out)
        names = sorted(name for name in wanted.keys() | got.keys() if wanted.get(name) != got.get(name))
        if names:
            return f"{sets}: {', '.join(names)} differ"
        runs.compared += 1
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lbm", type=pathlib.Path, required=True)
    parser.add_argument("what", choices=["closed_boxes", "schedules"])
    parser.add_argument("--first", type=int, default=100)
    parser.add_argument("--count", type=int)
    given = parser.parse_args()
    check, count = {"closed_boxes": (closed_box, 60), "schedules": (schedules, 30)}[given.what]
    failed = skipped = 0
    with tempfile.TemporaryDirectory(prefix="lbm-random-") as work:
        runs = Runs(given.lbm.resolve(), pathlib.Path(work))
        runs.compared = 0
        seeds = range(given.first, given.first + (given.count or count))
        for seed in seeds:
            why = check(runs, seed)
            skipped += why == "diverges"
            if why and why != "diverges":
                failed += 1
                print(f"{given.what} {seed}: {why}", flush=True)
    print(f"{len(seeds)} cases, {skipped} diverge, {runs.compared} comparisons, {failed} failed")
    sys.exit(failed > 0 or 2 * skipped > len(seeds))


if __name__ == "__main__":
    main()
