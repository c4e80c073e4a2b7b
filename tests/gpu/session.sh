#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that needs a GPU, in one go.
#
#   tests/gpu/session.sh BUILD_DIR OUT_DIR [part...]
#
# Parts, with the seconds each takes on one H100 with 128 GiB of host memory:
#   test      the tests with the label gpu (70; 300 on an H200 where calls of the driver are slow)
#   sanitize  compute-sanitizer, all kernels in small boxes (300)
#   bench     lbm bench (300): in core and out of core, halo, sizes, beside the predictions
#   link      k = 8 ... 64 by lbm run, many sweeps, beside lbm plan (60)
#   outputs   1000 steps with and without a field every 500 (70)
#   startup   1.5e9 cells in fp32: time to the first step, host memory over the run (60)
#   flows     a wind tunnel with everything on against a periodic box, in core and out of core (90)
#   cubic     the cubic cavity against the literature (120)
#   stl       10^9 cells out of core with a body of 499,000 triangles (20)
#   results   10^9 cells out of core with a slice, probes and statistics, beside the bare run (120)
#   moments   populations beside moments, one step and two a pass, in core and out of core, walls, bodies (300)
#   large     2.9e9 cells of moments in fp32 and 5.8e9 in fp16, speed and memory beside the prediction (200)
#   drag      spheres and a cylinder in a duct, the Taylor-Green vortex at Re 1600, against the literature (150)
# On a machine without a compiler, or to save its time: tests/gpu/carry.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 out=$2
shift 2
parts=${*:-test sanitize bench link outputs startup}
mkdir -p "$out"
# The sanitizer must see the program itself, not one that starts itself again.
export OMP_WAIT_POLICY=passive
cache=${LBM_CACHE_DIR:-$out/cache}
measure() { tests/gpu/measure.sh "$build" "$out/json" "$@" | tee -a "$out/speed.txt"; }
# of FILE KEY...: members of a report, one line.
of() { python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print({k: r[k] for k in sys.argv[2:]})' "$@"; }
cavity() { "$build/lbm" "$1" tests/gpu/cavity.yaml --set 'host.memory_limit=122 GiB' "${@:2}"; }

for part in $parts; do
  echo "=== $part, $(date +%T)"
  export LBM_CACHE_DIR=$cache
  case $part in
    test)
      ctest --test-dir "$build" -L gpu -j 8 --output-on-failure >"$out/ctest_gpu.log" 2>&1 || true
      tail -4 "$out/ctest_gpu.log"
      ;;
    sanitize)
      tests/gpu/sanitize.sh "$build" "$out" || true
      ;;
    bench)
      "$build/lbm" bench --json "$out/bench.json" --overwrite | tee "$out/bench.txt"
      ;;
    link)
      for k in 8 16 32 64; do
        cavity plan --set 'grid.cells=[1024, 1024, 512]' --set tiling.scheme=wavefront --set run.steps=256 \
          --set tiling.steps_per_visit=$k --set tiling.planes_per_visit=8 --json >"$out/plan_$k.json"
        of "$out/plan_$k.json" mlups device_bytes host_bytes
        measure k$k:cavity:1024,1024,512:fp32:wavefront:$k:8:$((k < 32 ? 128 : 256))
        of "$out/json/k$k.json" mlups device_bytes host_bytes
      done
      ;;
    outputs)
      for every in never 500; do
        dir=$(mktemp -d /dev/shm/lbm-XXXXXX)
        wanted=()
        [ $every = never ] || wanted=(--set "output.every_steps=$every")
        cavity run --set 'grid.cells=[1024, 1024, 384]' --set tiling.scheme=wavefront --set run.steps=1000 \
          "${wanted[@]}" --out "$dir/o" --quiet --json >"$out/outputs_$every.json"
        of "$out/outputs_$every.json" mlups seconds steps_per_visit stage_share_of_time
        rm -rf "$dir"
      done
      ;;
    startup)
      dir=$(mktemp -d)
      while sleep 2; do awk '/MemAvail/ { printf "%s ", $2 / 2 ^ 20 }' /proc/meminfo; done >"$out/available_gib.txt" &
      watch=$!
      cavity run --set 'grid.cells=[1024, 1024, 1440]' --set run.steps=320 --set tiling.steps_per_visit=64 \
        --out "$dir/o" --quiet --json >"$out/startup.json"
      kill $watch
      rm -rf "$dir"
      of "$out/startup.json" cells mlups seconds setup_seconds setup_parts_seconds host_bytes device_bytes
      echo "GiB available, every 2 s: $(cat "$out/available_gib.txt")"
      ;;
    flows)
      for storage in fp32 fp16; do
        for case in periodic tunnel tunnel_x; do
          dir=$(mktemp -d)
          flow() {
            "$build/lbm" run tests/gpu/$case.yaml --set lattice.storage=$storage \
              --set 'host.memory_limit=122 GiB' --quiet --json --out "$dir/$1" "${@:2}" \
              >"$out/flows_${case}_${storage}_$1.json" || true
            echo -n "$case $storage $1: "
            of "$out/flows_${case}_${storage}_$1.json" mlups share_of_device_copy steps_per_visit planes_per_visit setup_seconds
          }
          flow in_core --set tiling.scheme=in_core
          flow out_of_core --set tiling.scheme=wavefront --set 'grid.cells=[1024,1024,384]' --set run.steps=512
          rm -rf "$dir"
        done
      done
      ;;
    cubic)
      for n in 96 128 160 192; do
        "$build/lbm" run tests/gpu/cubic_cavity.yaml --set "grid.cells=[$n, $n, $n]" \
          --out "$out/cubic_$n" --quiet | head -1
      done
      tests/verification/tools/cubic_cavity.py "$out"/cubic_* --evidence "$out/evidence"
      ;;
    stl)
      dir=$(mktemp -d)
      tests/gpu/bumpy_sphere.py "$dir/bumpy.stl"
      cp tests/gpu/stl_billion.yaml "$dir/"
      "$build/lbm" run "$dir/stl_billion.yaml" --set 'host.memory_limit=122 GiB' --quiet --json --out "$dir/o" >"$out/stl.json"
      of "$out/stl.json" mlups seconds setup_seconds setup_parts_seconds solid_cells host_bytes
      rm -rf "$dir"
      ;;
    results)
      # The statistics are written at the end: not with the speed, and 40 GB on a disk.
      dir=$(mktemp -d)
      for what in bare full; do
        without=()
        [ $what = full ] || without=(--set outputs=null --set statistics=null --set probes=null)
        "$build/lbm" plan tests/gpu/results.yaml --set 'host.memory_limit=122 GiB' "${without[@]}" --json \
          >"$out/results_plan_$what.json" || true
        of "$out/results_plan_$what.json" host_bytes_needed mlups || true
        python3 - "$out/results_$what.json" "$build/lbm" run tests/gpu/results.yaml --quiet --json \
          --set 'host.memory_limit=122 GiB' --out "$dir/$what" "${without[@]}" <<'MEASURE'
