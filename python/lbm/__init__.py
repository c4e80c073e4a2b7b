"""Out-of-core lattice Boltzmann solver: build a case, run it, look at it. See docs/python.md."""

from lbm._lbm import DivergedError, Error, ResourceError, UsageError, __version__

__all__ = ["DivergedError", "Error", "ResourceError", "UsageError", "__version__"]
