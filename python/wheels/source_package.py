#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the source package lbm-VERSION.tar.gz: source_package.py OUT.

pip builds it where CMake, a compiler and the libraries are (docs/install.md). It holds the tracked files of the solver and the
Python package, without tests and pages, and a pyproject.toml in its root.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["CMakeLists.txt", "LICENSE", "solver", "tiling", "io", "cases", "python"]


def main() -> None:
    out = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        tree = pathlib.Path(scratch) / "lbm"
        tree.mkdir()
        files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", *FOLDERS], capture_output=True, text=True, check=True)
        for file in filter(None, files.stdout.split("\0")):
            if not (ROOT / file).is_file():
                continue
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, tree / file)
        project = (ROOT / "python/pyproject.toml").read_text(encoding="utf-8")
        for old, new in {
            'readme = "README.md"': 'readme = "python/README.md"',
            'cmake.source-dir = ".."': 'cmake.source-dir = "."',
            'wheel.packages = ["lbm"]': 'wheel.packages = ["python/lbm"]',
            'input = "../CMakeLists.txt"': 'input = "CMakeLists.txt"',
        }.items():
            assert project.count(old) == 1, f"python/pyproject.toml: {old} is not there once"
            project = project.replace(old, new)
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
        project = re.sub(r"cmake\.define = \{", f'cmake.define = {{LBM_COMMIT = "{commit.stdout.strip() or "unknown"}", ', project)
        (tree / "pyproject.toml").write_text(project, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "build", "--sdist", "--outdir", out, tree], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
