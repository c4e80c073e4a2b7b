# SPDX-License-Identifier: Apache-2.0
"""Figures of results, scaling studies and benchmarks, with matplotlib.

Each function draws on the axes `ax`, by default on those of a new figure, and returns the axes. No
function calls plt.show(). `save="picture.png"` also saves the picture; an existing picture is
replaced only with `overwrite=True`.
"""

from lbm.plot.bench import bench
from lbm.plot.fields import profile, slice
from lbm.plot.history import forces, history
from lbm.plot.scaling import scaling
from lbm.plot.surfaces import isosurface

__all__ = ["bench", "forces", "history", "isosurface", "profile", "scaling", "slice"]
