"""Out-of-core lattice Boltzmann solver: build a case, run it, look at it. See docs/python.md."""

from lbm import _threads  # first of all: it says how threads wait
from lbm import _case_classes
from lbm._case_classes import *  # noqa: F403  (Grid, Fluid, Body ...: the groups of a case)
from lbm._lbm import __version__
from lbm.case import Case
from lbm.errors import DivergedError, Error, MissingFileError, ResourceError, UsageError
from lbm.record import Record
from lbm.simulation import CaseWarning, Forces, PointValues, Simulation

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
    "Simulation",
    "UsageError",
    "__version__",
]
__all__ += _case_classes.__all__
del _threads
