#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Seconds of the set-up of a rock (20 % fluid, only its cells stored) and of a body of 499,000 triangles, for one or more
# programs, each with all cores and with one. Checks that all of them find the same cells.
#
#   tests/gpu/setup_times.sh LBM... [-- NX,NY,NZ]...      sizes of the rock, multiples of 16; default 1008,1008,1008
#
# For example on the device machine: setup_times.sh old/lbm new/lbm -- 1008,1008,1008 1536,1536,1792
# The last size needs 70 GB of host memory. SETUP_SET has more --set of each run, SETUP_THREADS the numbers of threads
# (default: all, then 1), TRIANGLE_CELLS the cells of the box of the body (default 1000,1000,1000), SETUP_IMAGE the whole
# path of a program made of setup_image.cpp (default: compiled here).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
programs=() sizes=()
while (($# > 0)) && [[ $1 != -- ]]; do programs+=("$(realpath "$1")") && shift; done
(($# == 0)) || shift
sizes=("$@")
((${#sizes[@]} > 0)) || sizes=("1008,1008,1008")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
image=${SETUP_IMAGE:-$dir/setup_image}
[[ -n ${SETUP_IMAGE:-} ]] || g++ -std=c++20 -O3 -fopenmp "$here/setup_image.cpp" -o "$image"
python3 "$here/bumpy_sphere.py" bumpy.stl
cp "$here/stl_billion.yaml" .

# times CASE [--set ...]
times() {
  local first="" threads program cells
  for program in "${programs[@]}"; do
    for threads in ${SETUP_THREADS:-$(nproc) 1}; do
      # shellcheck disable=SC2086
      OMP_NUM_THREADS=$threads "$program" run "$@" ${SETUP_SET:-} --set run.steps=2 --out out --overwrite --quiet --json \
        >report.json 2>error.txt || { tail -3 error.txt && return; }
      python3 - "$threads" "$program" "$1" <<'PY'
import json, sys
r = json.load(open("report.json"))
parts = r["setup_parts_seconds"]
rest = r["setup_seconds"] - sum(parts.values())
print(f"{sys.argv[3]:16} {'x'.join(map(str, r['cells'])):>16} {sys.argv[1]:>3} threads  bodies {parts['bodies']:7.2f}  "
      f"fill {parts['allocate_and_fill']:6.2f}  pin {parts['pin']:6.2f}  rest {rest:6.2f}  set-up {r['setup_seconds']:7.2f} s  "
      f"{r.get('commit', '')} {sys.argv[2]}")
json.dump([r.get(key) for key in ("solid_cells", "fluid_cells", "stored_cell_count", "voxels")], open("cells.json", "w"))
PY
      cells=$(cat cells.json)
      first=${first:-$cells}
      [[ $cells == "$first" ]] || { echo "other cells than the first program: $cells" && return 1; }
    done
  done
}

for size in "${sizes[@]}"; do
  # shellcheck disable=SC2086
  "$image" rock.raw ${size//,/ }
  cat >rock.yaml <<YAML
name: rock
lattice: {collision: trt, cells: fluid}
fluid: {reynolds: 0.1, length: 6, lattice_velocity: 0.0005}
bodies:
  rock: {shape: voxels, file: rock.raw, cells: [$size], type: uint8, fluid: [0]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
force: {acceleration: [0, 0, 1]}
run: {steps: 2}
output: {at_end: false, profiles: false}
YAML
  times rock.yaml
done
times stl_billion.yaml --set "grid.cells=[${TRIANGLE_CELLS:-1000,1000,1000}]" --set tiling.steps_per_visit=2
