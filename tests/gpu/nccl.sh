#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Halo planes through NCCL on two GPUs of one host: within the host, and as between hosts, through sockets alone.
#
#   tests/gpu/nccl.sh LBM OUT_DIR [PART...]
#
# Parts:
#   same      a wind tunnel with a body, an inlet, statistics and probes: the same files from every way of exchange
#   speed     1024 x 1024 x 512 cells a GPU, fp32, in core: each way beside one GPU; one step a visit, and eight
#   failure   a rank is stopped (SIGSTOP): the run ends with exit code 4 after LBM_SILENCE_LIMIT; then a restart
# Needs libnccl.so.2 (LD_LIBRARY_PATH, or Python's nvidia-nccl package). Some 3 minutes on two H100. OUT_DIR/table.md has the
# speeds. Exit code 1 where a file differs or a run fails.
#
# "Between hosts": each process has another NCCL_HOSTID, and NCCL may use neither peer access nor shared memory.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
lbm=$(realpath "$1") out=$2 failed=0
shift 2
parts=${*:-same speed failure}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
out=$(realpath "$out")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive LBM_CACHE_DIR=${LBM_CACHE_DIR:-$out/cache}
packaged=$(python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0] + "/lib")' 2>/dev/null || true)
export LD_LIBRARY_PATH=${packaged:+$packaged:}${LD_LIBRARY_PATH:-}

cat >"$out/as_hosts" <<'HOST'
#!/bin/sh
export NCCL_HOSTID=host$OMPI_COMM_WORLD_RANK NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1 NCCL_NET=Socket NCCL_SOCKET_IFNAME=lo
exec "$@"
HOST
chmod +x "$out/as_hosts"

# run NAME RANKS WAY ARGUMENT...: WAY is a value of tiling.exchange, or hosts: NCCL as between hosts.
run() {
  local name=$1 ranks=$2 way=$3 as=() exchange=$3
  if [ "$way" = hosts ]; then as=("$out/as_hosts") exchange=nccl; fi
  timeout 90 mpirun --bind-to none -n "$ranks" "${as[@]}" "$lbm" run "${@:4}" --set tiling.exchange="$exchange" --out "$out/$name" --overwrite \
    --quiet --json >"$out/$name.json" 2>"$out/$name.err" || { failed=1; echo "$name failed: $(tail -3 "$out/$name.err")"; return 0; }
}

tunnel=("$here/tunnel.yaml" --set 'grid.cells=[128, 128, 256]' --set run.steps=200 --set fluid.length=48 --set fluid.reynolds=1000
  --set 'bodies={ball: {shape: sphere, center: [64, 64, 80], radius: 24}}' --set 'statistics={mean: {start: 0.1, every_steps: 20}}'
  --set 'probes={wake: {points: [[64, 64, 140]], every_steps: 5}}' --set output.forces=1 --set output.at_end=true)

same() {
  local way scheme file
  for scheme in in_core wavefront; do
    run "same_${scheme}_1" 1 auto "${tunnel[@]}" --set tiling.scheme=$scheme
    for way in device host nccl hosts mpi; do
      local name=same_${scheme}_$way files=0 differ=0
      run "$name" 2 "$way" "${tunnel[@]}" --set tiling.scheme=$scheme
      for file in "$out/same_${scheme}_1"/*.hdf "$out/same_${scheme}_1"/*.csv; do
        files=$((files + 1))
        cmp "$file" "$out/$name/$(basename "$file")" || differ=$((differ + 1))
      done
      echo "same: $scheme, $way ($(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["exchange"])' "$out/$name/report.json")): $differ of $files files differ"
      [ "$differ" = 0 ] && [ "$files" -ge 4 ] || failed=1
    done
  done
}

speed() {
  local way k planes
  echo "| way | k | MLUPS | share |" >"$out/table.md"
  echo "|---|---|---|---|" >>"$out/table.md"
  for k in 1 8; do
    for way in one device host nccl hosts mpi; do
      planes=1024 ranks=2
      if [ $way = one ]; then planes=512 ranks=1; fi
      run "speed_${k}_$way" $ranks "${way/one/auto}" "$here/cavity.yaml" --set "grid.cells=[1024, 1024, $planes]" \
        --set 'initial={flow: rest}' --set lattice.storage=fp32 --set tiling.scheme=in_core --set tiling.steps_per_visit=$k \
        --set run.steps=240 --set output.at_end=false
      python3 - "$out" $k $way $ranks >>"$out/table.md" <<'ROW'
import json, pathlib, sys
out, k, way, ranks = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
speed = lambda name: json.loads((out / f"speed_{k}_{name}" / "report.json").read_text())["mlups"]
print(f"| {way} | {k} | {speed(way):,.0f} | {100 * speed(way) / ranks / speed('one'):.1f} % |")
ROW
    done
  done
  cat "$out/table.md"
}

failure() {
  local begin code=0 pid
  run failure_whole 2 nccl "${tunnel[@]}" --set run.steps=4000 --set checkpoint.every_steps=1000
  begin=$SECONDS
  LBM_SILENCE_LIMIT=15 mpirun --bind-to none -n 2 "$lbm" run "${tunnel[@]}" --set run.steps=400000 --set checkpoint.every_steps=1000 \
    --set tiling.exchange=nccl --out "$out/failure" --overwrite --quiet >"$out/failure.log" 2>&1 &
  pid=$!
  while ! ls "$out"/failure/checkpoint_*.h5 >/dev/null 2>&1; do
    sleep 0.2
    [ $((SECONDS - begin)) -lt 60 ] || { echo "failure: no checkpoint in a minute"; failed=1; break; }
  done
  begin=$SECONDS
  kill -STOP "$(pgrep -n -x lbm)"
  wait $pid || code=$?
  echo "failure: exit code $code after $((SECONDS - begin)) s: $(grep -m1 'no answer' "$out/failure.log" || true)"
  [ $code = 4 ] || failed=1
}

for part in $parts; do
  echo "=== $part, $(date +%T)"
  case $part in
    same | speed | failure) $part ;;
    *) echo "nccl.sh: no part '$part'" >&2; exit 2 ;;
  esac
done
exit $failed
