"""Figures of results, scaling studies and benchmarks, with matplotlib.

Each function takes `ax` (axes to draw on; by default of a new figure) and returns the axes. None
calls plt.show(). `save="picture.png"` also saves the picture; one that is there is only replaced
with `overwrite=True`.
"""

from lbm.plot.bench import bench
from lbm.plot.fields import profile, slice
from lbm.plot.history import forces, history
from lbm.plot.scaling import scaling
from lbm.plot.surfaces import isosurface

__all__ = ["bench", "forces", "history", "isosurface", "profile", "scaling", "slice"]
