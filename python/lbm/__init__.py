"""Out-of-core lattice Boltzmann solver: build a case, run it, look at it. See docs/python.md."""

import importlib
from typing import TYPE_CHECKING, Any

from lbm._lbm import DivergedError, Error, ResourceError, UsageError, __version__
from lbm.errors import MissingFileError

if TYPE_CHECKING:
    from lbm import plot, results
    from lbm.results import Results, open

__all__ = [
    "DivergedError",
    "Error",
    "MissingFileError",
    "ResourceError",
    "Results",
    "UsageError",
    "__version__",
    "open",
    "plot",
    "results",
]

# Imported when they are used: `import lbm` needs no matplotlib and no h5py.
_LAZY = {"Results": "lbm.results", "open": "lbm.results"}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in ("plot", "results"):
            return importlib.import_module(f"lbm.{name}")
        if name in _LAZY:
            return getattr(importlib.import_module(_LAZY[name]), name)
        raise AttributeError(f"module 'lbm' has no attribute {name!r}")
