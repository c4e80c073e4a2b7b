#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs small boxes with each kind of kernel under the tools of compute-sanitizer.
#
#   tests/gpu/sanitize.sh BUILD_DIR OUT_DIR [TOOL...]     # default: memcheck racecheck synccheck initcheck
#   ONLY=sponge tests/gpu/sanitize.sh ...                 # only runs with this pattern in their settings
#
# 110 runs a tool, the last four with four ranks on one GPU: a cavity, a wind tunnel with a sphere, inlet, outlet and turbulence model, and a stream with far fields,
# sponges and multireflection; in core, wavefront and halo, one step and two steps in a pass; fp32, fp16 and fp64;
# populations and moments; files and pictures taken in the middle of sweeps. Rows of 66 cells end within a block of threads and have padding. One to two minutes a tool
# on an H100. OUT_DIR/sanitize.txt has a line for each run,
# OUT_DIR/sanitize_reports.txt the reports. Exit code 1: a run had a report, failed, or took more than 100 s.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 out=$2
shift 2
mkdir -p "$out"
rm -f "$out"/sanitize.txt "$out"/sanitize_reports.txt
export LBM_PYTHON=none OMP_WAIT_POLICY=passive OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

cavity="cavity.yaml grid.cells=[66,23,21] run.steps=6 output.at_end=true"
tunnel="tunnel.yaml grid.cells=[66,34,30] run.steps=6 bodies.sphere.center=[18,17,15] bodies.sphere.radius=5
  fluid.length=10 fluid.reynolds=60 output.at_end=true output.monitor=3"
stream="sphere_far_field.yaml grid.cells=[66,34,30] run.convective_times=0.03 quantities=null
  bodies.sphere.center=[18,17,15] bodies.sphere.radius=5 bodies.sphere.walls=multireflection fluid.length=10
  fluid.reynolds=60 output.at_end=true boundaries.x_min.type=velocity sponge.faces=[x_min,y_max] sponge.thickness=6.5
  sponge.strength=1 sponge.velocity=[0,0,1]"
pictures="pictures.mid.slice=y pictures.mid.every_steps=1 pictures.fast.surface=speed pictures.fast.value=0.2
  pictures.fast.every_steps=3 output.every_steps=2"
in_core="tiling.scheme=in_core"
wavefront="tiling.scheme=wavefront tiling.planes_per_visit=4"
ways=(
  "$in_core tiling.steps_per_pass=1"
  "$in_core tiling.steps_per_pass=2 tiling.steps_per_visit=2"
  "$wavefront tiling.steps_per_pass=1 tiling.steps_per_visit=3"
  "$wavefront tiling.steps_per_pass=2 tiling.steps_per_visit=4"
  "tiling.scheme=halo tiling.steps_per_pass=1 tiling.steps_per_visit=3 tiling.planes_per_visit=3"
)

runs() {
  local case way storage collision
  for case in "$cavity" "$tunnel"; do
    for storage in fp32 fp16 fp64; do
      for way in "${ways[@]}"; do
        # Passes of two steps exist for values of four and two bytes.
        [[ $storage != fp64 || $way != *steps_per_pass=2* ]] || continue
        echo $case $way lattice.storage=$storage lattice.collision=trt
        for collision in regularised regularised_filtered; do
          echo $case $way lattice.storage=$storage lattice.collision=$collision lattice.representation=moments
        done
      done
    done
    echo $case ${ways[0]} lattice.collision=regularised_filtered
    for way in "${ways[@]:0:2}"; do echo $case $way lattice.collision=bgk lattice.smagorinsky=0.1; done
  done
  # Fields that leave the device before the last step of a sweep.
  for storage in fp32 fp16; do
    echo $cavity ${ways[2]} $pictures lattice.storage=$storage
    echo $cavity ${ways[3]} $pictures lattice.storage=$storage lattice.collision=regularised_filtered lattice.representation=moments
  done
  # Slabs: a GPU has the boundaries of some planes at a time.
  local slabs="ranks=4 grid.cells=[66,34,64] device.share=true tiling.exchange=host tiling.steps_per_visit=2 tiling.planes_per_visit=4"
  for way in in_core wavefront; do
    echo $tunnel $slabs tiling.scheme=$way tiling.steps_per_pass=2
    echo $tunnel $slabs tiling.scheme=$way tiling.steps_per_pass=2 lattice.collision=regularised_filtered lattice.representation=moments
  done
  # A sponge takes one step a pass.
  for storage in fp32 fp16 fp64; do
    for way in "${ways[0]}" "${ways[2]}" "${ways[4]}"; do
      echo $stream $way lattice.storage=$storage
      echo $stream $way lattice.storage=$storage lattice.collision=regularised lattice.representation=moments
    done
  done
}

# one TOOL CASE KEY=VALUE...
one() {
  local tool=$1 case=$2 log status=0 sets=() began=$SECONDS start=()
  log=$(mktemp)
  for set in "${@:3}"; do
    case $set in
      ranks=*) start=(mpirun --bind-to none -n "${set#ranks=}") ;;
      *) sets+=(--set "$set") ;;
    esac
  done
  timeout -s KILL 100 "${start[@]}" compute-sanitizer --tool "$tool" --error-exitcode 99 "$build/lbm" run "tests/gpu/$case" \
    "${sets[@]}" --out "$log.out" --quiet >"$log" 2>&1 || status=$?
  echo "$tool: exit $status, $((SECONDS - began)) s, $(grep -oE '(ERROR|RACECHECK) SUMMARY:.*' "$log" | tail -1): ${*:2}" >>"$out/sanitize.txt"
  [ $status = 0 ] || { echo "=== $tool ${*:2}"; head -60 "$log"; } >>"$out/sanitize_reports.txt"
  rm -rf "$log" "$log.out"
}
export -f one
export build out

"$build/lbm" plan tests/gpu/cavity.yaml >/dev/null 2>&1 || true # measures the speeds: not under a sanitizer
for tool in ${*:-memcheck racecheck synccheck initcheck}; do
  # Several ranks share the GPU: one run at a time, or its memory ends.
  runs | grep -E -- "${ONLY:-}" | grep -v ranks= | xargs -r -P 5 -L 1 bash -c 'one "$@"' one "$tool"
  runs | grep -E -- "${ONLY:-}" | grep ranks= | xargs -r -L 1 bash -c 'one "$@"' one "$tool"
  echo "$tool: $(grep -c "^$tool: exit 0" "$out/sanitize.txt" || true) of $(grep -c "^$tool" "$out/sanitize.txt") runs without a report"
done
! grep -v ': exit 0,' "$out/sanitize.txt"
