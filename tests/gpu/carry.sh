#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds for a GPU machine that has no time to build: the program, the tests with the label gpu and
# the libraries that it may lack go to .carry/build.tar.xz (some 20 MB), which travels there.
#
#   tests/gpu/carry.sh here [BUILD]             here; BUILD: default build-gpu, is built first
#   source tests/gpu/carry.sh there             on the GPU machine, in the root of the copy
#
# The second form unpacks, links the paths that the tests were built with to the copy and sets
# LD_LIBRARY_PATH; then tests/gpu/session.sh build-gpu OUT runs as if built there. The C and C++
# libraries, OpenMP and MPI are that machine's own.
if [ "${1:-here}" = there ]; then
  home=$(sed -n 1p .carry/home)
  name=$(sed -n 2p .carry/home)
  [ -d .carry/build ] || tar -C .carry -xJf .carry/build.tar.xz
  mkdir -p "$(dirname "$home")"
  [ "$PWD" -ef "$home" ] || ln -sfn "$PWD" "$home"
  ln -sfn .carry/build "$name"
  [ "$name" = build-gpu ] || ln -sfn .carry/build build-gpu
  export LD_LIBRARY_PATH="$home/.carry/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  return 0
fi
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${2:-build-gpu}
[ ! -L "$build" ] || { echo "$build is a link: this is the GPU machine's copy" >&2; exit 2; }
cmake --preset release -B "$build" -DCMAKE_CUDA_ARCHITECTURES=90 -DLBM_CUDA=ON -DLBM_TESTS=ON >/dev/null
cmake --build "$build"

rm -rf .carry
mkdir -p .carry/build
printf '%s\n%s\n' "$PWD" "$build" >.carry/home
# Files that ctest reads, and the programs of the tests that need a GPU.
(cd "$build" && find . -name '*.cmake' -not -path '*/CMakeFiles/*' -print0 | tar --null -T - -cf -) |
  tar -C .carry/build -xf -
# Python has a script of its own: carry_python.sh.
[ ! -d .carry/build/tests/python ] || echo "# see tests/gpu/carry_python.sh" >.carry/build/tests/python/CTestTestfile.cmake
programs=$(ctest --test-dir "$build" -L gpu --show-only=json-v1 | python3 -c '
import json, os, sys
tests = json.load(sys.stdin)["tests"]
commands = {test["command"][0] for test in tests if not test["name"].startswith("python.")}
print(*sorted(os.path.relpath(c, sys.argv[1]) for c in commands), sep="\n")' "$PWD/$build")
for program in lbm $programs; do install -D "$build/$program" ".carry/build/$program"; done
# shellcheck disable=SC2086 # one word a program
(cd "$build" && "$OLDPWD/tests/gpu/libraries_of.sh" "$OLDPWD/.carry/build/lib" lbm $programs)
for program in lbm $programs; do strip ".carry/build/$program"; done
tar -C .carry -cJf .carry/build.tar.xz build
rm -rf .carry/build
du -sh .carry
