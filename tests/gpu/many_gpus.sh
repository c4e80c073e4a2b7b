#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# All GPUs of a host in one call: weak and strong scaling, the largest grid, and the same bytes from any number of ranks.
#
#   tests/gpu/many_gpus.sh LBM OUT_DIR [dry] [PART...]
#
# Parts:
#   weak         1, 2, 4 ... ranks with 1024 x 1024 x 512 cells each, in core: populations and moments, fp32 and fp16
#   out_of_core  the same with 768 planes each, 512 steps, in fp32 and fp16; fewer planes where the host's memory is less
#   strong       1024 x 1024 x 4096 cells (4.3e9) in all, fp32, in core where it fits
#   largest      2048 x 2048 cells and as many planes as all GPUs hold: populations and moments in fp16, 64 steps
#   same         a wind tunnel with a body, an inlet, statistics and probes: the same files from 1, 2, 4 ... ranks
# LBM is of a build with its Python package, of which `lbm scale` is a command.
# dry: the same parts on small grids, in a minute or two, to see that all of it runs. Without PART: all.
# OUT_DIR/table.md has the table with the model beside each row and the set-up times; OUT_DIR/PART_KIND/scale.json the
# numbers. Eight GPUs: some 10 minutes. Exit code 1 where a run fails or a file differs.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
lbm=$(realpath "$1") out=$2 dry='' failed=0
shift 2
if [ "${1:-}" = dry ]; then dry=yes; shift; fi
parts=${*:-weak out_of_core strong largest same}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
out=$(realpath "$out")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive LBM_CACHE_DIR=${LBM_CACHE_DIR:-$out/cache}

gpus=$("$lbm" info --json | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["devices"]) - 1)')
[ "$gpus" -ge 1 ] || { echo "many_gpus.sh: no GPU" >&2; exit 2; }
ranks=1
for ((n = 2; n <= gpus; n *= 2)); do ranks+=,$n; done
edge=1024 planes=512 long=768 all=4096 wide=2048
[ -z "$dry" ] || { edge=256 planes=64 long=96 all=256 wide=256; }

declare -A kinds=(
  [fp32]="--set lattice.storage=fp32" [fp16]="--set lattice.storage=fp16"
  [moments_fp32]="--set lattice.storage=fp32 --set lattice.representation=moments --set lattice.collision=regularised"
  [moments_fp16]="--set lattice.storage=fp16 --set lattice.representation=moments --set lattice.collision=regularised")
declare -A bytes=([fp32]=76 [fp16]=38 [moments_fp32]=40 [moments_fp16]=20) # of a cell

# scale NAME KIND EDGE ARGUMENT...
scale() {
  local name=$1 kind=$2 n=$3
  echo "=== $name, $(date +%T)"
  # shellcheck disable=SC2086 # settings are words
  "$lbm" scale "$here/cavity.yaml" --set "grid.cells=[$n, $n, 64]" --set 'initial={flow: rest}' ${kinds[$kind]} "${@:4}" \
    --out "$out/$name" --overwrite || failed=1
  ! grep -q '"failure"' "$out/$name/scale.json" || failed=1
}

# Planes of a rank that the host's memory holds for all ranks at once, at most MOST.
host_planes() {
  local most=$1 kind=$2 available
  available=$("$lbm" info --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["host_memory_available_bytes"])')
  python3 -c 'import sys; most, available, gpus, edge, size = map(int, sys.argv[1:])
print(min(most, int(0.8 * available / gpus / (edge * edge * size))))' "$most" "$available" "$gpus" "$edge" "${bytes[$kind]}"
}

largest_planes() {
  local kind=$1 free
  [ -z "$dry" ] || { echo $((gpus * 64)); return; }
  free=$("$lbm" info --json | python3 -c 'import json, sys; print(min(d["free_bytes"] for d in json.load(sys.stdin)["devices"][1:]))')
  python3 -c 'import sys; free, gpus, edge, size = map(int, sys.argv[1:])
print(gpus * int(0.93 * free / (edge * edge * size) - 4))' "$free" "$gpus" "$wide" "${bytes[$kind]}"
}

