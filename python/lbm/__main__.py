# SPDX-License-Identifier: Apache-2.0
"""`python -m lbm run case.yaml`: the program `lbm`, of the package or the one on PATH.

Some commands are of Python, such as `python -m lbm report DIR`: the program calls them here.
"""

from __future__ import annotations

import collections.abc
import importlib
import os
import pathlib
import shutil
import sys
import sysconfig

_NAME = "lbm"
_COMMANDS = {
    "film": "lbm.film",
    "report": "lbm.report_page.write",
    "schema": "lbm.schema",
    "scale": "lbm.studies.scale",
    "watch": "lbm.watch.command",
}
_NOT_FOUND = 127  # as a shell says it


def _places(package: pathlib.Path) -> collections.abc.Iterator[pathlib.Path]:
    """Where the program of this package may be, the nearest first."""
    yield package / "bin" / _NAME
    for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
        folders = sysconfig.get_paths(scheme)
        if pathlib.Path(folders["platlib"]) == package.parent:
            yield pathlib.Path(folders["scripts"]) / _NAME
    yield package.parents[1] / _NAME  # in a build: build/lbm for build/python/lbm


def _is_program(path: pathlib.Path) -> bool:
    """True if the file is executable and no Python script, which could call this module again."""
    try:
        with path.open("rb") as file:
            start = file.readline(200)
    except OSError:
        return False
    return os.access(path, os.X_OK) and not (start.startswith(b"#!") and b"python" in start)


def program() -> str | None:
    """The path of the program; None where there is none.

    LBM_PROGRAM names it where it is set. Otherwise it is the one that was installed or built with
    this package, else the one on PATH.
    """
    if chosen := os.environ.get("LBM_PROGRAM"):
        return chosen if _is_program(pathlib.Path(chosen)) else None
    for path in _places(pathlib.Path(__file__).resolve().parent):
        if _is_program(path):
            return str(path)
    found = shutil.which(_NAME)
    return found if found and _is_program(pathlib.Path(found)) else None


def main() -> None:
    """Becomes the program: arguments, output, signals and exit code are those of `lbm`."""
    if sys.argv[1:2] == ["pictures"]:
        from lbm.results.errors import need

        sys.exit(need("lbm.pictures.command", "matplotlib", "lbm pictures").main(sys.argv[2:]))
    if module := _COMMANDS.get(" ".join(sys.argv[1:2])):
        sys.exit(importlib.import_module(module).main(sys.argv[2:]))
    found = program()
    if found is None:
        where = os.environ.get("LBM_PROGRAM")
        what = f"LBM_PROGRAM: found {where}, must be a program" if where else "found no program lbm"
        print(f"python -m lbm: {what}: put lbm on PATH, or set LBM_PROGRAM to it", file=sys.stderr)
        sys.exit(_NOT_FOUND)
    os.execv(found, [_NAME, *sys.argv[1:]])


if __name__ == "__main__":
    main()
