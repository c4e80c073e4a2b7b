# SPDX-License-Identifier: Apache-2.0
"""Dispersion of a solute in the flow through a periodic porous medium.

The solute has the macroscopic gradient G. Its concentration less G . x is psi, which is periodic. U is
the mean velocity in the pores. A source G . U keeps the mean of psi constant. When psi is steady, the
mean flux relative to U is -D* G (Brenner, Phil. Trans. R. Soc. Lond. A 297 (1980) 81):
D*_ij G_j = D (G_i + <d psi/dx_i>) - <(u_i - U_i) psi>, < >: mean over the pores.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import lbm._case_classes as keys
from lbm._arguments import PathLike
from lbm.case import Case, as_case
from lbm.errors import UsageError
from lbm.porous.image_case import check_faces
from lbm.porous.pore_diffusion import close_pores
from lbm.progress import Progress
from lbm.simulation import Simulation

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_GROWTH = 1.2  # of the step, from one sample of the dispersion to the next
_MOST_DIFFUSIVITY = 1 / 8  # cells^2 per step: a relaxation time of 1
_LEAST_VISCOSITY, _MOST_VISCOSITY = 1 / 6, 1 / 2  # relaxation times of 1 and 2
# Largest Reynolds number with `length`, difference of density over `length`, speed in cells
# per step; and the least diffusivity over the square of this speed (the solver has 0.41:
# solver/lattice/scalars.hpp).
_REYNOLDS, _DENSITY, _SPEED, _BOUND = 0.5, 0.03, 0.1, 0.5


@dataclass(frozen=True)
class Dispersion:
    """Dispersion in the flow through a porous medium, relative to its mean velocity in the pores."""

    tensor: Array
    """D* over the free diffusivity, [3, 3]: flux along i, gradient along j; NaN in columns outside of
    `gradients`. Without flow it is 1 / tortuosity."""
    direction: Array
    """Unit vector [3] of the mean velocity."""
    peclet: float
    """Mean velocity in the pores x length / free diffusivity."""
    reynolds: float
    """Mean velocity in the pores x length / viscosity."""
    porosity: float
    lattice_velocity: float
    """Mean velocity in the pores in cells per step."""
    lattice_diffusivity: float
    """In cells^2 per step."""
    steps: int
    status: str
    """steady, or completed: the run ended at its last step, before it was steady."""

    @property
    def longitudinal(self) -> float:
        """D* along the mean velocity; NaN where a column of this direction is missing."""
        used = np.abs(self.direction) > 1e-3
        n = self.direction[used]
        return float(n @ self.tensor[np.ix_(used, used)] @ n)

    @property
    def transverse(self) -> float:
        """Mean of D* over the directions across the mean velocity; NaN where a column is missing."""
        return float(np.trace(self.tensor) - self.longitudinal) / 2


def dispersion(
    case: Case | PathLike,
    *,
    peclet: float,
    length: float,
    gradients: str = "xyz",
    tolerance: float = 2e-3,
    steps: int | None = None,
    progress: Progress = None,
) -> Dispersion:
    """Computes creeping flow through a case, and then the dispersion of a solute in it.

    case: a Case or the path of a YAML file, in lattice units and with periodic faces, such as that of
        image_case without `voxel`. Its force drives the flow, and is scaled to the Peclet number.
    peclet: mean velocity in the pores x length / free diffusivity.
    length: such as the diameter of a grain, in cells.
    gradients: axes of the macroscopic gradients, the columns of the tensor. One run computes all of
        them; fewer are faster.
    tolerance: the run ends when the relative change of the diagonal of the tensor is below half of the
        tolerance twice, each time while the number of steps grows by a fifth.
    steps: the largest number of steps with the solute; None: 100 x length^2 / diffusivity.

    Velocity and viscosity are chosen so that the Reynolds number with `length` stays below 0.5 and the
    scheme stays stable. At high Peclet numbers the diffusivity is small and the run long. Where the only
    body is an image, pores that do not lead through along the flow count as solid. No files are written.

    Raises UsageError for other cases, and as Simulation does.
    """
    base = as_case(case)
    _check(base, gradients)
    if not (peclet > 0 and length > 0):
        raise UsageError(f"dispersion: found peclet {peclet!r}, length {length!r}, must be > 0")
    base = _flow_case(base)
    with Simulation(base, progress=progress) as simulation:
        simulation.advance()
        flow = _Flow(
            pores=simulation.field("solid") == 0,
            velocity=simulation.velocity(units="lattice"),
            density=simulation.density(units="lattice"),
            viscosity=base.check().viscosity,
        )
    scale = _scale(base, flow, peclet, length)
    made = _solute_case(base, flow, scale, length, gradients)
    most = math.ceil(100 * length**2 / scale.diffusivity) if steps is None else steps
    made.run.steps = most
    initial = {
        "velocity": flow.velocity / flow.speed,
        "density": 1 + (flow.density - 1) * (scale.velocity / flow.speed * scale.viscosity / flow.viscosity),
    }
    with Simulation(made, initial=initial, progress=progress) as simulation:
        seen: list[Array] = []
        while True:
            step = simulation.step
            simulation.advance(min(max(100, math.ceil((_GROWTH - 1) * step)), most - step))
            velocity, tensor = _tensor(simulation, flow.pores, scale, length, gradients)
            seen = [*seen[-2:], np.diag(tensor)[["xyz".index(axis) for axis in gradients]]]
            steady = len(seen) == 3 and bool(
                np.all(
                    np.abs(np.diff(seen, axis=0)) <= tolerance / 2 * np.maximum(np.abs(seen[-1]), 0.1)
                )
            )
            if steady or simulation.done:
                break
        speed = float(np.linalg.norm(velocity))
        return Dispersion(
            tensor=tensor,
            direction=velocity / speed,
            peclet=speed * length / scale.diffusivity,
            reynolds=speed * length / scale.viscosity,
            porosity=float(flow.pores.mean()),
            lattice_velocity=speed,
            lattice_diffusivity=scale.diffusivity,
            steps=simulation.step,
            status="steady" if steady else "completed",
        )


class _Flow(NamedTuple):
    """A steady flow in lattice units."""

    pores: Mask
    velocity: npt.NDArray[np.float32]
    density: npt.NDArray[np.float32]
    viscosity: float

    @property
    def mean(self) -> Array:
        return np.asarray(self.velocity[self.pores].mean(axis=0, dtype=np.float64))

    @property
    def speed(self) -> float:
        return float(np.linalg.norm(self.mean))


class _Scale(NamedTuple):
    """Lattice units of the flow with the solute."""

    velocity: float  # mean in the pores
    viscosity: float
    diffusivity: float


def _check(case: Case, gradients: str) -> None:
    if not gradients or set(gradients) - set("xyz") or len(set(gradients)) < len(gradients):
        raise UsageError(f"gradients: found {gradients!r}, must be axes such as 'xyz' or 'z'")
    if case.units != "lattice":
        raise UsageError(
            f"dispersion: units: found {case.units}, must be lattice: image_case without voxel"
        )
    check_faces(case, "dispersion")
    if not any(case.force.acceleration or ()):
        raise UsageError("dispersion: missing: force.acceleration, which drives the flow")


def _flow_case(given: Case) -> Case:
    """A copy of the case without pores that do not lead through along the force."""
    made = given.replace({})
    close_pores(made, "xyz"[int(np.argmax(np.abs(made.force.acceleration or [0])))])
    return made


def _force(case: Case) -> Array:
    """The acceleration in cells per step^2."""
    checked = case.check()
    unit = float(checked.lattice_velocity) ** 2 / float(checked.length)
    return np.array(case.force.acceleration, dtype=np.float64) * unit


def _scale(case: Case, flow: _Flow, peclet: float, length: float) -> _Scale:
    peak = float(np.linalg.norm(flow.velocity, axis=-1).max()) / flow.speed
    # Velocity x viscosity / force: a constant of creeping flow.
    mobility = flow.speed * flow.viscosity / float(np.linalg.norm(_force(case)))
    velocity = min(
        _MOST_DIFFUSIVITY * peclet / length,
        _SPEED / peak,
        length / (_BOUND * peak**2 * peclet),
        _MOST_VISCOSITY * _REYNOLDS / length,
        # With force = velocity x viscosity / mobility and viscosity = velocity x length / Reynolds number.
        math.sqrt(_DENSITY / 3 * mobility * _REYNOLDS) / length,
        # And with the least viscosity.
        _DENSITY / 3 * mobility / (_LEAST_VISCOSITY * length),
    )
    viscosity = max(_LEAST_VISCOSITY, velocity * length / _REYNOLDS)
    return _Scale(velocity, viscosity, velocity * length / peclet)


def _solute_case(case: Case, flow: _Flow, scale: _Scale, length: float, gradients: str) -> Case:
    made = Case(name=f"{case.name}_dispersion")
    for group in ("grid", "bodies", "boundaries", "device", "host", "tiling"):
        setattr(made, group, copy.deepcopy(getattr(case, group)))
    made.lattice = keys.Lattice(collision=case.lattice.collision, storage="fp64")
    made.fluid = keys.Fluid(
        viscosity=scale.viscosity, length=length, lattice_velocity=scale.velocity
    )
    force = _force(case) * (scale.velocity / flow.speed * scale.viscosity / flow.viscosity)
    made.force = keys.Force(acceleration=[*(force * length / scale.velocity**2)])
    for axis in gradients:  # gradients of 1 / length
        a = "xyz".index(axis)
        made.scalars[f"solute_{axis}"] = keys.Scalar(
            diffusivity=scale.diffusivity,
            gradient=[(a == b) / length for b in range(3)],
            source=float(flow.mean[a] / flow.speed),
        )
    made.output = keys.Output(at_end=False, profiles=False)
    return made


def _tensor(
    simulation: Simulation, pores: Mask, scale: _Scale, length: float, gradients: str
) -> tuple[Array, Array]:
    """The mean velocity in the pores, in cells per step, and the tensor over the diffusivity."""
    field = simulation.velocity(units="lattice")
    velocity = field[pores].astype(np.float64)
    mean = velocity.mean(axis=0)
    tensor = np.full((3, 3), np.nan)
    for axis in gradients:
        j = "xyz".index(axis)
        psi: Any = simulation.field(f"solute_{axis}") * np.float64(length)  # of a gradient of 1
        streams = ((velocity - mean) * psi[pores][:, None]).mean(axis=0)
        for i in range(3):
            # Between neighbours that are both pores.
            change = np.roll(psi, -1, axis=2 - i) - psi + (i == j)
            both = pores & np.roll(pores, -1, axis=2 - i)
            tensor[i, j] = change[both].sum() / pores.sum() - streams[i] / scale.diffusivity
    return mean, tensor
