#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes a CUDA toolkit that compiles for aarch64 servers (SBSA) on this machine: cuda_toolkit.sh OUT
#
# Programs and headers are those of the toolkit of this machine, whose nvcc must be on PATH; the runtime library for the other machine is that
# of the same version on PyPI (nvidia-cuda-runtime), by the pip of PYTHON (python3). Exit code 1 where there is no toolkit 13 or later, or no such package.
set -euo pipefail
[ $# = 1 ] || { sed -n '4,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
out=$1
[ ! -e "$out/whole" ] || exit 0
nvcc=$(command -v nvcc) || { echo "cuda_toolkit.sh: no nvcc on PATH" >&2; exit 1; }
here=$(dirname "$(dirname "$(realpath "$nvcc")")")
version=$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
[ "${version%%.*}" -ge 13 ] || { echo "cuda_toolkit.sh: nvcc $version: must be 13 or later" >&2; exit 1; }
headers=$here/include
[ ! -d "$here/targets/x86_64-linux/include" ] || headers=$here/targets/x86_64-linux/include

rm -rf "$out" && mkdir -p "$out/targets/sbsa-linux/lib" "$out/runtime"
cp -r "$here/bin" "$out/bin" # nvcc finds its other parts beside itself
ln -s "$here/nvvm" "$out/nvvm"
ln -s "$headers" "$out/targets/sbsa-linux/include"
# Where CMake looks for a toolkit of its own machine.
ln -s targets/sbsa-linux/include "$out/include"
ln -s targets/sbsa-linux/lib "$out/lib64"
"${PYTHON:-python3}" -m pip --disable-pip-version-check download --quiet --no-deps --only-binary=:all: --platform manylinux2014_aarch64 \
  --python-version 3.12 --dest "$out/runtime" "nvidia-cuda-runtime==$version.*"
"${PYTHON:-python3}" -m zipfile -e "$out"/runtime/*.whl "$out/runtime/files"
find "$out/runtime/files" -name 'libcud*.a' -exec cp -t "$out/targets/sbsa-linux/lib" {} +
[ -e "$out/targets/sbsa-linux/lib/libcudart_static.a" ] || { echo "cuda_toolkit.sh: nvidia-cuda-runtime $version has no libcudart_static.a" >&2; exit 1; }
touch "$out/whole"
