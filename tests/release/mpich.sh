#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the program with MPICH in place of Open MPI, and runs the tests of several ranks with it.
#
#   tests/release/mpich.sh BUILD_DIR [GTEST_FILTER]
#
# Needs Debian's mpich and libmpich-dev (installed where they are missing) and the serial HDF5 (libhdf5-dev): that of Open MPI would bring
# a second MPI. 20 minutes on two cores. Left out: a test of Open MPI's mpirun that hangs, and one in two PID namespaces, where MPICH
# itself refuses to start (UCX, "Endpoint timeout").
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -ge 1 ] || { sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2; }
build=$(realpath -m "$1")
filter=${2:-Processes.*-Processes.KeepTheirExitCodesThoughMpirunHangs:Processes.SendWhatTheMemoryOfTheFirstMustHave}
if ! command -v mpicc.mpich >/dev/null; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  # shellcheck disable=SC2086 # empty for root
  $sudo apt-get install -y -qq mpich libmpich-dev libhdf5-dev >/dev/null
fi
launcher=()
if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLBM_CUDA=OFF -DLBM_PYTHON=OFF -DLBM_VTK=OFF "${launcher[@]}" \
  -DMPI_C_COMPILER=mpicc.mpich -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.mpich -DHDF5_C_COMPILER_EXECUTABLE=/usr/bin/h5cc >/dev/null
cmake --build "$build" --target lbm tests_run
ldd "$build/lbm" | grep -q libmpich || { echo "mpich.sh: $build/lbm is not linked with MPICH" >&2; exit 1; }

# The tests call mpirun with two options that only Open MPI's has.
mkdir -p "$build/bin"
cat >"$build/bin/mpirun" <<'MPIRUN'
#!/usr/bin/env bash
words=()
while [ $# -gt 0 ]; do
  case $1 in
    --oversubscribe) ;;
    --bind-to) shift ;;
    *) words+=("$1") ;;
  esac
  shift
done
exec mpiexec.mpich "${words[@]}"
MPIRUN
chmod +x "$build/bin/mpirun"
PATH=$build/bin:$PATH "$build/tests/tests_run" --gtest_filter="$filter"
