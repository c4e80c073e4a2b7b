#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A stranger's program: installs a build, builds docs/embedding against it, runs that program, and
# compares its numbers with a run of the installed `lbm`.
#   embedding_test.sh BUILD CMAKE CXX
set -euo pipefail

build="${1:?usage: embedding_test.sh BUILD CMAKE CXX}" cmake="$2" cxx="$3"
root="$(cd "$(dirname "$0")/../.." && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
fail() { echo "embedding_test: $*" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$work/prefix" --component development >"$work/install.log"
! grep -rl "$root" "$work/prefix" --include='*.cmake' || fail "the package refers to the sources"
"$cmake" -S "$root/docs/embedding" -B "$work/embed" -DCMAKE_PREFIX_PATH="$work/prefix" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=Release >"$work/configure.log" ||
  { cat "$work/configure.log"; fail "find_package(lbm) failed"; }
"$cmake" --build "$work/embed" >"$work/build.log" || { cat "$work/build.log"; fail "it does not build"; }

cd "$work"
./embed/embed "$work/prefix/share/lbm/cases/lid_driven_cavity.yaml" >printed 2>err
[ ! -s err ] || fail "something was printed to stderr: $(cat err)"
[ "$(sed 's/[0-9.]*$//' printed)" = "$(printf 'step 100: \nstep 200: ')" ] || fail "printed: $(cat printed)"
awk '{ if ($3 < 0.5 || $3 > 1) exit 1 }' printed || fail "no flow under a lid: $(cat printed)"
[ ! -e out ] || fail "it has written files"
! ./embed/embed nowhere.yaml >printed 2>err || fail "a missing case is no error"
grep -q '^embed: nowhere.yaml' err || fail "printed: $(cat err)"
"$work/prefix/bin/lbm" --version | grep -q '^lbm ' || fail "the program does not run"
