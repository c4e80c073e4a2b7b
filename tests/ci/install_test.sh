#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs .ci/install against a pretended machine: dpkg-query, apt-get, id and sudo are small scripts
# in a folder that is all of PATH, beside the few real tools that .ci/install uses.
set -euo pipefail

script="$(cd "$(dirname "$0")/../.." && pwd)/.ci/install"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
failures=0 checks=0
run_needs="g++ cmake ninja-build libhdf5-openmpi-dev libyaml-cpp-dev libmuparser-dev nlohmann-json3-dev libcli11-dev libfmt-dev"
mpi="libopenmpi-dev openmpi-bin libtiff-dev"
test_needs="libgtest-dev python3 python3-dev python3-venv ccache libvtk9-dev"
lint_needs="clang-format-14 clang-tidy-14"
fuzz_needs="clang-14 libclang-rt-14-dev libomp-14-dev llvm-14"

fake() { printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$work/bin/$1"; chmod +x "$work/bin/$1"; }

# machine UID SYSTEM: sets up the pretended machine; packages are then written to $work/installed.
machine() {
  rm -rf "$work/bin"; mkdir -p "$work/bin"
  for tool in bash env grep sed cat mktemp; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
  fake id "echo $1"
  fake dpkg-query "while read -r p; do echo \"installed \$p\"; done <$work/installed"
  # Installs all or nothing, as apt-get does; offers what $work/candidates lists.
  fake apt-get "echo \"\$*\" >>$work/apt.log; on=no
for word in \"\$@\"; do
  case \$word in install) on=yes;; -*) ;; *) [ \$on = no ] || grep -qxF -- \$word $work/candidates || exit 100;; esac
done
[ \$on = no ] || for word in \"\$@\"; do echo \"\$word\"; done >>$work/installed"
  [ "$2" != other ] || rm "$work/bin/dpkg-query"   # a system of rpm has none
  case "$2" in
    debian) printf 'ID=debian\nVERSION_ID="12"\n' ;;
    ubuntu) printf 'ID=ubuntu\nVERSION_ID="24.04"\n' ;;
    other) printf 'ID=fedora\nVERSION_ID=41\n' ;;
  esac >"$work/os-release"
  : >"$work/apt.log"
  tr ' ' '\n' <<<"$run_needs $mpi $test_needs $lint_needs" >"$work/candidates"
}

has() { tr ' ' '\n' <<<"$*" >"$work/installed"; }

# expect NAME STATUS WORDS MODE [VAR=VALUE]: exit status, and words on stderr ("" is silence).
expect() {
  local status=0 name="$1" want="$2" words="$3" mode="$4"; shift 4
  checks=$((checks + 1))
  env -i PATH="$work/bin" TMPDIR="$work" LBM_OS_RELEASE="$work/os-release" "$@" bash "$script" $mode \
    >"$work/out" 2>"$work/err" || status=$?
  if [ "$status" != "$want" ] || { [ -n "$words" ] && ! grep -qF -- "$words" "$work/err"; } ||
     { [ -z "$words" ] && [ -s "$work/err" ]; }; then
    echo "FAILED $name: status $status, wanted $want and '$words', got:"; cat "$work/err"
    failures=$((failures + 1))
  fi
}

check() { checks=$((checks + 1)); "${@:2}" || { echo "FAILED $1"; failures=$((failures + 1)); }; }
apt_was_asked() { [ -s "$work/apt.log" ]; }
apt_was_not_asked() { [ ! -s "$work/apt.log" ]; }

machine 0 debian; has $run_needs $mpi $test_needs
expect "all there, test needs no clang" 0 "" test
check "all there: apt is not asked" apt_was_not_asked
expect "lint needs the tools of clang" 0 "installing clang-format-14 clang-tidy-14" lint
check "lint installs clang-tidy" grep -qx clang-tidy-14 "$work/installed"

echo "$fuzz_needs" | tr ' ' '\n' >>"$work/candidates"
expect "sanitizers need the OpenMP of clang" 0 "installing libomp-14-dev" sanitize
machine 0 debian; has $run_needs $mpi $test_needs
echo "$fuzz_needs" | tr ' ' '\n' >>"$work/candidates"
expect "fuzzers need clang" 0 "installing clang-14 libclang-rt-14-dev" fuzz
check "fuzz installs the run-time libraries" grep -qx libclang-rt-14-dev "$work/installed"

machine 1000 debian; has ${run_needs/libhdf5-openmpi-dev/libhdf5-dev}
expect "serial HDF5 serves, MPI is optional" 0 "" run
check "run without MPI: apt is not asked" apt_was_not_asked

machine 0 debian; has libfmt-dev
expect "installs" 0 "installing g++" run
check "with the right options" grep -q -- '--no-install-recommends g++ cmake' "$work/apt.log"
check "MPI comes along" grep -qx openmpi-bin "$work/installed"
check "run installs no test package" bash -c "! grep -qx libgtest-dev $work/installed"

