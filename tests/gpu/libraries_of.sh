#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Copies the shared libraries of programs that another machine may lack: libraries_of.sh DIR PROGRAM...
# The C and C++ libraries, OpenMP and MPI are that machine's own.
set -euo pipefail
to=$1
shift
mkdir -p "$to"
for program in "$@"; do ldd "$program"; done | awk '$3 ~ "^/" { print $3 }' | sort -u |
  grep -vE '/lib(c|m|dl|pthread|rt|resolv|stdc\+\+|gcc_s|gomp|mpi|open-rte|open-pal)\.so' |
  xargs -I{} cp -L {} "$to"
