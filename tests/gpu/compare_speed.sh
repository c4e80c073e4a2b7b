#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares the speed of two builds of the program on one GPU, in turn: cavity, sphere and tunnel, in core and out of
# core, fp32 and fp16. Prints a table of medians; OUT_DIR/speed.json has every measurement.
#
#   tests/gpu/compare_speed.sh OLD_LBM NEW_LBM OUT_DIR
#
# Some 5 minutes on an H200. LBM_COMPARE_REPEATS (3): runs of each program; LBM_COMPARE_SECONDS (480): no repeat begins
# after that time. Exit status 1 where the new program is more than 1 % slower, 2 where a run fails.
# LBM_COMPARE_BACKEND=cpu tries the script itself without a GPU, on tiny grids. k and B are given, not chosen: what
# a program measures of the device must not decide.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 3 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
out=$3
declare -A program=([old]=$1 [new]=$2)
backend=${LBM_COMPARE_BACKEND:-cuda} repeats=${LBM_COMPARE_REPEATS:-3} limit=${LBM_COMPARE_SECONDS:-480}
runs=$(mktemp -d) failed=0
trap 'rm -rf "$runs"' EXIT
export LBM_CACHE_DIR=$runs/cache
[ "$backend" = cuda ] || export OMP_WAIT_POLICY=passive
mkdir -p "$out"

# Steps for about two seconds on an H200: case, scheme, storage.
steps_of() {
  case "$1 $2 $3" in
    "cavity in_core fp32") echo 400 ;;
    "cavity in_core fp16") echo 800 ;;
    *" in_core fp32") echo 200 ;;
    *" in_core fp16") echo 400 ;;
    *" fp32") echo 512 ;;
    *) echo 1024 ;;
  esac
}

# The settings of a run, one a line.
settings() {
  local case=$1 scheme=$2 storage=$3
  printf '%s\n' "device.backend=$backend" "tiling.scheme=$scheme" "lattice.storage=$storage"
  if [ "$backend" = cpu ]; then
    printf '%s\n' 'grid.cells=[32, 32, 48]' run.steps=24 tiling.steps_per_visit=4 tiling.planes_per_visit=2
    [ "$case" = cavity ] ||
      printf '%s\n' 'bodies.sphere.center=[16, 16, 16]' bodies.sphere.radius=5 fluid.length=10 fluid.reynolds=100
    return
  fi
  printf '%s\n' "run.steps=$(steps_of "$case" "$scheme" "$storage")"
  if [ "$scheme" = in_core ]; then
    printf '%s\n' tiling.steps_per_visit=1 tiling.planes_per_visit=64
  else
    printf '%s\n' 'grid.cells=[512, 512, 384]' tiling.steps_per_visit=64 tiling.planes_per_visit=8
  fi
}

# Puts the report of one run into $runs/CASE.SCHEME.STORAGE.WHICH.REPEAT.json.
measure() {
  local case=$1 scheme=$2 storage=$3 which=$4 name=$1.$2.$3.$4.$5 wanted=()
  mapfile -t wanted < <(settings "$case" "$scheme" "$storage" | sed 's/^/--set\n/')
  "${program[$which]}" run "$here/$case.yaml" "${wanted[@]}" --out "$runs/$name" --quiet --json \
    >"$runs/$name.json" 2>"$runs/$name.err" ||
    { echo "$name failed: $(tail -1 "$runs/$name.err")" >&2; rm "$runs/$name.json"; failed=1; }
  rm -rf "${runs:?}/$name"
}

for ((repeat = 1; repeat <= repeats; ++repeat)); do
  [ "$SECONDS" -lt "$limit" ] || { echo "$((repeat - 1)) of $repeats repeats: $SECONDS s are over"; break; }
  order="old new"
  [ $((repeat % 2)) = 1 ] || order="new old"
  for case in cavity sphere tunnel; do
    for scheme in in_core wavefront; do
      for storage in fp32 fp16; do
        for which in $order; do measure $case $scheme $storage "$which" "$repeat"; done
      done
    done
  done
done

python3 - "$runs" "$out/speed.json" "${program[old]}" "${program[new]}" <<'TABLE' || slower=$?
import glob, json, os, statistics, sys

runs, to, old, new = sys.argv[1:]
speeds, devices = {}, set()
for file in sorted(glob.glob(os.path.join(runs, "*.json"))):
    case, scheme, storage, which, _ = os.path.basename(file).split(".", 4)
    with open(file) as text:
        report = json.load(text)
    speeds.setdefault((case, scheme, storage), {}).setdefault(which, []).append(report)
    devices.add(report["device"])
print("%-8s %-10s %-5s %10s %10s %8s %8s %8s" % ("case", "scheme", "", "old MLUPS", "new MLUPS", "new/old", "spread", "seconds"))
rows = []
for (case, scheme, storage), both in speeds.items():
    if len(both) < 2:
        continue
    mlups = {which: [r["mlups"] for r in both[which]] for which in both}
    median = {which: statistics.median(mlups[which]) for which in mlups}
    spread = max((max(m) - min(m)) / median[which] for which, m in mlups.items())
    rows.append({"case": case, "scheme": scheme, "storage": storage, "cells": both["old"][0]["cells"],
                 "steps": both["old"][0]["steps"], "steps_per_visit": both["old"][0]["steps_per_visit"],
                 "planes_per_visit": both["old"][0]["planes_per_visit"], "old_mlups": mlups["old"], "new_mlups": mlups["new"],
                 "ratio": median["new"] / median["old"], "spread": spread})
    print("%-8s %-10s %-5s %10.0f %10.0f %8.4f %7.2f%% %8.2f" % (case, scheme, storage, median["old"], median["new"],
          rows[-1]["ratio"], 100 * spread, statistics.median(r["seconds"] for r in both["new"])))
slower = [r for r in rows if r["ratio"] < 0.99]
with open(to, "w") as file:
    json.dump({"devices": sorted(devices), "old": old, "new": new, "rows": rows}, file, indent=1)
print("%s; slowest %.4f, fastest %.4f; more than 1 %% slower: %d of %d" % (", ".join(sorted(devices)),
      min(r["ratio"] for r in rows), max(r["ratio"] for r in rows), len(slower), len(rows)))
sys.exit(1 if slower else 0)
TABLE
[ $failed = 0 ] || exit 2
exit "${slower:-0}"
