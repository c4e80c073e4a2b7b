#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rock with only fluid cells stored, on one GPU and on two: are all result files the same bytes?
#
#   tests/gpu/fluid_ranks.sh LBM IMAGE.raw N OUT_DIR     N x N x N voxels of rock_image.py; 20 % fluid
#
# Forces are left out: they are computed only where they are asked for.
#
# fp32, fp16 and ten moments, in core and out of core with 2 MPI ranks on 2 GPUs, each beside 1 rank in core with all
# cells stored. Exit code 1 where a file differs or a run fails. Some 60 s with 256^3 voxels on two H100.
set -euo pipefail
[ $# -eq 4 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
lbm=$1 image=$(realpath "$2") n=$3 out=$4 failed=0
mkdir -p "$out"
cat >"$out/rock.yaml" <<CASE
name: rock
grid: {cells: [$n, $n, $n]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
fluid: {reynolds: 1, length: 10, lattice_velocity: 0.01}
bodies:
  rock: {shape: voxels, file: $image, cells: [$n, $n, $n], type: uint8, fluid: [$(seq -s, 0 50)]}
force: {acceleration: [0, 0, 1.0]}
run: {steps: 96}
quantities: {k: {kind: permeability, every_steps: 32}}
CASE

# run NAME RANKS SETTING...
run() {
  local name=$1 ranks=$2 settings=()
  for setting in "${@:3}"; do settings+=(--set "$setting"); done
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n "$ranks" "$lbm" run "$out/rock.yaml" \
    "${settings[@]}" --out "$out/$name" --overwrite --quiet --json >"$out/$name.json" 2>"$out/$name.err" ||
    { echo "$name failed: $(tail -1 "$out/$name.err")"; failed=1; }
}

# same NAME REFERENCE: all result files but the reports and the cases, which name the scheme.
same() {
  local name=$1 reference=$2 file differ=0 files=0
  for file in "$out/$reference"/{*.hdf,profile*.csv,quantity*.csv}; do
    files=$((files + 1))
    cmp "$file" "$out/$name/$(basename "$file")" || differ=$((differ + 1))
  done
  python3 - "$out/$name/report.json" "$name: $differ of $files files differ" <<'PRINT'
import json, sys
report = json.load(open(sys.argv[1]))
print(sys.argv[2], {key: report.get(key) for key in ("scheme", "ranks", "stored_cells", "steps_per_visit", "mlups", "device_bytes")}, flush=True)
PRINT
  [ "$differ" = 0 ] && [ "$files" -gt 3 ] || failed=1
}

for kind in fp32 fp16 moments; do
  case $kind in
    moments) how=(lattice.representation=moments lattice.collision=regularised) ;;
    *) how=("lattice.storage=$kind" lattice.collision=trt) ;;
  esac
  run "$kind-all-1" 1 "${how[@]}" lattice.cells=all tiling.scheme=in_core
  run "$kind-fluid-1" 1 "${how[@]}" lattice.cells=fluid tiling.scheme=in_core
  same "$kind-fluid-1" "$kind-all-1"
  run "$kind-fluid-2" 2 "${how[@]}" lattice.cells=fluid tiling.scheme=in_core
  same "$kind-fluid-2" "$kind-all-1"
  run "$kind-out-of-core-2" 2 "${how[@]}" lattice.cells=fluid tiling.scheme=wavefront tiling.steps_per_visit=16 tiling.planes_per_visit=4
  same "$kind-out-of-core-2" "$kind-all-1"
done
exit "$failed"
