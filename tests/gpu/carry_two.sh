#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Two builds of the program for a GPU machine that has no time to build, to be compared there: both programs, stripped,
# and the libraries that the machine may lack go to .carry/two.tar.xz (some 20 MB), which travels there.
# Run it after carry.sh, which empties .carry.
#
#   tests/gpu/carry_two.sh here OLD_LBM NEW_LBM    here; both built with CMAKE_CUDA_ARCHITECTURES=90
#   source tests/gpu/carry_two.sh there            on the GPU machine, in the root of the copy
#
# The second form unpacks, and sets OLD_LBM, NEW_LBM and LD_LIBRARY_PATH; then
#
#   tests/gpu/compare_speed.sh "$OLD_LBM" "$NEW_LBM" OUT
#   tests/release/compare_builds.py "$OLD_LBM" "$NEW_LBM" --cuda
if [ "${1:-}" = there ]; then
  [ -d .carry/two ] || tar -C .carry -xJf .carry/two.tar.xz
  export OLD_LBM="$PWD/.carry/two/old/lbm" NEW_LBM="$PWD/.carry/two/new/lbm"
  export LD_LIBRARY_PATH="$PWD/.carry/two/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  return 0
fi
set -euo pipefail
[ "${1:-} $#" = 'here 3' ] || { sed -n '2,/^if /{/^if /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
old=$(realpath "$2") new=$(realpath "$3")
cd "$(dirname "$0")/../.."
rm -rf .carry/two
install -D "$old" .carry/two/old/lbm
install -D "$new" .carry/two/new/lbm
tests/gpu/libraries_of.sh .carry/two/lib "$old" "$new"
strip .carry/two/old/lbm .carry/two/new/lbm
tar -C .carry -cJf .carry/two.tar.xz two
rm -rf .carry/two
du -sh .carry/two.tar.xz