echo "    isosurface: density" >"$work/iso.yaml"; echo "    shape: stl   # not isosurface: density" >"$work/stl.yaml"
machine 0 debian; has $run_needs $mpi
expect "a case with a file of VTK needs VTK" 0 "installing libvtk9-dev" "run $work/iso.yaml"
machine 0 debian; has $run_needs $mpi
expect "one without does not" 0 "" "run $work/stl.yaml"
check "apt is not asked for it" apt_was_not_asked

# Debian's ParaView and libvtk9-dev exclude each other: files are unpacked, and apt is not asked for the package.
machine 0 debian; has $run_needs $mpi python3-paraview
for tool in mkdir rm touch; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
fake apt-cache 'echo "  Depends: libvtk9.1"; echo "  Depends: libvtk9-java"'
fake apt-get "echo \"\$*\" >>$work/apt.log; [ \"\$2\" != download ] || touch one.deb two.deb"
fake dpkg-deb "[ \"\$1 \$3\" = \"-x .\" ] && echo unpacked \$2 >>$work/apt.log"
vtk_folder="LBM_VTK_FOLDER=$work/vtk9"
expect "beside ParaView VTK is unpacked" 0 "unpacking VTK into $work/vtk9" "run $work/iso.yaml" "$vtk_folder"
check "both of its packages" test "$(grep -c '^unpacked' "$work/apt.log")" = 2
check "ParaView is not removed" bash -c "! grep -q 'install.*libvtk9-dev' $work/apt.log && grep -q 'no-remove libvtk9.1 ' $work/apt.log"
: >"$work/apt.log"
expect "once" 0 "" "run $work/iso.yaml" "$vtk_folder"
check "apt is not asked again" apt_was_not_asked
rm -rf "$work/vtk9"; fake dpkg-deb "exit 1"
expect "what cannot be unpacked is said" 1 "could not unpack VTK" "run $work/iso.yaml" "$vtk_folder"

machine 0 ubuntu; has $run_needs $mpi libgtest-dev python3; grep -v vtk "$work/candidates" >"$work/c"
mv "$work/c" "$work/candidates"
expect "optional without a candidate is a warning" 0 "going on without libvtk9-dev:" test
check "the others are installed one by one" grep -qx python3-venv "$work/installed"
expect "so it is for lint" 0 "going on without libvtk9-dev:" lint
check "clang-tidy is installed alone, too" grep -qx clang-tidy-14 "$work/installed"
expect "but an error in CI" 1 "all needed in CI: libvtk9-dev" test CI=true

machine 0 debian; has libfmt-dev; : >"$work/candidates"
expect "required without a candidate is an error" 1 "missing packages: g++ cmake" run

machine 1000 debian; has libfmt-dev
expect "neither root nor sudo" 1 "not root and there is no sudo" run
check "apt is not asked without root" apt_was_not_asked
fake sudo 'echo sudo >>'"$work"'/apt.log; exec "$@"'
expect "sudo" 0 "installing" run
check "sudo is used" grep -qx sudo "$work/apt.log"
machine 1000 debian; has $run_needs $mpi; grep -v fmt "$work/installed" >"$work/c"; mv "$work/c" "$work/installed"
expect "a library is left to CMake where there is no sudo" 0 "" run
fake sudo 'echo "user is not in the sudoers file." >&2; exit 1'
expect "what sudo says is said" 0 "apt-get update failed: user is not in the sudoers file." run
expect "in CI nothing is left to CMake" 1 "all needed in CI: libfmt-dev" run CI=true

# Without dpkg only programs are looked for here; CMake looks for libraries.
programs() { for tool in "$@"; do fake "$tool" "exit 0"; done; }
machine 1000 other
expect "another system" 1 "neither Debian 12 nor Ubuntu 24.04" run
check "another system: one line" test "$(wc -l <"$work/err")" = 1
check "another system: apt is not asked" apt_was_not_asked
check "only programs are missing" grep -qF "missing packages: g++ cmake ninja-build (dnf: gcc-c++ cmake ninja-build, conda: cxx-compiler cmake ninja, spack: gcc cmake ninja)" "$work/err"
programs cmake ninja g++
expect "programs are enough" 0 "" run
expect "a test needs python3" 1 "missing packages: python3 (dnf: python3, conda: python, spack: python)" test
programs python3
expect "mpirun and ccache are wished" 0 "warning: going on without openmpi-bin ccache:" test
programs mpirun ccache
expect "nothing is missing" 0 "" test
rm "$work/bin/g++"; programs conda-g++
expect "the compiler of an environment" 0 "" run CXX=conda-g++
expect "a case with a file of VTK" 0 "" "run $work/stl.yaml" CXX=conda-g++
machine 1000 debian; has $run_needs $mpi
expect "VTK is said to be needed" 0 "libvtk9-dev (dnf: vtk-devel, conda: vtk, spack: vtk)" "run $work/iso.yaml" LBM_VTK_FOLDER=/nowhere

expect "no mode" 1 "usage" ""

[ "$failures" = 0 ] && echo "$checks checks passed" || { echo "$failures of $checks checks failed"; exit 1; }
