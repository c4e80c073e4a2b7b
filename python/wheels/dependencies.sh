#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the C and C++ libraries that a wheel holds, as static libraries of position-independent code, from the source
# packages of Debian:
#
#   python/wheels/dependencies.sh PREFIX [aarch64 [tests]]   installs into PREFIX; with aarch64: cross-compiled;
#                                                            with tests: GoogleTest, too (.ci/aarch64)
#
# Leaves alone what PREFIX has already. Some 6 minutes on two cores. Needs root or sudo for nothing: it reads its own
# list of package sources. Versions: those of Debian 12.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
mkdir -p "$1"
prefix=$(cd "$1" && pwd) machine=${2:-x86_64} jobs=${JOBS:-$(nproc)}
here=$(cd "$(dirname "$0")" && pwd)
toolchain=() host=()
if [ "$machine" != "$(uname -m)" ]; then
  toolchain=("-DCMAKE_TOOLCHAIN_FILE=$here/$machine.cmake")
  host=("--host=$machine-linux-gnu" "CC=$machine-linux-gnu-gcc-12")
fi
work=$prefix/work
mkdir -p "$work/lists/partial" "$work/archives/partial"

# The mirror of this machine, for sources.
mirror=$(grep -rhoE 'https?://[^ ]*debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ' || true)
echo "deb-src ${mirror:-http://deb.debian.org/debian} bookworm main" >"$work/sources.list"
apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$work/lists" -o "Dir::Cache::archives=$work/archives" -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=" -o APT::Sandbox::User=root)

update_lists() { [ -e "$work/updated" ] || { "${apt[@]}" update && touch "$work/updated"; }; }

# sources NAME: the folder of the unpacked source package.
sources() {
  update_lists
  rm -rf "${work:?}/$1" && mkdir -p "$work/$1"
  (cd "$work/$1" && "${apt[@]}" source "$1" >/dev/null)
  find "$work/$1" -mindepth 1 -maxdepth 1 -type d
}

cmake_build() {
  local from=$1
  shift
  mkdir -p "$from/build-lbm"
  cd "$from/build-lbm"  # where such programs leave their files
  cmake -S "$from" -B . -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=$prefix" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF "-DCMAKE_PREFIX_PATH=$prefix" "${toolchain[@]}" "$@" >/dev/null
  cmake --build . -j "$jobs" --target install >/dev/null
  cd "$here"
}

# once NAME COMMAND...: unless PREFIX has it.
once() {
  [ ! -e "$prefix/built/$1" ] || return 0
  echo "wheels: $1 for $machine"
  "${@:2}"
  mkdir -p "$prefix/built" && touch "$prefix/built/$1"
  rm -rf "${work:?}/$1"
}

zlib() {
  local from
  from=$(sources zlib)
  (cd "$from" && CC=$([ ${#host[@]} = 0 ] && echo gcc || echo "$machine-linux-gnu-gcc-12") CFLAGS="-O2 -fPIC" ./configure --static "--prefix=$prefix" &&
    make -j "$jobs" install) >/dev/null
}
hdf5() {
  local from
  from=$(sources hdf5)
  # It runs programs of its own to learn about the machine, the other one too, in an emulator (aarch64.cmake).
  cmake_build "$from" -DBUILD_TESTING=OFF -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_CPP_LIB=OFF \
    -DHDF5_BUILD_FORTRAN=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON "-DZLIB_LIBRARY=$prefix/lib/libz.a" "-DZLIB_INCLUDE_DIR=$prefix/include"
  # FindHDF5 of CMake looks at the library and its headers.
  rm -rf "$prefix/share/cmake" "$prefix/lib/cmake/hdf5" "$prefix/cmake"
}
yaml_cpp() { cmake_build "$(sources yaml-cpp)" -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=OFF; }
tiff() {
  local off=() name
  for name in tiff-tools tiff-tests tiff-docs tiff-contrib cxx jpeg old-jpeg jbig lerc lzma zstd webp libdeflate; do off+=("-D$name=OFF"); done
  cmake_build "$(sources tiff)" "${off[@]}" -Dzlib=ON "-DZLIB_LIBRARY=$prefix/lib/libz.a" "-DZLIB_INCLUDE_DIR=$prefix/include"
}
muparser() { cmake_build "$(sources muparser)" -DENABLE_SAMPLES=OFF -DENABLE_OPENMP=OFF; }
googletest() { cmake_build "$(sources googletest)" -DBUILD_GMOCK=OFF; }
fmt() { cmake_build "$(sources fmtlib)" -DFMT_TEST=OFF -DFMT_DOC=OFF; }

# The static library of Debian's g++ is not position-independent.
openmp() {
  local from inner
  mkdir -p "$work/gcc-12"
  update_lists
  (cd "$work/gcc-12" && "${apt[@]}" source --download-only gcc-12 && tar -xf gcc-12_*.orig.tar.*)
  from=$(find "$work/gcc-12" -mindepth 1 -maxdepth 1 -type d)
  inner=$(find "$from" -name 'gcc-*.tar.xz')
  tar -C "$from" -xf "$inner" --strip-components=1 --wildcards '*/libgomp/*' \
    '*/config/*' '*/config.guess' '*/config.sub' '*/config-ml.in' '*/include/*' '*/gcc/BASE-VER' '*/install-sh' '*/ltmain.sh' '*/missing' '*/mkinstalldirs' \
    '*/depcomp' '*/compile' '*/multilib.am' '*/lt*.m4' '*/move-if-change'
  # Threads' own variables of a library that Python loads must not need room that was set aside when Python started.
  sed -i 's/-ftls-model=initial-exec -DUSING_INITIAL_EXEC_TLS//' "$from/libgomp/configure.tgt"
  mkdir -p "$from/build-lbm"
  (cd "$from/build-lbm" && CFLAGS="-O2 -fPIC" ../libgomp/configure "${host[@]}" --disable-shared --enable-static --with-pic --disable-multilib \
    --disable-werror FC=no && make -j "$jobs") >"$work/openmp.log" 2>&1 || { tail -20 "$work/openmp.log" >&2; return 1; }
  cp "$from/build-lbm/.libs/libgomp.a" "$prefix/lib/"
}

once zlib zlib
once tiff tiff
once yaml-cpp yaml_cpp
once muparser muparser
once fmtlib fmt
once hdf5 hdf5
once gcc-12 openmp
[ "${3:-}" != tests ] || once googletest googletest
