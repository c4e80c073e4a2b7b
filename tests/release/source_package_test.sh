#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the source package with pip, as a user does whose machine no wheel fits: source_package_test.sh PACKAGE.tar.gz
# In a new virtual environment; the libraries, CMake and a compiler are those of this machine. Then `lbm` of that
# environment runs a cavity, and Python reads the result. Without a CUDA toolkit's code: CMAKE_ARGS overrides that.
set -euo pipefail
[ $# = 1 ] || { sed -n '4,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
package=$(realpath "$1")
work=$(mktemp -d /var/tmp/lbm_source_package.XXXXXX)
trap 'rm -rf "$work"' EXIT
began=$SECONDS
python3 -m venv "$work/venv"
CMAKE_ARGS="${CMAKE_ARGS:--DLBM_CUDA=OFF -DCMAKE_CXX_COMPILER_LAUNCHER=$(command -v ccache || true)}" \
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check "$package"
cd "$work"
venv/bin/lbm cases lid_driven_cavity
venv/bin/lbm run lid_driven_cavity.yaml --set run.steps=400 --set output.times=[] --set expect=null --quiet --out cavity
venv/bin/python -c 'import lbm; assert lbm.open("cavity").report["steps"] == 400'
echo "source package: built by pip, run and read in $((SECONDS - began)) s"
