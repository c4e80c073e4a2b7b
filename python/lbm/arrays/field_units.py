# SPDX-License-Identifier: Apache-2.0
"""Coordinates, time and units of fields that a simulation computes, as in the files of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lbm.box import Bounds
from lbm.report import Record
from lbm.results.header import ImageHeader, field_unit, triple
from lbm.results.lazy import Array, LazyArray

_TEXTS = {"reference": "reference units", "lattice": "lattice units", "physical": "SI"}


def field_header(
    report: Record,
    step: int,
    units: str | None,
    box: Bounds,
    stride: int,
    fields: Mapping[str, Array],
) -> ImageHeader:
    """Fields of a box of cells in memory, with the coordinates of their cells.

    report: of the simulation at this step. units: as for Simulation.field().
    """
    system = units or ("physical" if report.units.system == "si" else "reference")
    rows = {row.name: row for row in report.units.rows}
    cells_per_length = report.units.cells_per_length
    scales = {
        "reference": (1 / cells_per_length, 1 / rows["convective time"].lattice),
        "lattice": (1.0, 1.0),
        "physical": (rows["cell"].value, rows["step"].value),
    }
    cell, time = scales[system]
    attrs: dict[str, Any] = {
        "case": report.case,
        "units": _TEXTS[system],
        "reference_length_cells": cells_per_length,
        "reference_velocity_cells_per_step": report.flow.lattice_velocity,
        "reynolds": report.flow.reynolds,
        "step": step,
        "time": step * time,
    }
    counts = triple([len(range(b, e, stride)) for b, e in zip(*box)])
    origin = triple([(b + 0.5) * cell for b in box[0]])
    arrays = {
        name: LazyArray(name, v.shape, v.dtype, v.__getitem__, field_unit(name, attrs))
        for name, v in fields.items()
    }
    return ImageHeader(counts, origin, (stride * cell,) * 3, attrs, arrays)
