#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the Debian packages that hold the shared libraries of a program, one a line: what a container needs to run what
# another one has built.
#   runtime_packages.sh PROGRAM
set -euo pipefail
program="${1:?usage: runtime_packages.sh PROGRAM}"

libraries="$(ldd "$program")"
if grep -F 'not found' <<<"$libraries" >&2; then
  echo "runtime_packages.sh: $program: the libraries above are not here" >&2
  exit 1
fi
sed -nE 's/.*=> (\/[^ ]+).*/\1/p' <<<"$libraries" | while read -r library; do
  file="$(readlink -f "$library")"
  # Packages may name the folder /lib, which is a link to /usr/lib.
  dpkg-query -S "$file" 2>/dev/null || dpkg-query -S "${file#/usr}" ||
    { echo "runtime_packages.sh: $file belongs to no package" >&2; exit 1; }
done | sed 's/:.*//' | sort -u
# The program of MPI that starts several processes is no library.
if grep -q 'libmpi\.so' <<<"$libraries"; then echo openmpi-bin; fi
