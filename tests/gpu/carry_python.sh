#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The Python package for a GPU machine that has neither a compiler's time nor a network: the package
# as built, the program, their libraries, numpy, h5py, matplotlib and pytest go to .carry/python.tar.xz.
#
#   tests/gpu/carry_python.sh here BUILD PYTHON   PYTHON: of the version of that machine; BUILD was
#                                                 configured for it (Python_EXECUTABLE)
#   tests/gpu/carry_python.sh there [ARGS]        on the GPU machine: pytest tests/python/test_gpu.py
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${1:-}" = there ]; then
  shift
  [ -d .carry/python ] || tar -C .carry -xJf .carry/python.tar.xz
  export PYTHONPATH="$PWD/.carry/python" LBM_PROGRAM="$PWD/.carry/python/lbm_program"
  export LD_LIBRARY_PATH="$PWD/.carry/python/lib" PYTHONDONTWRITEBYTECODE=1
  exec python3 -m pytest -p no:cacheprovider "${@:-tests/python/test_gpu.py}"
fi
[ "${1:-}" = here ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"; exit 2; }
build="${2:?which build folder?}" python="${3:?which python?}" to=.carry/python
rm -rf "$to" && mkdir -p "$to/lib"
"$python" -m pip install -q --disable-pip-version-check --target "$to" numpy h5py pytest matplotlib
cp -r "$build/python/lbm" "$to/lbm"
cp "$build/lbm" "$to/lbm_program"
strip "$to/lbm_program" "$to"/lbm/_lbm*.so
tests/gpu/libraries_of.sh "$to/lib" "$to/lbm_program" "$to"/lbm/_lbm*.so
find "$to" -name tests -type d -prune -exec rm -rf {} + # of numpy and h5py
tar -C .carry -cJf .carry/python.tar.xz python
rm -rf "$to"
du -sh .carry/python.tar.xz
