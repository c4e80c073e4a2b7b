# SPDX-License-Identifier: Apache-2.0
"""Whole runs, and parameter studies of several runs."""

from lbm.studies.runs import run
from lbm.studies.sweeps import sweep
from lbm.studies.table import StudyTable

__all__ = ["StudyTable", "run", "sweep"]
