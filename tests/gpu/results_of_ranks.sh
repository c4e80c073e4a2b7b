#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of statistics and derived fields on two GPUs of one host, and on one GPU with half the grid. Each
# GPU has the same number of cells.
#
#   tests/gpu/results_of_ranks.sh OUT_DIR LBM...     several programs: before and after a change, say
#
# 1024 x 1024 x PLANES (480) cells a GPU, fp32, in core, 40 steps. KINDS (all): none, without results; statistics and statistics8, with 4
# and 8 samples of all cells; vorticity, with a file of the vorticity of all cells at steps 20 and 40. One GPU has all cores of the host
# ("one"), or half of them ("half"), as many as each of two has. Files go to /dev/shm (60 GB) and are removed. Two GPUs need 100 GB of
# host memory. A run that takes more than LIMIT (120) seconds is ended. Some 6 minutes a program on H100s, a third of it with PLANES=96.
# OUT_DIR/results_of_ranks.txt has the table.
set -euo pipefail
out=$1
shift
mkdir -p "$out"
out=$(realpath "$out")
here=$(cd "$(dirname "$0")" && pwd)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive LBM_CACHE_DIR=${LBM_CACHE_DIR:-$out/cache}
declare -A wanted=([none]="output.at_end=false" [statistics]="statistics={mean: {every_steps: 10}}" [statistics8]="statistics={mean: {every_steps: 5}}"
  [vorticity]="outputs={swirl: {every_steps: 20, at_end: false, fields: [vorticity]}}")
cores=$(nproc)
declare -A ranks=([one]=1 [half]=1 [two]=2) cpus=([one]="0-$((cores - 1))" [half]="0-$((cores / 2 - 1))" [two]="0-$((cores - 1))")
kinds=${KINDS:-none statistics statistics8 vorticity}
: >"$out/results_of_ranks.txt"
number=0
for lbm in "$@"; do
  number=$((number + 1))
  for kind in $kinds; do
    for way in one half two; do
      dir=$(mktemp -d /dev/shm/lbm-XXXXXX)
      # The file of the statistics at the end is not a part of the samples' cost: the run's time is that of its steps.
      timeout -k 5 "${LIMIT:-120}" mpirun --bind-to none -n "${ranks[$way]}" taskset -c "${cpus[$way]}" "$(realpath "$lbm")" run "$here/cavity.yaml" \
        --set "grid.cells=[1024, 1024, $((${PLANES:-480} * ranks[$way]))]" --set 'initial={flow: rest}' --set lattice.storage=fp32 \
        --set tiling.scheme=in_core --set run.steps=40 --set output.at_end=false --set output.profiles=false --set "${wanted[$kind]}" \
        --out "$dir/o" --quiet --json >"$out/${number}_${kind}_$way.json" 2>"$out/err" ||
        grep -h -m1 lbm: "$out/err" || echo "$kind, $way: more than ${LIMIT:-120} s"
      pkill -KILL -x "$(basename "$lbm")" && sleep 3 # left over where mpirun was ended
      rm -rf "$dir"
    done
  done
  # shellcheck disable=SC2086 # one word a kind
  python3 - "$out" $number "$lbm" $kinds <<'PYTHON' | tee -a "$out/results_of_ranks.txt"
import json, sys
out, number, program, *kinds = sys.argv[1:]
def seconds(kind, way):
    with open(f"{out}/{number}_{kind}_{way}.json", encoding="utf-8") as file:
        text = file.read()
    return json.loads(text)["seconds"] if text else float("nan")
print(f"{program}: seconds that the result costs")
for kind in kinds:
    cost = {way: seconds(kind, way) - seconds("none", way) for way in ("one", "half", "two")}
    print(f"{kind:11} " + ", ".join(f"{way} {cost[way]:.2f}" for way in cost))
PYTHON
done
