# SPDX-License-Identifier: Apache-2.0
"""Results of a run: fields, slices, surfaces, statistics, probes, tables, the report."""

from lbm.results.errors import MissingNameError, MissingPackageError
from lbm.results.image import Cut, Image
from lbm.results.lazy import LazyArray
from lbm.results.pictures import Pictures
from lbm.results.results import Named, Results, open
from lbm.results.series import Series
from lbm.results.surface import Surface
from lbm.results.table import ForceTable, ProbeTable, Table

__all__ = [
    "Cut",
    "ForceTable",
    "Image",
    "LazyArray",
    "MissingNameError",
    "MissingPackageError",
    "Named",
    "Pictures",
    "ProbeTable",
    "Results",
    "Series",
    "Surface",
    "Table",
    "open",
]
