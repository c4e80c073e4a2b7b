#!/usr/bin/env bash
# Everything that needs a GPU, in one go: tests, compute-sanitizer, speed, the largest grids, the
# cubic cavity. About nine minutes on one H100 with 128 GiB of host memory.
#
#   tests/gpu/session.sh BUILD_DIR OUT_DIR [part...]      parts: test sanitize speed large cubic
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 out=$2
shift 2
parts=${*:-test sanitize speed large cubic}
mkdir -p "$out"
# The sanitizer must see the program itself, not one that starts itself again.
export OMP_WAIT_POLICY=passive
measure() { tests/gpu/measure.sh "$build" "$out/json" "$@" | tee -a "$out/speed.txt"; }

for part in $parts; do
  echo "=== $part, $(date +%T)"
  case $part in
    test)
      ctest --test-dir "$build" -L gpu --output-on-failure >"$out/ctest_gpu.log" 2>&1 || true
      tail -4 "$out/ctest_gpu.log"
      ;;
    sanitize)
      for tool in memcheck racecheck; do
        printf '%-10s ' $tool
        compute-sanitizer --tool $tool "$build/lbm" run tests/gpu/cavity.yaml \
          --set 'grid.cells=[33, 21, 29]' --set run.steps=20 --set tiling.scheme=wavefront \
          --set tiling.steps_per_visit=5 --set tiling.planes_per_visit=3 --set output.at_end=true \
          --out "$(mktemp -d)" --quiet >"$out/$tool.log" 2>&1 || true
        grep -E "ERROR SUMMARY|RACECHECK SUMMARY" "$out/$tool.log" || tail -3 "$out/$tool.log"
      done
      ;;
    speed)
      measure in_core_512:taylor_green:512,512,512:fp32:in_core:1:auto:512 \
        in_core_512_cavity:cavity:512,512,512:fp32:in_core:1:auto:512 \
        in_core_1k:cavity:1024,1024,512:fp32:in_core:1:auto:256 \
        wavefront_1k_k64:cavity:1024,1024,512:fp32:wavefront:64:8:512 \
        wavefront_1k_k32:cavity:1024,1024,512:fp32:wavefront:32:8:256 \
        wavefront_1k_periodic:taylor_green:1024,1024,512:fp32:wavefront:64:8:512 \
        halo_1k_k32:cavity:1024,1024,512:fp32:halo:32:64:128 \
        in_core_1k_fp16:cavity:1024,1024,256:fp16:in_core:1:auto:1024 \
        wavefront_1k_fp16:cavity:1024,1024,256:fp16:wavefront:64:8:1024 \
        in_core_512_fp64:cavity:512,512,512:fp64:in_core:1:auto:128
      ;;
    large)
      measure small_fp32:cavity:1024,1024,512:fp32:auto:64:8:128 \
        large_fp32:cavity:1024,1024,1344:fp32:auto:64:8:128 \
        large_fp16:cavity:1024,1024,2688:fp16:auto:64:8:128
      ;;
    cubic)
      for n in 96 128 160 192; do
        "$build/lbm" run tests/gpu/cubic_cavity.yaml --set "grid.cells=[$n, $n, $n]" \
          --out "$out/cubic_$n" --quiet | head -1
      done
      ;;
  esac
done
