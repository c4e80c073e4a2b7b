# SPDX-License-Identifier: Apache-2.0
"""The part of an image that all file formats share: cells, coordinates, attributes, arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from lbm._lbm import UsageError
from lbm.box import Bounds
from lbm.report import Record
from lbm.results.lazy import Array, LazyArray

Triple = tuple[float, float, float]
N = TypeVar("N", int, float)

AXES = {"x": 0, "y": 1, "z": 2}

# Units of a field, by the unit system of the file: reference, lattice, SI.
FIELD_UNITS = {
    "velocity": ("U", "cells/step", "m/s"),
    "reynolds_stress": ("U^2", "cells^2/step^2", "m^2/s^2"),
    "density": ("rho0", "rho0", "kg/m^3"),
    "pressure": ("rho0 U^2", "rho0 cells^2/step^2", "Pa"),
    "wall_shear_stress": ("rho0 U^2", "rho0 cells^2/step^2", "Pa"),
    "vorticity": ("U/L", "1/step", "1/s"),
    "strain_rate": ("U/L", "1/step", "1/s"),
    "q_criterion": ("U^2/L^2", "1/step^2", "1/s^2"),
}


def triple(values: Sequence[N]) -> tuple[N, N, N]:
    """Three values along x, y, z. Raises ValueError for more or fewer."""
    x, y, z = values
    return x, y, z


def axis_number(axis: str) -> int:
    """0, 1, 2 for x, y, z. Raises UsageError for any other axis."""
    if axis not in AXES:
        raise UsageError(f"axis: found {axis!r}, must be 'x', 'y' or 'z'")
    return AXES[axis]


@dataclass(frozen=True)
class ImageHeader:
    """An image before any of its values is read.

    counts: cells along x, y, z. origin: centre of the first cell; spacing: distance of centres;
    both in the unit of length of the file. attrs: `time`, `step`, and the texts and numbers of the
    file.
    """

    counts: tuple[int, int, int]
    origin: Triple
    spacing: Triple
    attrs: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, LazyArray] = field(default_factory=dict)

    def centres(self, axis: str) -> Array:
        """Coordinates of the cell centres along an axis."""
        a = axis_number(axis)
        return self.origin[a] + self.spacing[a] * np.arange(self.counts[a])

    def part(self, begin: Sequence[int], end: Sequence[int], stride: int) -> ImageHeader:
        """Every stride-th cell of the box from `begin` up to, but without, `end` (x, y, z)."""
        box = tuple(slice(b, e, stride) for b, e in zip(begin, end))
        counts = triple([len(range(b, e, stride)) for b, e in zip(begin, end)])
        origin = triple([o + h * b for o, h, b in zip(self.origin, self.spacing, begin)])
        spacing = triple([h * stride for h in self.spacing])
        arrays = {name: array.part(box[::-1]) for name, array in self.arrays.items()}
        return replace(self, counts=counts, origin=origin, spacing=spacing, arrays=arrays)


def _system(attrs: dict[str, Any]) -> int:
    """0: reference units, 1: lattice units, 2: SI; from the attribute `units` of a file."""
    text = str(attrs.get("units", ""))
    return 2 if text.startswith("SI") else 1 if text.startswith("lattice") else 0


def length_and_time_units(attrs: dict[str, Any]) -> tuple[str, str]:
    """Units of coordinates and times, from the attributes of a file."""
    return (("L", "L/U"), ("cells", "steps"), ("m", "s"))[_system(attrs)]


def field_unit(name: str, attrs: dict[str, Any]) -> str:
    """Unit of a field, from the attributes of its file; empty where it has none."""
    units = FIELD_UNITS.get(name.removeprefix("mean_").removeprefix("rms_"))
    return units[_system(attrs)] if units else ""


_SYSTEMS = {"reference": "reference units", "lattice": "lattice units", "physical": "SI"}


def computed_header(
    report: Record,
    step: int,
    units: str | None,
    box: Bounds,
    stride: int,
    fields: Mapping[str, Array],
) -> ImageHeader:
    """Fields that a simulation has computed, with coordinates, time and units as in its files.

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
        "units": _SYSTEMS[system],
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
