#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# open_results.sh pvbatch|python WRITE_RESULTS: writes files of every format into a new directory and
# opens them with ParaView's pvbatch, or with Python's vtk. LBM_VTK_PYTHON: the Python that has it.
# Exit status 77 where there is no such reader.
reader="$1" write_results="$2" script="$(dirname "$0")/open_results.py"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

skip() { echo "skipped: $*"; exit 77; }

case "$reader" in
  pvbatch)
    command -v pvbatch >/dev/null || skip "no pvbatch (Debian: paraview, python3-paraview)"
    pvbatch -c 'import paraview.simple' 2>&1 | grep -q ModuleNotFoundError &&
      skip "pvbatch finds no module paraview (Debian: python3-paraview)"
    program=pvbatch ;;
  python)
    program=
    for python in ${LBM_VTK_PYTHON:-} python3 /usr/bin/python3; do
      [ -n "$program" ] || ! "$python" -c 'import vtkmodules.vtkIOHDF' 2>/dev/null || program="$python"
    done
    [ -n "$program" ] || skip "no Python with vtk (Debian: python3-vtk9, or pip install vtk)" ;;
esac

directory="$(mktemp -d)" && trap 'rm -rf "$directory"' EXIT
"$write_results" "$directory" || exit 1
# A reader that crashes may leave pvbatch waiting for ever. VTK goes on after errors that it prints.
timeout -k 5 200 "$program" "$script" "$directory" >"$directory/log" 2>&1
status=$?
cat "$directory/log"
[ "$status" != 0 ] || ! grep -E 'ERR\||ERROR' "$directory/log" >/dev/null || exit 1
exit "$status"
