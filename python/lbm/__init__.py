"""Out-of-core lattice Boltzmann solver: build a case, run it, look at it. See docs/python.md."""

from lbm import _case_classes
from lbm._case_classes import *  # noqa: F403  (Grid, Fluid, Body ...: the groups of a case)
from lbm._lbm import __version__
from lbm.case import Case
from lbm.errors import DivergedError, Error, MissingFileError, ResourceError, UsageError
from lbm.record import Record

__all__ = [
    "Case",
    "DivergedError",
    "Error",
    "MissingFileError",
    "Record",
    "ResourceError",
    "UsageError",
    "__version__",
]
__all__ += _case_classes.__all__
