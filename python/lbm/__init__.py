# SPDX-License-Identifier: Apache-2.0
"""Out-of-core lattice Boltzmann solver: build a case, run it, read its results (docs/python.md)."""

import importlib
import os
import sys
from typing import TYPE_CHECKING, Any

# Before OpenMP is loaded: its threads wait without occupying the cores of a shared machine, as those
# of the program do (cases/cli/program.cpp).
if "OMP_WAIT_POLICY" not in os.environ and "GOMP_SPINCOUNT" not in os.environ:
    os.environ["GOMP_SPINCOUNT"] = "2000"

from lbm import _case_classes
from lbm._case_classes import *  # noqa: F403  (Grid, Fluid, Body ...: the groups of a case)
from lbm._lbm import __version__
from lbm.arrays.files import inlet_table, mask
from lbm.case import Case
from lbm.errors import DivergedError, Error, MissingFileError, ResourceError, UsageError
from lbm.report import Record
from lbm.simulation import CaseWarning, Forces, PointValues, Simulation

if TYPE_CHECKING:
    from lbm import plot, porous, results, voxels
    from lbm.paraview import paraview_script
    from lbm.report_page import write_report
    from lbm.results import Results, open
    from lbm.studies import StudyTable, run, sweep

__all__ = [
    "Case",
    "CaseWarning",
    "DivergedError",
    "Error",
    "Forces",
    "MissingFileError",
    "PointValues",
    "Record",
    "ResourceError",
    "Results",
    "Simulation",
    "StudyTable",
    "UsageError",
    "__version__",
    "inlet_table",
    "mask",
    "open",
    "paraview_script",
    "plot",
    "porous",
    "results",
    "run",
    "sweep",
    "voxels",
    "write_report",
]
__all__ += _case_classes.__all__
os.environ.setdefault("LBM_PYTHON", sys.executable)  # with which a run draws its pictures

# Imported on first use: `import lbm` needs neither matplotlib nor h5py.
_LAZY = {
    "Results": "lbm.results",
    "StudyTable": "lbm.studies",
    "open": "lbm.results",
    "paraview_script": "lbm.paraview",
    "run": "lbm.studies",
    "sweep": "lbm.studies",
    "write_report": "lbm.report_page",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in ("plot", "porous", "results", "voxels"):
            return importlib.import_module(f"lbm.{name}")
        if name in _LAZY:
            return getattr(importlib.import_module(_LAZY[name]), name)
        raise AttributeError(f"module 'lbm' has no attribute {name!r}")
