#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Does the steps of a new user: a fresh virtual environment, pip install ./python, the program, the
# examples, and a run whose files are those of the program.
#   install_test.sh PYTHON      the interpreter that makes the environment
set -euo pipefail

python="${1:?usage: install_test.sh PYTHON}"
root="$(cd "$(dirname "$0")/../.." && pwd)"
work="$(mktemp -d)"
# As deep in the clone as build/: paths relative to it are the same, by which ccache knows the objects again.
build="$(mktemp -d "$root/build-install.XXXXXX")"
trap 'rm -rf "$work" "$build"' EXIT
unset PYTHONPATH LBM_PROGRAM

"$python" -m venv "$work/venv"
"$work/venv/bin/pip" install --disable-pip-version-check -q --config-settings="build-dir=$build" "$root/python[test]"
export PATH="$work/venv/bin:$PATH" VIRTUAL_ENV="$work/venv"
cd "$work" # away from the sources: what is imported is what was installed

fail() { echo "install_test: $*" >&2; exit 1; }
[ "$(command -v lbm)" = "$work/venv/bin/lbm" ] || fail "no program lbm in the environment"
[ "$(lbm --version)" = "lbm $(python -c 'import lbm; print(lbm.__version__)')" ] ||
  fail "the program and the package are of different versions"
python -c "import lbm; assert lbm.__file__.startswith('$work/venv'), lbm.__file__"
[ -e "$(python -c 'import lbm, os; print(os.path.dirname(lbm.__file__))')/_lbm.pyi" ] || fail "no stubs"

library="$(lbm cases --json)"
[[ "$library" == *"$work/venv/share/lbm/cases/lid_driven_cavity.yaml"* ]] || fail "lbm cases does not find the installed case files"
[ -e "$(python -c 'import lbm, os; print(os.path.dirname(lbm.__file__))')/py.typed" ] || fail "no py.typed"

python -m pytest -q -p no:cacheprovider "$root/tests/python/"test_{examples,same_as_program,exchange,case_classes}.py
