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
_SHARE_OF_IMAGES = 0.6  # of D - D_2: a rule without a theory, which fits the images of docs/diffusion.md


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


@dataclass(frozen=True)
class ExtrapolatedDiffusion(Diffusion):
    """Diffusion of smooth surfaces, extrapolated from two grids; porosity and steps are those of the finer one."""

    fine: Diffusion
    coarse: Diffusion
    """With half as many cells along each axis."""

    @property
    def error(self) -> float:
        """Estimated relative error: the share that extrapolation adds to the finer grid. Mostly too large."""
        return abs(1 - self.fine.effective_diffusivity / self.effective_diffusivity)


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


def extrapolated_diffusion(
    case: Case | PathLike,
    *,
    along: str = "z",
    tolerance: float = 1e-3,
    steps: int | None = None,
    progress: Progress = None,
) -> ExtrapolatedDiffusion:
    """Computes diffusion with the cells of a case and with cells twice as large, and extrapolates to smooth surfaces.

    Surfaces are staircases of cells, with an error of first order. With D of the case and D_2 of the coarser one,
    shapes in closed form and surfaces from files have 2 D - D_2 (Richardson). Images of voxels with `coarsen: 2`
    have D + 0.6 (D - D_2), an empirical rule (docs/diffusion.md). Arguments are those of diffusion, for both runs.

    Raises UsageError for an odd number of cells, an image beside other shapes, and an image with `refine` or
    `reservoir`; and as diffusion does.
    """
    fine = as_case(case)
    coarse, share = _coarser(fine, along)

    def run(case: Case) -> Diffusion:
        return diffusion(case, along=along, tolerance=tolerance, steps=steps, progress=progress)

    try:
        low = run(coarse)
    except UsageError as error:
        raise UsageError(f"with cells twice as large: {error}") from None
    high = run(fine)
    change = share * (high.effective_diffusivity - low.effective_diffusivity)
    return ExtrapolatedDiffusion(
        along=along,
        effective_diffusivity=high.effective_diffusivity + change,
        porosity=high.porosity,
        spread=max(high.spread, low.spread),
        steps=high.steps,
        status=min(high.status, low.status),  # completed, if one is
        fine=high,
        coarse=low,
    )


def _coarser(given: Case, along: str) -> tuple[Case, float]:
    """The case with cells twice as large, and the share of D - D_2 that is added to D."""
    images = {name: body for name, body in given.bodies.items() if body.shape == "voxels"}
    if images and len(images) < len(given.bodies):
        raise UsageError("extrapolated_diffusion: bodies: found images of voxels beside other shapes, must be one kind")
    for name, body in images.items():
        for key in ("refine", "reservoir"):
            if getattr(body, key):
                raise UsageError(f"extrapolated_diffusion: conflicts with bodies.{name}.{key}: remove one")
    made = _case(given, along)
    made.run.steps = 1
    cells = made.check().cells
    if any(count > 1 and count % 2 for count in cells):
        raise UsageError(f"extrapolated_diffusion: grid.cells: found {list(cells)}, must be even")
    coarse = copy.deepcopy(given)
    coarse.grid = keys.Grid(cells=[max(1, count // 2) for count in cells], spacing=2 * _edge(given))
    for name in images:
        coarse[f"bodies.{name}.coarsen"] = 2 * (images[name].coarsen or 1)
    return coarse, _SHARE_OF_IMAGES if images else 1


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
    return keys.Fluid(
        length=None if given.grid.spacing else given.fluid.length,
        viscosity=1,
        velocity=6 * _VELOCITY / _edge(given),
        lattice_velocity=_VELOCITY,
    )


def _edge(given: Case) -> float:
    """The edge of a cell, in the unit of lengths."""
    if given.grid.spacing or given.units != "si":
        return given.grid.spacing or 1
    return (given.fluid.length or 0) / (given.grid.cells_per_length or 1)


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
