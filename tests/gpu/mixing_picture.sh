#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Computes the picture of README.md on the GPU machine: 2.2e9 cells of ten moments, 88 GB, out of core on an 80 GB GPU.
#
#   tests/gpu/mixing_picture.sh LBM OUT [STEPS]     OUT gets report.json and the vorticity along the span in pieces
#                                                   mid_STEP.xz.a?; STEPS: 5000, some 9 minutes on an H100 with 128 GiB
#
# The pieces of a step, one after the other, are an xz file of half-precision numbers, [z][x]: docs/figures/mixing.py.
set -euo pipefail
lbm=$(realpath "$1") out=$(realpath "$2") steps=${3:-5000}
here=$(cd "$(dirname "$0")" && pwd)
nx=3072 nz=5632
work=$(mktemp -d)
cd "$work"
python3 "$here/mixing.py" $nx 128 $nz "$steps" >mixing.yaml
"$lbm" run mixing.yaml --out run --set 'host.memory_limit=122 GiB' >run.txt 2>&1 &
pid=$!

# The slice has two equal layers of points; one component of one of them is wanted.
component() {
  python3 - "$1" "$2" $nx $nz <<'PYTHON'
import array, os, sys
source, target = sys.argv[1:3]
nx, nz = map(int, sys.argv[3:])
with open(source, "rb") as file, open(target, "wb") as out:
    file.seek(8792)  # where the dataset begins
    assert os.path.getsize(source) >= 8792 + 12 * nx * nz
    for _ in range(nz):
        row = array.array("H")
        row.frombytes(file.read(12 * nx))
        out.write(row[1 : 3 * nx : 3].tobytes())
PYTHON
}

done_steps=" "
while :; do
  running=yes; kill -0 $pid 2>/dev/null || running=no
  for file in run/mid_*.hdf; do
    step=$(basename "$file" .hdf)
    [ -e "$file" ] && [[ "$done_steps" != *" $step "* ]] || continue
    component "$file" "$step"
    xz -T8 -3 -k "$step"
    rm -f "$out"/mid_*.xz.a?
    split -b 15M "$step.xz" "$out/$step.xz."
    done_steps+="$step "
  done
  tail -1 run.txt >"$out/progress.txt" || true
  [ $running = yes ] || break
  sleep 5
done
cp run/report.json "$out/" || true
cp run.txt "$out/"
wait $pid