import resource, subprocess, sys
with open(sys.argv[1], "w") as report:
    code = subprocess.run(sys.argv[2:], stdout=report).returncode
print("exit", code, "largest resident set", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
MEASURE
        of "$out/results_$what.json" mlups seconds steps_per_visit planes_per_visit host_bytes output_wait_seconds share_of_device_copy stage_share_of_time
        ls -la "$dir/$what" | head -20
      done
      rm -rf "$dir"
      ;;
    moments)
      # row NAME CASE SETTINGS...: a run in core unless the settings say otherwise.
      row() {
        dir=$(mktemp -d)
        "$build/lbm" run "tests/gpu/$2.yaml" --set 'host.memory_limit=122 GiB' "${@:3}" --out "$dir/o" --quiet --json \
          >"$out/moments_$1.json" 2>"$out/moments_$1.err" || tail -1 "$out/moments_$1.err"
        echo -n "$1: "
        of "$out/moments_$1.json" mlups representation steps_per_pass steps_per_visit planes_per_visit scheme || true
        rm -rf "$dir"
      }
      moments=(--set lattice.collision=regularised --set lattice.representation=moments)
      filtered=(--set lattice.collision=regularised_filtered --set lattice.representation=moments)
      in_core=(--set 'grid.cells=[1024, 1024, 512]' --set run.steps=100)
      for k in 1 2; do
        row "bgk_$k" cavity "${in_core[@]}" --set lattice.collision=bgk --set tiling.steps_per_pass=$k
        row "trt_$k" cavity "${in_core[@]}" --set lattice.collision=trt --set tiling.steps_per_pass=$k
        row "moments_$k" cavity "${in_core[@]}" "${moments[@]}" --set tiling.steps_per_pass=$k
        row "filtered_$k" cavity "${in_core[@]}" "${filtered[@]}" --set tiling.steps_per_pass=$k
        row "moments_fp16_$k" cavity "${in_core[@]}" "${moments[@]}" --set lattice.storage=fp16 --set tiling.steps_per_pass=$k
        for case in tunnel sphere; do
          row "${case}_$k" $case --set run.steps=100 --set tiling.steps_per_pass=$k
          row "${case}_moments_$k" $case --set run.steps=100 "${filtered[@]}" --set tiling.steps_per_pass=$k
        done
      done
      row periodic periodic "${moments[@]}" --set run.steps=100 --set tiling.steps_per_pass=2
      out_of_core=(--set 'grid.cells=[1024, 1024, 1024]' --set tiling.scheme=wavefront --set run.steps=1001)
      row trt_out cavity "${out_of_core[@]}" --set lattice.collision=trt
      row moments_out cavity "${out_of_core[@]}" "${moments[@]}"
      row filtered_out cavity "${out_of_core[@]}" "${filtered[@]}"
      row moments_out_16g cavity "${out_of_core[@]}" "${moments[@]}" --set 'device.memory=16 GiB'
      ;;
    large)
      for storage in fp32:2766 fp16:5532; do
        settings=(--set "grid.cells=[1024, 1024, ${storage#*:}]" --set "lattice.storage=${storage%:*}" --set run.steps=300
          --set lattice.collision=regularised_filtered --set lattice.representation=moments)
        cavity plan "${settings[@]}" --json >"$out/large_plan_${storage%:*}.json" || true
        of "$out/large_plan_${storage%:*}.json" mlups device_bytes host_bytes || true
        dir=$(mktemp -d)
        cavity run "${settings[@]}" --out "$dir/o" --quiet --json >"$out/large_${storage%:*}.json" || true
        of "$out/large_${storage%:*}.json" cells mlups device_bytes host_bytes setup_seconds steps_per_visit planes_per_visit || true
        rm -rf "$dir"
      done
      ;;
    drag)
      "$build/lbm" run cases/taylor_green_transition.yaml --set run.convective_times=12 --set 'output.times=[]' \
        --out "$out/tgv" --quiet | head -1
      tests/verification/tools/taylor_green_transition.py "$out/tgv" --evidence "$out/evidence" | tail -3 || true
      # Reynolds number, cells in the diameter, width, length, centre, duration.
      while read -r re d w l z time; do
        area=$(python3 -c "print(0.785398163 * $d ** 2)")
        "$build/lbm" run cases/flow_past_sphere.yaml --set fluid.reynolds=$re --set fluid.length=$d \
          --set run.convective_times=$time --set "grid.cells=[$w,$w,$l]" --set output.at_end=false \
          --set "bodies.sphere.center=[$((w / 2)),$((w / 2)),$z]" --set bodies.sphere.radius=$((d / 2)) \
          --set bodies.sphere.reference_area="$area" --out "$out/sphere_${re}_$d" --quiet | head -1
        tests/verification/tools/drag.py "$out/sphere_${re}_$d" --evidence "$out/evidence" || true
      done <<'SPHERES'
20 12 192 288 102 40
20 16 256 384 136 40
100 20 240 400 120 60
SPHERES
      dir=$(mktemp -d)
      cp tests/gpu/cylinder_in_duct.yaml "$dir/"
      for d in 20 30; do
        h=$((d * 41 / 10))
        tests/gpu/duct_inlet.py $h "$dir/duct_inlet.csv"
        "$build/lbm" run "$dir/cylinder_in_duct.yaml" --set "grid.cells=[$h,$h,$((25 * d))]" --set fluid.length=$d \
          --set "bodies.cylinder.from=[$((2 * d)),-10,$((5 * d))]" --set "bodies.cylinder.to=[$((2 * d)),$((h + 10)),$((5 * d))]" \
          --set bodies.cylinder.radius=$((d / 2)) --set bodies.cylinder.reference_area=$((d * h)) --out "$out/duct_$d" --quiet | head -1
        tests/verification/tools/drag.py "$out/duct_$d" --average 14.4 --evidence "$out/evidence" || true
      done
      ;;
  esac
done
