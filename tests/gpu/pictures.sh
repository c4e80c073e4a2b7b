#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of pictures on a GPU: 10^9 cells out of core, without pictures; with a slice and with a
# projection of 1920 x 1080 pixels every 100 steps; with a surface of that size every 500 steps. The flow: 4,096
# vortices (16 along each axis) around a sphere.
#
#   tests/gpu/pictures.sh LBM OUT [STEPS] [NZ] [KIND...]     OUT gets the reports, the last pictures, and costs.txt
#
# STEPS: 1000, or another multiple of 500; NZ: 960 planes of 1024 x 1024 cells, 77 GB of host memory; KIND: slice projection surface.
set -euo pipefail
lbm=$(realpath "$1") out=$(realpath "$2") steps=${3:-1000} nz=${4:-960}
kinds=("${@:5}")
[ $# -gt 4 ] || kinds=(slice projection surface)
work=$(mktemp -d)
cd "$work"
cat >cavity.yaml <<YAML
name: pictures
grid: {cells: [1024, 1024, $nz]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
bodies: {ball: {shape: sphere, center: [512, 512, $((nz / 2))], radius: 100}}
fluid: {reynolds: 1000, length: 128, lattice_velocity: 0.1}
initial:
  flow: formula
  velocity: ["sin(16*pi*x/lx)*cos(16*pi*y/ly)*cos(16*pi*z/lz)", "-cos(16*pi*x/lx)*sin(16*pi*y/ly)*cos(16*pi*z/lz)", "0"]
run: {steps: $steps}
device: {memory: 40 GB}
output: {at_end: false, profiles: false}
YAML
# run NAME [OPTIONS of lbm run]
run() {
  local name=$1
  shift
  "$lbm" run cavity.yaml --quiet --out "$name" "$@" >"$out/$name.txt" 2>&1 || { tail -3 "$out/$name.txt"; return 1; }
  cp "$name/report.json" "$out/$name.json"
  find "$name" -name "*_$(printf %09d "$steps").p*" -exec cp {} "$out/" \;
}
size='size: [1920, 1080], every_steps: 100'
declare -A picture=([slice]="{slice: y, $size}" [projection]="{project: y, $size}"
  [surface]="{surface: q_criterion, value: 8, size: [1920, 1080], every_steps: 500}")
run without
for kind in "${kinds[@]}"; do run "$kind" --set "pictures.$kind=${picture[$kind]}"; done
run again
python3 - "$out" "${kinds[@]}" <<'PYTHON' | tee "$out/costs.txt"
import json, sys

def mlups(name):
    with open(f"{sys.argv[1]}/{name}.json", encoding="utf-8") as file:
        report = json.load(file)
    return report["mlups"], report["steps_per_visit"], report["host_bytes"]

base = (mlups("without")[0] + mlups("again")[0]) / 2
for name in ("without", "again", *sys.argv[2:]):
    speed, steps, host = mlups(name)
    print(f"{name:12} {speed:9.0f} MLUPS {100 * (speed / base - 1):+6.2f} %  {steps} steps a visit  {host / 2**30:.2f} GiB on the host")
PYTHON
