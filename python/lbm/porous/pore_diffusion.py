# SPDX-License-Identifier: Apache-2.0
"""Steady diffusion through the pores of a case: effective diffusivity, formation factor."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import lbm._case_classes as keys
from lbm._arguments import PathLike
from lbm.case import Case, as_case
from lbm.errors import UsageError
from lbm.progress import Progress
from lbm.simulation import Simulation

Flux = npt.NDArray[np.float64]

_NAME = "concentration"
_GROWTH = 1.1  # of the step, from one sample of the fluxes to the next
# The relaxation times of flow and scalar are both 1 with this Prandtl number: the viscosity is 1/6,
# the diffusivity 1/8.
_PRANDTL = 4 / 3
_VELOCITY = 0.01  # cells per step; only a unit: nothing moves


@dataclass(frozen=True)
class Diffusion:
    """Diffusion along an axis through a porous medium."""

    along: str
    effective_diffusivity: float
    """D_eff / D_0: flux per area of pores and solid / (gradient x free diffusivity)."""
    porosity: float
    """Share of the pores that lead from one face to the other, dead ends included."""
    spread: float
    """(Largest - smallest flux of a layer across the axis) / mean: 0 when steady."""
    steps: int
    status: str
    """steady, or completed: the run ended at its last step, before it was steady."""

    @property
    def formation_factor(self) -> float:
        """D_0 / D_eff; also the resistivity of a rock full of brine over that of the brine."""
        return 1 / self.effective_diffusivity

    @property
    def tortuosity(self) -> float:
        """Porosity x formation factor, a square of a ratio of lengths (diffusive tortuosity factor)."""
        return self.porosity * self.formation_factor


def diffusion(
    case: Case | PathLike,
    *,
    along: str = "z",
    tolerance: float = 1e-3,
    steps: int | None = None,
    progress: Progress = None,
) -> Diffusion:
    """Computes steady diffusion through the pores of a case, between two faces that hold values.

    case: a Case or the path of a YAML file, such as that of image_case. Its grid, bodies and machine
        (device, host, tiling) count; its flow does not. Nothing passes bodies and side faces.
    along: x, y or z. The concentration is 1 at the lower face and 0 at the upper one.
    tolerance: the run ends when the fluxes through all layers across the axis agree within it:
        (largest - smallest) / mean.
    steps: the largest number of steps; None: 50 x (cells along the axis)^2.

    Where the only body is an image, pores that do not lead through count as solid. No files are written.
    The fluid rests. With a relaxation time of 1 the scheme is that of finite volumes with seven points
    (solver/update/scalar_cells.hpp): the flux between two cells is the diffusivity x the difference
    of their values, that between a face and its cell twice the diffusivity x the difference.

    Raises UsageError where no pore of the image leads through, and as Simulation does.
    """
    if along not in ("x", "y", "z"):
        raise UsageError(f"along: found {along!r}, must be x, y or z")
    if not 0 < tolerance < 1:
        raise UsageError(f"tolerance: found {tolerance!r}, must be > 0 and < 1")
    made = _case(as_case(case), along)
    made.run.steps = 1  # until the number of cells is known
    cells = made.check().cells["xyz".index(along)]
    made.run.steps = most = 50 * cells**2 if steps is None else steps
    axis = "zyx".index(along)
    with Simulation(made, progress=progress) as simulation:
        pores = np.moveaxis(simulation.field("solid") == 0, axis, 0)
        if not (pores[0].any() and pores[-1].any()):
            raise UsageError(f"diffusion: no pore leads from {along}_min to {along}_max")
        while True:
            step = simulation.step
            simulation.advance(min(max(20, math.ceil((_GROWTH - 1) * step)), most - step))
            fluxes = _fluxes(np.moveaxis(simulation.field(_NAME), axis, 0), pores)
            mean = float(fluxes.mean())
            spread = float(np.ptp(fluxes)) / mean if mean > 0 else math.inf
            if spread <= tolerance or simulation.done:
                break
        return Diffusion(
            along=along,
            effective_diffusivity=mean * cells / pores[0].size,
            porosity=float(pores.mean()),
            spread=spread,
            steps=simulation.step,
            status="steady" if spread <= tolerance else "completed",
        )


def close_pores(case: Case, along: str) -> None:
    """Makes pores solid that do not lead through along an axis, where the only body is an image."""
    if [body.shape for body in case.bodies.values()] == ["voxels"]:
        case[f"bodies.{next(iter(case.bodies))}.connected"] = along


def _case(given: Case, along: str) -> Case:
    """A case with the grid and the bodies of another, between walls, with fluid at rest and a scalar."""
    made = Case(name=f"{given.name}_diffusion", units=given.units)
    for group in ("grid", "bodies", "device", "host", "tiling"):
        setattr(made, group, copy.deepcopy(getattr(given, group)))
    close_pores(made, along)
    made.lattice.storage = "fp64"  # the last changes of a step are far below 1e-7
    made.lattice.collision = "regularised"  # stores ten moments; any does for a fluid at rest
    made.fluid = _fluid(given)
    ends: dict[str, Any] = {
        f"{along}_{end}": {"type": "value", "value": value} for end, value in (("min", 1), ("max", 0))
    }
    made.scalars[_NAME] = keys.Scalar(
        prandtl=_PRANDTL, initial=f"1 - {along}/l{along}", boundaries=ends
    )
    made.output = keys.Output(at_end=False, profiles=False)
    return made


def _fluid(given: Case) -> keys.Fluid:
    """A fluid whose relaxation time is 1."""
    if given.units != "si":
        return keys.Fluid(tau=1, lattice_velocity=_VELOCITY)
    spacing = given.grid.spacing or (given.fluid.length or 0) / (given.grid.cells_per_length or 1)
    return keys.Fluid(
        length=None if given.grid.spacing else given.fluid.length,
        viscosity=1,
        velocity=6 * _VELOCITY / spacing,
        lattice_velocity=_VELOCITY,
    )


def _fluxes(values: npt.NDArray[np.float32], pores: npt.NDArray[np.bool_]) -> Flux:
    """The fluxes through the faces and between all layers, over the diffusivity: [layers + 1].

    values, pores: [layer, ., .].
    """
    inside = [
        np.sum((low - high) * (here & there), dtype=np.float64)
        for low, high, here, there in zip(values, values[1:], pores, pores[1:])
    ]
    first = 2 * np.sum((1 - values[0]) * pores[0], dtype=np.float64)
    last = 2 * np.sum(values[-1] * pores[-1], dtype=np.float64)
    return np.array([first, *inside, last])
