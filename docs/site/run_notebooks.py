#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs notebooks as Jupyter does, each in a directory of its own, and fails where a cell fails.

    run_notebooks.py [--write] NOTEBOOK...      --write: keeps what the cells print and draw in the notebook
"""

import argparse
import os
import sys
import tempfile
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def run(path, write):
    notebook = nbformat.read(path, as_version=4)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="lbm_notebook_") as folder:
        resources = {"metadata": {"path": folder}}
        try:
            NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
        except CellExecutionError as error:
            print(f"error: {path}: {error}")
            return False
    print(f"{path}: {time.monotonic() - began:.1f} s")
    if write:
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        notebook.metadata["language_info"] = {"name": "python"}
        nbformat.write(notebook, path)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("notebooks", nargs="+")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    # The backend of Jupyter draws into the notebook.
    os.environ.pop("MPLBACKEND", None)
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    return 0 if all([run(path, arguments.write) for path in arguments.notebooks]) else 1


if __name__ == "__main__":
    sys.exit(main())
