#!/usr/bin/env bash
# Builds for a GPU machine that has no time to build: program, tests and the libraries that it may
# lack go to .carry/build (some 25 MB), which travels there. Against the serial HDF5, which Debian
# and Ubuntu name alike; without VTK.
#
#   tests/gpu/carry.sh                          here
#   source tests/gpu/carry.sh there             on the GPU machine, in the root of the copy
#
# The second form links the paths that the tests were built with to the copy and sets
# LD_LIBRARY_PATH; then tests/gpu/session.sh build-gpu OUT runs as if built there.
if [ "${1:-here}" = there ]; then
  home=$(cat .carry/home)
  mkdir -p "$(dirname "$home")"
  [ "$PWD" -ef "$home" ] || ln -sfn "$PWD" "$home"
  ln -sfn .carry/build build-gpu
  export LD_LIBRARY_PATH="$home/.carry/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  return 0
fi
set -euo pipefail
cd "$(dirname "$0")/../.."
[ ! -L build-gpu ] || { echo "build-gpu is a link: this is the GPU machine's copy" >&2; exit 2; }
export HDF5_ROOT=/usr/lib/x86_64-linux-gnu/hdf5/serial
cmake -S . -B build-gpu -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_ARCHITECTURES=90 \
  -DLBM_CUDA=ON -DLBM_VTK=OFF -DHDF5_C_COMPILER_EXECUTABLE=/usr/bin/h5cc >/dev/null
cmake --build build-gpu
rm -rf .carry
mkdir -p .carry/build/lib
pwd >.carry/home
tar -C build-gpu --exclude CMakeFiles --exclude '*.a' --exclude '.ninja*' -cf - . | tar -C .carry/build -xf -
for library in libyaml-cpp libfmt; do
  cp -L "$(ldd build-gpu/lbm | awk -v name="$library" 'index($1, name) == 1 { print $3 }')" .carry/build/lib/
done
find .carry/build -type f -perm -100 -size +200k -exec strip {} +
du -sh .carry
