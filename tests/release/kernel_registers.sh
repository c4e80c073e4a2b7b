#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints registers, stack and shared memory (bytes) of every GPU kernel in a program, sorted by name, so that two builds
# can be compared:
#
#   diff <(tests/release/kernel_registers.sh OLD_LBM) <(tests/release/kernel_registers.sh NEW_LBM)
#
# Instead of a program: the saved output of `cuobjdump --dump-resource-usage`. Needs cuobjdump of the CUDA toolkit on
# PATH or as CUOBJDUMP.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
if head -c 4 "$1" | grep -q ELF; then
  usage=$("${CUOBJDUMP:-cuobjdump}" --dump-resource-usage "$1")
else
  usage=$(cat "$1")
fi
printf '%-90s %9s %6s %7s\n' kernel registers stack shared
awk '$1 == "Function" { sub(/:$/, "", $2); name = $2 }
  name && /REG:/ {
    for (i = 1; i <= NF; ++i) { split($i, part, ":"); value[part[1]] = part[2] }
    print name, value["REG"], value["STACK"], value["SHARED"]; name = ""
  }' <<<"$usage" | c++filt |
  sed -E 's/\(anonymous namespace\):://g; s/^void //; s/lbm::(cuda::)?//g; s/\(StorageType\)//g; s/\(.*\) ([0-9]+ [0-9]+ [0-9]+)$/\t\1/; s/ >/>/g; s/, /,/g' |
  awk -F'\t' '{ split($2, number, " "); printf "%-90s %9d %6d %7d\n", $1, number[1], number[2], number[3] }' | LC_ALL=C sort
