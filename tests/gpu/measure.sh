#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures speed on a GPU through the program itself, one line a run; JSON reports under OUT.
#
#   tests/gpu/measure.sh BUILD_DIR OUT_DIR RUN...
#
# A RUN is name:case:NX,NY,NZ:storage:scheme:k:B:steps, e.g.
#   in_core_512:taylor_green:512,512,512:fp32:in_core:1:64:256
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1 out=$2
shift 2
mkdir -p "$out"
printf '%-28s %9s %7s %7s %7s %8s %8s\n' run MLUPS GB/s copy share device seconds
for run in "$@"; do
  IFS=: read -r name case cells storage scheme k planes steps <<<"$run"
  set -- --set "grid.cells=[$cells]" --set "lattice.storage=$storage" --set "tiling.scheme=$scheme" \
    --set "run.steps=$steps" --set "host.memory_limit=${LBM_HOST_LIMIT:-120 GiB}"
  [[ $k == auto ]] || set -- "$@" --set "tiling.steps_per_visit=$k"
  [[ $planes == auto ]] || set -- "$@" --set "tiling.planes_per_visit=$planes"
  dir=$(mktemp -d)
  if "$build/lbm" run "$here/$case.yaml" "$@" --out "$dir" --quiet --json >"$out/$name.json" 2>"$out/$name.err"; then
    python3 - "$name" "$out/$name.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[2]))
print('%-28s %9.0f %7.0f %7.0f %6.1f%% %7.1fG %8.2f  setup %.1f s, in %.0f%% update %.0f%% out %.0f%%' % (
    sys.argv[1], r['mlups'], r['gb_per_s'], r['device_copy_gb_per_s'], 100 * r['share_of_device_copy'],
    r['device_bytes'] / 2**30, r['seconds'], r['setup_seconds'], *(100 * r['stage_share_of_time'][s]
    for s in ('copy_in', 'update', 'copy_out'))))
PY
  else
    printf '%-28s failed: %s\n' "$name" "$(tail -1 "$out/$name.err")"
  fi
  rm -rf "$dir"
done