# The same flow on n ranks: every result file is compared with that of one rank.
same() {
  local n reference=$out/same_1 file
  for ((n = 1; n <= gpus; n *= 2)); do
    echo "=== same, $n ranks, $(date +%T)"
    mpirun --bind-to none -n "$n" "$lbm" run "$here/tunnel.yaml" --set 'grid.cells=[128, 128, 256]' --set run.steps=200 \
      --set 'bodies={ball: {shape: sphere, center: [64, 64, 80], radius: 24}}' --set fluid.length=48 --set fluid.reynolds=1000 \
      --set 'statistics={mean: {start: 0.1, every_steps: 20}}' --set 'probes={wake: {points: [[64, 64, 140]], every_steps: 5}}' --set output.forces=1 \
      --set output.at_end=true --out "$out/same_$n" --overwrite --quiet || { failed=1; continue; }
    [ "$n" -gt 1 ] || continue
    local files=0 differ=0
    for file in "$reference"/*.hdf "$reference"/*.csv; do
      files=$((files + 1))
      cmp "$file" "$out/same_$n/$(basename "$file")" || differ=$((differ + 1))
    done
    echo "same: $n ranks: $differ of $files files differ from those of one rank" | tee -a "$out/same.txt"
    [ "$differ" = 0 ] && [ "$files" -ge 4 ] || failed=1
  done
}

rm -f "$out/same.txt"
for part in $parts; do
  case $part in
    weak)
      for kind in fp32 fp16 moments_fp32 moments_fp16; do
        scale "weak_$kind" $kind "$edge" --weak --processes "$ranks" --planes "$planes" --steps 300 --set tiling.scheme=in_core
      done
      ;;
    out_of_core)
      for kind in fp32 fp16; do
        scale "out_of_core_$kind" $kind "$edge" --weak --processes "$ranks" --planes "$(host_planes "$long" $kind)" --steps 512 \
          --set tiling.scheme=wavefront
      done
      ;;
    strong) scale strong_fp32 fp32 "$edge" --strong --processes "$ranks" --planes "$all" --steps 384 ;;
    largest)
      for kind in fp16 moments_fp16; do
        scale "largest_$kind" $kind "$wide" --strong --processes "$gpus" --planes "$(largest_planes $kind)" --steps 64 \
          --set tiling.scheme=in_core
      done
      ;;
    same) same ;;
    *) echo "many_gpus.sh: no part '$part'" >&2; exit 2 ;;
  esac
done

python3 - "$out" <<'TABLE'
import json, pathlib, sys

out = pathlib.Path(sys.argv[1])
lines = ["| study | ranks | cells | schedule | MLUPS | share | model | share | set-up, s |", "|---|---|---|---|---|---|---|---|---|"]
share = lambda value: "" if value is None else f"{100 * value:.1f} %"
for file in sorted(out.glob("*/scale.json")):
    for run in json.loads(file.read_text())["runs"]:
        if "failure" in run:
            lines.append(f"| {file.parent.name} | {run['processes']} | | {run['failure']} | | | | | |")
            continue
        schedule = "in core" if run["scheme"] == "in_core" else f"{run['scheme']}, k = {run['steps_per_visit']}, B = {run['planes_per_visit']}"
        model = run["predicted_mlups"]
        lines.append(f"| {file.parent.name} | {run['processes']} | {run['cell_count']:.3g} | {schedule} | {run['mlups']:,.0f} | "
                     f"{share(run['efficiency'])} | {'' if model is None else f'{model:,.0f}'} | {share(run['predicted_efficiency'])} | "
                     f"{run['setup_seconds']:.1f} |")
(out / "table.md").write_text("\n".join(lines) + "\n")
print("\n".join(lines))
TABLE
exit "$failed"
