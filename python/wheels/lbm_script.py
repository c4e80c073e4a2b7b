#!python
# SPDX-License-Identifier: Apache-2.0
"""The command `lbm` of a wheel: starts the program inside the package, without importing the package.

`lbm film`, `report`, `scale` and `watch` alone are of Python.
"""

import importlib.util
import os
import sys

if sys.argv[1:2] in (["film"], ["report"], ["scale"], ["watch"]):
    os.execv(sys.executable, [sys.executable, "-m", "lbm", *sys.argv[1:]])
spec = importlib.util.find_spec("lbm")
folders = list(spec.submodule_search_locations or []) if spec else []
programs = [os.path.join(folder, "bin", "lbm") for folder in folders]
program = next((name for name in programs if os.access(name, os.X_OK)), None)
if program is None:
    sys.exit(f"lbm: {programs[0] if programs else 'the Python package lbm'} is missing: install the wheel again (pip install --force-reinstall)")
os.execv(program, [program, *sys.argv[1:]])
